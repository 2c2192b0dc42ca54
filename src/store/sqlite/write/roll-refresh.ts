/**
 * A refresh: the roll is staged in a separate file, compared with the stored rows, and the
 * differences are applied in one transaction. Statements work on sets in key order. `loose_situs`
 * and `owner_deletions` are supersets: an obsolete entry only leads to no result.
 */
import type { DatabaseSync } from 'node:sqlite'
import { carryOver } from '../../../record/stored.ts'
import { COLUMNS, differsSql } from '../../columns.ts'
import { isChange, KEEP_ALL, listScopes, NO_NOTE, type RollScope } from '../../history.ts'
import {
  addImport,
  addScopes,
  keepImages,
  readTokens,
  writeTokens,
} from '../../rolls/import-rows.ts'
import type { KeptParcel } from '../../rolls/rewrite.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
import {
  countSeen,
  countsText,
  readRepeats,
  readScopes,
  sameParcelSql,
  takeMet,
  writeScopes,
} from '../../rolls/staged-rolls.ts'
import { readChange } from '../../rows.ts'
import type { LeavingParcel, RollChange, RollExtent, RowId } from '../../store.ts'
import { applyPast, isPast } from '../../versions/past.ts'
import { renumberStaged } from '../../versions/renumber.ts'
import { applyChanges, readLastId } from './roll-apply.ts'
import {
  carrySql,
  finishCommit,
  openInserter,
  PARCEL_COLUMNS,
  parcelValues,
  type StagingWriter,
  stagingOf,
  variantOf,
} from './roll-common.ts'

const STAGED_COLUMNS = COLUMNS.map(
  ({ name, type }) => `${name} ${type === 'text' ? 'TEXT' : 'INTEGER'}`,
).join(', ')

const STAGING = `
  CREATE TABLE staging.staged (
    seq INTEGER PRIMARY KEY, row INTEGER, variant TEXT,
    ${STAGED_COLUMNS},
    field_values TEXT, keys TEXT, geometry TEXT);
  CREATE TABLE staging.change (state TEXT, seq INTEGER, id INTEGER, what TEXT);
  CREATE TABLE staging.seen (id INTEGER PRIMARY KEY, row INTEGER);
  CREATE TABLE staging.seen_scopes (state TEXT, fips INTEGER, municipality TEXT, parcels INTEGER,
    owners INTEGER, addresses INTEGER);
`

/** A parcel's change. `record`: of its record alone. `keys`: of its lookup keys too. */
const WHAT = `CASE
  WHEN p.id IS NULL THEN 'new'
  WHEN r.keys <> pack_keys(s.keys) OR p.parcel_key <> s.parcel_key THEN 'keys'
  WHEN r.field_values <> s.field_values
    AND r.field_values <> ${carrySql('r.field_values', 'r.geojson')} THEN 'record'
  WHEN ${differsSql('IS NOT')} THEN 'record'
  WHEN s.geometry <> coalesce(r.geojson, '') THEN 'record'
  ELSE 'same' END`

const compareText = (same: string) => `
  INSERT INTO staging.change (state, seq, id, what)
  SELECT s.state, s.seq, p.id, ${WHAT}
  FROM staging.staged s
  LEFT JOIN main.parcels p ON p.fips = s.fips AND p.stripped_key = s.stripped_key
    AND p.municipality = s.municipality AND ${same}
  LEFT JOIN main.records r ON r.id = p.id
  ORDER BY s.seq`

const REMOVED = `
  INSERT INTO staging.change (state, seq, id, what)
  SELECT p.state, NULL, p.id, 'removed'
  FROM (SELECT fips, municipality FROM staging.staged
    UNION SELECT fips, municipality FROM staging.seen_scopes) d
  CROSS JOIN main.parcels p ON p.fips = d.fips AND p.municipality = d.municipality
  WHERE NOT EXISTS (SELECT 1 FROM staging.change c WHERE c.id = p.id)
    AND NOT EXISTS (SELECT 1 FROM staging.seen n WHERE n.id = p.id)
  ORDER BY p.id`

/** Instead of `REMOVED`, for parcels that are named. */
const LEAVE = `
  INSERT INTO staging.change (state, seq, id, what)
  SELECT p.state, NULL, p.id, 'removed' FROM main.parcels p
  WHERE p.fips = :fips AND p.stripped_key = :strippedKey AND p.municipality = :municipality
    AND p.parcel_key = :parcelKey
    AND NOT EXISTS (SELECT 1 FROM staging.change c WHERE c.id = p.id)`

/** The parcels of each scope after the refresh. */
const COUNTED = `SELECT fips, municipality, ${countsText('filled')}
  FROM staging.staged GROUP BY fips, municipality
  UNION ALL SELECT fips, municipality, parcels, owners, addresses FROM staging.seen_scopes`

/** Creates the staging tables and the SQL functions that the statements use. */
export function prepareStaging(db: DatabaseSync): void {
  db.function('carry_over', { deterministic: true }, (before, after, keepsPolygon) =>
    carryOver(String(before), String(after), keepsPolygon === 1),
  )
  db.exec(STAGING)
}

/** Stages earlier or changed records under their ids. */
export function stageKept(db: DatabaseSync, parcels: readonly KeptParcel[]): void {
  const stage = db.prepare(`INSERT INTO staging.staged
    (seq, row, variant, ${PARCEL_COLUMNS}, field_values, keys, geometry)
    VALUES (?1, ?1, '', ${PARCEL_COLUMNS.replace(/\w+/g, '?')}, ?, ?, ?)`)
  for (const parcel of parcels) {
    const { id, fieldValues, keys, geometry } = parcel
    stage.run(id, ...parcelValues(parcel), fieldValues, keys, geometry ?? '')
  }
}

