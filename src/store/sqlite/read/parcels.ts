/**
 * Answers questions about parcels from `parcels.db` and never writes it. All its SQL is in
 * `statements.ts`.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { ReadAdvice } from '../../../base/model/read-advice.ts'
import type { ChangeReader, StoredChange } from '../../changes.ts'
import { decodeOwners } from '../../parcel-keys.ts'
import { askThrough } from '../../questions.ts'
import { readCoverage, readOnly, readSitus } from '../../rows.ts'
import type { ParcelReader } from '../../store.ts'
import { VERSION_KINDS, type VersionReader } from '../../versions/versions.ts'
import { asRefusal } from '../connection.ts'
import { searchOwners } from './owner-search.ts'
import { PageWalk, pageOfIds } from './page-walk.ts'
import { VERSIONS } from './place-statements.ts'
import { openPlaceReader } from './places.ts'
import { cachePrepared, type Prepare } from './prepare.ts'
import {
  type AloneColumns,
  type IdentifiedColumns,
  type RecordColumns,
  readAlone,
  readIdentified,
  readRecord,
  readScope,
  readSitusRow,
  type ScopeColumns,
  type SitusColumns,
} from './read-rows.ts'
import { CHANGES, recordsSql, SQL } from './statements.ts'
import { WalkQueue } from './walk-queue.ts'

/** Reading 64 columns of counted tiles takes some milliseconds with all states. */
const ADVICE: ReadAdvice = { queued: true, ahead: false, tileRows: 500, tileColumns: 64 }

/** Opens the reader on a connection to `parcels.db` that the caller owns. */
export function openParcelReader(db: DatabaseSync): ParcelReader {
  const prepare = cachePrepared(db)
  const situsAt = (state: string, key: string) =>
    readSitus(prepare(SQL.bySitusKey).all<SitusColumns>(state, key).map(readSitusRow), key)
  const walks = new WalkQueue()

  const reader: ParcelReader = {
    advice: ADVICE,
    unreached: () => [],
    ...openPlaceReader(prepare),
    ...openChangeReader(prepare),
    ...openVersionReader(prepare),
    async byParcelId(_state, fips, strippedKey) {
      const rows = prepare(SQL.byParcelId).all<IdentifiedColumns>(fips, strippedKey)
      return byId(rows.map(readIdentified))
    },
    async byAlternateId(_state, fips, key) {
      return prepare(SQL.byAlternateId).all<RecordColumns>(fips, key).map(readRecord)
    },
    async bySitusKey(state, key) {
      return situsAt(state, key)
    },
    async addressesWithPrefix(state, prefix, limit) {
      const range = [prefix, `${prefix}\u{10ffff}`] as const
      return prepare(SQL.addressesWithPrefix)
        .all<[key: string, city: string]>(state, ...range, limit)
        .map(([key, city]) => ({ key, city }))
    },
    async onlyAtSitusKey(state, key, unitKey, place) {
      const rows =
        unitKey === ''
          ? prepare(SQL.alone).all<AloneColumns>(state, key)
          : prepare(SQL.aloneOfUnit).all<AloneColumns>(state, key, unitKey)
      return readOnly(rows.map(readAlone), place)
    },
    async byLooseKey(state, looseKey) {
      const keys = prepare(SQL.looseKeys).all<[string]>(state, looseKey)
      const hits = keys.flatMap(([key]) => situsAt(state, key))
      return byId(hits.filter(({ alternate }) => alternate === null))
    },
    async byIds(_state, ids) {
      if (ids.length === 0) return []
      return prepare(recordsSql(ids.length))
        .all<RecordColumns>(...ids)
        .map(readRecord)
    },
    async page(filter, afterId, skip, limit, deadline) {
      if (filter.ids !== undefined) {
        return pageOfIds(prepare, filter, filter.ids, { afterId, skip, limit })
      }
      const walk = new PageWalk(prepare, filter, afterId, skip, limit)
      return walks.walk(
        () => walk.slice(),
        deadline,
        () => walk.expire(),
      )
    },
    async byOwner(search) {
      return searchOwners({ prepare, walks }, search)
    },
    async ownersOf(_state, ids) {
      const rows = prepare(SQL.keysOf).all<[id: number, keys: string]>(JSON.stringify(ids))
      return rows.map(([id, keys]) => ({ id, owners: decodeOwners(keys) }))
    },
    async countOwnerKeys(state, names, words) {
      const count = (sql: string, key: string) =>
        prepare(sql).get<[n: number]>(state, key)?.[0] ?? 0
      return {
        names: names.map((name) => count(SQL.headCount, name)),
        words: words.map((word) => count(SQL.wordCount, word)),
      }
    },
    async headsFrom(state, start, limit, kind) {
      const found = prepare(SQL.headsFrom).all<[head: string]>(
        ...[state, start, `${start}~`, limit, kind === 'person' ? 0 : 1],
      )
      return found.map(([head]) => head)
    },
    async coverage() {
      return readCoverage(prepare(SQL.coverage).all<ScopeColumns>().map(readScope))
    },
    async parcelsFrom(_state, fips, start, limit) {
      const range = [start, `${start}~`] as const
      return prepare(SQL.parcelsFrom)
        .all<[id: number]>(fips, ...range, limit)
        .map(([id]) => id)
    },
    async factHeads(state) {
      const rows = prepare(SQL.factHeads).all<[block: number, version: number]>(state)
      return rows.map(([block, version]) => ({ block, version }))
    },
    async factChunks(state, fact, from, to) {
      type Chunk = [block: number, version: number, data: Uint8Array]
      const rows = prepare(SQL.factChunks).all<Chunk>(state, fact, from, to)
      return rows.map(([block, version, data]) => ({ block, version, data }))
    },
    async saleTest(state, fips) {
      return prepare(SQL.saleTest).get<[result: string]>(state, fips)?.[0]
    },
    async qualities(state, fips) {
      return prepare(SQL.qualities)
        .all<[result: string]>(state, fips)
        .map(([result]) => result)
    },
    async originBlocks(state, block) {
      const rows = prepare(SQL.originBlocks).all<[number: number, data: Uint8Array]>(state, block)
      return rows.map(([number, data]) => ({ number, data }))
    },
    async originImport(state, number) {
      type Found = [import: number, document: Uint8Array]
      const found = prepare(SQL.originImport).get<Found>(state, number)
      return found && { import: found[0], document: found[1] }
    },
    async keptRows(state, number, part, line) {
      return prepare(SQL.keptRows).get<[data: Uint8Array]>(state, number, part, line)?.[0]
    },
    async version() {
      return String(prepare(SQL.version).get<[number]>()?.[0] ?? 0)
    },
  }
  // Errors of the database become *unavailable*.
  return askThrough(reader, ({ put }) =>
    put(reader).catch((error: unknown) => Promise.reject(asRefusal(error))),
  )
}

