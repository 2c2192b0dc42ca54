/** Programs: fixed texts and the gaps between them, laid out in the memory as `weave` reads them. */
import { bytes, reserve, WORD, words } from './memory.ts'

/** What fills a gap: a span's part, trimmed by some bytes in front and at the back; `null`: what an empty one shows as. */
export type Part = { span: number; front: number; back: number; nullable: boolean }

/** A stop: something that weaving leaves to its caller, by number. */
export type Stop = { stop: number }

export type Program = {
  /** Its first gap. */
  start: number
  /** Bytes of its fixed texts, and of every `null` that an empty part may show as. */
  texts: number
  /** How often it shows one part at most. */
  uses: number
}

export const GAP = 16
const CHUNK = 1_048_576
/** Together they hold some thousands of programs, where a roll has dozens. */
const CHUNKS_MAX = 16
const NULLABLE = 0x10000
const NULL_LENGTH = 4
const END = -1

const chunks: number[] = []
let chunk = -1
let used = CHUNK
/** Counts how often all programs were forgotten. */
let generation = 0

/** A part as it stands. */
export function whole(span: number): Part {
  return { span, front: 0, back: 0, nullable: true }
}

/** A part without its first and last bytes. */
export function trimmed(span: number, front: number, back: number, nullable = false): Part {
  return { span, front, back, nullable }
}

/** Lays out texts, parts and stops in turn. */
export function makeProgram(bits: readonly (string | Part | Stop)[]): Program {
  const gaps: { text: string; filler: Part | Stop | undefined }[] = []
  let text = ''
  for (const bit of bits) {
    if (typeof bit === 'string') {
      text += bit
    } else {
      gaps.push({ text, filler: bit })
      text = ''
    }
  }
  gaps.push({ text, filler: undefined })
  const texts = gaps.reduce((sum, gap) => sum + Buffer.byteLength(gap.text), 0)
  const nulls = gaps.length * NULL_LENGTH
  const start = take(gaps.length * GAP + texts)
  let at = start + gaps.length * GAP
  gaps.forEach((gap, place) => {
    const word = (start + place * GAP) / WORD
    const end = at + bytes.write(gap.text, at)
    words.set([at, end, ...fillerWords(gap.filler)], word)
    at = end
  })
  return { start, texts: texts + nulls, uses: mostUses(bits) }
}

/** Bytes that a program writes at most, from a gap up to its next stop, reckoned gap by gap. */
export function roomFrom(gap: number): number {
  let room = 0
  for (let word = gap / WORD; ; word += GAP / WORD) {
    room += (words[word + 1] as number) - (words[word] as number) + NULL_LENGTH
    const span = words[word + 2] as number
    if (span < 0) return room
    room += (words[span / WORD + 1] as number) - (words[span / WORD] as number)
  }
}

/** The number of the stop at a gap; -1: the program ended. */
export function stopAt(gap: number): number {
  return END - 1 - (words[gap / WORD + 2] as number)
}

function fillerWords(filler: Part | Stop | undefined): [number, number] {
  if (filler === undefined) return [END, 0]
  if ('stop' in filler) return [END - 1 - filler.stop, 0]
  const { span, front, back, nullable } = filler
  return [span, front | (back << 8) | (nullable ? NULLABLE : 0)]
}

function mostUses(bits: readonly (string | Part | Stop)[]): number {
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
  used = Math.ceil((used + length) / GAP) * GAP
  return at
}

/** Forgets all programs where they take too much room; to be asked before an answer is begun. */
export function boundPrograms(): void {
  if (chunk < CHUNKS_MAX) return
  chunk = -1
  used = CHUNK
  generation += 1
}

/** What was made with a program, by what it was made for. */
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
