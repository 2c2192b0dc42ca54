/** Street lines as the address engine reads them. Source: docs/matching.md, "Addresses". */

/** What the engine may know of where a line belongs. Blank fields are unknown. */
export type AddressContext = {
  /** Two letters, upper case. */
  state: string
  /** County FIPS code as a number; tells which counties hyphenate their numbers. */
  fips?: number | undefined
  /** Import only: what the record has, so that the same text typed after line 1 is cut off. */
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

/**
 * A further key of an address: another number of its range, or another name of its numbered road.
 */
export type AlternateKey = { key: string; kind: 'range' | 'highway' }

/** A line in the form that lookups compare. */
export type CanonicalAddress = {
  parsed: ParsedAddress
  /** Line 1 without unit as Publication 28 writes it. */
  line: string
  /**
   * The strict key, without unit: `number|predirectional|NAME WORDS|suffix|postdirectional`. Two
   * lines are one address when their strict keys are equal. The empty string when the line names no
   * street.
   */
  key: string
  /** The unit's key, the empty string without one. Kinds that mean the same have equal keys. */
  unitKey: string
  /**
   * Number and name without blanks, directionals and suffix: all addresses that rule 9 may forgive
   * share it, so one probe finds them; `forgive` in `address/forgive.ts` then says which of them
   * count.
   */
  looseKey: string
  /** Other strict keys that find it: members of a range, the bare highway. At most 51. */
  alternates: AlternateKey[]
  /** Whether it has a street number and a street name. */
  assigned: boolean
}

/**
 * A reading of a line whose last words may be a city, state or ZIP; it counts only if the record
 * has the same.
 */
export type TailReading = {
  address: CanonicalAddress
  /** Folded as `foldCity` folds; the empty string when not in the tail. */
  city: string
  /** Five digits, or the empty string. */
  zip: string
  /** Whether what was cut off can be nothing but a place. */
  isSure: boolean
}
