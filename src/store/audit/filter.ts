/**
 * Bloom filters over segments of the audit: which segments may tell of a parcel or an account. An
 * index of all IDs would cost each answer a write per parcel; a filter costs a segment one write of
 * some kilobytes.
 */
import { idsOf } from './answers.ts'
import type { AuditEntry } from './audit-store.ts'

/** With 12 bits a key and 8 probes a filter says "maybe" wrongly once in some 300 times. */
const BITS_A_KEY = 12
export const PROBES = 8

/** Where a key's bits stand: at `(first + probe × step) % size`, for probes from 0. */
type Probe = { first: number; step: number }

/**
 * Two FNV-like hashes of 32 bits: a filter needs spread, not secrecy, and one segment has some
 * 10,000 keys.
 */
export function probeOf(key: string): Probe {
  let [first, step] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    step = Math.imul(step ^ code, 0x85ebca6b)
    step ^= step >>> 15
  }
  // Odd, so that no probe falls on the one before it.
  return { first: mix(first) >>> 0, step: (mix(step) | 1) >>> 0 }
}

/** Spreads a hash over all its bits. */
function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

/** The key of a parcel's `propertyId`. */
export function parcelKey(propertyId: string): string {
  return `p${propertyId}`
}

export function accountKey(accountId: string): string {
  return `a${accountId}`
}

/** The keys of an entry. */
export function keysOf(entry: AuditEntry): string[] {
  return [accountKey(entry.accountId), ...idsOf(entry).map(parcelKey)]
}

/** The filter of a segment's keys; equal sets have equal filters. */
export function makeFilter(keys: ReadonlySet<string>): Uint8Array {
  const bits = emptyFilter(keys.size)
  for (const key of keys) addKey(bits, key)
  return bits
}

/** A filter with room for `keys` keys. */
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

/** Whether a filter may hold a key; `false` is certain. */
export function mayHold(bits: Uint8Array, probe: Probe): boolean {
  const size = bits.length * 8
  for (let at = 0; at < PROBES; at += 1) {
    const place = (probe.first + at * probe.step) % size
    if (((bits[place >> 3] as number) & (1 << (place & 7))) === 0) return false
  }
  return true
}
