/** The ends of a copy: the store that it reads and the one that it fills; each store is both. */
import { CommandError } from '../../base/errors.ts'
import type { CopyTable, Row } from './tables.ts'

/** Reads rows of a table in key order, some hundred at a time. `state`: only that state. */
export type ReadRows = (table: CopyTable, state?: string) => AsyncIterable<Row[]>

/** A consistent snapshot of a store during other writes. */
export type CopySource = {
  states(): Promise<string[]>
  rows: ReadRows
  count(table: CopyTable): Promise<number>
  /** The highest record ID ever assigned. */
  newestId(): Promise<number>
  close(): Promise<void>
}

/** Checksums of each completely copied state, as JSON. */
export type CopyProgress = Map<string, string>

export type CopyTarget = {
  /** Whether it has data, and the progress of an earlier copy; `undefined`: none was begun. */
  look(): Promise<{ parcels: boolean; accounts: boolean; progress: CopyProgress | undefined }>
  /** Records that a copy has started; until it finishes the target is incomplete. */
  begin(): Promise<void>
  /** Commits everything that `work` writes, or nothing. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Converts rows that the store cannot hold as they are: drops or changes some. */
  adapt(table: CopyTable, rows: Row[]): Row[]
  write(table: CopyTable, rows: Row[]): Promise<void>
  clear(state: string): Promise<void>
  note(state: string, sums: string): Promise<void>
  /** Reads within a transaction. */
  rows: ReadRows
  count(table: CopyTable): Promise<number>
  /** Called before the accounts are written, in the same transaction. */
  openLedger(): Promise<void>
  /** Called afterwards: sets ids and versions to continue those of the source. */
  closeLedger(): Promise<void>
  /** Completes the copy. `newestId`: later ids are higher. */
  finish(newestId: number): Promise<void>
  close(): Promise<void>
}

export function refuseStray({ name }: CopyTable, cause: unknown): CommandError {
  return new CommandError(
    `${name}: the target holds rows that no copy has left there; begin again with an empty target`,
    1,
    cause,
  )
}
