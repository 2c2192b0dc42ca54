/** Reads packed texts; `codes.ts` has their form, and `unpack.wat` the loop. */
import { readFileSync } from 'node:fs'
import {
  CODE_MAX,
  DICTIONARY,
  KIND_OF,
  KINDS,
  LENGTH_BITS,
  LENGTH_FIRST,
  PLACE_TABLE,
  SYMBOL_TABLE,
  VERSION,
} from './codes.ts'

type Loop = {
  memory: { buffer: ArrayBuffer; grow(pages: number): number }
  high: { value: number }
  unpack(
    ...places: [
      at: number,
      end: number,
      to: number,
      limit: number,
      earliest: number,
      dictionary: number,
    ]
  ): number
}

/** The part of the API used here; TypeScript declares it for browsers only. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/** Where the packed bytes begin in the memory; `unpack.wat` lists what comes before. */
const PACKED = 73_728
const PAGE_BYTES = 65_536
/** The loop reads and writes up to this many bytes after what it was told. */
const SLACK = 16
const BYTES_PER_CHARACTER = 3
/** What is wrong with the bytes, by the result of the loop. */
const DAMAGE = ['cut off or continued', 'beyond the dictionary', 'before its beginning']

const code = readFileSync(new URL('./unpack.wasm', import.meta.url))
const loop = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Loop
let room = Buffer.from(loop.memory.buffer)
fillTables()

/** Returns the text of packed bytes, packed after `before`. Throws unless they are whole. */
export function unpack(bytes: Uint8Array, before = ''): string {
  makeRoom(PACKED + bytes.length)
  room.set(bytes, PACKED)
  return unpackRoom(bytes.length, before)
}

/** SQL for the keys of a record `r` in hex digits; they are packed after its `field_values`. */
export const KEYS = "encode(r.keys, 'hex') AS keys"

/** The same for bytes in hex digits, as PostgreSQL sends them. */
export function unpackHex(digits: string, before = ''): string {
  makeRoom(PACKED + digits.length / 2)
  return unpackRoom(room.write(digits, PACKED, 'hex'), before)
}

function unpackRoom(size: number, before: string): string {
  const end = PACKED + size
  if (size === 0 || room[PACKED] !== VERSION) throw damaged('of an unknown version')
  const start = end + SLACK
  makeRoom(start + before.length * BYTES_PER_CHARACTER)
  room.fill(0, end, start)
  const first = before === '' ? start : start + room.write(before, start)
  let to = 0
  for (;;) {
    const limit = room.length - SLACK
    to = loop.unpack(PACKED + 1, end, first, limit, start, DICTIONARY.length)
    if (to !== 0) break
    makeRoom(room.length)
  }
  if (to < 0) throw damaged(DAMAGE[-1 - to] as string)
  const isAscii = loop.high.value < 128 && first - start <= before.length
  return room.toString(isAscii ? 'latin1' : 'utf8', first, to)
}

function makeRoom(bytes: number): void {
  if (bytes + PAGE_BYTES <= room.length) return
  loop.memory.grow(Math.ceil((bytes + PAGE_BYTES) / PAGE_BYTES))
  room = Buffer.from(loop.memory.buffer)
}

/** Writes the tables in the order of `unpack.wat`, all numbers in 16 bits, lowest byte first. */
function fillTables(): void {
  const put = (at: number, numbers: ArrayLike<number>) => {
    for (let next = 0; next < numbers.length; next += 1) {
      room.writeUInt16LE(numbers[next] as number, at + 2 * next)
    }
  }
  put(0, SYMBOL_TABLE)
  put(32_768, PLACE_TABLE)
  put(36_864, LENGTH_FIRST)
  room.set(LENGTH_BITS, 36_928)
  // The codes behind each byte, then those behind a match that ends with it.
  const behind = Array.from(KIND_OF, (kind) => kind << (CODE_MAX + 1))
  put(37_376, behind)
  put(
    37_888,
    behind.map((kind) => kind + (KINDS << (CODE_MAX + 1))),
  )
  room.set(DICTIONARY, 38_912)
}

function damaged(how: string): Error {
  return new Error(`a packed record is damaged: ${how}`)
}
