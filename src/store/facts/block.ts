/**
 * The facts of the parcels of a state, in blocks of 16,384 record IDs: a chunk for the ids and one
 * for each fact. It is written with its parcels and never older. docs/decisions/questions.md.
 */
import { randomInt } from 'node:crypto'
import {
  FACT_NAMES,
  FACTS,
  type FactLists,
  type FactRecord,
  makeFactLists,
  readFacts,
} from '../../record/facts.ts'
import type { WordList } from '../../record/word-list.ts'
import { type Column, decodeChunk, encodeNumbers, encodeWords, numberAt, wordAt } from './chunk.ts'

const BLOCK_IDS = 16_384

/** The number under which the ids of a block are stored; facts follow in their order. */
export const IDS = 0

/** A written block. Its chunks share a random version, by which readers know what they hold. */
type WrittenBlock = { block: number; version: number; chunks: Uint8Array[] }

/** A parcel that was written; `undefined`: it was removed. */
export type FactChange = { id: number; record: FactRecord | undefined }

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK_IDS)
}

/** Where each fact is among the lists: whether it is a word, and its place among its kind. */
const PLACES = (() => {
  let [numbers, words] = [0, 0]
  return FACT_NAMES.map((name) => {
    const isWord = FACTS[name].type === 'word'
    return { isWord, at: isWord ? words++ : numbers++ }
  })
})()

/** The facts of the parcels of a block, by place. */
type Lists = { ids: number[]; facts: FactLists }

const emptyLists = (size: number): Lists => ({ ids: [], facts: makeFactLists(size) })

/** Returns a block after changes by ascending id; `undefined`: now empty. `stored`: its chunks. */
export function changeBlock(
  block: number,
  stored: readonly Uint8Array[],
  changes: readonly FactChange[],
): WrittenBlock | undefined {
  const before = readBlock(block, stored)
  const lists = emptyLists(before.ids.length + changes.length)
  let place = 0
  const keepTo = (end: number) => {
    for (; place < before.ids.length && (before.ids[place] as number) < end; place += 1) {
      keep(lists, before, place)
    }
  }
  for (const { id, record } of changes) {
    keepTo(id)
    if (before.ids[place] === id) place += 1
    if (record !== undefined) append(lists, id, record)
  }
  keepTo(Number.POSITIVE_INFINITY)
  return lists.ids.length === 0 ? undefined : writeLists(block, lists)
}

function append(lists: Lists, id: number, record: FactRecord): void {
  readFacts(record, lists.facts, lists.ids.push(id) - 1)
}

type Decoded = { ids: number[]; columns: Column[] }

function readBlock(block: number, stored: readonly Uint8Array[]): Decoded {
  const [own, ...columns] = stored.map(decodeChunk)
  return { ids: own === undefined ? [] : readIds(block, own), columns }
}

/** Returns the record IDs of a block by place. */
export function readIds(block: number, column: Column): number[] {
  const size = column.kind === 'codes' ? column.codes.length : 0
  const first = block * BLOCK_IDS
  return Array.from({ length: size }, (_, place) => first + place + numberAt(column, place))
}

function keep(lists: Lists, { ids, columns }: Decoded, place: number): void {
  const next = lists.ids.push(ids[place] as number) - 1
  for (const [fact, { isWord, at }] of PLACES.entries()) {
    const column = columns[fact]
    if (column === undefined) throw new Error('a block of facts lacks a column')
    if (isWord) (lists.facts.words[at] as WordList).putWord(next, wordAt(column, place))
    else (lists.facts.numbers[at] as Float64Array)[next] = numberAt(column, place)
  }
}

function writeLists(block: number, { ids, facts }: Lists): WrittenBlock {
  const chunks = PLACES.map(({ isWord, at }) => {
    if (!isWord) return encodeNumbers((facts.numbers[at] as Float64Array).subarray(0, ids.length))
    const { codes, words } = facts.words[at] as WordList
    return encodeWords(codes.subarray(0, ids.length), words)
  })
  // Differences to the place are all the same where no id is missing.
  const gaps = Float64Array.from(ids, (id, place) => id - block * BLOCK_IDS - place)
  const own = encodeNumbers(gaps)
  return { block, version: randomInt(2 ** 47), chunks: [own, ...chunks] }
}

export type StateBlock = WrittenBlock & { state: string }

/** Collects the facts of parcels that come by ascending id, as in a first load. */
export class FactLoader {
  /** By state. */
  readonly #open = new Map<string, { block: number; lists: Lists }>()
  readonly #dropped: number[] = []
  #written: StateBlock[] = []

  add(id: number, record: FactRecord): void {
    let open = this.#open.get(record.state)
    if (open?.block !== blockOf(id)) {
      this.#write(record.state)
      open = { block: blockOf(id), lists: emptyLists(BLOCK_IDS) }
      this.#open.set(record.state, open)
    }
    append(open.lists, id, record)
  }

  /** Removes a parcel that was added before. */
  drop(id: number): void {
    this.#dropped.push(id)
  }

  /** Returns the blocks that were completed since the last call. */
  take(): StateBlock[] {
    const written = this.#written
    this.#written = []
    return written
  }

  /** Returns the last blocks, to be written before dropped parcels are removed. */
  finish(): { blocks: StateBlock[]; states: string[]; dropped: FactChange[] } {
    const states = [...this.#open.keys()]
    for (const state of states) this.#write(state)
    const dropped = this.#dropped.sort((a, b) => a - b).map((id) => ({ id, record: undefined }))
    return { blocks: this.take(), states, dropped }
  }

  #write(state: string): void {
    const open = this.#open.get(state)
    if (open !== undefined) this.#written.push({ ...writeLists(open.block, open.lists), state })
  }
}
