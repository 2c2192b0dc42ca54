/**
 * Packs texts; `codes.ts` has their form. Equal texts give equal bytes, by which a refresh compares
 * them: a change of what is written here needs a new version.
 */
import {
  BLOCK_BITS,
  DICTIONARY,
  DISTANCE_CLASSES,
  DISTANCES,
  END,
  KIND_OF,
  KINDS,
  LENGTH_BITS,
  LENGTH_FIRST,
  LENGTHS,
  MATCH_MAX,
  MATCH_MIN,
  OTHER,
  PLACE_CODES,
  SYMBOL_CODES,
  SYMBOLS,
  VERSION,
} from './codes.ts'

/** A match at a place of the text: `bits` is what it saves, 0 without a match. */
type Match = { length: number; from: number; bits: number }

const SIZE = DICTIONARY.length
const HASH_BITS = 15
/** Candidates of a match that are tried in the dictionary. */
const TRIES = 8
/** A match of this length is taken at once. */
const LONG = 24
/** Bits that a byte is taken to need in a long match. */
const BYTE_BITS = 5

/** The dictionary, then the texts; and where its packed form is written. */
let room = Buffer.concat([DICTIONARY, Buffer.alloc(65_536)])
let packed = Buffer.alloc(65_536)

/** Newest places in the dictionary by hash, and for each place the one before with its hash. */
const heads = new Int16Array(1 << HASH_BITS).fill(-1)
const chain = new Int16Array(SIZE).fill(-1)
for (let at = 0; at + MATCH_MIN <= SIZE; at += 1) {
  const hash = hashAt(room, at)
  chain[at] = heads[hash] as number
  heads[hash] = at
}
/** Newest places in the text by hash, plus `base`, which grows with each text: others are older. */
const recent = new Int32Array(1 << HASH_BITS).fill(-1)
let base = 0
const BASE_MAX = 1 << 29

const CLASS_OF = Uint8Array.from({ length: MATCH_MAX + 1 }, (_, length) =>
  Math.max(
    0,
    LENGTH_FIRST.findLastIndex((first) => first <= length),
  ),
)

/**
 * Returns the packed bytes of a text. `before`: a text known to whoever unpacks it, whose parts
 * need not be written again.
 */
export function pack(text: string, before = ''): Buffer {
  const start = openRoom(text, before)
  const end = start + room.write(text, start)
  for (let at = SIZE; at < start; at += 1) remember(at, end)
  const out = new Bits(packed)
  out.put(VERSION, 8)
  let context = 2
  let [match, next]: [Match, Match] = [
    { length: 0, from: 0, bits: 0 },
    { length: 0, from: 0, bits: 0 },
  ]
  find(match, start, end, context)
  for (let at = start; at < end; ) {
    const byte = room[at] as number
    remember(at, end)
    let isBest = match.bits > 0
    if (match.length < LONG) {
      find(next, at + 1, end, KIND_OF[byte] as number)
      isBest &&= next.bits <= match.bits + 1
    }
    if (!isBest) {
      putByte(out, context, byte)
      context = KIND_OF[byte] as number
      at += 1
      const seen = match
      match = next
      next = seen
      continue
    }
    putMatch(out, context, match, at)
    const behind = at + match.length
    for (at += 1; at < behind; at += 1) remember(at, end)
    context = (KIND_OF[room[at - 1] as number] as number) + KINDS
    find(match, at, end, context)
  }
  out.putCode(SYMBOL_CODES[context * SYMBOLS + END] as number)
  base += end
  return Buffer.from(packed.subarray(0, out.close()))
}

/** Writes the text before behind the dictionary and returns its end. */
function openRoom(text: string, before: string): number {
  const most = (text.length + before.length) * 3 + MATCH_MIN
  if (room.length < SIZE + most) room = Buffer.concat([DICTIONARY, Buffer.alloc(most * 2)])
  if (packed.length < most * 3) packed = Buffer.alloc(most * 3)
  if (base + SIZE + most > BASE_MAX) {
    recent.fill(-1)
    base = 0
  }
  return SIZE + room.write(before, SIZE)
}

