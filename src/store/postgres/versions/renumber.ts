/** Pairs parcels that a staged roll has under other IDs with the stored ones. */
import type { Client } from 'pg'
import { carryOver } from '../../../record/stored.ts'
import { RollLinker } from '../../lineage/link-rolls.ts'
import { mayBeRenumbered, pairRenumbered } from '../../lineage/renumber.ts'
import type { VersionForm } from '../../versions/versions.ts'
import { KEYS, packRecord, unpackKeys } from '../pack/records.ts'
import type { Staging } from '../write/roll-staging.ts'

type Row = VersionForm & { at: string }
type Leaving = { fips: number; municipality: string; before: string; removed: string }

/** Turns removed and new parcels of renumbered scopes in `change` into changed ones. */
export async function renumberStaged(client: Client, staging: Staging): Promise<void> {
  const { state, staged, change } = staging
  const { rows: scopes } = await client.query<Leaving>(
    `SELECT p.fips, p.municipality, count(*) AS removed, (SELECT z.parcels FROM scopes z
        WHERE z.state = $1 AND z.fips = p.fips AND z.municipality = p.municipality) AS before
      FROM ${change} c JOIN parcels p ON p.state = $1 AND p.id = c.id
      WHERE c.state = $1 AND c.what = 'removed' GROUP BY p.fips, p.municipality`,
    [state],
  )
  const added = `FROM ${change} c JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    WHERE c.state = $1 AND c.what = 'new' AND s.fips = $2 AND s.municipality = $3`
  for (const { fips, municipality, ...counts } of scopes) {
    const scope = [state, fips, municipality]
    const [before, removed] = [Number(counts.before), Number(counts.removed)]
    const { rows: own } = await client.query(`SELECT count(*) AS n ${added}`, scope)
    if (!mayBeRenumbered({ before, removed, added: Number(own[0]?.n) })) continue
    const gone = await client.query<Row>(
      `SELECT c.id AS at, r.field_values AS "fieldValues", ${KEYS}, g.geojson AS geometry
        FROM ${change} c JOIN parcels p ON p.state = $1 AND p.id = c.id
        JOIN records r ON r.state = $1 AND r.id = c.id
        LEFT JOIN geometries g ON g.state = $1 AND g.id = c.id
        WHERE c.state = $1 AND c.what = 'removed' AND p.fips = $2 AND p.municipality = $3`,
      scope,
    )
    const come = await client.query<Row>(
      `SELECT c.seq AS at, s.field_values AS "fieldValues", s.keys, s.geometry ${added}`,
      scope,
    )
    const linker = new RollLinker()
    const olds = new Map<number, Row>()
    for (const row of gone.rows) {
      const form = { ...row, keys: unpackKeys(row.keys, row.fieldValues) }
      linker.add({ id: Number(row.at), before: form, after: undefined })
      olds.set(Number(row.at), row)
    }
    const nows = new Map(come.rows.map((row) => [Number(row.at), row]))
    for (const [at, form] of nows) linker.add({ id: -at, before: undefined, after: form })
    const pairs = pairRenumbered(linker, removed)
    await writePairs(
      client,
      staging,
      pairs.flatMap(([id, seq]) => {
        const [old, now] = [olds.get(id), nows.get(-seq)]
        return old && now ? { id, old, seq: -seq, now } : []
      }),
    )
  }
}

type RowPair = { id: number; old: Row; seq: number; now: Row }

/** Gives the staged parcels the ids of the stored ones, and the parts kept from their records. */
async function writePairs(
  client: Client,
  { state, staged, change }: Staging,
  pairs: RowPair[],
): Promise<void> {
  const [ids, seqs] = [pairs.map(({ id }) => id), pairs.map(({ seq }) => seq)]
  await client.query(
    `DELETE FROM ${change} WHERE state = $1 AND what = 'removed' AND id = ANY($2::bigint[])`,
    [state, ids],
  )
  await client.query(
    `UPDATE ${change} c SET id = p.id, what = 'keys'
      FROM unnest($2::bigint[], $3::bigint[]) p(seq, id) WHERE c.state = $1 AND c.seq = p.seq`,
    [state, seqs, ids],
  )
  const packed = pairs.map(({ old, now }) => {
    const keepsPolygon = now.geometry === null && old.geometry !== null
    return packRecord(carryOver(old.fieldValues, now.fieldValues, keepsPolygon), now.keys)
  })
  await client.query(
    `UPDATE ${staged} s SET field_values = p.field_values, packed_keys = p.keys, rekeyed = true
      FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) p(seq, field_values, keys)
      WHERE s.state = $1 AND s.seq = p.seq`,
    [state, seqs, packed.map(([values]) => values), packed.map(([, keys]) => keys)],
  )
}
