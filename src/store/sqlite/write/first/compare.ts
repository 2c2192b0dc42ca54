/** Finds the rows of a first load that share an identity, and counts what it will add. */
import {
  countsText,
  findRepeats,
  groupRepeats,
  type NewScope,
  newScope,
} from '../../../rolls/staged-rolls.ts'
import type { RepeatedRows, RollComparison, StagedRow } from '../../../store.ts'
import { SQLITE, sqliteCode } from '../../connection.ts'
import type { FirstLoad } from './load.ts'

/** Groups of shared identities read at a time. */
const GROUPS = 1000

export async function compareFirst(load: FirstLoad): Promise<RollComparison | RepeatedRows> {
  const repeated = load.isSettled ? undefined : await findRepeats(readShared(load))
  load.isSettled = true
  return repeated ?? countFirst(load)
}

/** Iterates over shared identities by key; no statement stays open meanwhile. */
async function* readShared(load: FirstLoad): AsyncGenerator<StagedRow[]> {
  index(load)
  const next = load.db.prepare(`SELECT fips, stripped_key AS stripped, municipality
    FROM main.parcels WHERE (fips, stripped_key, municipality) > (?, ?, ?)
    GROUP BY fips, stripped_key, municipality HAVING count(*) > 1
    ORDER BY fips, stripped_key, municipality LIMIT ${GROUPS}`)
  const rows = load.db.prepare(`SELECT p.id, p.parcel_key AS parcelKey,
      r.field_values AS fieldValues, v.variant
    FROM main.parcels p JOIN main.records r ON r.id = p.id LEFT JOIN staging.variants v
    ON v.id = p.id
    WHERE p.fips = ? AND p.stripped_key = ? AND p.municipality = ?`)
  type Identity = { fips: number; stripped: string; municipality: string }
  type Row = Omit<StagedRow, 'row'> & { id: number; variant: string | null }
  let after: [number, string, string] = [0, '', '']
  for (;;) {
    const identities = next.all(...after) as Identity[]
    for (const { fips, stripped, municipality } of identities) {
      after = [fips, stripped, municipality]
      const group = rows.all(...after) as Row[]
      yield* groupRepeats(group, load.ids)
    }
    if (identities.length < GROUPS) return
  }
}

/** Builds an index by identity: the schema's own, or a temporary one where one is shared. */
function index(load: FirstLoad): void {
  if (load.identity !== 'none') return
  try {
    indexUnique(load)
  } catch (error) {
    if (sqliteCode(error) !== SQLITE.CONSTRAINT) throw error
    load.db.exec('CREATE INDEX main.roll_identity ON parcels (fips, stripped_key, municipality)')
    load.identity = 'shared'
  }
}

function indexUnique(load: FirstLoad): void {
  if (load.identity === 'unique') return
  if (load.identity === 'shared') load.db.exec('DROP INDEX main.roll_identity')
  load.db.exec(load.indexes.find(({ name }) => name === 'parcels_identity')?.sql ?? '')
  load.identity = 'unique'
}

/** Counts the rows of each scope, once no two of them share an identity. */
export function countFirst(load: FirstLoad): RollComparison {
  if (load.comparison !== undefined) return load.comparison
  indexUnique(load)
  const counted = load.db.prepare(`SELECT fips, municipality, ${countsText('filled')}
    FROM main.parcels GROUP BY fips, municipality`)
  const scopes = (counted.all() as NewScope[]).map(newScope)
  const loaded = scopes.reduce((sum, { after }) => sum + after, 0)
  load.comparison = { loaded, updated: 0, unchanged: 0, removed: 0, scopes }
  return load.comparison
}
