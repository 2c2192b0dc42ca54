/** Writes the facts of parcels in the transaction that writes the parcels. */
import type { FactRecord } from '../../record/facts.ts'
import type { RollSql, StagedState } from '../rolls/roll-sql.ts'
import { blockOf, changeBlock, type FactChange, type FactLoader, type StateBlock } from './block.ts'

const SLICE = 4000

/** Writes the blocks that a first load has completed. */
export async function writeBlocks(sql: RollSql, blocks: readonly StateBlock[]): Promise<void> {
  const rows = blocks.flatMap(({ state, block, version, chunks }) =>
    chunks.map((data, fact) => [state, fact, block, version, data]),
  )
  await sql.insert('facts', 'state, fact, block, version, data', rows)
}

/** Writes the last blocks of a first load, and removes the parcels that were dropped. */
export async function finishFacts(sql: RollSql, loader: FactLoader): Promise<void> {
  const { blocks, states, dropped } = loader.finish()
  await writeBlocks(sql, blocks)
  for (const [block, changes] of Map.groupBy(dropped, ({ id }) => blockOf(id))) {
    for (const state of states) await writeChanged(sql, state, block, changes)
  }
}

/** Changes the facts of the parcels that `change` lists, after they were written. */
export async function changeFacts(sql: RollSql, { state, change }: StagedState): Promise<void> {
  const { of } = sql.dialect
  const listed = `SELECT c.id FROM ${change} c
    WHERE ${of('c')} c.what <> 'same' AND c.id > $2 ORDER BY c.id LIMIT ${SLICE}`
  await writeListed(sql, state, listed)
}

type Row = { id: number; owner: number | null; unit: string; fieldValues: string }

/** `listed`: SQL for the next ids after `$2`; a parcel of another state is none of this one. */
async function writeListed(sql: RollSql, state: string, listed: string) {
  const { of } = sql.dialect
  let open: FactChange[] = []
  const flush = async () => {
    const [first] = open
    if (first !== undefined) await writeChanged(sql, state, blockOf(first.id), open)
    open = []
  }
  for (let last = 0; ; ) {
    const rows = await sql.ask<Row>(
      `SELECT c.id, p.owner, p.unit, r.field_values AS "fieldValues" FROM (${listed}) c
        LEFT JOIN parcels p ON p.state = $1 AND p.id = c.id
        LEFT JOIN records r ON ${of('r')} r.id = c.id ORDER BY c.id`,
      [state, last],
    )
    for (const { id, owner, unit, fieldValues } of rows) {
      last = id
      if (open[0] !== undefined && blockOf(open[0].id) !== blockOf(id)) await flush()
      const record: FactRecord | undefined =
        owner === null ? undefined : { state, owner, unit, fieldValues }
      open.push({ id, record })
    }
    if (rows.length < SLICE) break
  }
  await flush()
}

async function writeChanged(
  sql: RollSql,
  state: string,
  block: number,
  changes: readonly FactChange[],
): Promise<void> {
  const { bytes, readBytes } = sql.dialect
  const rows = await sql.ask<{ data: unknown }>(
    `SELECT ${bytes('data')} AS data FROM facts WHERE state = $1 AND block = $2 ORDER BY fact`,
    [state, block],
  )
  const chunks = rows.map(({ data }) => readBytes(data))
  if (chunks.length === 0 && changes.every(({ record }) => record === undefined)) return
  const changed = changeBlock(block, chunks, changes)
  await sql.run('DELETE FROM facts WHERE state = $1 AND block = $2', [state, block])
  if (changed !== undefined) await writeBlocks(sql, [{ ...changed, state }])
}
