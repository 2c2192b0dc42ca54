/** Counts the share of parcels that have each field. */
import { slotOf, splitFields, splitItems } from '../../record/stored.ts'
import type { StagedParcel } from '../../store/store.ts'
import { FIELD_PLACES, type FieldPlace } from './flat-names.ts'

/** A share of parcels: those with a value, or of those with a value of a flag the true ones. */
export type Share = {
  /** Flat name. */
  field: string
  count: number
  of: number
  /** The parcels counted in `of` have this field; `''`: all parcels. */
  among: string
}

/** Reports whether a split parcel counts, and whether it has the field. */
type Measure = {
  among: string
  isCounted(texts: string[]): boolean
  has(texts: string[]): boolean
}

/** Fields that only count where another field has a value. */
const AMONG: Partial<Record<string, { property: string; words: string }>> = {
  ownerState: { property: 'ownerCity', words: 'with a mailing city' },
  ownerZipCode: { property: 'ownerCity', words: 'with a mailing city' },
  ownerCity: { property: 'ownerStreet', words: 'with a mailing street' },
  city: { property: 'address', words: 'with an address' },
  zipCode: { property: 'address', words: 'with an address' },
}

const MEASURES: ReadonlyMap<string, Measure> = new Map(
  FIELD_PLACES.map((place) => [place.field, makeMeasure(place)]),
)

function makeMeasure({ property, type, slot, item }: FieldPlace): Measure {
  if (item !== undefined) {
    return {
      among: 'with a building or transfer',
      isCounted: (texts) => texts[slot] !== '',
      has: (texts) => splitItems(texts[slot] ?? '').some((values) => (values[item] ?? '') !== ''),
    }
  }
  if (type === 'boolean') {
    return {
      among: 'where it is known',
      isCounted: (texts) => texts[slot] !== '',
      has: (texts) => texts[slot] === 'true',
    }
  }
  const among = AMONG[property]
  const other = among === undefined ? -1 : slotOf(among.property)
  return {
    among: among?.words ?? '',
    isCounted: (texts) => other < 0 || texts[other] !== '',
    has: (texts) => texts[slot] !== '',
  }
}

/** Flat names of the fields whose shares can be counted. */
export const COUNTED_FIELDS: readonly string[] = [...MEASURES.keys()]

/** Number of fields whose shares fit into the bits of a parcel. */
export const BITS_FIELDS = 16

/** Counts the shares of some fields over all parcels that it sees, in bounded memory. */
export class ShareCounter {
  readonly #counts: { field: string; measure: Measure; count: number; of: number }[]
  /** Scope and identity of the parcel before: its further rows may hold only a building or sale. */
  #last = ''

  /** `fields`: flat names from `COUNTED_FIELDS`; others are ignored. */
  constructor(fields: readonly string[]) {
    this.#counts = fields.flatMap((field) => {
      const measure = MEASURES.get(field)
      return measure === undefined ? [] : [{ field, measure, count: 0, of: 0 }]
    })
  }

  /**
   * Counts the fields of parcels and of `seen` ones. Returns the bits of the former; none when no
   * field is counted.
   */
  see(
    parcels: readonly StagedParcel[],
    seen: readonly { bits: number }[] = [],
  ): { row: number; bits: number }[] {
    for (const { bits } of seen) this.#addBits(bits)
    if (this.#counts.length === 0) return []
    return parcels.map(({ fieldValues, fips, municipality, identity, row }) => {
      const own = `${fips} ${municipality} ${identity}`
      const bits = own === this.#last ? 0 : this.seeTexts(splitFields(fieldValues))
      this.#last = own
      return { row, bits }
    })
  }

  /**
   * `texts`: a parcel split by `splitFields`. Returns the bits of a parcel: for each of the
   * first 16 fields one bit for "counted" and one for "present".
   */
  seeTexts(texts: string[]): number {
    const bits = this.#counts.reduce((sum, { measure }, at) => {
      if (at >= BITS_FIELDS || !measure.isCounted(texts)) return sum
      return sum + (measure.has(texts) ? 3 : 1) * 4 ** at
    }, 0)
    this.#addBits(bits)
    for (const one of this.#counts.slice(BITS_FIELDS)) {
      if (!one.measure.isCounted(texts)) continue
      one.of += 1
      if (one.measure.has(texts)) one.count += 1
    }
    return bits
  }

  /** Counts a parcel by the bits that `seeTexts` returned. */
  #addBits(bits: number): void {
    this.#counts.slice(0, BITS_FIELDS).forEach((one, at) => {
      const counted = Math.floor(bits / 4 ** at) % 4
      one.of += counted & 1
      one.count += counted >> 1
    })
  }

  finish(): Share[] {
    return this.#counts.map(({ field, measure, count, of }) => ({
      field,
      count,
      of,
      among: measure.among,
    }))
  }
}
