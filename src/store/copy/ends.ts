/**
 * What a copy asks of the store that it reads and of the one that it fills; each store has both
 * ends.
 */
import { CommandError } from '../../errors.ts'
import type { CopyTable, Row } from './tables.ts'

/** Rows of a table in the order of its key, some hundred at a time; `state`: of that state only. */
export type ReadRows = (table: CopyTable, state?: string) => AsyncIterable<Row[]>

/** One unchanging view of a store, whatever is written to it meanwhile. */
export type CopySource = {
  states(): Promise<string[]>
  rows: ReadRows
  /** All rows of a table. */
  count(table: CopyTable): Promise<number>
  /** The newest record id that was ever given. */
  newestId(): Promise<number>
  close(): Promise<void>
}

/** The checksums of each state that is there whole, as JSON. */
export type CopyProgress = Map<string, string>

export type CopyTarget = {
  /** Whether anything is in it, and how far an earlier copy came; `undefined`: none was begun. */
  look(): Promise<{ parcels: boolean; accounts: boolean; progress: CopyProgress | undefined }>
  /** Notes that a copy is under way; from then on what is there is half a copy. */
  begin(): Promise<void>
  /** All that `work` writes, or nothing. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** What the store makes of rows that it cannot keep as they are: fewer rows, or other ones. */
  adapt(table: CopyTable, rows: Row[]): Row[]
  write(table: CopyTable, rows: Row[]): Promise<void>
  /** Removes a state. */
  clear(state: string): Promise<void>
  note(state: string, sums: string): Promise<void>
  /** Within a transaction. */
  rows: ReadRows
  count(table: CopyTable): Promise<number>
  /** Before the accounts are written, in the same transaction. */
  openLedger(): Promise<void>
  /** After it: ids and versions go on from where the source is. */
  closeLedger(): Promise<void>
  /** The copy is whole. `newestId`: ids that come after are greater. */
  finish(newestId: number): Promise<void>
  close(): Promise<void>
}

/**
 * What stands in a target's way is neither its own nor an earlier copy's: somebody has changed it
 * by hand.
 */
export function refuseStray({ name }: CopyTable, cause: unknown): CommandError {
  return new CommandError(
    `${name}: the target holds rows that no copy has left there; begin again with an empty target`,
    1,
    cause,
  )
}