/** Finds the match at a place of the text that saves most. */
function find(best: Match, at: number, end: number, context: number): void {
  best.length = MATCH_MIN - 1
  best.bits = 0
  const most = Math.min(end - at, MATCH_MAX)
  if (most < MATCH_MIN) return
  const bytes = room
  const hash = hashAt(bytes, at)
  const newest = (recent[hash] as number) - base
  if (newest >= SIZE && at - newest < 1 << (DISTANCE_CLASSES - 1)) {
    const same = countSame(bytes, newest, at, most)
    if (same >= MATCH_MIN) weigh(best, bytes, context, at, newest, same)
  }
  let from = heads[hash] as number
  for (let tries = 0; from >= 0 && tries < TRIES && best.length < most; tries += 1) {
    if (bytes[from + best.length] === bytes[at + best.length]) {
      const same = countSame(bytes, from, at, Math.min(most, SIZE - from))
      if (same > best.length) weigh(best, bytes, context, at, from, same)
    }
    from = chain[from] as number
  }
}

function countSame(bytes: Buffer, from: number, at: number, most: number): number {
  let same = 0
  while (same < most && bytes[from + same] === bytes[at + same]) same += 1
  return same
}

/** Takes a longer match if it saves more than the one before. */
function weigh(
  best: Match,
  bytes: Buffer,
  context: number,
  at: number,
  from: number,
  same: number,
): void {
  const own = CLASS_OF[same] as number
  const code = SYMBOL_CODES[context * SYMBOLS + LENGTHS + own] as number
  const further = from < SIZE ? BLOCK_BITS : log2(at - from)
  const where = from < SIZE ? from >> BLOCK_BITS : DISTANCES + further
  const placed = PLACE_CODES[where] as number
  let bits = -(code & 15) - (LENGTH_BITS[own] as number) - (placed & 15) - further
  // The first bytes decide whether a short match saves anything.
  let kind = context
  const looked = same < 8 ? same : 8
  for (let step = 0; step < looked; step += 1) {
    const byte = bytes[at + step] as number
    bits += (SYMBOL_CODES[kind * SYMBOLS + byte] as number) & 15 || 16
    kind = KIND_OF[byte] as number
  }
  bits += (same - looked) * BYTE_BITS
  if (bits <= best.bits) return
  best.length = same
  best.from = from
  best.bits = bits
}

function remember(at: number, end: number): void {
  if (at + MATCH_MIN <= end) recent[hashAt(room, at)] = base + at
}

function putByte(out: Bits, context: number, byte: number): void {
  const code = SYMBOL_CODES[context * SYMBOLS + byte] as number
  if (code !== 0) out.putCode(code)
  else {
    out.putCode(SYMBOL_CODES[context * SYMBOLS + OTHER] as number)
    out.put(byte, 8)
  }
}

function putMatch(out: Bits, context: number, { length, from }: Match, at: number): void {
  const own = CLASS_OF[length] as number
  out.putCode(SYMBOL_CODES[context * SYMBOLS + LENGTHS + own] as number)
  out.put(length - (LENGTH_FIRST[own] as number), LENGTH_BITS[own] as number)
  if (from < SIZE) {
    out.putCode(PLACE_CODES[from >> BLOCK_BITS] as number)
    out.put(from & ((1 << BLOCK_BITS) - 1), BLOCK_BITS)
    return
  }
  const further = log2(at - from)
  out.putCode(PLACE_CODES[DISTANCES + further] as number)
  out.put(at - from - (1 << further), further)
}

function hashAt(bytes: Buffer, at: number): number {
  const four =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  return Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS)
}

function log2(value: number): number {
  return 31 - Math.clz32(value)
}

/** Bits written into bytes, lowest first. */
class Bits {
  readonly #bytes: Buffer
  #bits = 0
  #count = 0
  #to = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Writes up to 24 bits. */
  put(value: number, length: number): void {
    this.#bits |= value << this.#count
    this.#count += length
    for (; this.#count >= 8; this.#count -= 8) {
      this.#bytes[this.#to] = this.#bits
      this.#to += 1
      this.#bits >>>= 8
    }
  }

  putCode(code: number): void {
    this.put(code >> 4, code & 15)
  }

  /** Fills the last byte and returns the number of bytes. */
  close(): number {
    if (this.#count > 0) this.put(0, 8 - this.#count)
    return this.#to
  }
}
