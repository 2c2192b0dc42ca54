/**
 * Writes rolls into `parcels.db`: staged in a file of its own, compared with what is kept, and applied as differences in one
 * transaction. Readers see the old roll until the commit and the new one after it.
 *
 * Everything goes by sets and in key order: first loads append to sorted trees, and a refresh touches the changed rows only.
 * `loose_situs` and `owner_deletions` are kept as supersets: an entry that nothing stands behind any more finds nothing.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { carryAssessments } from '../../layout/leaves.ts'
import { COVERAGE_FIELDS } from '../../model/coverage.ts'
import { encodeKeys } from '../roll-keys.ts'
import type { RollChange, RollWriter, ScopeChange, StagedParcel, StagedRow } from '../store.ts'
import { openDatabase, transaction } from './connection.ts'
import { applyChanges } from './roll-apply.ts'

const CACHE_KIB = 131_072
/** What WAL may keep on disk after a checkpoint, bytes. */
const JOURNAL_LIMIT = 67_108_864

const STAGING = `
  PRAGMA staging.journal_mode = OFF;
  PRAGMA staging.synchronous = OFF;
  CREATE TABLE staging.staged (
    seq INTEGER PRIMARY KEY, row INTEGER, state TEXT, fips INTEGER, municipality TEXT,
    stripped_key TEXT, variant TEXT, parcel_key TEXT, city TEXT, zip TEXT, unit TEXT, use_code TEXT,
    residential INTEGER, transfer_day INTEGER, assigned INTEGER, roll_year INTEGER, filled INTEGER,
    leaves TEXT, keys TEXT, geometry TEXT);
  CREATE TABLE staging.change (seq INTEGER, id INTEGER, what TEXT);
`

/** What happens to a parcel: `leaves`: only its record changes; `keys`: what finds it changes too. */
const WHAT = `CASE
  WHEN p.id IS NULL THEN 'new'
  WHEN r.keys <> s.keys OR p.parcel_key <> s.parcel_key THEN 'keys'
  WHEN r.leaves <> s.leaves AND r.leaves <> carry_assessments(r.leaves, s.leaves) THEN 'leaves'
  WHEN (p.city, p.zip, p.unit, p.use_code, p.assigned, p.filled) <>
       (s.city, s.zip, s.unit, s.use_code, s.assigned, s.filled) THEN 'leaves'
  WHEN p.residential IS NOT s.residential OR p.transfer_day IS NOT s.transfer_day
    OR p.roll_year IS NOT s.roll_year THEN 'leaves'
  WHEN s.geometry IS NOT NULL AND s.geometry IS NOT g.geojson THEN 'leaves'
  ELSE 'same' END`

/**
 * Which kept parcel a staged one is: the one recorded alike, else the only one with its letters and digits, if the roll too
 * has only one. So no two staged parcels are ever taken for one that is kept.
 */
const SAME_PARCEL = `(p.parcel_key = s.parcel_key OR NOT EXISTS (
      SELECT 1 FROM staging.staged t WHERE t.fips = s.fips AND t.stripped_key = s.stripped_key
        AND t.municipality = s.municipality AND t.seq <> s.seq)
    AND NOT EXISTS (SELECT 1 FROM main.parcels q WHERE q.fips = p.fips
        AND q.stripped_key = p.stripped_key AND q.municipality = p.municipality AND q.id <> p.id))`

const COMPARE = `
  INSERT INTO staging.change (seq, id, what)
  SELECT s.seq, p.id, ${WHAT}
  FROM staging.staged s
  LEFT JOIN main.parcels p ON p.fips = s.fips AND p.stripped_key = s.stripped_key
    AND p.municipality = s.municipality AND ${SAME_PARCEL}
  LEFT JOIN main.records r ON r.id = p.id
  LEFT JOIN main.geometries g ON g.id = p.id
  ORDER BY s.seq`

const REMOVED = `
  INSERT INTO staging.change (seq, id, what)
  SELECT NULL, p.id, 'removed'
  FROM (SELECT DISTINCT fips, municipality FROM staging.staged) d
  CROSS JOIN main.parcels p ON p.fips = d.fips AND p.municipality = d.municipality
  WHERE NOT EXISTS (SELECT 1 FROM staging.change c WHERE c.id = p.id)`

