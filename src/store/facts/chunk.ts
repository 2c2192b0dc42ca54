/**
 * One fact of one block of parcels as bytes. Numbers are stored as codes of the fewest bits: their
 * difference to the smallest one, in its decimal places. Words are codes of a list. Where most
 * parcels lack the fact, a bit map says which have it.
 *
 * Bytes, little-endian: kind, bits a code, decimal places, 1 with a bit map. Then number of parcels
 * (4 bytes), number of codes (4), length of the words' JSON (4), smallest and largest value (8
 * each). Then the bit map, the codes and the words.
 */

/** A fact of a block in memory. */
export type Column = Codes | Values

/** `codes[place]` is `none` where the fact is unknown. A number is `(code + base) / scale`. */
export type Codes = {
  kind: 'codes'
  codes: Uint8Array | Uint16Array | Uint32Array
  none: number
  base: number
  scale: number
  /** The words by code; absent for numbers. */
  words?: readonly string[]
}

/** Numbers that no code of 32 bits holds; NaN: unknown. */
type Values = { kind: 'values'; values: Float64Array }

const KIND = { none: 0, codes: 1, long: 2, floats: 3, words: 4 } as const
const HEADER = 32
const DECIMALS_MAX = 6
/** Above it a code would not be an exact number. */
const LONG_MAX = 2 ** 48 - 2

type Packed = { kind: number; bits: number; decimals: number; base: number; top: number }

/** Encodes numbers; NaN: unknown. */
export function encodeNumbers(numbers: Float64Array): Uint8Array {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [unknown, decimals] = [0, 0]
  for (let at = 0; at < numbers.length; at += 1) {
    const one = numbers[at] as number
    if (Number.isNaN(one)) {
      unknown += 1
      continue
    }
    if (one < least) least = one
    if (one > most) most = one
    if (!Number.isInteger(one)) decimals = countDecimals(one, decimals)
  }
  if (unknown === numbers.length) return write(numbers, unknown, NOTHING)
  const scale = 10 ** decimals
  const range = Math.round((most - least) * scale)
  if (decimals > DECIMALS_MAX || range > LONG_MAX || Math.max(most, -least) * scale > 2 ** 52) {
    const packed = { kind: KIND.floats, bits: 64, decimals: 0, base: least, top: most }
    return write(numbers, unknown, packed)
  }
  const bits = bitsFor(range + 1)
  const kind = bits === 48 ? KIND.long : KIND.codes
  return write(numbers, unknown, { kind, bits, decimals, base: least, top: most })
}

/** Encodes words as codes of a list; NaN: unknown. */
export function encodeWords(codes: Float64Array, words: readonly string[]): Uint8Array {
  let unknown = 0
  for (let at = 0; at < codes.length; at += 1) if (Number.isNaN(codes[at])) unknown += 1
  if (unknown === codes.length) return write(codes, unknown, NOTHING)
  const top = words.length - 1
  const packed = { kind: KIND.words, bits: bitsFor(top + 1), decimals: 0, base: 0, top }
  return write(codes, unknown, packed, JSON.stringify(words))
}

const NOTHING: Packed = { kind: KIND.none, bits: 0, decimals: 0, base: 0, top: 0 }

function bitsFor(top: number): number {
  if (top <= 3) return 2
  if (top <= 15) return 4
  if (top <= 0xff) return 8
  if (top <= 0xffff) return 16
  return top <= 0xffffffff ? 32 : 48
}

/** Returns the decimal places of a number, at least `least`; 7 when it has more than six. */
function countDecimals(one: number, least: number): number {
  let decimals = least
  for (let scale = 10 ** least; Math.round(one * scale) / scale !== one; scale *= 10) {
    decimals += 1
    if (decimals > DECIMALS_MAX) break
  }
  return decimals
}

function write(all: Float64Array, unknown: number, packed: Packed, words = ''): Uint8Array {
  const { kind, bits, decimals, base, top } = packed
  // The bit map costs an eighth of a byte for each parcel.
  const isSparse = kind !== KIND.none && unknown * bits > all.length * 2
  const listed = isSparse ? keepKnown(all, all.length - unknown) : all
  const mapBytes = isSparse ? padded(Math.ceil(all.length / 8)) : 0
  const codeBytes = kind === KIND.none ? 0 : padded(Math.ceil((listed.length * bits) / 8))
  const text = Buffer.from(words)
  const bytes = Buffer.alloc(HEADER + mapBytes + codeBytes + text.length)
  bytes.set([kind, bits, decimals, isSparse ? 1 : 0])
  bytes.writeUInt32LE(all.length, 4)
  bytes.writeUInt32LE(listed.length, 8)
  bytes.writeUInt32LE(text.length, 12)
  bytes.writeDoubleLE(base, 16)
  bytes.writeDoubleLE(top, 24)
  if (isSparse) {
    for (let place = 0; place < all.length; place += 1) {
      if (Number.isNaN(all[place])) continue
      ;(bytes[HEADER + (place >> 3)] as number) |= 1 << (place & 7)
    }
  }
  if (kind !== KIND.none) putCodes(bytes, HEADER + mapBytes, listed, packed)
  text.copy(bytes, HEADER + mapBytes + codeBytes)
  return bytes
}

