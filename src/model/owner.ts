/** Recorded owner names as the owner engine reads them. docs/matching.md, owner rules. */

/** Kind of owner, by the words of its name. */
export type OwnerType = 'individual' | 'company' | 'trust' | 'government' | 'unknown'

/**
 * How a source writes a person's name where no comma tells: surname first, given name first, or
 * either.
 */
export type NameOrder = 'last-first' | 'first-last' | 'mixed'

/** A person in a recorded name, its words in canonical form. */
export type Person = {
  /** As recorded, upper-cased and folded, blanks between its words: `DE LA CRUZ`. */
  surname: string
  given: string[]
  suffix: string | null
}

/** What one recorded slot says. */
export type SlotReading = {
  /** 1 for a reading of both slots together, where the second continues the first. */
  slot: 1 | 2
  persons: Person[]
  organization: string | null
  /**
   * Further organizations of the slot: the name after DBA, the second of two companies, what may be
   * one.
   */
  otherOrganizations: string[]
  /**
   * Persons by a second reading of the same words that is nearly as likely: found, but not shown.
   */
  alternates: Person[]
  /** Roles and noise that are no names: `TRUSTEE`, `ETAL`, `JT SUR`. */
  roles: string[]
  /** Every canonical word that `nameContains` finds. */
  words: string[]
}

/**
 * An entry of the index that `lastName` is answered from.
 *
 * For a person `head` is the surname with its words joined (`DELACRUZ`), once whole and once for
 * each half of a double one, and `rest` the given words of all persons of the slot with that
 * surname, one blank between words and ` / ` between persons. For an organization `head` is its
 * first canonical word and `rest` the canonical words after it.
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
 * What an owner search asks of the index; made by `owner/canonical.ts` from the caller's
 * parameters.
 *
 * All given conditions meet in the same slot; `given` in the same person. `undefined`: not asked.
 */
export type OwnerQuestion = {
  lastName?: {
    /** Joined surnames in their equal forms, any of which is the whole surname. */
    personHeads: string[]
    /** First words of organizations, each with the words that must follow it (`''`: none). */
    organizationHeads: { head: string; restStart: string }[]
    /**
     * Prefixes, one of which some given word of the person begins with (two words: two that follow
     * each other); then organizations do not count.
     */
    givenPrefixes?: string[]
    /**
     * The word to be found within one edit; only for a surname of one word of three characters or
     * more.
     */
    fuzzyWord?: string
  }
  /** One entry per asked word: its equal forms, any of which stands in the slot. */
  contains?: { forms: string[]; fuzzyWord?: string }[]
}

/** What a search notes of its rounds, so that its answer can be explained. */
export type OwnerTrace = {
  /** Parcels found by equal words, then by words within one edit; the second round may not run. */
  rounds: { fuzzy: boolean; found: number }[]
  /** Recorded words within one edit of an asked one. */
  near: string[]
}

/** What both slots of a parcel say. */
export type OwnersReading = {
  /**
   * One reading a slot that names an owner; a second slot that continues the first is read with it,
   * as slot 1.
   */
  slots: SlotReading[]
  /** Text of the slots or tails that begin with `%`, `C/O` or `ATTN`, without that mark. */
  careOf: string | null
  /** Slots that are wholly a care-of and no owner. */
  careOfSlots: (1 | 2)[]
  /** `null` when no slot says anything. */
  ownerType: OwnerType | null
}

/** What a roll's own names tell about its words; plain data, so that it can be sent to a worker. */
export type NameEvidence = {
  /** Log-odds that a word is a surname (above 0) rather than a given name (below). */
  leanings: ReadonlyMap<string, number>
  /** Log-odds that a name without a comma puts the surname first. */
  lastFirst: number
}
