/** Packs texts (`codes.ts`): most of a first load's own work, so it is in arrays of numbers. */
import { cleanText } from '../write/copy-in.ts'
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
let count = 0
let packed = Buffer.alloc(FIRST_ROOM * 3)

/** Newest places in the text by hash, plus `base`, which grows with each text: others are older. */
const recent = new Int32Array(1 << HASH_BITS).fill(-1)
let base = 0
const BASE_MAX = 1 << 29

/** The match that `findMatch` found, if it saves any bits. */
let matchLength = 0
let matchFrom = 0
let matchBits = 0

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

/** Returns the bytes of a record's `fieldValues`, and of its keys, which are packed after them. */
export function packRecord(fieldValues: string, keys: string): [fieldValues: Buffer, keys: Buffer] {
  return packBoth(cleanText(fieldValues), cleanText(keys))
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
  count = 0
  let context = 2
  // The match of the place before, which waits for that of this one.
  let heldLength = 0
  let heldFrom = 0
  let heldBits = 0
  let heldContext = 0
  for (let at = start; ; ) {
    findMatch(at, end, context)
    if (heldBits > 0) {
      if (matchBits <= heldBits + 1) {
        putMatch(heldContext, heldLength, heldFrom, at - 1)
        at += heldLength - 1
        context = (KIND_OF[bytes[at - 1] as number] as number) + KINDS
        heldBits = 0
        continue
      }
      putByte(heldContext, bytes[at - 1] as number)
      heldBits = 0
    }
    if (at >= end) break
    if (matchBits > 0 && matchLength >= LONG) {
      putMatch(context, matchLength, matchFrom, at)
      at += matchLength
      context = (KIND_OF[bytes[at - 1] as number] as number) + KINDS
      continue
    }
    const byte = bytes[at] as number
    if (matchBits > 0) {
      heldLength = matchLength
      heldFrom = matchFrom
      heldBits = matchBits
      heldContext = context
    } else putByte(context, byte)
    context = KIND_OF[byte] as number
    at += 1
  }
  put(SYMBOL_CODES[context * SYMBOLS + END] as number)
  return writeBits()
}

/** Finds the match at a place that saves the most. */
function findMatch(at: number, end: number, context: number): void {
  const bytes = room
  matchLength = MATCH_MIN - 1
  matchBits = 0
  const most = end - at < MATCH_MAX ? end - at : MATCH_MAX
  if (most < MATCH_MIN) return
  const newest = earlier[at - SIZE] as number
  if (newest >= SIZE && at - newest < 1 << (DISTANCE_CLASSES - 1)) {
    tryMatch(at, newest, most, context)
  }
  const hash = hashes[at - SIZE] as number
  const last = FIRST_CANDIDATE[hash + 1] as number
  for (let next = FIRST_CANDIDATE[hash] as number; next < last && matchLength < most; next += 1) {
    const from = CANDIDATES[next] as number
    if (bytes[from + matchLength] !== bytes[at + matchLength]) continue
    tryMatch(at, from, SIZE - from < most ? SIZE - from : most, context)
  }
}

/** Takes the bytes at `from` as the match at a place if they are longer and save more. */
function tryMatch(at: number, from: number, most: number, context: number): void {
  const bytes = room
  let same = 0
  while (same < most && bytes[from + same] === bytes[at + same]) same += 1
  if (same <= matchLength) return
  const looked = same < LOOKED ? same : LOOKED
  // What the bytes need without a match, less what the match needs.
  const bits =
    (BYTE_COST[(context << 8) | (bytes[at] as number)] as number) -
    (bitsBefore[at + 1 - SIZE] as number) +
    (bitsBefore[at + looked - SIZE] as number) +
    (same - looked) * BYTE_BITS -
    (LENGTH_COST[context * (MATCH_MAX + 1) + same] as number) -
    (PLACE_COST[placeOf(at, from)] as number)
  if (bits <= matchBits) return
  matchLength = same
  matchFrom = from
  matchBits = bits
}

/** Returns the number of a match's place: its block of the dictionary, or its distance's class. */
function placeOf(at: number, from: number): number {
  return from < SIZE ? from >> BLOCK_BITS : DISTANCES + 31 - Math.clz32(at - from)
}

function put(code: number): void {
  putBits(code >> 4, code & 15)
}

function putBits(value: number, bits: number): void {
  written[count] = (value << 5) | bits
  count += 1
}

function putByte(context: number, byte: number): void {
  const code = SYMBOL_CODES[context * SYMBOLS + byte] as number
  if (code !== 0) put(code)
  else {
    put(SYMBOL_CODES[context * SYMBOLS + OTHER] as number)
    putBits(byte, 8)
  }
}

function putMatch(context: number, length: number, from: number, at: number): void {
  const own = CLASS_OF[length] as number
  put(SYMBOL_CODES[context * SYMBOLS + LENGTHS + own] as number)
  putBits(length - (LENGTH_FIRST[own] as number), LENGTH_BITS[own] as number)
  const place = placeOf(at, from)
  put(PLACE_CODES[place] as number)
  if (from < SIZE) putBits(from & ((1 << BLOCK_BITS) - 1), BLOCK_BITS)
  else putBits(at - from - (1 << (place - DISTANCES)), place - DISTANCES)
}

function writeBits(): Buffer {
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
