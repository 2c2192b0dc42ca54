/** Writes the facts of parcels in the transaction that writes the parcels. */
import type { Client } from 'pg'
import type { FactRecord } from '../../../record/facts.ts'
import { blockOf, changeBlock, type FactChange } from '../../facts/block.ts'
import { type FactLoader, groupByBlock, type StateBlock } from '../../facts/loader.ts'
import type { Staging } from './roll-staging.ts'

/** Parcels read at a time. */
const SLICE = 4000

/** Writes the blocks that a first load has completed. */
export async function writeBlocks(client: Client, blocks: readonly StateBlock[]): Promise<void> {
  for (const { state, block, version, chunks } of blocks) {
    await client.query(
      `INSERT INTO facts (state, fact, block, version, data)
        SELECT $1, f.fact, $2, $3, f.data FROM unnest($4::integer[], $5::bytea[]) f (fact, data)`,
      [state, block, version, chunks.map((_, fact) => fact), chunks],
    )
  }
}

/** Writes the last blocks of a first load, and removes the parcels that were dropped. */
export async function finishFacts(client: Client, loader: FactLoader): Promise<void> {
  const { blocks, states, dropped } = loader.finish()
  await writeBlocks(client, blocks)
  for (const [block, changes] of groupByBlock(dropped)) {
    for (const state of states) await writeChanged(client, state, block, changes)
  }
}

/** Changes the facts of the parcels that `change` lists, after they were written. */
export async function changeFacts(client: Client, { state, change }: Staging): Promise<void> {
  await writeListed(
    client,
    state,
    `SELECT c.id FROM ${change} c WHERE c.state = $1 AND c.what <> 'same' AND c.id > $2
      ORDER BY c.id LIMIT ${SLICE}`,
  )
}

/** Adds the facts of the stored parcels of a state whose ids are above `after`. */
export async function addFacts(client: Client, state: string, after: number): Promise<void> {
  const text = `SELECT c.id FROM parcels c WHERE c.state = $1 AND c.id > $2
    ORDER BY c.id LIMIT ${SLICE}`
  await writeListed(client, state, text, after)
}

type Row = { id: number; owner: number | null; unit: string; fieldValues: string }

/** `listed`: SQL for the next ids of a state after `$2`. */
async function writeListed(client: Client, state: string, listed: string, after = 0) {
  let open: FactChange[] = []
  const flush = async () => {
    const [first] = open
    if (first !== undefined) await writeChanged(client, state, blockOf(first.id), open)
    open = []
  }
  for (let last = after; ; ) {
    const { rows } = await client.query<Row>(
      `SELECT c.id, p.owner, p.unit, r.field_values AS "fieldValues" FROM (${listed}) c
        LEFT JOIN parcels p ON p.state = $1 AND p.id = c.id
        LEFT JOIN records r ON r.state = $1 AND r.id = c.id ORDER BY c.id`,
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
  client: Client,
  state: string,
  block: number,
  changes: readonly FactChange[],
): Promise<void> {
  const { rows } = await client.query<{ data: string }>(
    `SELECT encode(data, 'base64') AS data FROM facts WHERE state = $1 AND block = $2
      ORDER BY fact`,
    [state, block],
  )
  const chunks = rows.map(({ data }) => Buffer.from(data, 'base64'))
  if (chunks.length === 0 && changes.every(({ record }) => record === undefined)) return
  const changed = changeBlock(block, chunks, changes)
  await client.query('DELETE FROM facts WHERE state = $1 AND block = $2', [state, block])
  if (changed !== undefined) await writeBlocks(client, [{ ...changed, state }])
}