/** Opens a writer on the store in a data folder; one at a time, which the importer's lock sees to. */
export function openRollWriter(dataDir: string): RollWriter {
  const stagingDir = join(dataDir, 'staging')
  rmSync(stagingDir, { recursive: true, force: true })
  mkdirSync(stagingDir, { recursive: true })
  // Big sorts spill into the data folder, where the operator expects the space to be used.
  process.env.SQLITE_TMPDIR = stagingDir
  const db = openDatabase(join(dataDir, 'parcels.db'), {
    migrations: 'parcels',
    synchronous: 'NORMAL',
  })
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = FILE;
    PRAGMA journal_size_limit = ${JOURNAL_LIMIT}`)
  db.function('carry_assessments', { deterministic: true }, (before, after) =>
    carryAssessments(String(before), String(after)),
  )
  db.prepare('ATTACH ? AS staging').run(join(stagingDir, 'roll.db'))
  db.exec(STAGING)
  return makeWriter(db, stagingDir)
}

function makeWriter(db: DatabaseSync, stagingDir: string): RollWriter {
  const insert =
    db.prepare(`INSERT INTO staging.staged (row, state, fips, municipality, stripped_key,
    variant, parcel_key, city, zip, unit, use_code, residential, transfer_day, assigned, roll_year, filled,
    leaves, keys, geometry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  let indexed = false
  let compared = false
  const index = () => {
    if (indexed) return
    indexed = true
    db.exec(`CREATE INDEX staging.staged_identity
        ON staged (fips, stripped_key, municipality, variant, row);
      CREATE INDEX staging.staged_row ON staged (row)`)
  }
  const compare = () => {
    if (compared) return
    compared = true
    index()
    db.exec(COMPARE)
    db.exec('CREATE INDEX staging.change_id ON change (id)')
    db.exec(REMOVED)
  }
  return {
    stage(parcels) {
      db.exec('BEGIN')
      for (const parcel of parcels) insert.run(...stagedColumns(parcel))
      db.exec('COMMIT')
    },
    *repeats() {
      index()
      yield* readRepeats(db)
    },
    drop(rows) {
      index()
      const statement = db.prepare('DELETE FROM staging.staged WHERE row = ?')
      for (const row of rows) statement.run(row)
    },
    compare() {
      compare()
      return { ...countChanges(db, true), scopes: readScopes(db) }
    },
    apply(removeAbsent, loadedAt, onProgress) {
      compare()
      if (!removeAbsent) db.exec("DELETE FROM staging.change WHERE what = 'removed'")
      const changes = countChanges(db, removeAbsent)
      transaction(db, () => applyChanges(db, loadedAt, onProgress ?? (() => {})))
      checkpoint(db)
      return changes
    },
    discard() {
      db.close()
      rmSync(stagingDir, { recursive: true, force: true })
    },
  }
}

function stagedColumns(parcel: StagedParcel) {
  const bits = parcel.filled.reduce((sum, field) => sum + 2 ** COVERAGE_FIELDS.indexOf(field), 0)
  return [
    parcel.row,
    parcel.state,
    parcel.fips,
    parcel.municipality,
    parcel.strippedKey,
    parcel.identity === parcel.strippedKey ? '' : parcel.identity,
    parcel.parcelKey,
    parcel.city,
    parcel.zip,
    parcel.situs[0]?.unitKey ?? '',
    parcel.useCode,
    parcel.residential === null ? null : Number(parcel.residential),
    parcel.transferDay,
    Number(parcel.assigned),
    parcel.rollYear,
    bits,
    parcel.leaves,
    encodeKeys(parcel),
    parcel.geometry,
  ] as const
}

type Identity = { fips: number; stripped_key: string; municipality: string; variant: string }

/** Walks the shared identities by key, never holding a statement open while the importer settles a group. */
function* readRepeats(db: DatabaseSync): Iterable<StagedRow[]> {
  const next = db.prepare(`SELECT fips, stripped_key, municipality, variant FROM staging.staged
    WHERE (fips, stripped_key, municipality, variant) > (?, ?, ?, ?)
    GROUP BY fips, stripped_key, municipality, variant HAVING count(*) > 1
    ORDER BY fips, stripped_key, municipality, variant LIMIT 1000`)
  const rows = db.prepare(`SELECT row, parcel_key AS parcelKey, leaves FROM staging.staged
    WHERE fips = ? AND stripped_key = ? AND municipality = ? AND variant = ? ORDER BY row`)
  let after: Identity = { fips: 0, stripped_key: '', municipality: '', variant: '' }
  for (;;) {
    const identities = next.all(...identityOf(after)) as Identity[]
    for (const identity of identities) yield rows.all(...identityOf(identity)) as StagedRow[]
    const last = identities.at(-1)
    if (last === undefined) return
    after = last
  }
}

function identityOf({ fips, stripped_key, municipality, variant }: Identity) {
  return [fips, stripped_key, municipality, variant] as const
}

function countChanges(db: DatabaseSync, withRemoved: boolean): RollChange {
  const rows = db.prepare('SELECT what, count(*) AS n FROM staging.change GROUP BY what').all()
  const counts = new Map(rows.map((row) => [String(row.what), Number(row.n)]))
  const count = (what: string) => counts.get(what) ?? 0
  return {
    loaded: count('new'),
    updated: count('leaves') + count('keys'),
    unchanged: count('same'),
    removed: withRemoved ? count('removed') : 0,
  }
}

/** Each staged scope before and after. */
function readScopes(db: DatabaseSync): ScopeChange[] {
  const [owner, address] = [bit('owner'), bit('address')]
  const staged = db
    .prepare(`SELECT fips, municipality, count(*) AS after,
      sum((filled & ${owner}) > 0) AS ownerAfter, sum((filled & ${address}) > 0) AS addressAfter
      FROM staging.staged GROUP BY fips, municipality`)
    .all()
  const before = db.prepare(`SELECT count(*) AS before,
    coalesce(sum((filled & ${owner}) > 0), 0) AS ownerBefore,
    coalesce(sum((filled & ${address}) > 0), 0) AS addressBefore,
    coalesce(sum(EXISTS (SELECT 1 FROM staging.change c WHERE c.id = p.id AND c.what = 'removed')), 0)
      AS removed
    FROM main.parcels p WHERE p.fips = ? AND p.municipality = ?`)
  return staged.map((scope) => ({
    ...scope,
    ...before.get(Number(scope.fips), String(scope.municipality)),
  })) as ScopeChange[]
}

function bit(field: (typeof COVERAGE_FIELDS)[number]): number {
  return 2 ** COVERAGE_FIELDS.indexOf(field)
}

/** Empties the write-ahead log; a reader in the middle of a page keeps it a moment longer. */
function checkpoint(db: DatabaseSync): void {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const row = db.prepare('PRAGMA main.wal_checkpoint(TRUNCATE)').get()
    if (row?.busy === 0) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
}
