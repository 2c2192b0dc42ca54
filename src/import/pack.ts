/**
 * Rows and parcels as few big values, for the way between threads. Copying a text costs by its bytes, copying an object by each of its
 * names and values: packed, a row's way there and back costs a tenth (decision 065).
 */
import type { StagedParcel } from '../store/store.ts'

/** Texts behind one another, and the length of each; `NONE`: null. */
type PackedTexts = { text: string; lengths: Uint32Array<ArrayBuffer> }

const NONE = 0xffffffff

/** Rows of the same number of columns. */
export type PackedRows = PackedTexts & { width: number }

/** Packs rows; `undefined` when they are not of the same number of columns. */
export function packRows(rows: readonly (readonly string[])[]): PackedRows | undefined {
  const width = rows[0]?.length ?? 0
  if (width === 0 || rows.some((row) => row.length !== width)) return undefined
  return { ...packTexts(rows.flat()), width }
}

export function unpackRows({ text, lengths, width }: PackedRows): string[][] {
  const rows: string[][] = []
  let at = 0
  for (let first = 0; first < lengths.length; first += width) {
    const row: string[] = []
    for (let column = first; column < first + width; column += 1) {
      const end = at + (lengths[column] as number)
      row.push(end === at ? '' : text.slice(at, end))
      at = end
    }
    rows.push(row)
  }
  return rows
}

export type PackedParcels = PackedTexts & {
  /** Numbers of each parcel in the order of `packNumbers`; NaN: null. */
  numbers: Float64Array<ArrayBuffer>
}

/** How many numbers a parcel has. */
const NUMBERS = 7

export function packParcels(parcels: readonly StagedParcel[]): PackedParcels {
  const numbers = new Float64Array(parcels.length * NUMBERS)
  const texts: (string | null)[] = []
  parcels.forEach((parcel, at) => {
    numbers.set(packNumbers(parcel), at * NUMBERS)
    texts.push(parcel.state, parcel.municipality, parcel.identity, parcel.parcelKey)
    texts.push(parcel.strippedKey, parcel.leaves, parcel.keys, parcel.city, parcel.zip)
    texts.push(parcel.useCode, parcel.unit, parcel.geometry)
  })
  return { ...packTexts(texts), numbers }
}

function packNumbers(parcel: StagedParcel): number[] {
  const { residential } = parcel
  return [
    parcel.row,
    parcel.fips,
    parcel.rollYear ?? Number.NaN,
    residential === null ? Number.NaN : Number(residential),
    parcel.transferDay ?? Number.NaN,
    Number(parcel.assigned),
    parcel.filled,
  ]
}

export function unpackParcels({ text, lengths, numbers }: PackedParcels): StagedParcel[] {
  const parcels: StagedParcel[] = []
  let next = 0
  let at = 0
  const take = () => {
    const length = lengths[next] as number
    next += 1
    if (length === NONE) return null
    at += length
    return text.slice(at - length, at)
  }
  const takeText = () => take() ?? ''
  for (let first = 0; next < lengths.length; first += NUMBERS) {
    const number = (index: number) => numbers[first + index] as number
    const known = (index: number) => (Number.isNaN(number(index)) ? null : number(index))
    const residential = known(3)
    parcels.push({
      row: number(0),
      fips: number(1),
      rollYear: known(2),
      residential: residential === null ? null : residential === 1,
      transferDay: known(4),
      assigned: number(5) === 1,
      filled: number(6),
      state: takeText(),
      municipality: takeText(),
      identity: takeText(),
      parcelKey: takeText(),
      strippedKey: takeText(),
      leaves: takeText(),
      keys: takeText(),
      city: takeText(),
      zip: takeText(),
      useCode: takeText(),
      unit: takeText(),
      geometry: take(),
    })
  }
  return parcels
}

function packTexts(texts: readonly (string | null)[]): PackedTexts {
  const lengths = new Uint32Array(texts.length)
  for (let at = 0; at < texts.length; at += 1) lengths[at] = texts[at]?.length ?? NONE
  return { text: texts.join(''), lengths }
}

/** The memory that is handed over instead of copied. */
export function buffersOf(
  packed: Pick<PackedParcels, 'lengths'> & Partial<PackedParcels>,
): ArrayBuffer[] {
  const { lengths, numbers } = packed
  return numbers === undefined ? [lengths.buffer] : [lengths.buffer, numbers.buffer]
}
