/** The canonical form of an address line, for `platbook standardize address`. */
import { canonicalAddress } from '../address/canonical.ts'
import type { AddressContext, ParsedAddress } from '../base/model/address.ts'

type StandardizedAddress = ParsedAddress & {
  input: string
  /** Strict key and unit key joined: two lines with equal keys are one address. `''`: no street. */
  key: string
  /** Other keys that find the line, in the same form. */
  alternates: string[]
}

/** Without a state and a record's city, an unmistakable tail is cut off. */
const NO_CONTEXT: AddressContext = { state: '', city: null }

/** Reads one line. With `context.city` `null`, `…, CITY, ST ZIP` is cut off without comparison. */
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
