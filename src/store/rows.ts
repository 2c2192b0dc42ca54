/** Shared by both stores: converts a question's filters and the rows read. */
import { foldCity } from '../base/fold.ts'
import type { AlternateKey } from '../base/model/address.ts'
import { COVERAGE_COUNTS, type CoverageName } from '../base/model/coverage.ts'
import { UNITS_PER_DEGREE } from '../base/model/geometry.ts'
import { openFields, propertyIdOf } from '../record/stored.ts'
import { FILTERS, type FilterName } from './columns.ts'
import type { ImportEntry, TouchedScope } from './history.ts'
import type {
  AskedPlace,
  CountyCoverage,
  LoneParcel,
  ParcelFilter,
  RollChange,
  SitusHit,
} from './store.ts'

const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** Lists the requested filters except the one that the index walk fixes. */
export function listConditions(
  filter: Omit<ParcelFilter, 'state'>,
  fixed: FilterName | undefined,
): FilterName[] {
  return FILTER_NAMES.filter((name) => {
    const value = filter[name]
    return name !== fixed && value !== undefined && (name !== 'assignedOnly' || value === true)
  })
}

export type SitusRow = {
  id: number
  unitKey: string
  kind: number
  ownKey: string
  fips: number
  city: string
  zip: string
}

const ALTERNATES: (AlternateKey['kind'] | null)[] = [null, 'range', 'highway']

/** `kind`: 0 for its own key, else the number of its alternate's kind. */
export function readSitus(rows: SitusRow[], key: string): SitusHit[] {
  return rows.map((row) => readHit(row, key))
}

function readHit({ id, unitKey, kind, ownKey, fips, city, zip }: SitusRow, key: string): SitusHit {
  const alternate = ALTERNATES[kind] ?? null
  return { id, key: kind === 0 ? key : ownKey, unitKey, fips, city, zip, alternate }
}

/** A record at an address. */
export type AloneRow = LoneParcel & Pick<SitusRow, 'kind'>

const readCity = openFields(['city'])

/** Returns the row if it is alone and in the asked place, by county and city of its record. */
export function readOnly(rows: AloneRow[], { fips, city }: AskedPlace): LoneParcel | undefined {
  const [row] = rows
  if (row === undefined || rows.length > 1 || row.kind !== 0) return undefined
  if (fips !== undefined && Number(propertyIdOf(row.fieldValues).slice(0, 5)) !== fips)
    return undefined
  if (city !== undefined && foldCity(readCity(row.fieldValues).city ?? '') !== city) {
    return undefined
  }
  return row
}

/** Counts the differences by their effect on a parcel. */
export function readChange(counts: ReadonlyMap<string, number>): RollChange {
  const count = (what: string) => counts.get(what) ?? 0
  return {
    loaded: count('new'),
    updated: count('record') + count('keys'),
    unchanged: count('same'),
    removed: count('removed'),
  }
}

/** A stored scope. `filled`: counts by field, and `bounds` in ten-millionths of a degree. */
export type ScopeRow = {
  state: string
  fips: number
  parcels: number
  rollYear: number | null
  loadedAt: number
  filled: string
}

export function readCoverage(rows: ScopeRow[]): CountyCoverage[] {
  const counties = new Map<number, CountyCoverage>()
  for (const row of rows) {
    const filled = JSON.parse(row.filled) as Filled
    const sum = counties.get(row.fips)
    const add = (field: CoverageName) => (filled[field] ?? 0) + (sum?.filled[field] ?? 0)
    counties.set(row.fips, {
      state: row.state,
      fips: row.fips,
      parcels: row.parcels + (sum?.parcels ?? 0),
      rollYear: Math.max(row.rollYear ?? 0, sum?.rollYear ?? 0) || null,
      loadedAt: Math.max(row.loadedAt, sum?.loadedAt ?? 0),
      bounds: joinBounds(readBounds(filled), sum?.bounds ?? null),
      filled: Object.fromEntries(COVERAGE_COUNTS.map(({ name }) => [name, add(name)])) as Record<
        CoverageName,
        number
      >,
    })
  }
  return [...counties.values()].sort((a, b) => a.fips - b.fips)
}

type Filled = Partial<Record<CoverageName, number>> & { bounds?: (number | null)[] }

function readBounds({ bounds }: Filled): CountyCoverage['bounds'] {
  const degrees = (bounds ?? []).filter((one) => one !== null).map((one) => one / UNITS_PER_DEGREE)
  return degrees.length === 4 ? (degrees as [number, number, number, number]) : null
}

/** Joins the bounds of two areas; `null` without a point. */
function joinBounds(
  one: CountyCoverage['bounds'],
  other: CountyCoverage['bounds'],
): CountyCoverage['bounds'] {
  if (one === null || other === null) return one ?? other
  const [west, south, east, north] = other
  return [
    Math.min(one[0], west),
    Math.min(one[1], south),
    Math.max(one[2], east),
    Math.max(one[3], north),
  ]
}

/** A stored entry of the history; `files` is JSON. */
export type HistoryRow = Omit<ImportEntry, 'files' | 'scopes' | 'versions'> & { files: string }

export type ScopeOfImport = TouchedScope & { import: number }

export function readHistory(rows: HistoryRow[], scopes: ScopeOfImport[]): ImportEntry[] {
  const byImport = Map.groupBy(scopes, (scope) => scope.import)
  return rows.map((row) => ({
    ...row,
    files: JSON.parse(row.files) as string[],
    scopes: (byImport.get(row.id) ?? []).map(({ import: _, ...scope }) => scope),
  }))
}
