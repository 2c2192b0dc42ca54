/** Writes the facts of parcels in the transaction that writes the parcels. */
import type { DatabaseSync } from 'node:sqlite'
import type { FactRecord } from '../../../record/facts.ts'
import { blockOf, changeBlock, FACTS_STORED, type FactChange } from '../../facts/block.ts'
import { type FactLoader, groupByBlock, type StateBlock } from '../../facts/loader.ts'

/** Writes the blocks that a first load has completed. */
export function writeBlocks(db: DatabaseSync, blocks: readonly StateBlock[]): void {
  if (blocks.length === 0) return
  const insert = db.prepare(`INSERT INTO main.facts (state, fact, block, version, data)
    VALUES (?, ?, ?, ?, ?)`)
  for (const { state, block, version, chunks } of blocks) {
    for (const [fact, data] of chunks.entries()) insert.run(state, fact, block, version, data)
  }
}

/** Writes the last blocks of a first load, and removes the parcels that were dropped. */
export function finishFacts(db: DatabaseSync, loader: FactLoader): void {
  const { blocks, states, dropped } = loader.finish()
  writeBlocks(db, blocks)
  for (const [block, changes] of groupByBlock(dropped)) writeChanged(db, states, block, changes)
}

type ChangedRow = { id: number; state: string | null } & Omit<FactRecord, 'state'>

/**
 * Changes the facts of the parcels that `staging.change` lists, after they were written.
 * `scopes`: all touched ones, because a removed parcel no longer names its state.
 */
export function changeFacts(db: DatabaseSync, scopes: readonly { state: string }[]): void {
  const states = [...new Set(scopes.map(({ state }) => state))]
  const rows = db.prepare(`SELECT c.id, p.state, p.owner, p.unit, r.field_values AS fieldValues
    FROM staging.change c LEFT JOIN main.parcels p ON p.id = c.id
    LEFT JOIN main.records r ON r.id = c.id WHERE c.what <> 'same' ORDER BY c.id`)
  let block = -1
  let changes: FactChange[] = []
  const finish = () => {
    if (changes.length > 0) writeChanged(db, states, block, changes)
    changes = []
  }
  for (const row of rows.iterate() as Iterable<ChangedRow>) {
    const { id, state, ...rest } = row
    if (blockOf(id) !== block) finish()
    block = blockOf(id)
    changes.push({ id, record: state === null ? undefined : { state, ...rest } })
  }
  finish()
}

function writeChanged(
  db: DatabaseSync,
  states: readonly string[],
  block: number,
  changes: readonly FactChange[],
): void {
  const read = db.prepare('SELECT data FROM main.facts WHERE state = ? AND fact = ? AND block = ?')
  const erase = db.prepare('DELETE FROM main.facts WHERE state = ? AND fact = ? AND block = ?')
  for (const state of states) {
    const stored = Array.from({ length: FACTS_STORED }, (_, fact) => read.get(state, fact, block))
    const chunks = stored.flatMap((row) => (row === undefined ? [] : [row.data as Uint8Array]))
    // A parcel of another state is not in this state's block.
    const own = changes.map(({ id, record }) =>
      record?.state === state ? { id, record } : { id, record: undefined },
    )
    if (chunks.length === 0 && own.every(({ record }) => record === undefined)) continue
    const changed = changeBlock(block, chunks, own)
    for (let fact = 0; fact < FACTS_STORED; fact += 1) erase.run(state, fact, block)
    if (changed !== undefined) writeBlocks(db, [{ ...changed, state }])
  }
}