function byId<Row extends { id: number }>(rows: Row[]): Row[] {
  return rows.length < 2 ? rows : rows.sort((a, b) => a.id - b.id)
}

/** Reads earlier versions of parcels. */
type Version = [
  ...[id: number, day: number, importId: number, what: number, loadedAt: number],
  difference: string,
]
type Vintage = [
  ...[state: string, fips: number, municipality: string, day: number, importId: number],
  ...[rollYear: number | null, source: string, loadedAt: number],
]
type Link = [
  ...[parent: number, child: number, day: number, importId: number, kind: number],
  ...[shareOfParent: number | null, shareOfChild: number | null, evidence: number],
]
type Form = [
  id: number,
  loadedAt: number,
  fieldValues: string,
  keys: string,
  geojson: string | null,
]

function openVersionReader(prepare: Prepare): VersionReader {
  return {
    async versionsOf(state, ids) {
      const rows = ids.flatMap((id) => prepare(VERSIONS.ofParcel).all<Version>(state, id))
      return rows.map(([id, day, own, what, loadedAt, difference]) => ({
        ...{ id, day, import: own, what: VERSION_KINDS[what] ?? 'changed', loadedAt, difference },
      }))
    },
    async vintages(state, fips) {
      const rows =
        fips === undefined
          ? prepare(VERSIONS.vintages).all<Vintage>(state)
          : prepare(VERSIONS.vintagesOfCounty).all<Vintage>(state, fips)
      return rows.map(([of, county, municipality, day, own, rollYear, source, loadedAt]) => ({
        ...{ state: of, fips: county, municipality, day, import: own, rollYear, source, loadedAt },
      }))
    },
    async pastIds(state, keys) {
      const rows = keys.flatMap((key) => prepare(VERSIONS.past).all<[number]>(state, key))
      return [...new Set(rows.map(([id]) => id))].sort((a, b) => a - b)
    },
    async pastKeys(state, start, limit) {
      const rows = prepare(VERSIONS.keys).all<[string]>(state, start, `${start}\uffff`, limit)
      return rows.map(([key]) => key)
    },
    async lineageOf(state, ids) {
      const rows = ids.flatMap((id) => prepare(VERSIONS.lineage).all<Link>(state, id))
      return rows.map(([parent, child, day, own, kind, shareOfParent, shareOfChild, evidence]) => ({
        ...{ parent, child, day, import: own, kind, shareOfParent, shareOfChild, evidence },
      }))
    },
    async formsOf(_state, ids) {
      const rows = ids.flatMap((id) => prepare(VERSIONS.form).all<Form>(id))
      return rows.map(([id, loadedAt, fieldValues, keys, geometry]) => ({
        ...{ id, loadedAt, fieldValues, keys, geometry },
      }))
    },
  }
}

/** Reads what imports changed. */
type Columns = [
  sequence: number,
  what: string,
  id: number | null,
  propertyId: string | null,
  fips: number,
  municipality: string,
  groups: number,
  parcels: number | null,
  loadedAt: number,
  importId: number,
]

function openChangeReader(prepare: Prepare): ChangeReader {
  return {
    async changes({ state, fips, groups = ALL, after, since, limit }) {
      const last = prepare(CHANGES.last).get<[number]>(state)?.[0] ?? 0
      const oldest = prepare(CHANGES.oldest).get<[number]>(state, since)?.[0] ?? last + 1
      const from = Math.max(after, oldest - 1)
      const rows =
        fips === undefined
          ? prepare(CHANGES.ofState).all<Columns>(state, from, groups, limit)
          : prepare(CHANGES.ofCounty).all<Columns>(state, fips, from, groups, limit)
      return { changes: rows.map(readChange), oldest, last }
    },
  }
}

const ALL = 0xff

function readChange(columns: Columns): StoredChange {
  const [sequence, what, id, propertyId, fips, municipality, groups, parcels, loadedAt, own] =
    columns
  const kind = what as StoredChange['what']
  return {
    sequence,
    what: kind,
    id,
    propertyId,
    fips,
    municipality,
    groups,
    parcels,
    loadedAt,
    import: own,
  }
}
