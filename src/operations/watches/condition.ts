/** What a watch asks, as callers write it: parcels, an owner, a shape or a search. */
import { refuse } from '../../base/errors.ts'
import { foldParcelId, stripParcelId } from '../../base/fold.ts'
import { didYouMean } from '../../base/nearest.ts'
import { boundsOf, type Shape } from '../../geo/shape.ts'
import { ringOf } from '../../geo/sphere.ts'
import { findCounty, fipsCode } from '../../regions/counties.ts'
import { findState } from '../../regions/states.ts'
import type { WatchedParcel, WatchKind } from '../../store/accounts/watch-store.ts'
import { readPropertyId } from '../find/find-parcel.ts'
import { checkText } from '../given-query.ts'
import type { AskedOwner, Condition, OwnerCondition, SearchCondition, UseCodes } from './draft.ts'
import { openOwners } from './match-owner.ts'
import { openSearch } from './match-search.ts'

/** Most parcels of a watch. */
export const PARCELS_MAX = 10_000
const POINTS_MAX = 1000
const TEXT_MAX = 4000
/** Most characters of an unknown member that an error repeats. */
const NAME_MAX = 100

const TEXTS = ['lastName', 'firstName', 'nameContains']
const FLAGS = ['fuzzy', 'prefix']

type Body = Readonly<Record<string, unknown>>

/** The member of a body that holds what a kind asks. */
export const MEMBER: Record<WatchKind, string> = {
  parcels: 'propertyIds',
  owner: 'owner',
  shape: 'shape',
  search: 'search',
}

/** Reads what a watch of a kind asks. Throws *bad request* that names the fault. */
export function readCondition(kind: WatchKind, body: Body, useCodes: UseCodes): Condition {
  const others = Object.entries(MEMBER).filter(([other, name]) => other !== kind && body[name])
  const [other] = others
  if (other !== undefined) throw refuse.badRequest(`a watch of ${kind} takes no ${other[1]}`)
  if (kind !== 'owner' && (body.state || body.county)) {
    throw refuse.badRequest('state and county need owner')
  }
  const given = body[MEMBER[kind]]
  if (given === undefined || given === null || given === '') {
    throw refuse.badRequest(`${MEMBER[kind]} is required for a watch of ${kind}`)
  }
  if (kind === 'parcels') return { parcels: readParcels(given) }
  if (kind === 'owner') return readOwner(given, body)
  if (kind === 'shape') return { shape: readShapeMember(given) }
  return readSearch(given, useCodes)
}

/** Throws *bad request* for a member that is not one of the names. `of`: what it is a member of. */
export function checkMembers(body: Body, names: readonly string[], of = ''): void {
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const shown = `${of}${unknown.slice(0, NAME_MAX)}`
  throw refuse.badRequest(`${shown} is not a member${didYouMean(unknown, names)}`)
}

/** A property ID without punctuation, by which watches and changes find each other. */
export function watchKeyOf(fips: number | string, parcelId: string): string {
  const stripped = stripParcelId(parcelId)
  return `${fipsCode(fips)}-${stripped === '' ? foldParcelId(parcelId) : stripped}`
}

function readParcels(given: unknown): WatchedParcel[] {
  const list =
    typeof given === 'string' ? given.split(/[\n,]/).filter((one) => one.trim() !== '') : given
  if (!Array.isArray(list) || list.length === 0) {
    throw refuse.badRequest('propertyIds must be a list of property IDs')
  }
  if (list.length > PARCELS_MAX) {
    throw refuse.badRequest('propertyIds has more than 10,000 parcels')
  }
  const parcels = list.map((one, at) => readParcel(one, `propertyIds[${at}]`))
  return [...new Map(parcels.map((one) => [one.key, one])).values()]
}

/** Reads a property ID, or state, county and parcel ID. `name`: for an error. */
function readParcel(given: unknown, name: string): WatchedParcel {
  const body = (typeof given === 'object' && given !== null ? given : { propertyId: given }) as Body
  checkMembers(body, ['propertyId', 'state', 'county', 'parcelId'], `${name}.`)
  const { propertyId, state, county, parcelId } = body
  if (propertyId !== undefined) {
    const text = typeof propertyId === 'string' ? checkText(name, propertyId.trim(), {}) : ''
    const id = readPropertyId(text)
    if (id === undefined) throw refuse.badRequest(`${name} is not a property ID`)
    return { key: watchKeyOf(id.fips, id.rest), propertyId: text }
  }
  const code = typeof state === 'string' ? findState(state.trim())?.code : undefined
  const isNamed = code !== undefined && typeof county === 'string'
  const fips = isNamed ? findCounty(code, county)?.fips : undefined
  const own = typeof parcelId === 'string' ? checkText(name, parcelId.trim(), {}) : ''
  if (fips === undefined || own === '') {
    throw refuse.badRequest(`${name} must be a property ID, or have state, county and parcelId`)
  }
  const prefix = fipsCode(fips)
  return { key: watchKeyOf(prefix, own), propertyId: `${prefix}-${own}` }
}

