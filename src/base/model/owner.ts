/** Recorded owner names as the owner engine reads them. docs/matching.md, owner rules. */

/** Kind of owner, by the words of its name. */
export type OwnerType = 'individual' | 'company' | 'trust' | 'government' | 'unknown'

/** The order in which a source writes a person's name without a comma. */
export type NameOrder = 'last-first' | 'first-last' | 'mixed'

/** A person in a recorded name, its words in canonical form. */
export type Person = {
  /** As recorded, upper-cased and folded, blanks between its words: `DE LA CRUZ`. */
  surname: string
  given: string[]
  suffix: string | null
}

export type SlotReading = {
  /** 1 for a reading of both slots together, when the second continues the first. */
  slot: 1 | 2
  persons: Person[]
  organization: string | null
  /** Further organizations: a name after DBA, a second company, or a possible one. */
  otherOrganizations: string[]
  /** Persons by a second, nearly as likely reading of the same words: searchable but not shown. */
  alternates: Person[]
  /** Roles and noise that are not names: `TRUSTEE`, `ETAL`, `JT SUR`. */
  roles: string[]
  /** Every canonical word that `nameContains` matches. */
  words: string[]
}

/**
 * An index entry that answers `lastName`. Of a person `head` is the joined surname (`DELACRUZ`),
 * whole and by each half of a double one. `rest` is the given words of all persons of the slot with
 * it, parted by ` / `. Of an organization these are its first canonical word and the others.
 */
export type OwnerHead = {
  slot: 1 | 2
  kind: 'person' | 'organization'
  head: string
  rest: string
}

/** A parcel's owners as stored. No two heads have the same slot, kind and head. */
export type OwnerIndex = {
  heads: OwnerHead[]
  /** Distinct canonical words of each slot. */
  words: { slot: 1 | 2; word: string }[]
}

/**
 * An owner search by the caller's parameters. All conditions present must match in the same slot,
 * and given names in the same person.
 */
export type OwnerQuestion = {
  lastName?: {
    /** Equal forms of the joined surname; one of them must be the whole surname. */
    personHeads: string[]
    /** First words of organizations, each with the words that must follow it (`''`: none). */
    organizationHeads: { head: string; restStart: string }[]
    /** One must begin a given word (two words: two successive ones). No organization matches. */
    givenPrefixes?: string[]
    /** The word that may differ by one edit; of a surname, one word of three letters or more. */
    fuzzyWord?: string
  }
  /** One entry per word: its equal forms, one of which must be in the slot. */
  contains?: { forms: string[]; fuzzyWord?: string }[]
}

/** The rounds of a search, recorded for an explanation. */
export type OwnerTrace = {
  /** Parcels found by equal words, and then perhaps by words within one edit. */
  rounds: { fuzzy: boolean; found: number }[]
  /** Recorded words within one edit of an asked one. */
  near: string[]
}

/** The reading of both slots of a parcel. */
export type OwnersReading = {
  /** One reading per slot with an owner; a second slot that continues the first is in slot 1. */
  slots: SlotReading[]
  /** Text of the slots or tails that begin with `%`, `C/O` or `ATTN`, without that mark. */
  careOf: string | null
  /** Slots that are entirely a care-of and not an owner. */
  careOfSlots: (1 | 2)[]
  /** `null` when both slots are empty. */
  ownerType: OwnerType | null
}

/** Evidence from a roll's names about its words; plain data, so that it can be sent to a worker. */
export type NameEvidence = {
  /** Log-odds that a word is a surname (above 0) rather than a given name (below). */
  leanings: ReadonlyMap<string, number>
  /** Log-odds that a name without a comma puts the surname first. */
  lastFirst: number
}
