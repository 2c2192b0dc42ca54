/** Checks stored blocks of facts against the parcels that they are of, which it encodes again. */
import type { FactRecord } from '../../record/facts.ts'
import type { RollSql } from '../rolls/roll-sql.ts'
import { FactLoader, type StateBlock } from './block.ts'

/** Checks all facts of a state. Returns sentences. */
export async function checkFacts(sql: RollSql, state: string): Promise<string[]> {
  const { of, bytes, readBytes } = sql.dialect
  const loader = new FactLoader()
  const wrong: number[] = []
  let blocks = 0
  const compare = async (made: readonly StateBlock[]) => {
    for (const { block, chunks } of made) {
      const stored = await sql.ask<{ data: unknown }>(
        `SELECT ${bytes('data')} AS data FROM facts WHERE state = $1 AND block = $2 ORDER BY fact`,
        [state, block],
      )
      if (stored.length > 0) blocks += 1
      const isSame =
        stored.length === chunks.length &&
        chunks.every((chunk, at) => Buffer.compare(chunk, readBytes(stored[at]?.data)) === 0)
      if (!isSame) wrong.push(block)
    }
  }
  const parcels = sql.walk<FactRecord & { id: number }>(
    `SELECT p.id, p.state, p.owner, p.unit, r.field_values AS "fieldValues"
    FROM parcels p CROSS JOIN records r
    WHERE p.state = $1 AND ${of('r')} r.id = p.id ORDER BY p.id`,
    [state],
  )
  for await (const rows of parcels) {
    for (const { id, ...record } of rows) loader.add(id, record)
    await compare(loader.take())
  }
  await compare(loader.finish().blocks)
  const [count] = await sql.ask<{ n: number }>(
    'SELECT count(DISTINCT block) AS n FROM facts WHERE state = $1',
    [state],
  )
  const found = []
  if (wrong.length > 0) {
    found.push(
      `${wrong.length} blocks of facts are not those of their parcels ` +
        `(${state}, block ${wrong[0]}); load the rolls again`,
    )
  }
  const more = Number(count?.n) - blocks
  if (more > 0) found.push(`${more} blocks of facts belong to no parcel`)
  return found
}
