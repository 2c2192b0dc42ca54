/** Counts the uses of a roll that no code of the national scheme is known for. */
import { slotOf } from '../../record/stored.ts'

/** A recorded use (code, text, or both) and the number of parcels that have it. */
export type UncodedUse = [use: string, parcels: number]

const CODE = slotOf('propertyUseCode')
const LOCAL = [slotOf('localUseCode'), slotOf('propertyUseDescription')]
const SHOWN = 20
/** Distinct uses counted; later ones are left out. */
const DISTINCT_MAX = 2000

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
