/** Counts parcels whose point, ZIP code or city is outside their county. */
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { countyByFips } from '../../regions/counties.ts'
import { isNearCounty, OUTLINE_TOLERANCE_METERS } from '../../regions/county-outline.ts'
import { isPlace, isPlaceAnywhere } from '../../regions/places.ts'
import { stateOfZip } from '../../regions/states.ts'
import type { StagedParcel } from '../../store/store.ts'

/**
 * Parcels with a value outside. `points`: outside the county's outline by more than the tolerance.
 * `zips`: the ZIP code is one of another state. `cities`: the state has no such place, and another
 * one has; the Census does not list every postal name.
 */
export type Outside = {
  what: 'points' | 'zips' | 'cities'
  parcels: number
  /** Parcels with such a value. */
  of: number
  /** The first one: its parcel ID and the value. */
  example: string
}

/** `parcels`: of a county, with a point or without; `of`: those with one. */
type PointsOutside = {
  fips: number
  parcels: number
  outside: number
  of: number
  example: string
}

/** Below these shares nothing is said: roads, borders and postal names cross lines. */
const SAID_FROM = { points: 0.0005, zips: 0.001, cities: 0.05 }

/** Largest share of a county's points that may be outside; fewer points are too few to judge. */
const REFUSED = { share: 0.2, pointsMin: 20 }

export class OutsideCounter {
  readonly #found = new Map<Outside['what'], Outside>()
  readonly #points = new Map<number, PointsOutside>()
  readonly #cities = new Map<string, boolean>()
  /** Parcels that have not changed since the last import; they were counted then. */
  #unchanged = 0

  see(parcels: readonly StagedParcel[], unchanged = 0): void {
    this.#unchanged += unchanged
    for (const parcel of parcels) {
      this.#seePoint(parcel)
      const { state, zip, city } = parcel
      const zipState = zip === '' ? undefined : stateOfZip(zip)
      if (zipState !== undefined) this.#count('zips', zipState !== state, parcel, zip)
      if (city !== '') this.#count('cities', this.#isElsewhere(city, state), parcel, city)
    }
  }

  /** Returns what is outside; `isSaid` chooses what is worth a line. */
  list(): Outside[] {
    return [...this.#found.values()]
      .filter(({ parcels }) => parcels > 0)
      .map((one) => ({ ...one, of: one.of + this.#unchanged }))
  }

  /** Returns the sentence that refuses a load, or `undefined`. `after`: a scope's parcels then. */
  findRefusal(scopes: readonly { fips: number; after: number }[]): string | undefined {
    for (const { fips, parcels, outside, of, example } of this.#points.values()) {
      const own = scopes.filter((scope) => scope.fips === fips)
      const after = own.reduce((sum, scope) => sum + scope.after, 0)
      const all = of + Math.max(0, after - parcels)
      if (all < REFUSED.pointsMin || outside <= all * REFUSED.share) continue
      const county = countyByFips(fips)
      const name = county === undefined ? String(fips) : `${county.name}, ${county.state}`
      return (
        `this roll was not loaded: ${outside} of ${all} points of ${name} are more than ` +
        `${OUTLINE_TOLERANCE_METERS / 1000} km outside it (first: ${example}). The county, the ` +
        'projection or a sign is wrong; if the file is right, load it with --force'
      )
    }
    return undefined
  }

  #seePoint(parcel: StagedParcel): void {
    const { fips, x, y } = parcel
    const none = { fips, parcels: 0, outside: 0, of: 0, example: '' }
    const county = this.#points.getOrInsertComputed(fips, () => none)
    county.parcels += 1
    if (x === null || y === null) return
    const [longitude, latitude] = [x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE]
    const near = isNearCounty(fips, [longitude, latitude])
    if (near === undefined) return
    county.of += 1
    const value = near ? '' : `${longitude.toFixed(4)}, ${latitude.toFixed(4)}`
    this.#count('points', !near, parcel, value)
    if (near) return
    county.outside += 1
    if (county.outside === 1) county.example = describeValue(parcel, value)
  }

  #isElsewhere(city: string, state: string): boolean {
    const key = `${state} ${city}`
    let known = this.#cities.get(key)
    if (known === undefined) {
      known = !isPlace(city, state) && isPlaceAnywhere(city)
      if (this.#cities.size < CITIES_MAX) this.#cities.set(key, known)
    }
    return known
  }

  #count(what: Outside['what'], isOutside: boolean, parcel: StagedParcel, value: string): void {
    const one = this.#found.get(what) ?? { what, parcels: 0, of: 0, example: '' }
    if (one.of === 0) this.#found.set(what, one)
    one.of += 1
    if (!isOutside) return
    one.parcels += 1
    if (one.parcels === 1) one.example = describeValue(parcel, value)
  }
}

function describeValue({ parcelKey }: StagedParcel, value: string): string {
  return `parcel ${parcelKey} at ${value}`
}

/** Most cities remembered; a column of streets read as cities has no end. */
const CITIES_MAX = 20_000

/** Reports whether a share is worth a line. */
export function isSaid({ what, parcels, of }: Outside): boolean {
  return parcels > of * SAID_FROM[what]
}

export function describeOutside({ what, parcels, of, example }: Outside): string {
  const share = `${((100 * parcels) / of).toFixed(1)} %`
  const where = {
    points: `points are more than ${OUTLINE_TOLERANCE_METERS / 1000} km outside the county`,
    zips: 'ZIP codes are of another state',
    cities: 'cities are no places of the state',
  }[what]
  return (
    `${parcels.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} ${where} (${share}; ` +
    `first: ${example})`
  )
}
