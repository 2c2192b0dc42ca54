/**
 * Bloom filters over segments of the audit: they find the segments that may contain a parcel or an
 * account. An index of all IDs would cost a write per parcel in every answer; a filter costs one
 * write of some kilobytes per segment.
 */
import { nextTurn } from '../../base/event-loop.ts'
import type { AuditEntry, Probe } from './audit-store.ts'

/** With 12 bits per key and 8 probes, a false positive occurs once in some 300 lookups. */
const BITS_A_KEY = 12
export const PROBES = 8

const [PARCEL, ACCOUNT, TAB] = [0x70, 0x61, 0x09]

/** The propertyId is the text between two positions. */
export function probeParcel(text: string, from = 0, to = text.length): Probe {
  return hash(PARCEL, text, from, to)
}

export function probeAccount(accountId: string): Probe {
  return hash(ACCOUNT, accountId, 0, accountId.length)
}

/** Two FNV-like 32-bit hashes of a letter and a part of a text: even distribution, no secrecy. */
function hash(letter: number, text: string, from: number, to: number): Probe {
  let [first, step] = [0x811c9dc5, 0x9e3779b9]
  for (let at = from - 1; at < to; at += 1) {
    const code = at < from ? letter : text.charCodeAt(at)
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

/** Words of the table that one turn of the event loop turns into bits: under 1 ms. */
const SLICE = 16_384

/**
 * The distinct keys of a segment, as their probes: a `Set` of the texts takes three times as long,
 * because V8 looks each one up among all texts that it knows.
 */
export class FilterKeys {
  #size = 0
  /** Probes, two words each. A step is odd, so 0 is free. Its length is a power of two. */
  #table = new Uint32Array(2048)

  /** Adds the keys of an entry's account and parcels. */
  addEntry({ accountId, ids }: Pick<AuditEntry, 'accountId' | 'ids'>): void {
    this.#add(probeAccount(accountId))
    for (let from = 0; from < ids.length; ) {
      const next = ids.indexOf('\n', from)
      const to = next === -1 ? ids.length : next
      // Another line has an answer's request and query: see answers.ts.
      if (ids.charCodeAt(from) !== TAB) this.#add(probeParcel(ids, from, to))
      from = to + 1
    }
  }

  /** Builds the filter; equal sets of keys give equal filters. */
  async makeFilter(): Promise<Uint8Array> {
    const bits = new Uint8Array(Math.max(8, Math.ceil((this.#size * BITS_A_KEY) / 8)))
    const size = bits.length * 8
    for (let at = 0; at < this.#table.length; at += 2) {
      if (at % SLICE === SLICE - 2) await nextTurn()
      const [first, step] = [this.#table[at] as number, this.#table[at + 1] as number]
      for (let probe = 0; probe < PROBES && step !== 0; probe += 1) {
        const place = (first + probe * step) % size
        bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7))
      }
    }
    return bits
  }

  #add({ first, step }: Probe): void {
    if (this.#size * 4 >= this.#table.length) this.#grow()
    const table = this.#table
    const last = table.length - 2
    let at = (first * 2) & last
    for (; table[at + 1] !== 0; at = (at + 2) & last) {
      if (table[at] === first && table[at + 1] === step) return
    }
    table[at] = first
    table[at + 1] = step
    this.#size += 1
  }

  #grow(): void {
    const before = this.#table
    this.#table = new Uint32Array(2 * before.length)
    this.#size = 0
    for (let at = 0; at < before.length; at += 2) {
      const [first, step] = [before[at] as number, before[at + 1] as number]
      if (step !== 0) this.#add({ first, step })
    }
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
