/** Reads a snapshot of PostgreSQL for an export. */
import type { Client } from 'pg'
import { type ExportPlace, type ExportReader, type ExportScope, inOrder } from '../../export.ts'
import type { StoredParcel } from '../../store.ts'
import { describeServer, openOn, rollConfig } from '../pool/connection.ts'
import { asDriverError } from '../pool/errors.ts'
import { checkSchema } from '../schema.ts'

/** Parcels read by one statement. */
const SLICE = 10_000

/** The snapshot is idle while the file is written. */
const SETTINGS = { idle_in_transaction_session_timeout: 0 }

/** Opens a snapshot of the database at an address. Throws `CommandError` when it is unreachable. */
export function openExportReader(url: string): Promise<ExportReader> {
  const where = describeServer(url)
  return openOn(rollConfig(url, 0, SETTINGS), where, async (client) => {
    await checkSchema(client, where)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return {
      places: (scope) => readPlaces(client, scope),
      async records(state, ids) {
        const text = `SELECT r.id, r.loaded_at AS "loadedAt", r.field_values AS "fieldValues",
            g.geojson AS geometry
          FROM records r LEFT JOIN geometries g ON g.state = $1 AND g.id = r.id
          WHERE r.state = $1 AND r.id = ANY($2::bigint[])`
        return inOrder(await ask<StoredParcel>(client, text, [state, ids]), ids)
      },
      close: () => client.end(),
    }
  })
}

const CHANGED_RECORDS = 'JOIN records r ON r.state = $1 AND r.id = p.id AND r.loaded_at >= $6'

/** The columns of the index `parcels_identity`. */
const IDENTITY = 'p.fips, p.stripped_key, p.municipality, p.parcel_key'

async function* readPlaces(client: Client, scope: ExportScope): AsyncGenerator<ExportPlace[]> {
  const { state, fips, changedSince } = scope
  let after: unknown[] = [0, '', '', '']
  for (;;) {
    const rows = await ask<ExportPlace & Record<string, unknown>>(
      client,
      `SELECT p.id, p.x, p.y, ${IDENTITY} FROM parcels p
      ${changedSince === undefined ? '' : CHANGED_RECORDS}
      WHERE p.state = $1 AND (${IDENTITY}) > ($2::integer, $3, $4, $5)
        ${fips === undefined ? '' : `AND p.fips = ${Number(fips)}`}
      ORDER BY ${IDENTITY} LIMIT ${SLICE}`,
      [state, ...after, ...(changedSince === undefined ? [] : [changedSince])],
    )
    const slice = rows.map(({ id, x, y }) => ({ id, x, y }))
    if (slice.length > 0) yield slice
    if (slice.length < SLICE) return
    const last = rows.at(-1)
    after = ['fips', 'stripped_key', 'municipality', 'parcel_key'].map((name) => last?.[name])
  }
}

async function ask<Row>(client: Client, statement: string, values: unknown[]): Promise<Row[]> {
  try {
    const { rows } = await client.query(statement, values)
    return rows as Row[]
  } catch (error) {
    throw asDriverError(error)
  }
}
