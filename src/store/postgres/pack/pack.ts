/** Packs texts (`codes.ts`): most of a first load's own work, so it is in arrays of numbers. */
import {
  BLOCK_BITS,
  BYTE_COST,
  CANDIDATES,
  CLASS_OF,
  DICTIONARY,
  DISTANCE_CLASSES,
  DISTANCES,
  END,
  FIRST_CANDIDATE,
  HASH_BITS,
  HASH_FACTOR,
  KIND_OF,
  KINDS,
  LENGTH_BITS,
  LENGTH_COST,
  LENGTH_FIRST,
  LENGTHS,
  MATCH_MAX,
  MATCH_MIN,
  OTHER,
  PLACE_CODES,
  PLACE_COST,
  SIZE,
  SYMBOL_CODES,
  SYMBOLS,
  VERSION,
} from './codes.ts'

/** A match of this length is taken at once. */
const LONG = 24
/** Bytes of a match whose own codes decide what it saves; each further one counts as 5 bits. */
const LOOKED = 8
const BYTE_BITS = 5
const FIRST_ROOM = 16_384

/** The dictionary, then the texts. */
let room = Buffer.concat([DICTIONARY, Buffer.alloc(FIRST_ROOM)])
/** Of each place behind the dictionary: its hash, and the newest place before with that hash. */
let hashes = new Uint16Array(FIRST_ROOM)
let earlier = new Int32Array(FIRST_ROOM)
/** Bits of the bytes before a place when each is written by its own code. */
let bitsBefore = new Int32Array(FIRST_ROOM)
/** What is written: the bits times 32, plus their number. A place of a text needs up to 4. */
let written = new Int32Array(FIRST_ROOM * 4)
let packed = Buffer.alloc(FIRST_ROOM * 3)

/** Newest places in the text by hash, plus `base`, which grows with each text: others are older. */
const recent = new Int32Array(1 << HASH_BITS).fill(-1)
let base = 0
const BASE_MAX = 1 << 29

/** Returns a text's packed bytes. `before`: a text whose parts need not be written again. */
export function pack(text: string, before = ''): Buffer {
  openRoom(text.length + before.length)
  const start = SIZE + room.write(before, SIZE)
  const end = start + room.write(text, start)
  scan(SIZE, start, end)
  const bytes = packPart(start, end)
  base += end
  return bytes
}

/** Returns the packed bytes of two texts, the second with the first before it. */
export function packBoth(first: string, second: string): [Buffer, Buffer] {
  openRoom(first.length + second.length)
  const middle = SIZE + room.write(first, SIZE)
  scan(SIZE, SIZE, middle)
  const bytes = packPart(SIZE, middle)
  const end = middle + room.write(second, middle)
  // The last places of the first text had no four bytes of their own.
  scan(Math.max(SIZE, middle - MATCH_MIN + 1), middle, end)
  const both: [Buffer, Buffer] = [bytes, packPart(middle, end)]
  base += end
  return both
}

function openRoom(characters: number): void {
  const most = characters * 3 + MATCH_MIN
  if (hashes.length < most) {
    room = Buffer.concat([DICTIONARY, Buffer.alloc(most * 2)])
    hashes = new Uint16Array(most * 2)
    earlier = new Int32Array(most * 2)
    bitsBefore = new Int32Array(most * 2)
    written = new Int32Array(most * 8)
    packed = Buffer.alloc(most * 6)
  }
  if (base + SIZE + most > BASE_MAX) {
    recent.fill(-1)
    base = 0
  }
}

/** Looks at places of the room. From `start` on they are of the text that is packed next. */
function scan(from: number, start: number, end: number): void {
  const bytes = room
  const newest = recent
  let four = ((bytes[from] ?? 0) << 8) | ((bytes[from + 1] ?? 0) << 16)
  four |= (bytes[from + 2] ?? 0) << 24
  for (let at = from; at + MATCH_MIN <= end; at += 1) {
    four = (four >>> 8) | ((bytes[at + 3] as number) << 24)
    const hash = Math.imul(four, HASH_FACTOR) >>> (32 - HASH_BITS)
    hashes[at - SIZE] = hash
    earlier[at - SIZE] = (newest[hash] as number) - base
    newest[hash] = base + at
  }
  let bits = 0
  let kind = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number
    bitsBefore[at - SIZE] = bits
    bits += BYTE_COST[(kind << 8) | byte] as number
    kind = KIND_OF[byte] as number
  }
  bitsBefore[end - SIZE] = bits
}

