/** Reads the facts of a state, and keeps columns in memory up to a bound. */
import { totalmem } from 'node:os'
import { refuse } from '../../base/errors.ts'
import { FACT_NAMES, type FactName } from '../../record/facts.ts'
import { RecentBytes } from '../keep-recent.ts'
import { blockOf, IDS, readIds } from './block.ts'
import { type Column, decodeChunk } from './chunk.ts'

export type BlockHead = { block: number; version: number }
type StoredChunk = BlockHead & { data: Uint8Array }

export type FactReader = {
  /** The blocks of a state, ascending. */
  factHeads(state: string): Promise<BlockHead[]>
  /** Chunks of one fact in blocks from one to another, ascending. */
  factChunks(state: string, fact: number, from: number, to: number): Promise<StoredChunk[]>
}

/** A block with the columns that were asked for. */
export type FactBlock = {
  ids: readonly number[]
  columns: Partial<Record<FactName, Column>>
}

/** The facts of a state as they were when it was opened. */
export type FactTable = Awaited<ReturnType<typeof openFactTable>>

/** Thrown while reading when an import has committed since the table was opened. */
export class FactsChanged extends Error {}

/** Bytes of columns that a process keeps, of all of the machine's or container's memory. */
const KEPT_BYTES = Math.max(128 * 1024 * 1024, machineBytes() / 64)
const BLOCKS_AT_ONCE = 16

type Kept = { version: number; bytes: number; column: Column; ids?: readonly number[] }

function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** Also shows whether a state has parcels. */
type Reader = FactReader & {
  coverage(asked: { states: string[] }): Promise<{ state: string }[]>
}

/** Opens the facts of a state. Throws *unavailable* when it has parcels and no facts. */
export async function openFactTable(reader: Reader, state: string) {
  let heads = await reader.factHeads(state)
  if (heads.length === 0) {
    const counties = await reader.coverage({ states: [state] })
    const hasParcels = counties.some((one) => one.state === state)
    // A first load may have ended in between.
    if (hasParcels) heads = await reader.factHeads(state)
    if (hasParcels && heads.length === 0) {
      throw refuse.unavailable('This search needs the rolls of the state to be loaded again')
    }
  }
  return {
    /** Differs after each change of the facts. */
    version: heads.map(({ version }) => version).join(),
    /** Yields the blocks in the order of their ids, each with some facts, from that of an ID on. */
    read(facts: readonly FactName[], fromId = 0) {
      const wanted = heads.filter(({ block }) => block >= blockOf(fromId))
      return readBlocks({ reader, state, heads: wanted }, facts)
    },
    /** Whether the stored facts are still those. */
    async isCurrent() {
      const now = await reader.factHeads(state)
      return (
        now.length === heads.length &&
        now.every((one, at) => {
          const known = heads[at] as BlockHead
          return one.block === known.block && one.version === known.version
        })
      )
    },
  }
}

type Opened = { reader: FactReader; state: string; heads: BlockHead[] }

async function* readBlocks(opened: Opened, facts: readonly FactName[]): AsyncGenerator<FactBlock> {
  const numbers = [IDS, ...facts.map((name) => FACT_NAMES.indexOf(name) + 1)]
  for (let start = 0; start < opened.heads.length; start += BLOCKS_AT_ONCE) {
    const heads = opened.heads.slice(start, start + BLOCKS_AT_ONCE)
    const lists: Opener[][] = []
    for (const number of numbers) lists.push(await readColumns(opened, number, heads))
    for (const at of heads.keys()) {
      // Each block is decoded by itself, because the reader may pause in between.
      const [own, ...columns] = lists.map((list) => (list[at] as Opener)())
      yield {
        ids: own?.ids ?? [],
        columns: Object.fromEntries(facts.map((name, place) => [name, columns[place]?.column])),
      }
    }
  }
}

/** Returns a column, which is decoded unless it is in memory. */
type Opener = () => Kept

/** Returns the columns of one fact for some blocks, from memory as far as they are there. */
async function readColumns(
  { reader, state }: Opened,
  fact: number,
  heads: BlockHead[],
): Promise<Opener[]> {
  const nameOf = ({ block }: BlockHead) => `${state} ${fact} ${block}`
  const known = heads.map((head) => {
    const kept = CACHE.get(nameOf(head))
    return kept?.version === head.version ? kept : undefined
  })
  const missing = heads.filter((_head, at) => known[at] === undefined)
  const [first, last] = [missing[0], missing.at(-1)]
  const read =
    first === undefined || last === undefined
      ? []
      : await reader.factChunks(state, fact, first.block, last.block)
  const found = new Map(read.map((one) => [one.block, one]))
  return heads.map((head, at) => {
    const kept = known[at]
    if (kept !== undefined) return () => kept
    const one = found.get(head.block)
    if (one === undefined || one.version !== head.version) throw new FactsChanged()
    return () => keep(nameOf(head), fact, one)
  })
}

function keep(name: string, fact: number, { block, version, data }: StoredChunk): Kept {
  const column = decodeChunk(data)
  const kept: Kept = { version, bytes: sizeOf(column), column }
  if (fact === IDS) {
    kept.ids = readIds(block, column)
    kept.bytes += kept.ids.length * 8
  }
  CACHE.set(name, kept)
  return kept
}

function sizeOf(column: Column): number {
  if (column.kind === 'values') return column.values.byteLength
  return (
    column.codes.byteLength + (column.words ?? []).reduce((sum, one) => sum + one.length + 40, 0)
  )
}

/** Of this process. Versions are random, so that columns of two stores are never confused. */
const CACHE = new RecentBytes<Kept>(KEPT_BYTES)
