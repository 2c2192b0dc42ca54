/** Answers questions about parcels from PostgreSQL by the SQL of `statements.ts`. */
import { decodeOwners } from '../../parcel-keys.ts'
import { askThrough, QUESTIONS } from '../../questions.ts'
import { openSideReader } from '../../rolls/side-reader.ts'
import {
  type AloneRow,
  readCoverage,
  readOnly,
  readSitus,
  type ScopeRow,
  type SitusRow,
} from '../../rows.ts'
import type { IdentifiedParcel, ParcelReader, ReadAdvice, StoredParcel } from '../../store.ts'
import { chooseDrive, PageWalk, pageOfIds } from '../../walk/page-walk.ts'
import { watchNodes } from '../cluster/node-watch.ts'
import { DIALECT } from '../dialect.ts'
import { unpackHex } from '../pack/unpack.ts'
import { READING, rollConfig } from '../pool/connection.ts'
import { type Ask, LookupQueue } from '../pool/lookup-queue.ts'
import { WalkQueue } from '../pool/walk-queue.ts'
import { countKeys, searchOwners } from './owner-search.ts'
import { countRange, openPage, readMatching } from './page-walk.ts'
import { BY_IDS, openPlaceReader, openSpreadStates } from './places.ts'
import { LOOKUPS, SQL } from './statements.ts'

/** Longest lookup, and slice of a walk, in milliseconds: a hundred times the usual. */
const LOOKUP_MS = 1500
const SLICE_MS = 2000

const LOOKUP_CONNECTIONS = 2
const WALK_CONNECTIONS = 4

const ADVICE: ReadAdvice = {
  ...{ queued: false, ahead: true },
  ...{ tileRows: 1000, tileColumns: Number.POSITIVE_INFINITY },
}

export type ClosableReader = ParcelReader & { close(): Promise<void> }

/** Opens the reader, which owns the walks and connects on first use. */
export function openParcelReader(url: string, quick = openLookupQueue(url)): ClosableReader {
  const walks = new WalkQueue(rollConfig(url, SLICE_MS, READING), WALK_CONNECTIONS)
  const { ask, askTogether } = quick
  const watch = watchNodes(url, () => {
    quick.abandon()
    walks.abandon()
  })
  /** Asks the coordinator, or the only server. */
  const askOwn: Ask = (text, values) => watch.guard(undefined, () => ask(text, values))
  const spread = openSpreadStates(askOwn)

  const reader: ClosableReader = {
    ...openPlaceReader(quick, spread, watch),
    ...openSideReader({ ask: (text, values = []) => ask(text, [...values]) }, DIALECT),
    advice: ADVICE,
    byParcelId: (state, fips, strippedKey) =>
      askTogether<IdentifiedParcel>(LOOKUPS.byParcelId, state, [fips, strippedKey]),
    byAlternateId: (state, fips, key) =>
      askTogether<StoredParcel>(LOOKUPS.byAlternateId, state, [fips, key]),
    async bySitusKey(state, key) {
      return readSitus(await askTogether<SitusRow>(LOOKUPS.bySitusKey, state, [key]), key)
    },
    addressesWithPrefix: (state, prefix, limit) =>
      ask<{ key: string; city: string }>(SQL.addressesWithPrefix, [
        state,
        prefix,
        `${prefix}\u{10ffff}`,
        limit,
      ]),
    async onlyAtSitusKey(state, key, unitKey, place) {
      const asked = [key, unitKey]
      return readOnly(await askTogether<AloneRow>(LOOKUPS.onlyAtSitusKey, state, asked), place)
    },
    async byLooseKey(state, looseKey) {
      type Row = SitusRow & { key: string }
      const rows = await askTogether<Row>(LOOKUPS.byLooseKey, state, [looseKey])
      return rows.flatMap(({ key, ...row }) => readSitus([row], key))
    },
    byIds: (state, ids) =>
      ids.length === 1
        ? askTogether<StoredParcel>(LOOKUPS.byId, state, ids)
        : ask<StoredParcel>(BY_IDS.text, [state, ids]),
    async page(filter, range, deadline) {
      if (filter.ids !== undefined) {
        return pageOfIds(filter.ids, range, (ids) => readMatching(ask, filter, ids))
      }
      const sourceOf = openPage(filter, await chooseDrive(filter, countRange(ask, filter)))
      const walk = new PageWalk(range)
      return walks.walk(
        (askSlice) => walk.slice(sourceOf(askSlice)),
        deadline,
        () => walk.expire(),
      )
    },
    byOwner: (search) => searchOwners({ ask, walks }, search),
    async ownersOf(state, ids) {
      const rows = await ask<{ id: number; fieldValues: string; keys: string }>(SQL.keysOf, [
        state,
        ids,
      ])
      return rows.map(({ id, fieldValues, keys }) => ({
        id: Number(id),
        owners: decodeOwners(unpackHex(keys, fieldValues)),
      }))
    },
    countOwnerKeys: (state, names, words) => countKeys(ask, state)(names, words),
    async headsFrom(state, start, limit, kind) {
      const values = [state, start, `${start}~`, limit, kind === 'person' ? 0 : 1]
      return (await ask<{ head: string }>(SQL.headsFrom, values)).map(({ head }) => head)
    },
    async coverage(asked = {}) {
      const states = await spread.covering(asked)
      if (states === undefined) return readCoverage(await ask<ScopeRow>(SQL.coverage, []))
      const scopes = states.map(async (state) => {
        try {
          return await watch.guard(state, () => ask<ScopeRow>(SQL.coverageOfState, [state]))
        } catch (error) {
          if (asked.partial === true && (await watch.isLost(state))) return []
          throw error
        }
      })
      return readCoverage((await Promise.all(scopes)).flat())
    },
    unreached: watch.unreached,
    async parcelsFrom(state, fips, start, limit) {
      const values = [state, fips, start, `${start}~`, limit]
      return (await ask<{ id: number }>(SQL.parcelsFrom, values)).map(({ id }) => id)
    },
    async version() {
      const [row] = await askOwn<{ version: string }>(SQL.version, [])
      return row?.version ?? '0'
    },
    async close() {
      watch.close()
      await Promise.all([quick.close(), walks.close()])
    },
  }
  const guarded = askThrough(reader, ({ name, state, put }) =>
    state === undefined
      ? put(reader)
      : watch.guard(state, () => put(reader), QUESTIONS[name].isWalk),
  )
  return { ...guarded, close: reader.close }
}

export function openLookupQueue(url: string): LookupQueue {
  return new LookupQueue(rollConfig(url, LOOKUP_MS, READING), LOOKUP_CONNECTIONS)
}
