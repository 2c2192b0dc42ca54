/** Recorded owner names as the owner engine reads them. Source: matching.md, "Recorded owner names". */

/** How a source writes a person's name where no comma tells: surname first, given name first, or either. */
export type NameOrder = 'last-first' | 'first-last' | 'mixed'

export type Person = {
  /** As recorded, upper-cased and folded, blanks between its words: `DE LA CRUZ`. */
  surname: string
  given: string[]
  suffix: string | null
}

/** What one recorded slot says. */
export type SlotReading = {
  slot: 1 | 2
  persons: Person[]
  organization: string | null
  /** Roles and noise that are no names: `TRUSTEE`, `ETAL`, `JT SUR`. */
  roles: string[]
  /** Every canonical word that `nameContains` finds. */
  words: string[]
}

/**
 * An entry of the index that `lastName` is answered from.
 *
 * For a person `head` is the surname with its words joined (`DELACRUZ`), once whole and once for each half of a double
 * one, and `rest` the given words of all persons of the slot with that surname, one blank between words and ` / `
 * between persons. For an organization `head` is its first canonical word and `rest` the canonical words after it.
 */
export type OwnerHead = {
  slot: 1 | 2
  kind: 'person' | 'organization'
  head: string
  rest: string
}

/** What an import stores of a parcel's owners. No two heads agree in slot, kind and head. */
export type OwnerIndex = {
  heads: OwnerHead[]
  /** Distinct canonical words of each slot. */
  words: { slot: 1 | 2; word: string }[]
}

/**
 * What an owner search asks of the index; made by `owner/canonical.ts` from the caller's parameters.
 *
 * All given conditions meet in the same slot; `given` in the same person. `undefined`: not asked.
 */
export type OwnerQuestion = {
  lastName?: {
    /** Joined surnames in their equal forms, any of which is the whole surname. */
    personHeads: string[]
    /** First words of organizations, each with the words that must follow it (`''`: none). */
    organizationHeads: { head: string; restStart: string }[]
    /** Prefix of some given word of the person; then organizations do not count. */
    givenPrefix?: string
    /** The word to be found within one edit; only for a surname of one word of three characters or more. */
    fuzzyWord?: string
  }
  /** One entry per asked word: its equal forms, any of which stands in the slot. */
  contains?: { forms: string[]; fuzzyWord?: string }[]
}
