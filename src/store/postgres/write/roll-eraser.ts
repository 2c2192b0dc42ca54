/** Reverts loads in PostgreSQL. The states concerned are locked as by an import. */
import type { Client } from 'pg'
import type { RollScope } from '../../history.ts'
import { noteChanges } from '../../rolls/change-rows.ts'
import { createRollEraser, type EraseParts, type RollEraser } from '../../rolls/erase-rolls.ts'
import { readKept } from '../../rolls/rewrite.ts'
import { writeScopes } from '../../rolls/staged-rolls.ts'
import { isSpread } from '../citus.ts'
import { countChange, dropCells } from '../cluster/state-places.ts'
import { KEYS, unpackHex } from '../pack/unpack.ts'
import { describeServer, inTransaction, openOn, rollConfig } from '../pool/connection.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges, prepareChanges } from './roll-apply.ts'
import { hasParcels } from './roll-compare.ts'
import { dropStaging, indexStaged, makeStaging, type Staging, stageKept } from './roll-staging.ts'

const SLICE = 2000

/** Opens the database at an address. Throws `CommandError` when it is unreachable. */
export function openRollEraser(url: string): Promise<RollEraser> {
  const where = describeServer(url)
  const config = { ...rollConfig(url, 0, { work_mem: '64MB' }), isKept: true }
  return openOn(config, where, async (client) =>
    createRollEraser(openParts(client, where, await isSpread(client))),
  )
}

function openParts(client: Client, where: string, spread: boolean): EraseParts<Staging> {
  const sql = openRollSql(client)
  const opened = new Map<string, Staging>()
  return {
    sql,
    async open(states) {
      for (const state of states) {
        const known = opened.get(state)
        if (known !== undefined) await dropStaging(client, known)
        const staging = await makeStaging(client, state, where, spread)
        // The earlier records may be a whole roll.
        staging.rows = Number.POSITIVE_INFINITY
        opened.set(state, staging)
      }
      return [...opened.values()].filter(({ state }) => states.includes(state))
    },
    stageImages: (staging, scope) => stageImages(client, staging, scope),
    async compare(staging) {
      await indexStaged(client, staging)
      return compareImages(client, staging)
    },
    prepare: async (staging) => void (await prepareChanges(client, staging, true)),
    transact: (work) => inTransaction(client, work),
    async apply(staged, scopes, { id, loadedAt }) {
      for (const staging of staged) {
        const own = scopes.filter(({ state }) => state === staging.state)
        await noteChanges(sql, staging, { loadedAt, id, restores: true })
        await applyChanges(client, staging, { loadedAt })
        await countChange(client, staging.state)
        await writeScopes(sql, own, loadedAt, true)
      }
    },
    async noteState(state) {
      if (!(await hasParcels(client, state))) await dropCells(client, state)
      await countChange(client, state)
    },
    async close() {
      for (const staging of spread ? opened.values() : []) {
        await dropStaging(client, staging).catch(() => undefined)
      }
      await client.end().catch(() => undefined)
    },
  }
}

async function stageImages(
  client: Client,
  staging: Staging,
  { state, fips, municipality }: RollScope,
): Promise<number> {
  let staged = 0
  for (let after = 0; ; ) {
    const { rows } = await client.query(
      `SELECT r.*, ${KEYS} FROM import_images r
        WHERE r.state = $1 AND r.fips = $2 AND r.municipality = $3 AND r.id > $4
        ORDER BY r.id LIMIT ${SLICE}`,
      [state, fips, municipality, after],
    )
    const images = rows.map((row) =>
      readKept({ ...row, keys: unpackHex(row.keys, row.field_values) }),
    )
    await stageKept(client, staging, images)
    staged += images.length
    if (rows.length < SLICE) return staged
    after = Number(rows.at(-1)?.id)
  }
}

/** Returns how many of the staged records are of parcels that are gone. */
async function compareImages(client: Client, { state, staged, change }: Staging): Promise<number> {
  await client.query(
    `INSERT INTO ${change} (state, seq, id, what)
      SELECT s.state, s.seq, s.seq, CASE WHEN p.id IS NULL THEN 'new' ELSE 'keys' END
      FROM ${staged} s LEFT JOIN parcels p ON p.state = $1 AND p.id = s.seq
      WHERE s.state = $1 ORDER BY s.seq`,
    [state],
  )
  const { rows } = await client.query(
    `SELECT count(*) AS n FROM ${change} WHERE state = $1 AND what = 'new'`,
    [state],
  )
  return Number(rows[0]?.n)
}
