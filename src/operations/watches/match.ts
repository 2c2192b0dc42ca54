/** Whether a watch means a parcel, and which watches may mean it. */
import { foldCity } from '../../base/fold.ts'
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { boundsOf, holdsPoint, readShape, type Shape } from '../../geo/shape.ts'
import { type Box, boxesMeet } from '../../geo/sphere.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { countyByFips, findCounty } from '../../regions/counties.ts'
import type { Watch } from '../../store/accounts/watch-store.ts'
import { decodeOwners } from '../../store/parcel-keys.ts'
import { toUnits } from '../../store/places.ts'
import { cellsAt, listCells } from '../../store/versions/cells.ts'
import type { VersionForm } from '../../store/versions/versions.ts'
import { listSplits } from '../find/find-parcel.ts'
import { watchKeyOf } from './condition.ts'
import type { Condition } from './draft.ts'
import { openOwners } from './match-owner.ts'
import { openSearch } from './match-search.ts'

/** A county that may have parcels of a watch. `bounds`: of its parcels; `null` without points. */
export type WatchedCounty = { state: string; fips: number; bounds: Box | null }

export type WatchMatch = {
  /** `now`: epoch milliseconds, for filters by days before it. */
  fits(form: VersionForm, now: number): boolean
  /** Whether the county may have parcels that fit. */
  mayBeIn(county: WatchedCounty): boolean
  /** Texts of which every form that fits has one; see `termsOf`. `undefined`: there are none. */
  terms: string[] | undefined
}

const readPlace = openFields(['fips', 'municipality', 'parcelId'])
const readPoint = openFields(['longitude', 'latitude'])

/** Reads the condition of a watch. Listed parcels are matched by their keys. */
export function openMatch({ condition }: Pick<Watch, 'condition'>): WatchMatch {
  const asked = JSON.parse(condition ?? '{}') as Exclude<Condition, { parcels: unknown }>
  if ('owner' in asked) return matchOwner(asked)
  if ('shape' in asked) return matchShape(readShape(JSON.stringify(asked.shape)) ?? [])
  const search = openSearch(asked)
  const { state, fips } = search
  return {
    fits: search.fits,
    mayBeIn: (county) => county.state === state && (fips === undefined || county.fips === fips),
    terms: [fips === undefined ? `state ${state}` : `county ${fips}`],
  }
}

function matchOwner(asked: Extract<Condition, { owner: unknown }>): WatchMatch {
  const { state, county } = asked
  const owners = openOwners(asked)
  const fips = state && county ? Number(findCounty(state, county)?.fips) : undefined
  const isThere = (own: { state: string; fips: number }) =>
    (state === undefined || own.state === state) && (fips === undefined || own.fips === fips)
  return {
    fits(form) {
      const place = readPlace(form.fieldValues)
      const own = { state: countyByFips(place.fips)?.state ?? '', fips: place.fips }
      return isThere(own) && owners?.fits(decodeOwners(form.keys)) === true
    },
    mayBeIn: isThere,
    terms: owners?.words?.map((word) => `owner ${word}`),
  }
}

/** Degrees: the side of the largest square. */
const WIDE = 11.25

function matchShape(shape: Shape): WatchMatch {
  const box = boundsOf(shape)
  // Squares at the corners of a larger shape do not cover it.
  const isWide = box === undefined || Math.max(box.east - box.west, box.north - box.south) > WIDE
  const geometry = JSON.stringify({ type: 'MultiPolygon', coordinates: shape })
  return {
    fits(form) {
      const point = pointOf(form)
      return point !== undefined && holdsPoint(shape, point)
    },
    mayBeIn: ({ bounds }) => bounds !== null && box !== undefined && boxesMeet(bounds, box),
    terms: isWide ? undefined : listCells(geometry, undefined),
  }
}

/** The point of a record as the index rounds it. */
function pointOf({ fieldValues }: VersionForm): [number, number] | undefined {
  const { longitude, latitude } = readPoint(fieldValues)
  if (longitude === null || latitude === null) return undefined
  return [toUnits(longitude) / UNITS_PER_DEGREE, toUnits(latitude) / UNITS_PER_DEGREE]
}

/** The texts by which the watches that may mean a record are found. */
export function termsOf(form: VersionForm): string[] {
  const { fips } = readPlace(form.fieldValues)
  const { heads, words } = decodeOwners(form.keys)
  const point = pointOf(form)
  return [
    `state ${countyByFips(fips)?.state}`,
    `county ${fips}`,
    ...heads.map(({ head }) => `owner ${head}`),
    ...words.map(({ word }) => `owner ${word}`),
    ...(point === undefined ? [] : cellsAt(point)),
  ]
}

/** The keys of a property ID, with and without the municipality that assigned it. */
export function keysOfProperty(propertyId: string, municipality: string): string[] {
  const [, fips = '', rest = ''] = /^(\d{5})-(.*)$/s.exec(propertyId) ?? []
  const own = listSplits(rest).find(([name]) => name !== '' && foldCity(name) === municipality)
  const ids = municipality === '' || own === undefined ? [rest] : [rest, own[1]]
  return ids.map((id) => watchKeyOf(fips, id))
}

export function keysOfForm({ fieldValues }: VersionForm): string[] {
  const { municipality } = readPlace(fieldValues)
  return keysOfProperty(propertyIdOf(fieldValues), foldCity(municipality ?? ''))
}