function keepKnown(all: Float64Array, count: number): Float64Array {
  const known = new Float64Array(count)
  for (let place = 0, at = 0; place < all.length; place += 1) {
    if (!Number.isNaN(all[place])) known[at++] = all[place] as number
  }
  return known
}

function padded(bytes: number): number {
  return (bytes + 7) & ~7
}

function putCodes(bytes: Buffer, from: number, numbers: Float64Array, packed: Packed): void {
  const { bits, decimals, base, kind } = packed
  const scale = 10 ** decimals
  const first = Math.round(base * scale)
  const none = 2 ** bits - 1
  // The codes begin at a multiple of eight.
  const Kind = bits === 32 ? Uint32Array : bits === 16 ? Uint16Array : Uint8Array
  const size = padded(Math.ceil((numbers.length * bits) / 8)) / Kind.BYTES_PER_ELEMENT
  const whole = new Kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + from, size)
  for (let at = 0; at < numbers.length; at += 1) {
    const one = numbers[at] as number
    if (kind === KIND.floats) {
      bytes.writeDoubleLE(one, from + at * 8)
      continue
    }
    const code = Number.isNaN(one) ? none : Math.round(one * scale) - first
    if (bits === 48) bytes.writeUIntLE(code, from + at * 6, 6)
    else if (bits >= 8) whole[at] = code
    else (whole[(at * bits) >> 3] as number) |= code << ((at * bits) & 7)
  }
}

/** Decodes a chunk. Throws when its bytes are damaged. */
export function decodeChunk(bytes: Uint8Array): Column {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [kind, bits, decimals, isSparse] = bytes as unknown as [number, number, number, number]
  const [size, listed, length] = [4, 8, 12].map((at) => view.getUint32(at, true)) as Three
  const scale = 10 ** decimals
  const base = Math.round(view.getFloat64(16, true) * scale)
  const mapBytes = isSparse === 1 ? padded(Math.ceil(size / 8)) : 0
  const from = HEADER + mapBytes
  const end = from + (kind === KIND.none ? 0 : padded(Math.ceil((listed * bits) / 8)))
  if (end + length !== bytes.byteLength) throw new Error('a column of facts is damaged')
  if (kind === KIND.none) {
    return { kind: 'codes', codes: new Uint8Array(size).fill(3), none: 3, base: 0, scale: 1 }
  }
  const present = isSparse === 1 ? bytes.subarray(HEADER, from) : undefined
  if (bits > 32) return readValues(view, from, { size, present, bits, base, scale })
  const codes = readCodes(bytes.subarray(from, end), listed, bits)
  const none = 2 ** bits - 1
  const spread = present === undefined ? codes : spreadCodes(codes, present, size, none)
  const column: Codes = { kind: 'codes', codes: spread, none, base, scale }
  if (kind !== KIND.words) return column
  const text = Buffer.from(bytes.subarray(end)).toString()
  return { ...column, words: JSON.parse(text) as string[] }
}

type Three = [number, number, number]

function readCodes(bytes: Uint8Array, count: number, bits: number): Codes['codes'] {
  // A copy, whose start every kind of array may have. `slice` of a buffer would not copy.
  const own = new Uint8Array(bytes).buffer
  if (bits === 32) return new Uint32Array(own, 0, count)
  if (bits === 16) return new Uint16Array(own, 0, count)
  if (bits === 8) return new Uint8Array(own, 0, count)
  const codes = new Uint8Array(count)
  const mask = 2 ** bits - 1
  for (let at = 0; at < count; at += 1) {
    codes[at] = ((bytes[(at * bits) >> 3] as number) >> ((at * bits) & 7)) & mask
  }
  return codes
}

function spreadCodes(codes: Codes['codes'], present: Uint8Array, size: number, none: number) {
  const Kind = codes.constructor as Uint8ArrayConstructor
  const spread = new Kind(size).fill(none) as Codes['codes']
  for (let place = 0, at = 0; place < size; place += 1) {
    if (isSet(present, place)) spread[place] = codes[at++] as number
  }
  return spread
}

type Longs = { size: number; present: Uint8Array | undefined; bits: number } & Pick<
  Codes,
  'base' | 'scale'
>

function readValues(view: DataView, from: number, { size, present, bits, base, scale }: Longs) {
  const values = new Float64Array(size)
  for (let place = 0, at = 0; place < size; place += 1) {
    if (present !== undefined && !isSet(present, place)) {
      values[place] = Number.NaN
      continue
    }
    const start = from + (at * bits) / 8
    at += 1
    if (bits === 64) values[place] = view.getFloat64(start, true)
    else {
      const code = view.getUint32(start, true) + view.getUint16(start + 4, true) * 2 ** 32
      values[place] = code === LONG_MAX + 1 ? Number.NaN : (code + base) / scale
    }
  }
  return { kind: 'values', values } satisfies Values
}

function isSet(map: Uint8Array, place: number): boolean {
  return (((map[place >> 3] as number) >> (place & 7)) & 1) === 1
}

/** Returns the number of a parcel; NaN when unknown. */
export function numberAt(column: Column, place: number): number {
  if (column.kind === 'values') return column.values[place] as number
  const code = column.codes[place] as number
  return code === column.none ? Number.NaN : (code + column.base) / column.scale
}

/** Returns the word of a parcel; `''` when unknown. */
export function wordAt(column: Column, place: number): string {
  if (column.kind === 'values') return ''
  return column.words?.[column.codes[place] as number] ?? ''
}
