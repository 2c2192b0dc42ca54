/** Reads packed texts; `codes.ts` has their form. */
import {
  BLOCK_BITS,
  CODE_MAX,
  DICTIONARY,
  DISTANCES,
  END,
  KIND_OF,
  KINDS,
  LENGTH_BITS,
  LENGTH_FIRST,
  LENGTHS,
  OTHER,
  PLACE_TABLE,
  SYMBOL_TABLE,
  VERSION,
} from './codes.ts'

/** Texts are written here first; the one before too. Grows with the longest text. */
let room = Buffer.alloc(65_536)

const MASK = (1 << CODE_MAX) - 1
const FIRST = Int32Array.from(LENGTH_FIRST)
const FURTHER = Int32Array.from(LENGTH_BITS)

/**
 * Returns the text of packed bytes, or of bytes that are the text itself. `before`: the text after
 * which it was packed. Throws when the bytes are not whole.
 */
export function unpack(bytes: Uint8Array, before = ''): string {
  if (bytes[0] !== VERSION) return readPlain(bytes)
  const end = bytes.length
  if (before.length * 3 > room.length) grow(before.length * 3)
  const first = before === '' ? 0 : room.write(before)
  let [at, bits, count, to, context] = [1, 0, 0, first, 2]
  let high = first > before.length ? 128 : 0
  for (;;) {
    for (; count < 25; count += 8, at += 1) {
      if (at < end) bits |= (bytes[at] as number) << count
      else if (at > end + 4) throw damaged('cut off')
    }
    const found = SYMBOL_TABLE[(context << CODE_MAX) | (bits & MASK)] as number
    bits >>>= found & 15
    count -= found & 15
    let symbol = found >> 4
    if (symbol < LENGTHS) {
      if (symbol === END) break
      if (symbol === OTHER) {
        symbol = bits & 255
        bits >>>= 8
        count -= 8
      }
      if (to === room.length) grow(to + 1)
      room[to] = symbol
      to += 1
      high |= symbol
      context = KIND_OF[symbol] as number
      continue
    }
    const more = FURTHER[symbol - LENGTHS] as number
    const length = (FIRST[symbol - LENGTHS] as number) + (bits & ((1 << more) - 1))
    bits >>>= more
    count -= more
    for (; count < 25; count += 8, at += 1) if (at < end) bits |= (bytes[at] as number) << count
    const placed = PLACE_TABLE[bits & MASK] as number
    bits >>>= placed & 15
    count -= placed & 15
    const place = placed >> 4
    const further = place < DISTANCES ? BLOCK_BITS : place - DISTANCES
    for (; count < 25; count += 8, at += 1) if (at < end) bits |= (bytes[at] as number) << count
    const offset = bits & ((1 << further) - 1)
    bits >>>= further
    count -= further
    if (to + length > room.length) grow(to + length)
    if (place < DISTANCES) {
      const from = (place << BLOCK_BITS) + offset
      if (from + length > DICTIONARY.length) throw damaged('beyond the dictionary')
      for (let step = 0; step < length; step += 1)
        room[to + step] = DICTIONARY[from + step] as number
    } else {
      const from = to - (1 << further) - offset
      if (from < 0) throw damaged('before its beginning')
      for (let step = 0; step < length; step += 1) room[to + step] = room[from + step] as number
    }
    to += length
    context = (KIND_OF[room[to - 1] as number] as number) + KINDS
  }
  const left = (end - at) * 8 + count
  if (left < 0 || left > 7) throw damaged('cut off or continued')
  return high < 128 ? room.toString('latin1', first, to) : room.toString('utf8', first, to)
}

/** A text that was stored before texts were packed begins with a character, not a version. */
function readPlain(bytes: Uint8Array): string {
  const [first] = bytes
  if (first === undefined || first < 0x10) throw damaged('of an unknown version')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

function grow(least: number): void {
  const larger = Buffer.alloc(Math.max(least, room.length * 2))
  room.copy(larger)
  room = larger
}

function damaged(how: string): Error {
  return new Error(`a packed record is damaged: ${how}`)
}
