/**
 * ZIP codes and cities of another county, as far as the roll shows. The first three digits of a ZIP
 * code are its section. A county lies in a few, and each of them has many of its parcels. A city of
 * one or two parcels is of another county where their ZIP code is that of a city of the county.
 */
import { foldCity } from '../../base/fold.ts'
import { EXAMPLES_MAX, type Finding } from '../../base/model/quality.ts'
import { toText } from '../../record/stored.ts'
import { isPlace, isPlaceAnywhere } from '../../regions/places.ts'
import { stateOfZip } from '../../regions/states.ts'
import { remember } from '../mapping/remember.ts'

/** Parcels with a ZIP code, or a city, from which on they are compared. */
const COMPARED_MIN = 100
/** Parcels of a section, or of a city, that is not the county's. */
const STRAY_MAX = 2
/** Parcels of a ZIP code, and the share of them in one city, that make it the city's own. */
const OWN_MIN = 20
const OWN_SHARE = 0.9

type Parcels = { count: number; first: { propertyId: string; zip: Zip }[] }
/** A ZIP code of five digits in the county's state; `cities`: its parcels in places by name. */
type Zip = { section: Parcels; cities: Map<City, number> }
type City = Parcels & { isPlace: boolean; isElsewhere: boolean }

export class Localities {
  readonly #state: string
  readonly #zips = new Map<string, Zip>()
  readonly #sections = new Map<string, Parcels>()
  readonly #cities = new Map<string, City>()
  #inSections = 0
  #inCities = 0

  constructor(state: string) {
    this.#state = state
  }

  /** Adds a parcel. Texts: JSON or `''`. `propertyId`: called for a section's or city's first. */
  see(
    { zipCode, city }: { zipCode: string; city: string },
    see: (part: 'zip' | 'city', isFault: boolean) => void,
    propertyId: () => string,
  ): void {
    const zip = zipCode === '' ? undefined : this.#readZip(zipCode)
    const named = city === '' ? undefined : this.#readCity(city)
    if (zip !== undefined) see('zip', zip === 'elsewhere')
    if (named !== undefined) see('city', !named.isPlace && named.isElsewhere)
    if (typeof zip !== 'object') return
    this.#inSections += 1
    count(zip.section, zip, propertyId)
    // A place of another county, not a word that is none.
    if (named?.isPlace !== true) return
    this.#inCities += 1
    count(named, zip, propertyId)
    zip.cities.set(named, (zip.cities.get(named) ?? 0) + 1)
  }

  readonly #readZip = remember((json): Zip | 'elsewhere' | 'unknown' => {
    const text = toText(json)
    const state = stateOfZip(text)
    if (state !== this.#state) return state === undefined ? 'unknown' : 'elsewhere'
    const section = this.#sections.getOrInsertComputed(text.slice(0, 3), noParcels)
    return this.#zips.getOrInsertComputed(text.slice(0, 5), () => ({ section, cities: new Map() }))
  })

  readonly #readCity = remember((json): City | undefined => {
    const name = foldCity(toText(json))
    if (name === '') return undefined
    return this.#cities.getOrInsertComputed(name, () => ({
      ...noParcels(),
      ...{ isPlace: isPlace(name, this.#state), isElsewhere: isPlaceAnywhere(name) },
    }))
  })

  /** Adds parcels of stray sections to those whose ZIP code is of another state. */
  addZips(finding: Finding | undefined): Finding | undefined {
    if (finding === undefined || this.#inSections < COMPARED_MIN) return finding
    return addStrays(finding, this.#sections, () => true)
  }

  /** Adds parcels of stray cities to those whose city is of another state. */
  addCities(finding: Finding | undefined): Finding | undefined {
    if (finding === undefined || this.#inCities < COMPARED_MIN) return finding
    return addStrays(finding, this.#cities, isOfOneCity)
  }
}

const noParcels = (): Parcels => ({ count: 0, first: [] })

function count(parcels: Parcels, zip: Zip, propertyId: () => string): void {
  parcels.count += 1
  if (parcels.count <= STRAY_MAX) parcels.first.push({ propertyId: propertyId(), zip })
}

function addStrays(
  finding: Finding,
  all: ReadonlyMap<string, Parcels>,
  isStray: (zip: Zip) => boolean,
): Finding {
  const own = [...all.values()]
    .filter((parcels) => parcels.count <= STRAY_MAX)
    .flatMap(({ first }) => first.filter(({ zip }) => isStray(zip)))
    .map(({ propertyId }) => propertyId)
  const examples = [...finding.examples, ...own].slice(0, EXAMPLES_MAX)
  return { ...finding, count: finding.count + own.length, examples }
}

function isOfOneCity({ cities }: Zip): boolean {
  const counts = [...cities.values()]
  const all = counts.reduce((sum, one) => sum + one, 0)
  return all >= OWN_MIN && Math.max(...counts) >= OWN_SHARE * all
}
