/** Answers questions about parcels from `parcels.db` by the SQL of `statements.ts`. */
import type { DatabaseSync } from 'node:sqlite'
import { decodeOwners } from '../../parcel-keys.ts'
import { openSideReader } from '../../rolls/side-reader.ts'
import { readCoverage, readOnly, readSitus, type ScopeRow } from '../../rows.ts'
import type { ParcelReader, ReadAdvice } from '../../store.ts'
import { chooseDrive, PageWalk, pageOfIds } from '../../walk/page-walk.ts'
import { asRefusal } from '../connection.ts'
import { DIALECT } from '../dialect.ts'
import { unpackKeys } from '../packed-keys.ts'
import { countKeys, searchOwners } from './owner-search.ts'
import { countRange, openPage, readMatching } from './page-walk.ts'
import { type AtOnce, openPlaceReader, readRecords } from './places.ts'
import { cachePrepared, openAsk } from './prepare.ts'
import {
  type AloneColumns,
  type IdentifiedColumns,
  type RecordColumns,
  readAlone,
  readIdentified,
  readRecord,
  readSitusRow,
  type SitusColumns,
} from './read-rows.ts'
import { SQL } from './statements.ts'
import { WalkQueue } from './walk-queue.ts'

/** Reading 64 columns of counted tiles takes some milliseconds with all states. */
const ADVICE: ReadAdvice = { queued: true, ahead: false, tileRows: 500, tileColumns: 64 }

/** Opens the reader on a connection to `parcels.db` that the caller owns. */
export function openParcelReader(db: DatabaseSync): ParcelReader {
  const prepare = cachePrepared(db)
  const ask = openAsk(prepare)
  const situsAt = (state: string, key: string) =>
    readSitus(prepare(SQL.bySitusKey).all<SitusColumns>(state, key).map(readSitusRow), key)
  const walks = new WalkQueue()

  return promiseAnswers({
    advice: ADVICE,
    unreached: () => [],
    ...openPlaceReader(prepare),
    ...openSideReader({ ask }, DIALECT),
    byParcelId(_state, fips, strippedKey) {
      const rows = prepare(SQL.byParcelId).all<IdentifiedColumns>(fips, strippedKey)
      return byId(rows.map(readIdentified))
    },
    byAlternateId(_state, fips, key) {
      return prepare(SQL.byAlternateId).all<RecordColumns>(fips, key).map(readRecord)
    },
    bySitusKey: situsAt,
    addressesWithPrefix(state, prefix, limit) {
      return prepare(SQL.addressesWithPrefix)
        .all<[key: string, city: string]>(state, prefix, `${prefix}\u{10ffff}`, limit)
        .map(([key, city]) => ({ key, city }))
    },
    onlyAtSitusKey(state, key, unitKey, place) {
      const rows =
        unitKey === ''
          ? prepare(SQL.alone).all<AloneColumns>(state, key)
          : prepare(SQL.aloneOfUnit).all<AloneColumns>(state, key, unitKey)
      return readOnly(rows.map(readAlone), place)
    },
    byLooseKey(state, looseKey) {
      const keys = prepare(SQL.looseKeys).all<[string]>(state, looseKey)
      const hits = keys.flatMap(([key]) => situsAt(state, key))
      return byId(hits.filter(({ alternate }) => alternate === null))
    },
    byIds: (_state, ids) => readRecords(prepare, ids),
    async page(filter, range, deadline) {
      if (filter.ids !== undefined) {
        return pageOfIds(filter.ids, range, (ids) => readMatching(prepare, filter, ids))
      }
      const drive = await chooseDrive(filter, countRange(prepare, filter))
      const source = openPage(prepare, filter, drive)
      const walk = new PageWalk(range)
      return walks.walk(
        () => walk.slice(source),
        deadline,
        () => walk.expire(),
      )
    },
    byOwner(search) {
      return searchOwners({ prepare, walks }, search)
    },
    ownersOf(_state, ids) {
      const rows = prepare(SQL.keysOf).all<[id: number, keys: string]>(JSON.stringify(ids))
      return rows.map(([id, keys]) => ({ id, owners: decodeOwners(unpackKeys(keys)) }))
    },
    countOwnerKeys: (state, names, words) => countKeys(prepare, state)(names, words),
    headsFrom(state, start, limit, kind) {
      const found = prepare(SQL.headsFrom).all<[head: string]>(
        ...[state, start, `${start}~`, limit, kind === 'person' ? 0 : 1],
      )
      return found.map(([head]) => head)
    },
    coverage: async () => readCoverage(await ask<ScopeRow>(SQL.coverage)),
    parcelsFrom(_state, fips, start, limit) {
      return prepare(SQL.parcelsFrom)
        .all<[id: number]>(fips, start, `${start}~`, limit)
        .map(([id]) => id)
    },
    version() {
      return String(prepare(SQL.version).get<[number]>()?.[0] ?? 0)
    },
  })
}

type Ask = (...args: unknown[]) => unknown

/** Makes promises of a reader's answers. Errors of the database become *unavailable*. */
function promiseAnswers({ advice, unreached, ...questions }: AtOnce<ParcelReader>): ParcelReader {
  const promised = Object.entries(questions).map(([name, ask]) => [name, promise(ask as Ask)])
  return { advice, unreached, ...Object.fromEntries(promised) }
}

/** An `async` function would cost each lookup two more promises. */
function promise(ask: Ask): (...args: unknown[]) => Promise<unknown> {
  const fail = (error: unknown) => Promise.reject(asRefusal(error))
  return (...args) => {
    try {
      const answer = ask(...args)
      return answer instanceof Promise ? answer.catch(fail) : Promise.resolve(answer)
    } catch (error) {
      return fail(error)
    }
  }
}

function byId<Row extends { id: number }>(rows: Row[]): Row[] {
  return rows.length < 2 ? rows : rows.sort((a, b) => a.id - b.id)
}
