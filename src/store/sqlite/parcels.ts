/** The embedded store's answers about parcels: reads `parcels.db`, never writes it. All its SQL stands in `statements.ts`. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { AlternateKey } from '../../model/address.ts'
import { COVERAGE_FIELDS, type CoverageField } from '../../model/coverage.ts'
import type {
  CountyCoverage,
  IdentifiedParcel,
  ParcelFilter,
  ParcelPage,
  ParcelReader,
  SitusHit,
  StoredParcel,
} from '../store.ts'
import { asRefusal } from './connection.ts'
import { searchOwners } from './owner-search.ts'
import { SlowLane } from './slow-lane.ts'
import {
  type Condition,
  countSql,
  type Drive,
  EXAMINE,
  idsSql,
  pageSql,
  RANGE_IDS,
  SQL,
} from './statements.ts'

/** More shapes of statements than real callers make; past it the oldest are prepared anew. */
const STATEMENTS_MAX = 500

/** Prepared statements by their text. */
export type Prepare = (sql: string) => StatementSync

/** Opens the reader on a connection to `parcels.db`, which it does not own. */
export function openParcelReader(db: DatabaseSync): ParcelReader {
  const statements = new Map<string, StatementSync>()
  const prepare: Prepare = (sql) => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      statement = db.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
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

/** A page collected slice by slice along one index. */
class PageWalk {
  readonly #prepare: Prepare
  readonly #drive: Drive
  readonly #conditions: Condition[]
  readonly #values: Record<string, SQLInputValue>
  readonly #limit: number
  readonly #parcels: StoredParcel[] = []
  #after: number
  #skip: number
  /** Deep offsets are counted down slice by slice; shallow ones are part of the page's own statement. */
  #counting: boolean

  constructor(
    prepare: Prepare,
    filter: ParcelFilter,
    afterId: number,
    skip: number,
    limit: number,
  ) {
    this.#prepare = prepare
    this.#drive = chooseDrive(prepare, filter)
    this.#conditions = conditionsOf(filter, this.#drive)
    this.#values = valuesOf(filter, this.#drive, this.#conditions)
    this.#after = afterId
    this.#skip = skip
    this.#limit = limit
    this.#counting = skip > EXAMINE / 2
  }

  slice(): ParcelPage | undefined {
    if (this.#counting) return this.#countDown()
    const want = this.#limit - this.#parcels.length
    const found = this.#prepare(pageSql(this.#drive, this.#conditions)).all({
      ...this.#values,
      after: this.#after,
      examine: EXAMINE,
      limit: want,
      skip: this.#skip,
    }) as StoredParcel[]
    this.#parcels.push(...found)
    const last = found.at(-1)
    if (last !== undefined && found.length === want) return this.#finish(last.id, false)
    const { examined, lastId, matched } = this.#count()
    this.#skip = Math.max(0, this.#skip - matched)
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  /** What there is when the time is up: the page goes on from the last id examined. */
  expire(): ParcelPage {
    return { ...this.#finish(this.#after, false), outOfTime: true }
  }

  #countDown(): ParcelPage | undefined {
    const { examined, lastId, matched } = this.#count()
    if (matched > this.#skip) {
      this.#counting = false
      return undefined
    }
    this.#skip -= matched
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  #count(): { examined: number; lastId: number; matched: number } {
    const row = this.#prepare(countSql(this.#drive, this.#conditions)).get({
      ...this.#values,
      after: this.#after,
      examine: EXAMINE,
    })
    return row as { examined: number; lastId: number; matched: number }
  }

  #finish(lastId: number, done: boolean): ParcelPage {
    return { parcels: this.#parcels, lastId, done, outOfTime: false }
  }
}

/** The narrowest filter drives the walk; a rare range is read from its own index, a common one is a condition. */
function chooseDrive(prepare: Prepare, filter: ParcelFilter): Drive {
  if (filter.transferredFrom !== undefined) {
    const row = prepare(SQL.transferCount).get(filter.state, filter.transferredFrom)
    if (Number(row?.n) <= RANGE_IDS) return 'transfer'
  }
  if (filter.zip !== undefined) return 'zip'
  if (filter.city !== undefined) return 'city'
  if (filter.useCode !== undefined) return 'use'
  return filter.fips === undefined ? 'state' : 'county'
}

