/** Counts the commonest values of a roll's coded fields, and its uses without a code. */
import { wordSet } from '../../base/tables.ts'
import { slotOf, splitItems } from '../../record/stored.ts'
import { FIELD_PLACES } from './flat-names.ts'

/** Values of one field, the commonest first, with the number of parcels that have each. */
type Commonest = { field: string; values: [string, number][]; others: number }

const SHOWN = 20
/** Distinct values counted per field; later ones count as others, later uses not at all. */
const DISTINCT_MAX = 2000

const CODED =
  wordSet(`jurisdiction city ownerType ownerOccupied ownerState ownerCountry useCode useDescription
useCodeLocal useCodeLocal2 residential zoningCode valueType taxRateCodeArea schoolDistrict
neighborhood subdivision constructionType wallType roofType foundationType basementType heatingType
coolingType pool transferDocType saleQualificationCode`)

const PLACES = FIELD_PLACES.filter(({ field }) => CODED.has(field))

/** Counts values over all parcels that it sees, in bounded memory. */
export class CommonValues {
  readonly #counts = PLACES.map((place) => ({
    ...place,
    values: new Map<string, number>(),
    others: 0,
  }))

  /** `texts`: a parcel split by `splitFields`. */
  see(texts: string[]): void {
    for (const one of this.#counts) {
      const text = texts[one.slot] ?? ''
      if (text === '') continue
      if (one.item === undefined) add(one, text)
      else for (const item of splitItems(text)) add(one, item[one.item] ?? '')
    }
  }

  /** Fields without a value are left out. */
  finish(): Commonest[] {
    return this.#counts.flatMap(({ field, values, others }) => {
      const sorted = [...values].sort((a, b) => b[1] - a[1])
      if (sorted.length === 0) return []
      const rest = sorted.slice(SHOWN).reduce((sum, [, count]) => sum + count, others)
      const shown = sorted
        .slice(0, SHOWN)
        .map(([text, count]): [string, number] => [String(JSON.parse(text)), count])
      return [{ field, values: shown, others: rest }]
    })
  }
}

function add(one: { values: Map<string, number>; others: number }, text: string): void {
  if (text === '') return
  const known = one.values.get(text)
  if (known === undefined && one.values.size >= DISTINCT_MAX) one.others += 1
  else one.values.set(text, (known ?? 0) + 1)
}

/** A recorded use (code, text, or both) and the number of parcels that have it. */
type UncodedUse = [use: string, parcels: number]

const CODE = slotOf('propertyUseCode')
const LOCAL = [slotOf('localUseCode'), slotOf('propertyUseDescription')]

/** Counts over all parcels that it sees, in bounded memory. */
export class UncodedUses {
  readonly #counts = new Map<string, number>()

  /** `texts`: a parcel split by `splitFields`. */
  see(texts: string[]): void {
    if ((texts[CODE] ?? '') !== '') return
    const use = LOCAL.map((slot) => texts[slot] ?? '').filter((text) => text !== '')
    if (use.length === 0) return
    const name = use.map((text) => JSON.parse(text)).join(' ')
    const known = this.#counts.get(name)
    if (known !== undefined || this.#counts.size < DISTINCT_MAX) {
      this.#counts.set(name, (known ?? 0) + 1)
    }
  }

  /** Returns the commonest uses without a code, the commonest first. */
  finish(): UncodedUse[] {
    return [...this.#counts].sort((a, b) => b[1] - a[1]).slice(0, SHOWN)
  }
}
