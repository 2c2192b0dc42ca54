/** The embedded store's answers about parcels: reads `parcels.db`, never writes it. All its SQL stands in `statements.ts`. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { readCoverage, readOnly, readSitus, type ScopeRow, type SitusRow } from '../rows.ts'
import type { IdentifiedParcel, ParcelReader, StoredParcel } from '../store.ts'
import { asRefusal } from './connection.ts'
import { searchOwners } from './owner-search.ts'
import { PageWalk, pageOfIds } from './page-walk.ts'
import { cachePrepared } from './prepare.ts'
import { SlowLane } from './slow-lane.ts'
import { SQL } from './statements.ts'

/** Opens the reader on a connection to `parcels.db`, which it does not own. */
export function openParcelReader(db: DatabaseSync): ParcelReader {
  const prepare = cachePrepared(db)
  const all = <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[]
  const lane = new SlowLane()

  return guard({
    async byParcelId(_state, fips, strippedKey) {
      return byId(all<IdentifiedParcel>(SQL.byParcelId, fips, strippedKey))
    },
    async byAlternateId(_state, fips, key) {
      return all<StoredParcel>(SQL.byAlternateId, fips, key)
    },
    async bySitusKey(state, key) {
      return readSitus(all<SitusRow>(SQL.bySitusKey, state, key), key)
    },
    async onlyAtSitusKey(state, key, unitKey) {
      const rows = all<SitusRow & StoredParcel>(SQL.onlyAtSitusKey, state, key, unitKey, unitKey)
      return readOnly(rows, key)
    },
    async byLooseKey(state, looseKey) {
      const keys = all<{ key: string }>(SQL.looseKeys, state, looseKey)
      const hits = keys.flatMap(({ key }) =>
        readSitus(all<SitusRow>(SQL.bySitusKey, state, key), key),
      )
      return byId(hits.filter(({ alternate }) => alternate === null))
    },
    async byIds(_state, ids) {
      return prepare(SQL.byIds).all({ ids: JSON.stringify(ids) }) as StoredParcel[]
    },
    async page(filter, afterId, skip, limit, deadline) {
      if (filter.ids !== undefined) {
        return pageOfIds(prepare, filter, filter.ids, afterId, skip, limit)
      }
      const walk = new PageWalk(prepare, filter, afterId, skip, limit)
      return lane.walk(
        () => walk.slice(),
        deadline,
        () => walk.expire(),
      )
    },
    async byOwner(state, fips, question, skip, limit, deadline) {
      return searchOwners({ prepare, lane, state, fips }, question, skip, limit, deadline)
    },
    async coverage() {
      return readCoverage(all<ScopeRow>(SQL.coverage))
    },
  })
}

function byId<Row extends { id: number }>(rows: Row[]): Row[] {
  return rows.length < 2 ? rows : rows.sort((a, b) => a.id - b.id)
}

/** Turns a failing or busy database into *unavailable*, in one place for every question. */
function guard(reader: ParcelReader): ParcelReader {
  const guarded = Object.entries(reader).map(([name, ask]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (ask as (...args: unknown[]) => Promise<unknown>)(...args)
      } catch (error) {
        throw asRefusal(error)
      }
    },
  ])
  return Object.fromEntries(guarded) as ParcelReader
}
