/** Digests of the rows of a release, made of the bytes of its columns. */
import type { Page, Values } from './pages.ts'

/** 64 bits of each row, as two numbers in turn. */
export type Digests = Uint32Array<ArrayBuffer>

/** Adds a column to the digests of its rows. Unknown values add nothing, as missing columns do. */
export function addColumn(digests: Digests, name: string, pages: Iterable<Page>): void {
  const seed = hashValues(nameOf(name), 1, 2)
  const [a = 0, b = 0] = seed
  let [hashed, hashes]: [Values | undefined, Digests] = [undefined, seed]
  for (const { values, rows, places } of pages) {
    if (values !== hashed) hashes = hashValues(values, a, b)
    hashed = values
    let [last, weight] = [-1, 1]
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number
      const place = 2 * (places[at] as number)
      // Odd weights, so that the order in a list counts. That of columns does not.
      weight = row === last ? weight + 2 : 1
      last = row
      const to = 2 * row
      digests[to] = (digests[to] as number) + Math.imul(hashes[place] as number, weight)
      digests[to + 1] = (digests[to + 1] as number) + Math.imul(hashes[place + 1] as number, weight)
    }
  }
}

function nameOf(name: string): Values {
  const bytes = Buffer.from(name)
  return { bytes, starts: Uint32Array.of(0, bytes.length), gap: 0 }
}

let made = new Uint32Array()

/** Hashes each value's bytes from two seeds, eight at a time. Good until the next call. */
function hashValues({ bytes, starts, gap }: Values, a: number, b: number): Digests {
  const size = 2 * (starts.length - 1)
  if (size > made.length) made = new Uint32Array(size)
  const hashes = made.subarray(0, size)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let own = 0; own < hashes.length; own += 2) {
    let at = starts[own / 2] as number
    const end = (starts[own / 2 + 1] as number) - gap
    let [one, other, rest] = [a, b, end - at]
    for (; at + 7 < end; at += 8) {
      one = Math.imul(one ^ view.getUint32(at, true), 0x9e3779b1)
      other = Math.imul(other ^ view.getUint32(at + 4, true), 0x85ebca6b)
      one ^= other >>> 15
      other ^= one >>> 13
    }
    if (at + 3 < end) {
      one = Math.imul(one ^ view.getUint32(at, true), 0x9e3779b1)
      at += 4
    }
    for (; at < end; at += 1) rest = Math.imul(rest, 256) ^ (bytes[at] as number)
    other = Math.imul(other ^ rest ^ (one >>> 15), 0x85ebca6b)
    one = Math.imul(one ^ (other >>> 13), 0xc2b2ae35)
    hashes[own] = one ^ (one >>> 16)
    hashes[own + 1] = Math.imul(other ^ (one >>> 15), 0x9e3779b1)
  }
  return hashes
}