const DRIVEN: Record<Drive, Condition | undefined> = {
  state: undefined,
  county: 'fips',
  city: 'city',
  zip: 'zip',
  use: 'useCode',
  transfer: 'transferredFrom',
}

function conditionsOf(filter: ParcelFilter, drive: Drive): Condition[] {
  const asked: [Condition, boolean][] = [
    ['assignedOnly', filter.assignedOnly],
    ['fips', filter.fips !== undefined],
    ['city', filter.city !== undefined],
    ['zip', filter.zip !== undefined],
    ['unit', filter.unit !== undefined],
    ['useCode', filter.useCode !== undefined],
    ['residential', filter.residential !== undefined],
    ['transferredFrom', filter.transferredFrom !== undefined],
  ]
  return asked
    .filter(([condition, present]) => present && condition !== DRIVEN[drive])
    .map(([condition]) => condition)
}

/** Only the parameters that the statement names: an unknown one is an error. */
function valuesOf(
  filter: ParcelFilter,
  drive: Drive,
  conditions: Condition[],
): Record<string, SQLInputValue> {
  const values: Record<string, SQLInputValue> = {}
  if (drive !== 'county') values.state = filter.state
  const driven = DRIVEN[drive]
  for (const condition of driven === undefined ? conditions : [...conditions, driven]) {
    if (condition === 'assignedOnly') continue
    const value = filter[condition]
    values[condition] = typeof value === 'boolean' ? Number(value) : (value ?? null)
  }
  return values
}

function pageOfIds(
  prepare: Prepare,
  filter: ParcelFilter,
  ids: number[],
  afterId: number,
  skip: number,
  limit: number,
): ParcelPage {
  const conditions = conditionsOf(filter, 'state')
  const { state: _, ...values } = valuesOf(filter, 'state', conditions)
  const after = ids.filter((id) => id > afterId)
  const found = prepare(idsSql(conditions)).all({
    ...values,
    ids: JSON.stringify(after),
  }) as StoredParcel[]
  const parcels = found.slice(skip, skip + limit)
  const done = found.length <= skip + limit
  return { parcels, lastId: parcels.at(-1)?.id ?? afterId, done, outOfTime: false }
}

type SitusRow = {
  id: number
  unitKey: string
  kind: number
  ownKey: string
  fips: number
  city: string
  zip: string
}

const ALTERNATES: (AlternateKey['kind'] | null)[] = [null, 'range', 'highway']

function readSitus(rows: SitusRow[], key: string): SitusHit[] {
  return rows.map(({ kind, ownKey, ...row }) => ({
    ...row,
    key: kind === 0 ? key : ownKey,
    alternate: ALTERNATES[kind] ?? null,
  }))
}

type ScopeRow = {
  state: string
  fips: number
  parcels: number
  rollYear: number | null
  loadedAt: number
  filled: string
}

/** Scopes of one county added up. */
function readCoverage(rows: ScopeRow[]): CountyCoverage[] {
  const counties = new Map<number, CountyCoverage>()
  for (const row of rows) {
    const filled = JSON.parse(row.filled) as Partial<Record<CoverageField, number>>
    const sum = counties.get(row.fips)
    const add = (field: CoverageField) => (filled[field] ?? 0) + (sum?.filled[field] ?? 0)
    counties.set(row.fips, {
      state: row.state,
      fips: row.fips,
      parcels: row.parcels + (sum?.parcels ?? 0),
      rollYear: Math.max(row.rollYear ?? 0, sum?.rollYear ?? 0) || null,
      loadedAt: Math.max(row.loadedAt, sum?.loadedAt ?? 0),
      filled: Object.fromEntries(COVERAGE_FIELDS.map((field) => [field, add(field)])) as Record<
        CoverageField,
        number
      >,
    })
  }
  return [...counties.values()].sort((a, b) => a.fips - b.fips)
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