/** Packs places that were scanned. A match is taken unless the one a byte later saves more. */
function packPart(start: number, end: number): Buffer {
  const bytes = room
  const out = written
  let count = 0
  let context = 2
  // The match of the place before, which waits for that of this one.
  let heldLength = 0
  let heldFrom = 0
  let heldBits = 0
  let heldContext = 0
  for (let at = start; ; ) {
    let length = MATCH_MIN - 1
    let from = 0
    let bits = 0
    const most = end - at < MATCH_MAX ? end - at : MATCH_MAX
    if (most >= MATCH_MIN) {
      const newest = earlier[at - SIZE] as number
      // What the first byte and the others need without a match.
      const first =
        (BYTE_COST[(context << 8) | (bytes[at] as number)] as number) -
        (bitsBefore[at + 1 - SIZE] as number)
      const lengths = context * (MATCH_MAX + 1)
      if (newest >= SIZE && at - newest < 1 << (DISTANCE_CLASSES - 1)) {
        let same = 0
        while (same < most && bytes[newest + same] === bytes[at + same]) same += 1
        if (same >= MATCH_MIN) {
          const looked = same < LOOKED ? same : LOOKED
          const saved =
            first +
            (bitsBefore[at + looked - SIZE] as number) +
            (same - looked) * BYTE_BITS -
            (LENGTH_COST[lengths + same] as number) -
            (PLACE_COST[DISTANCES + 31 - Math.clz32(at - newest)] as number)
          if (saved > 0) {
            length = same
            from = newest
            bits = saved
          }
        }
      }
      const hash = hashes[at - SIZE] as number
      const last = FIRST_CANDIDATE[hash + 1] as number
      for (let next = FIRST_CANDIDATE[hash] as number; next < last && length < most; next += 1) {
        const place = CANDIDATES[next] as number
        if (bytes[place + length] !== bytes[at + length]) continue
        const longest = SIZE - place < most ? SIZE - place : most
        let same = 0
        while (same < longest && bytes[place + same] === bytes[at + same]) same += 1
        if (same <= length) continue
        const looked = same < LOOKED ? same : LOOKED
        const saved =
          first +
          (bitsBefore[at + looked - SIZE] as number) +
          (same - looked) * BYTE_BITS -
          (LENGTH_COST[lengths + same] as number) -
          (PLACE_COST[place >> BLOCK_BITS] as number)
        if (saved <= bits) continue
        length = same
        from = place
        bits = saved
      }
    }
    if (heldBits > 0) {
      if (bits <= heldBits + 1) {
        count = putMatch(out, count, heldContext, heldLength, heldFrom, at - 1)
        at += heldLength - 1
        context = (KIND_OF[bytes[at - 1] as number] as number) + KINDS
        heldBits = 0
        continue
      }
      count = putByte(out, count, heldContext, bytes[at - 1] as number)
      heldBits = 0
    }
    if (at >= end) break
    if (bits > 0 && length >= LONG) {
      count = putMatch(out, count, context, length, from, at)
      at += length
      context = (KIND_OF[bytes[at - 1] as number] as number) + KINDS
      continue
    }
    const byte = bytes[at] as number
    if (bits > 0) {
      heldLength = length
      heldFrom = from
      heldBits = bits
      heldContext = context
    } else count = putByte(out, count, context, byte)
    context = KIND_OF[byte] as number
    at += 1
  }
  count = put(out, count, SYMBOL_CODES[context * SYMBOLS + END] as number)
  return writeBits(count)
}

/** Each of these adds to what is written and returns the new count. */
function put(out: Int32Array, count: number, code: number): number {
  out[count] = ((code >> 4) << 5) | (code & 15)
  return count + 1
}

function putBits(out: Int32Array, count: number, value: number, bits: number): number {
  out[count] = (value << 5) | bits
  return count + 1
}

function putByte(out: Int32Array, count: number, context: number, byte: number): number {
  const code = SYMBOL_CODES[context * SYMBOLS + byte] as number
  if (code !== 0) return put(out, count, code)
  const other = put(out, count, SYMBOL_CODES[context * SYMBOLS + OTHER] as number)
  return putBits(out, other, byte, 8)
}

function putMatch(
  out: Int32Array,
  count: number,
  context: number,
  length: number,
  from: number,
  at: number,
): number {
  const own = CLASS_OF[length] as number
  let next = put(out, count, SYMBOL_CODES[context * SYMBOLS + LENGTHS + own] as number)
  next = putBits(out, next, length - (LENGTH_FIRST[own] as number), LENGTH_BITS[own] as number)
  if (from < SIZE) {
    next = put(out, next, PLACE_CODES[from >> BLOCK_BITS] as number)
    return putBits(out, next, from & ((1 << BLOCK_BITS) - 1), BLOCK_BITS)
  }
  const further = 31 - Math.clz32(at - from)
  next = put(out, next, PLACE_CODES[DISTANCES + further] as number)
  return putBits(out, next, at - from - (1 << further), further)
}

function writeBits(count: number): Buffer {
  const to = packed
  to[0] = VERSION
  let size = 1
  let bits = 0
  let held = 0
  for (let at = 0; at < count; at += 1) {
    const one = written[at] as number
    bits |= (one >>> 5) << held
    held += one & 31
    while (held >= 8) {
      to[size] = bits
      size += 1
      bits >>>= 8
      held -= 8
    }
  }
  if (held > 0) {
    to[size] = bits
    size += 1
  }
  return Buffer.from(to.subarray(0, size))
}
