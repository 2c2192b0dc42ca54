/**
 * ZIP codes and cities of another county, as far as the roll shows. The first three digits of a ZIP
 * code are its section; a county lies in a few, and each of them has many of its parcels. A city of
 * one or two parcels is of another county where their ZIP code is that of a city of the county.
 */
import { EXAMPLES_MAX, type Finding } from '../../base/model/quality.ts'

/** Parcels with a ZIP code from which on sections are compared. */
const COMPARED_MIN = 100
/** Parcels of a section, or of a city, that is not the county's. */
const STRAY_MAX = 2
/** Parcels of a ZIP code, and the share of them in one city, that make it the city's own. */
const OWN_MIN = 20
const OWN_SHARE = 0.9

export class ZipSections {
  readonly #sections = new Map<string, { count: number; examples: string[] }>()
  #count = 0

  /** Adds a ZIP code of the county's state. `propertyId`: called for the first of a section. */
  see(zip: string | null, propertyId: () => string): void {
    if (zip === null) return
    this.#count += 1
    const section = zip.slice(0, 3)
    const known = this.#sections.get(section)
    if (known === undefined) this.#sections.set(section, { count: 1, examples: [propertyId()] })
    else {
      known.count += 1
      if (known.count <= STRAY_MAX) known.examples.push(propertyId())
    }
  }

  /** Adds parcels of stray sections to those whose ZIP code is of another state. */
  addTo(finding: Finding | undefined): Finding | undefined {
    if (finding === undefined || this.#count < COMPARED_MIN) return finding
    const strays = [...this.#sections.values()].filter(({ count }) => count <= STRAY_MAX)
    const own = strays.flatMap(({ examples }) => examples)
    const examples = [...finding.examples, ...own].slice(0, EXAMPLES_MAX)
    return { ...finding, count: finding.count + own.length, examples }
  }
}

type City = { count: number; parcels: { propertyId: string; zip: string }[] }

export class StrayCities {
  readonly #cities = new Map<string, City>()
  /** Parcels of each city, by ZIP code. */
  readonly #zips = new Map<string, Map<string, number>>()
  #count = 0

  /** Adds a folded city of the county's state. `propertyId`: called for the first of a city. */
  see(city: string, zip: string, propertyId: () => string): void {
    this.#count += 1
    const known = this.#cities.get(city) ?? { count: 0, parcels: [] }
    known.count += 1
    if (known.count <= STRAY_MAX) known.parcels.push({ propertyId: propertyId(), zip })
    this.#cities.set(city, known)
    const own = this.#zips.get(zip) ?? new Map<string, number>()
    this.#zips.set(zip, own.set(city, (own.get(city) ?? 0) + 1))
  }

  /** Adds parcels of stray cities to those whose city is of another state. */
  addTo(finding: Finding | undefined): Finding | undefined {
    if (finding === undefined || this.#count < COMPARED_MIN) return finding
    const own = [...this.#cities.values()]
      .filter(({ count }) => count <= STRAY_MAX)
      .flatMap(({ parcels }) => parcels.filter(({ zip }) => this.#isOfOneCity(zip)))
      .map(({ propertyId }) => propertyId)
    const examples = [...finding.examples, ...own].slice(0, EXAMPLES_MAX)
    return { ...finding, count: finding.count + own.length, examples }
  }

  #isOfOneCity(zip: string): boolean {
    const counts = [...(this.#zips.get(zip)?.values() ?? [])]
    const all = counts.reduce((sum, count) => sum + count, 0)
    return all >= OWN_MIN && Math.max(...counts) >= OWN_SHARE * all
  }
}
