/** Digests of the rows of a release, made of the bytes of its columns. */
import type { Page, Values } from './pages.ts'

/** 64 bits of each row, as two numbers. */
export type Digests = readonly [Uint32Array, Uint32Array]

/** Adds a column to the digests of its rows. Unknown values add nothing, as missing columns do. */
export function addColumn([first, second]: Digests, name: string, pages: Iterable<Page>): void {
  const seed = hashValues(listOne(Buffer.from(name)), [1, 2])
  const seeds = [seed[0][0] as number, seed[1][0] as number] as const
  let hashed: Values | undefined
  let [ones, others] = seed
  for (const { values, rows, places } of pages) {
    if (values !== hashed) [ones, others] = hashValues(values, seeds)
    hashed = values
    let [last, weight] = [-1, 1]
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number
      const place = places[at] as number
      // Odd weights, so that the order in a list counts. That of columns does not.
      weight = row === last ? weight + 2 : 1
      last = row
      first[row] = (first[row] as number) + Math.imul(ones[place] as number, weight)
      second[row] = (second[row] as number) + Math.imul(others[place] as number, weight)
    }
  }
}

function listOne(bytes: Buffer): Values {
  return { bytes, starts: Uint32Array.of(0), ends: Uint32Array.of(bytes.length) }
}

/** Two multiplicative hashes of each value's bytes, four at a time, from two seeds. */
function hashValues({ bytes, starts, ends }: Values, [a, b]: readonly [number, number]): Digests {
  const hashes = [new Uint32Array(starts.length), new Uint32Array(starts.length)] as const
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let own = 0; own < starts.length; own += 1) {
    const end = ends[own] as number
    let at = starts[own] as number
    let [one, other, rest] = [a, b, end - at]
    for (; at + 3 < end; at += 4) {
      const word = view.getUint32(at, true)
      one = Math.imul(one ^ word, 0x9e3779b1)
      one ^= one >>> 15
      other = Math.imul(other ^ word, 0x5bd1e995)
      other ^= other >>> 13
    }
    for (; at < end; at += 1) rest = Math.imul(rest, 256) ^ (bytes[at] as number)
    one = Math.imul(one ^ rest, 0x9e3779b1)
    other = Math.imul(other ^ rest, 0x5bd1e995)
    hashes[0][own] = Math.imul(one ^ (one >>> 15) ^ (one >>> 16), 0x85ebca6b)
    hashes[1][own] = Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  }
  return hashes
}
