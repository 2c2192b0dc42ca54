/** Street lines as the address engine reads them. Source: docs/matching.md, "Addresses". */

/** What is known of a line's place. Blank fields are unknown. */
export type AddressContext = {
  /** Two letters, upper case. */
  state: string
  /** County FIPS code as a number; determines whether numbers are hyphenated. */
  fips?: number | undefined
  /** For imports: the record's city, so that the same text after line 1 is cut off. */
  city?: string | null | undefined
  zip?: string | null | undefined
}

/** The parts of a line, standardized by Publication 28; `null`: not there. */
export type ParsedAddress = {
  number: string | null
  numberHigh: string | null
  predirectional: string | null
  street: string | null
  suffix: string | null
  postdirectional: string | null
  unitType: string | null
  unit: string | null
}

/** A further key of an address: another number of a range, or another name of a numbered road. */
export type AlternateKey = { key: string; kind: 'range' | 'highway' }

/** A line in the form that lookups compare. */
export type CanonicalAddress = {
  parsed: ParsedAddress
  /** Line 1 without unit as Publication 28 writes it. */
  line: string
  /**
   * The strict key, without unit: `number|predirectional|NAME WORDS|suffix|postdirectional`. Two
   * lines are one address when their strict keys are equal. `''` when the line has no street.
   */
  key: string
  /** The unit's key; `''` without one. Kinds with the same meaning have equal keys. */
  unitKey: string
  /**
   * Number and name without blanks, directionals and suffix: one probe finds all addresses that
   * rule 9 of docs/matching.md may forgive (`address/forgive.ts`).
   */
  looseKey: string
  /** Other strict keys that match it: members of a range, the bare highway. At most 51. */
  alternates: AlternateKey[]
  /** Whether it has a street number and a street name. */
  assigned: boolean
  /** The city before its number, folded, which a lookup's hits must have; `''` for none. */
  lead: string
}

/** A reading whose last words may be a city, state or ZIP; it counts if the record has the same. */
export type TailReading = {
  address: CanonicalAddress
  /** Folded as `foldCity` folds; the empty string when not in the tail. */
  city: string
  /** Five digits, or the empty string. */
  zip: string
  /** Whether the cut-off words can only be a place. */
  isSure: boolean
  /** Whether a direction before the city may belong to it: `SOUTH PORTLAND`. */
  isDirected?: boolean | undefined
  /** The words that were dropped, if any; see `readWithoutRest`. */
  rest?: string
  /** The county among them, which a hit must be in. */
  fips?: number | undefined
}
