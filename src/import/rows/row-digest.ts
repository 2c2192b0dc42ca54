/** Identifies rows by 96 bits of SHA-256. */
import { hash } from 'node:crypto'

/** Three words of 32 bits; the first is never 0. */
export type RowDigest = readonly [number, number, number]

/** Returns the digest of a row's texts and of its polygon as GeoJSON text. */
export function digestRow(row: readonly string[], polygon: string | null): RowDigest {
  return digestText(polygon === null ? JSON.stringify(row) : JSON.stringify([row, polygon]))
}

/** Combines a row's digest with the other inputs that determine its parcel. */
export function digestWith([one, two, three]: RowDigest, more: string): RowDigest {
  return more === '' ? [one, two, three] : digestText(`${one} ${two} ${three} ${more}`)
}

function digestText(text: string): RowDigest {
  const digits = hash('sha256', text)
  const word = (from: number) => Number.parseInt(digits.slice(from, from + 8), 16)
  return [word(0) || 1, word(8), word(16)]
}
