/**
 * Multiplies parcels faster than an import can. SQL copies the content of the database as the roll
 * of another state, one state after the other. Copies get new ids, their counties belong to the new
 * state, and rows are inserted in the order of an import. The JSON of the records is unchanged and
 * still names the old places.
 */
import { Client } from 'pg'
import { COUNTIES } from '../../src/regions/counties.ts'

/** None of them is in a sample (src/sample/counties). */
const STATES = ['CA', 'GA', 'MI', 'NC', 'NJ', 'NY', 'OH', 'PA', 'VA'] as const
const AT_ONCE = 2

/** A table's columns in the order of its key; ids and counties are written as those of the copy. */
const TABLES: Record<string, string> = {
  parcels: `id, fips, municipality, stripped_key, parcel_key, city, zip, unit, use_code,
    residential, transfer_day, assigned, roll_year, filled`,
  records: 'id, loaded_at, field_values, keys',
  geometries: 'id, geojson',
  alternate_ids: 'fips, key, id',
  situs: 'key, id, unit, kind, own_key',
  loose_situs: 'loose_key, key',
  owner_heads: 'head, id, slot, kind, fips, rest',
  owner_words: 'word, id, slot, fips',
  owner_deletions: 'deletion, word',
  scopes: 'fips, municipality, parcels, roll_year, loaded_at, filled',
}

/** Multiplies the existing parcels by `times`, 2 to 10. */
export async function multiplyRolls(url: string, times: number): Promise<void> {
  const states = STATES.slice(0, times - 1)
  if (states.length !== times - 1) throw new Error(`at most ${STATES.length + 1} times`)
  const client = await connect(url)
  const { rows } = await client.query('SELECT max(id)::float8 AS newest FROM parcels')
  const shift = Number(rows[0]?.newest)
  const scopes = await client.query('SELECT DISTINCT state, fips FROM scopes ORDER BY fips')
  const own = scopes.rows as Place[]
  const copies = states.map((state, at) => ({ state, shift: shift * (at + 1) }))
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const writer = await connect(url)
      for (let copy = copies.shift(); copy !== undefined; copy = copies.shift()) {
        await writeCopy(writer, copy, own)
      }
      await writer.end()
    }),
  )
  await client.query("SELECT setval('parcel_ids', $1)", [shift * times])
  await client.end()
}

type Place = { state: string; fips: number }

async function writeCopy(client: Client, copy: { state: string; shift: number }, own: Place[]) {
  const { state, shift } = copy
  const counties = COUNTIES.filter((county) => county.state === state)
  const cases = own.map(({ fips }, at) => `WHEN ${fips} THEN ${counties[at]?.fips}`)
  const values: Record<string, string> = {
    id: `id + ${shift}`,
    fips: `CASE fips ${cases.join(' ')} END`,
  }
  const sources = [...new Set(own.map(({ state }) => `'${state}'`))].join(', ')
  for (const [table, columns] of Object.entries(TABLES)) {
    const names = columns.split(/,\s*/)
    const shown = names.map((name) => values[name] ?? name).join(', ')
    const order = names.slice(0, 5).map((_, at) => at + 2)
    // A word or an address of two counties is one of their common state.
    await client.query(`INSERT INTO ${table} (state, ${columns})
      SELECT '${state}', ${shown} FROM ${table} WHERE state IN (${sources})
      ORDER BY ${order.join(', ')} ON CONFLICT DO NOTHING`)
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    options: '-c search_path=platbook -c work_mem=256MB',
  })
  await client.connect()
  return client
}