function readOwner(given: unknown, { state, county }: Body): OwnerCondition {
  const isText = typeof given === 'string'
  if (!isText && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    throw refuse.badRequest('owner must be a name, or an object with lastName or nameContains')
  }
  const own = given as Body
  const inState = readPlaceName('state', state ?? own.state)
  const inCounty = readPlaceName('county', county ?? own.county)
  const owner = isText ? checkText('owner', given, {}) : pickOwner(own)
  const condition: OwnerCondition = { owner }
  if (inState !== '') {
    const code = findState(inState.trim())?.code
    if (code === undefined) throw refuse.badRequest('state is not the two letters of a US state')
    condition.state = code
  }
  if (inCounty !== '') {
    const { state: code } = condition
    if (code === undefined) throw refuse.badRequest('state is required with county')
    if (findCounty(code, inCounty) === undefined) {
      throw refuse.badRequest('county does not match any county in the given state')
    }
    condition.county = inCounty
  }
  if (openOwners(condition) === undefined) {
    throw refuse.badRequest('owner has no word to search for')
  }
  return condition
}

/** A watch of a wider place than was meant would be billed for its events. */
function readPlaceName(name: string, given: unknown): string {
  if (given === undefined || given === null) return ''
  if (typeof given !== 'string') throw refuse.badRequest(`${name} must be a text`)
  return given
}

function pickOwner(given: Body): AskedOwner {
  checkMembers(given, [...TEXTS, ...FLAGS, 'state', 'county'], 'owner.')
  const picked: Record<string, string | boolean> = {}
  for (const name of TEXTS) {
    const text = given[name]
    if (text === undefined || text === null || text === '') continue
    if (typeof text !== 'string') throw refuse.badRequest(`owner.${name} must be a text`)
    picked[name] = checkText(`owner.${name}`, text, {})
  }
  for (const name of FLAGS) {
    const flag = given[name]
    if (flag === undefined || flag === null) continue
    if (typeof flag !== 'boolean') throw refuse.badRequest(`owner.${name} must be true or false`)
    picked[name] = flag
  }
  return picked
}

/** Reads a polygon of GeoJSON, or a box as `[west, south, east, north]` or its text. */
function readShapeMember(given: unknown): object {
  const value = typeof given === 'string' ? parseShape(given) : given
  if (Array.isArray(value)) return boxPolygon(value)
  const { type, coordinates } = (value ?? {}) as Body
  const shape = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : []
  if (!isShape(shape)) {
    throw refuse.badRequest(
      'shape must be a GeoJSON polygon of at most 1,000 points in degrees, or a box as ' +
        'west,south,east,north',
    )
  }
  // Heights and whatever else a point has are not kept.
  const plain = shape.map((rings) => rings.map((ring) => ring.map(([x, y]) => [x, y])))
  return { type, coordinates: type === 'Polygon' ? plain[0] : plain }
}

function parseShape(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text.split(',').map(Number)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function boxPolygon(box: unknown[]): object {
  const [west, south, east, north] = box as [number, number, number, number]
  const corners = ringOf({ west, south, east, north })
  const isBox = box.length === 4 && corners.every(isPoint)
  if (!isBox || Number(west) >= Number(east) || Number(south) >= Number(north)) {
    throw refuse.badRequest('shape must have its west below its east and its south below its north')
  }
  return { type: 'Polygon', coordinates: [corners] }
}

function isShape(shape: unknown): shape is Shape {
  if (!Array.isArray(shape) || shape.length === 0) return false
  let points = 0
  const isWhole = shape.every(
    (rings) =>
      Array.isArray(rings) &&
      rings.length > 0 &&
      rings.every((ring) => {
        if (!Array.isArray(ring) || ring.length < 4) return false
        points += ring.length
        const [first, last] = [ring[0], ring.at(-1)]
        return ring.every(isPoint) && first[0] === last[0] && first[1] === last[1]
      }),
  )
  return isWhole && points <= POINTS_MAX && boundsOf(shape as Shape) !== undefined
}

function isPoint(point: unknown): boolean {
  if (!Array.isArray(point)) return false
  const [x, y] = point
  const areNumbers = Number.isFinite(x) && Number.isFinite(y)
  return areNumbers && Math.abs(x) <= 180 && Math.abs(y) <= 90
}

function readSearch(given: unknown, useCodes: UseCodes): SearchCondition {
  if (typeof given !== 'string' || given.length > TEXT_MAX) {
    throw refuse.badRequest('search must be a query string of property search')
  }
  const condition = { search: given.trim().replace(/^\?/, ''), useCodes }
  openSearch(condition)
  return condition
}