export function openRefresh(db: DatabaseSync, sql: RollSql, loadedAt: number): StagingWriter {
  prepareStaging(db)
  const columns = `row, variant, ${PARCEL_COLUMNS}, field_values, keys, geometry`
  const rows = openInserter(db, `staging.staged (${columns})`, COLUMNS.length + 5)
  const see = db.prepare('INSERT INTO staging.seen (id, row) VALUES (?, ?)')
  let indexed = false
  let compared = false
  const index = () => {
    if (indexed) return
    indexed = true
    db.exec(`CREATE INDEX staging.staged_identity
        ON staged (fips, stripped_key, municipality, variant, row);
      CREATE INDEX staging.staged_row ON staged (row)`)
  }
  const compare = async ({ partial = false, leaving, pairs = true }: RollExtent = {}) => {
    if (compared) return
    compared = true
    index()
    await countSeen(sql, '', 'staging.')
    const same = sameParcelSql(sql.dialect, 'staging.staged')
    db.exec(compareText(leaving === undefined ? same : 'p.parcel_key = s.parcel_key'))
    db.exec('CREATE INDEX staging.change_id ON change (id)')
    if (leaving !== undefined) return stageLeaving(db, leaving)
    if (partial) return
    db.exec(REMOVED)
    if (!pairs) return
    db.exec('CREATE INDEX staging.change_seq ON change (seq)')
    db.exec('BEGIN')
    // The statements are about all states at once.
    await renumberStaged(sql, stagingOf(''))
    db.exec('COMMIT')
  }
  return {
    stage(parcels) {
      db.exec('BEGIN')
      for (const parcel of parcels) {
        const { row, fieldValues, keys, geometry } = parcel
        const own = [fieldValues, keys, geometry]
        rows.add(row, variantOf(parcel), ...parcelValues(parcel), ...own)
      }
      rows.flush()
      db.exec('COMMIT')
    },
    drop(rows) {
      index()
      const statement = db.prepare('DELETE FROM staging.staged WHERE row = ?')
      for (const row of rows) statement.run(row)
    },
    async *repeats() {
      index()
      yield* readRepeats(sql, stagingOf(''))
    },
    async compare(extent) {
      await compare(extent)
      return { ...countChanges(db), scopes: await readScopes(sql, stagingOf(''), COUNTED) }
    },
    async apply({ onProgress, note = NO_NOTE, token = null } = {}) {
      await compare()
      const keeping = { ...(note.versions ?? KEEP_ALL), source: note.mapping, loadedAt }
      const scopes = listStaged(db)
      if (await isPast(sql, scopes, keeping.vintage)) {
        const past = await sql.transact(async () => ({
          change: await applyPast(sql, [stagingOf('')], scopes, { ...keeping, note }),
          tokens: await readTokens(sql),
        }))
        return { ...past, ids: listIds(db), ...finishCommit(db) }
      }
      const change = countChanges(db)
      const tokens = await sql.transact(async () => {
        const entry = { kind: 'import' as const, ...note, ...change, loadedAt, undoes: null }
        const id = await addImport(sql, entry)
        const firstId = readLastId(db) + 1
        if (isChange(change)) await keepImages(sql, stagingOf(''), scopes)
        await applyChanges(db, {
          ...{ scopes, loadedAt, id, keeping },
          ...(onProgress && { onProgress }),
        })
        await writeScopes(sql, scopes, loadedAt, isChange(change))
        await addScopes(sql, id, scopes, { firstId, lastId: readLastId(db) })
        await writeTokens(sql, scopes, token)
        return readTokens(sql)
      })
      return { change, tokens, ids: listIds(db), ...finishCommit(db) }
    },
    marks: {
      tokens: () => readTokens(sql),
      // Only one import runs at a time, so no other one changes a scope.
      claim: () => undefined,
      see(parcels) {
        db.exec('BEGIN')
        for (const { row, id } of parcels) see.run(id, row)
        db.exec('COMMIT')
      },
      unsee: () => takeMet(sql, stagingOf(''), 'staging.'),
    },
  }
}

function* listIds(db: DatabaseSync): Generator<RowId> {
  const text = 'SELECT s.row, c.id FROM staging.change c JOIN staging.staged s ON s.seq = c.seq'
  yield* db.prepare(text).iterate() as Iterable<RowId>
}

/** Stages the parcels that leave, and their scopes, which may have no other staged row. */
function stageLeaving(db: DatabaseSync, leaving: readonly LeavingParcel[]): void {
  const leave = db.prepare(LEAVE)
  const scope = db.prepare('INSERT INTO staging.seen_scopes VALUES (?, ?, ?, 0, 0, 0)')
  db.exec('BEGIN')
  for (const { fips, municipality, strippedKey, parcelKey } of leaving) {
    leave.run({ fips, municipality, strippedKey, parcelKey })
  }
  for (const { state, fips, municipality } of listScopes(leaving)) {
    scope.run(state, fips, municipality)
  }
  db.exec('COMMIT')
}

function listStaged(db: DatabaseSync): RollScope[] {
  const text = `SELECT state, fips, municipality FROM staging.staged
    UNION SELECT state, fips, municipality FROM staging.seen_scopes`
  return db.prepare(text).all() as RollScope[]
}

function countChanges(db: DatabaseSync): RollChange {
  const rows = db.prepare('SELECT what, count(*) AS n FROM staging.change GROUP BY what').all()
  const counts = new Map(rows.map((row) => [String(row.what), Number(row.n)]))
  const seen = db.prepare('SELECT count(*) AS n FROM staging.seen').get()
  counts.set('same', (counts.get('same') ?? 0) + Number(seen?.n))
  return readChange(counts)
}
