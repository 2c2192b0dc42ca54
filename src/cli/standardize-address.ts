/** What the address engine makes of a line, for `platbook standardize address`. */
import { canonicalAddress } from '../address/canonical.ts'
import type { AddressContext } from '../model/address.ts'

type StandardizedAddress = {
  input: string
  number: string | null
  numberHigh: string | null
  predirectional: string | null
  street: string | null
  suffix: string | null
  postdirectional: string | null
  unitType: string | null
  unit: string | null
  /**
   * Strict key and unit key joined: two lines are one address when theirs are equal. `''`: no
   * street.
   */
  key: string
  /** Other keys, in the same form, that find the line. */
  alternates: string[]
}

/**
 * Nothing known, and no record whose city a tail could be compared with: a tail beyond doubt is cut
 * off.
 */
const NO_CONTEXT: AddressContext = { state: '', city: null }

/**
 * Reads one line. `context.city` may be `null`: then `…, CITY, ST ZIP` is cut off without comparing
 * it.
 */
export function standardizeAddress(line: string, context = NO_CONTEXT): StandardizedAddress {
  const { parsed, key, unitKey, alternates } = canonicalAddress(line, context)
  const withUnit = (strictKey: string) => `${strictKey}|${unitKey}`
  return {
    input: line,
    number: parsed.number,
    numberHigh: parsed.numberHigh,
    predirectional: parsed.predirectional,
    street: parsed.street,
    suffix: parsed.suffix,
    postdirectional: parsed.postdirectional,
    unitType: parsed.unitType,
    unit: parsed.unit,
    key: key === '' ? '' : withUnit(key),
    alternates: alternates.map((alternate) => withUnit(alternate.key)),
  }
}
