/**
 * ZIP codes of another part of the state. The first three digits of a ZIP code are its section; a
 * county lies in a few, and each of them has many of its parcels.
 */
import { EXAMPLES_MAX, type Finding } from '../../base/model/quality.ts'

/** Parcels with a ZIP code from which on sections are compared. */
const COMPARED_MIN = 100
/** Parcels of a section that is not the county's. */
const STRAY_MAX = 2

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
