/** Collections: one per loaded state, with its place, time, source and links. */
import { refuse } from '../../base/errors.ts'
import { unite } from '../../geo/sphere.ts'
import { countParcels } from '../../operations/coverage.ts'
import { openFields } from '../../record/stored.ts'
import { countCounties } from '../../regions/counties.ts'
import { findState } from '../../regions/states.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'
import { CRS_LIST } from './crs.ts'
import { fill } from './frame.ts'
import type { OgcRequest } from './request.ts'

const PREFIX = 'parcels-'

type Collection = { id: string; state: string; counties: readonly CountyCoverage[] }

export async function listCollections(parcels: ParcelReader): Promise<Collection[]> {
  const counties = await parcels.coverage({ partial: true })
  const byState = Map.groupBy(counties, ({ state }) => state)
  return [...byState]
    .map(([state, own]) => ({ id: `${PREFIX}${state.toLowerCase()}`, state, counties: own }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Throws *not found* when the state is not loaded. */
export async function findCollection(parcels: ParcelReader, id: string): Promise<Collection> {
  const letters = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : ''
  const state = letters.length === 2 ? findState(letters)?.code : undefined
  const counties = state === undefined ? [] : await parcels.coverage({ states: [state] })
  const own = counties.filter((one) => one.state === state)
  if (state === undefined || own.length === 0 || id !== id.toLowerCase()) {
    throw refuse.notFound(`There is no collection ${id}; /ogc/collections lists them`)
  }
  return { id, state, counties: own }
}

export function describeCollection({ id, state, counties }: Collection, { base }: OgcRequest) {
  return fill('collection', {
    ...{ id, state, crsList: CRS_LIST, own: `${base}/collections/${id}` },
    name: findState(state)?.name ?? state,
    parcels: countParcels(counties).toLocaleString('en-US'),
    counties: countCounties(counties.length),
    box: unite(counties) ?? [-180, -90, 180, 90],
    interval: intervalOf(counties),
  })
}

/** Returns publisher and licence, as the first parcel's roll names them. */
export async function sourceOf({ state }: Collection, parcels: ParcelReader) {
  const deadline = performance.now() + SOURCE_MS
  const page = await parcels.page(
    { state, assignedOnly: false },
    { afterId: 0, skip: 0, limit: 1 },
    deadline,
  )
  const [parcel] = page.parcels
  const { sourceName, sourceLicense } = parcel === undefined ? {} : readSource(parcel.fieldValues)
  return {
    ...(sourceName && { publisher: sourceName, attribution: sourceName }),
    ...(sourceLicense && { license: sourceLicense }),
  }
}

const SOURCE_MS = 1000
const readSource = openFields(['sourceName', 'sourceLicense'])

function intervalOf(counties: readonly CountyCoverage[]) {
  const years = counties.flatMap(({ rollYear }) => (rollYear === null ? [] : [rollYear]))
  return years.length === 0
    ? [null, null]
    : [`${Math.min(...years)}-01-01T00:00:00Z`, `${Math.max(...years)}-12-31T23:59:59Z`]
}
