/**
 * Bloom filters over segments of the audit: they find the segments that may contain a parcel or an
 * account. An index of all IDs would cost a write per parcel in every answer; a filter costs one
 * write of some kilobytes per segment.
 */
import { idsOf } from './answers.ts'
import type { AuditEntry } from './audit-store.ts'

/** With 12 bits per key and 8 probes, a false positive occurs once in some 300 lookups. */
const BITS_A_KEY = 12
export const PROBES = 8

/** Positions of a key's bits: `(first + probe × step) % size`, for probes from 0. */
type Probe = { first: number; step: number }

/** Two FNV-like 32-bit hashes: a filter needs even distribution, not secrecy. */
export function probeOf(key: string): Probe {
  let [first, step] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    step = Math.imul(step ^ code, 0x85ebca6b)
    step ^= step >>> 15
  }
  // Odd, so that successive probes differ.
  return { first: mix(first) >>> 0, step: (mix(step) | 1) >>> 0 }
}

/** Mixes a hash so that every bit depends on all bits. */
function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

export function parcelKey(propertyId: string): string {
  return `p${propertyId}`
}

export function accountKey(accountId: string): string {
  return `a${accountId}`
}

export function keysOf(entry: AuditEntry): string[] {
  return [accountKey(entry.accountId), ...idsOf(entry).map(parcelKey)]
}

/** Builds the filter of a segment's keys; equal sets give equal filters. */
export function makeFilter(keys: ReadonlySet<string>): Uint8Array {
  const bits = emptyFilter(keys.size)
  for (const key of keys) addKey(bits, key)
  return bits
}

export function emptyFilter(keys: number): Uint8Array {
  return new Uint8Array(Math.max(8, Math.ceil((keys * BITS_A_KEY) / 8)))
}

export function addKey(bits: Uint8Array, key: string): void {
  const { first, step } = probeOf(key)
  const size = bits.length * 8
  for (let probe = 0; probe < PROBES; probe += 1) {
    const at = (first + probe * step) % size
    bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7))
  }
}

/** Reports whether a filter may contain a key; `false` is certain. */
export function mayHold(bits: Uint8Array, probe: Probe): boolean {
  const size = bits.length * 8
  for (let at = 0; at < PROBES; at += 1) {
    const place = (probe.first + at * probe.step) % size
    if (((bits[place >> 3] as number) & (1 << (place & 7))) === 0) return false
  }
  return true
}
