/** Programs: fixed texts and the holes between them, as `render` reads them. */
import { bytes, type Piece, reserve, WORD, words } from './memory.ts'

/**
 * Fills a hole: a span's part without some bytes at the front and back. `nullable`: an empty part
 * is shown as `null`, or with `omitted` left out together with the text before it.
 */
export type Part = {
  span: number
  front: number
  back: number
  nullable: boolean
  omitted?: true
}

/** A callback: a step that rendering leaves to its caller, identified by number. */
export type Callback = { callback: number }

export type Program = {
  /** Address of its first hole. */
  start: number
  /** Bytes of its fixed texts, and of `null` for every part that may be empty. */
  texts: number
  /** How often it shows one part at most. */
  uses: number
}

/** Bytes per hole. */
export const HOLE = 16
const CHUNK = 1_048_576
/** Together they hold some thousands of programs; a roll has dozens. */
const CHUNKS_MAX = 16
const NULLABLE = 0x10000
const OMITTED = 0x20000
const NULL_LENGTH = 4
const END = -1

const chunks: number[] = []
let chunk = -1
let used = CHUNK
/** Incremented whenever all programs are dropped. */
export let generation = 0

export function whole(span: number): Part {
  return { span, front: 0, back: 0, nullable: true }
}

/** Returns a part without its first and last bytes. */
export function trimmed(span: number, front: number, back: number, nullable = false): Part {
  return { span, front, back, nullable }
}

/** Builds a program of texts, parts and callbacks in order. */
export function makeProgram(bits: readonly (string | Part | Callback)[]): Program {
  const holes: { text: string; filler: Part | Callback | undefined }[] = []
  let text = ''
  for (const bit of bits) {
    if (typeof bit === 'string') {
      text += bit
    } else {
      holes.push({ text, filler: bit })
      text = ''
    }
  }
  holes.push({ text, filler: undefined })
  const texts = holes.reduce((sum, hole) => sum + Buffer.byteLength(hole.text), 0)
  const nulls = holes.length * NULL_LENGTH
  const start = take(holes.length * HOLE)
  holes.forEach((hole, place) => {
    const { from, to } = intern(hole.text)
    words.set([from, to, ...fillerWords(hole.filler)], (start + place * HOLE) / WORD)
  })
  return { start, texts: texts + nulls, uses: mostUses(bits) }
}

/** Most bytes that a program writes from a hole to its next callback, hole by hole. */
export function roomFrom(hole: number): number {
  let room = 0
  for (let word = hole / WORD; ; word += HOLE / WORD) {
    room += (words[word + 1] as number) - (words[word] as number) + NULL_LENGTH
    const span = words[word + 2] as number
    if (span < 0) return room
    room += (words[span / WORD + 1] as number) - (words[span / WORD] as number)
  }
}

/** Returns the number of the callback at a hole; -1 when the program has ended. */
export function callbackAt(hole: number): number {
  return END - 1 - (words[hole / WORD + 2] as number)
}

function fillerWords(filler: Part | Callback | undefined): [number, number] {
  if (filler === undefined) return [END, 0]
  if ('callback' in filler) return [END - 1 - filler.callback, 0]
  const { span, front, back, nullable, omitted } = filler
  const empty = omitted ? OMITTED : nullable ? NULLABLE : 0
  return [span, front | (back << 8) | empty]
}

function mostUses(bits: readonly (string | Part | Callback)[]): number {
  const uses = new Map<number, number>()
  for (const bit of bits) {
    if (typeof bit === 'object' && 'span' in bit) uses.set(bit.span, (uses.get(bit.span) ?? 0) + 1)
  }
  return Math.max(0, ...uses.values())
}

function take(length: number): number {
  if (length > CHUNK) throw new Error(`a program of ${length} bytes`)
  if (used + length > CHUNK) {
    chunk += 1
    used = 0
    chunks[chunk] ??= reserve(CHUNK)
  }
  const at = (chunks[chunk] as number) + used
  used = Math.ceil((used + length) / HOLE) * HOLE
  return at
}

/** Fixed texts by themselves: programs share them, so that they stay in the processor's caches. */
const interned = new Map<string, Piece>()

function intern(text: string): Piece {
  const known = interned.get(text)
  if (known !== undefined) return known
  const from = take(Buffer.byteLength(text))
  const piece = { from, to: from + bytes.write(text, from) }
  interned.set(text, piece)
  return piece
}

/** Drops all programs when they take too much memory; called before an answer is begun. */
export function boundPrograms(): void {
  if (chunk < CHUNKS_MAX) return
  chunk = -1
  used = CHUNK
  interned.clear()
  generation += 1
}

/** Values made with a program, by key; dropped with the programs. */
export class Programs<Key, Made> {
  #made = new Map<Key, Made>()
  #generation = generation

  get(key: Key): Made | undefined {
    if (this.#generation !== generation) {
      this.#made = new Map()
      this.#generation = generation
    }
    return this.#made.get(key)
  }

  set(key: Key, made: Made): Made {
    this.#made.set(key, made)
    return made
  }
}
