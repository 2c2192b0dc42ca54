/**
 * Encodes rows and parcels as a few large values to send between threads. Copying a text costs by
 * its bytes; copying an object costs by each of its names and values. Rows and parcels are packed
 * and unpacked one at a time. Objects that live as long as a batch are moved by every garbage
 * collection meanwhile (docs/decisions/imports.md).
 */
import { makeBlank } from '../../record/stored.ts'
import { COLUMNS } from '../../store/columns.ts'
import type { StagedParcel } from '../../store/store.ts'

/** Rows that are read by index; an array of rows is one. */
export type Rows = { readonly length: number; at(index: number): string[] | undefined }

/** Concatenated texts of rows with the same number of columns, and the end of each text. */
export type PackedRows = { text: string; ends: Uint32Array<ArrayBuffer>; width: number }

/** Packs rows; `undefined` when their numbers of columns differ. */
export function packRows(rows: readonly (readonly string[])[]): PackedRows | undefined {
  const width = rows[0]?.length ?? 0
  if (width === 0 || rows.some((row) => row.length !== width)) return undefined
  const ends = new Uint32Array(rows.length * width)
  let all = ''
  let next = 0
  for (const row of rows) {
    for (const text of row) {
      all += text
      ends[next] = all.length
      next += 1
    }
  }
  return { text: all, ends, width }
}

/** Returns the rows of a pack; each is created when it is read. */
export function openRows({ text, ends, width }: PackedRows): Rows {
  return {
    length: ends.length / width,
    at(index) {
      const row: string[] = []
      const first = index * width
      let from = first === 0 ? 0 : (ends[first - 1] as number)
      for (let column = first; column < first + width; column += 1) {
        const end = ends[column] as number
        row.push(end === from ? '' : text.slice(from, end))
        from = end
      }
      return row
    },
  }
}

/** Parcels of a batch as bytes, which are transferred between threads without a copy. */
export type PackedParcels = {
  /** Concatenated texts of all parcels: ASCII when a parcel has nothing else, otherwise UTF-16. */
  bytes: Uint8Array<ArrayBuffer>
  /** Bytes of each parcel. */
  sizes: Uint32Array<ArrayBuffer>
  /** Characters of each text; `NONE` for null. */
  lengths: Uint32Array<ArrayBuffer>
  /** Numbers of each parcel in the order of `NUMBERS`; NaN for null. */
  numbers: Float64Array<ArrayBuffer>
}

const NONE = 0xffffffff
/** The texts and the numbers of a parcel; flags count as numbers. */
const TEXTS = [
  ...COLUMNS.filter(({ type }) => type === 'text').map(({ property }) => property),
  ...(['identity', 'fieldValues', 'keys', 'geometry'] as const),
]
const FLAGS = COLUMNS.filter(({ type }) => type === 'flag').map(({ property }) => property)
const NUMBERS = [
  ...FLAGS,
  ...COLUMNS.filter(({ type }) => type === 'integer' || type === 'long').map(
    ({ property }) => property,
  ),
  'row' as const,
]

const BLANK = makeBlank([...TEXTS, ...NUMBERS])

/** Most bytes of a character in UTF-8 or UTF-16. */
const CHARACTER_MAX = 3

/** Bytes that the last pack took, and a tenth more: batches of a roll are of one size. */
let likely = 65_536

/** Packs parcels one after the other and keeps only their bytes. */
export class ParcelPacker {
  #bytes = Buffer.from(new ArrayBuffer(likely))
  #size = 0
  #count = 0
  readonly #sizes: Uint32Array<ArrayBuffer>
  readonly #lengths: Uint32Array<ArrayBuffer>
  readonly #numbers: Float64Array<ArrayBuffer>

  /** `most`: of parcels. */
  constructor(most: number) {
    this.#sizes = new Uint32Array(most)
    this.#lengths = new Uint32Array(most * TEXTS.length)
    this.#numbers = new Float64Array(most * NUMBERS.length)
  }

  add(parcel: StagedParcel): void {
    let text = ''
    let next = this.#count * TEXTS.length
    for (const property of TEXTS) {
      const one = parcel[property] as string | null
      this.#lengths[next++] = one === null ? NONE : one.length
      if (one !== null) text += one
    }
    next = this.#count * NUMBERS.length
    for (const property of NUMBERS) {
      const one = parcel[property]
      this.#numbers[next++] = one === null ? Number.NaN : Number(one)
    }
    this.#makeRoom(text.length * CHARACTER_MAX)
    let size = this.#bytes.write(text, this.#size, 'utf8')
    if (size !== text.length) size = this.#bytes.write(text, this.#size, 'utf16le')
    this.#sizes[this.#count++] = size
    this.#size += size
  }

  finish(): PackedParcels {
    likely = Math.ceil(this.#size * 1.1) + 65_536
    return {
      bytes: new Uint8Array(this.#bytes.buffer, 0, this.#size),
      sizes: this.#sizes.subarray(0, this.#count),
      lengths: this.#lengths,
      numbers: this.#numbers,
    }
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#bytes.length) return
    const larger = Buffer.from(new ArrayBuffer(2 * this.#bytes.length + bytes))
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
  }
}

/**
 * Builds the parcels from the bytes, one at a time, and frees their memory, which would wait for a
 * collection of all garbage.
 */
export function unpackParcels(packed: PackedParcels): StagedParcel[] {
  const { sizes, lengths } = packed
  const bytes = Buffer.from(packed.bytes.buffer, 0, packed.bytes.length)
  const parcels: StagedParcel[] = []
  let start = 0
  for (let parcel = 0; parcel < sizes.length; parcel += 1) {
    const end = start + (sizes[parcel] as number)
    let characters = 0
    for (let at = parcel * TEXTS.length; at < (parcel + 1) * TEXTS.length; at += 1) {
      const length = lengths[at] as number
      if (length !== NONE) characters += length
    }
    const text = bytes.toString(characters === end - start ? 'latin1' : 'utf16le', start, end)
    parcels.push(readParcel(text, packed, parcel))
    start = end
  }
  for (const buffer of buffersOf(packed)) buffer.transfer(0)
  return parcels
}

/** `parcel`: index in the pack. */
function readParcel(
  text: string,
  { lengths, numbers }: PackedParcels,
  parcel: number,
): StagedParcel {
  const staged = { ...BLANK }
  let from = 0
  for (let at = 0; at < TEXTS.length; at += 1) {
    const length = lengths[parcel * TEXTS.length + at] as number
    if (length === NONE) continue
    staged[TEXTS[at] as string] = text.slice(from, from + length)
    from += length
  }
  for (let at = 0; at < NUMBERS.length; at += 1) {
    const number = numbers[parcel * NUMBERS.length + at] as number
    if (Number.isNaN(number)) continue
    staged[NUMBERS[at] as string] = at < FLAGS.length ? number === 1 : number
  }
  return staged as StagedParcel
}

/** Returns the buffers of packed parcels that are transferred instead of copied. */
export function buffersOf({ bytes, sizes, lengths, numbers }: PackedParcels): ArrayBuffer[] {
  return [bytes.buffer, sizes.buffer, lengths.buffer, numbers.buffer]
}
