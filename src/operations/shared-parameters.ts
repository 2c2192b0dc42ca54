/** Parameters that several operations share. */

/** Two letters, in any case. */
export const STATE = {
  type: 'state',
  required: true,
  about: 'Two-letter state abbreviation, in any case.',
  example: 'WI',
} as const

/** A name in any common form, or a FIPS code of three or five digits. */
export const COUNTY = {
  type: 'string',
  about: 'County by name, with or without "County", or by three- or five-digit FIPS code.',
  example: 'Dane',
} as const

/** Page size of searches, up to 100. */
export const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  cap: true,
  default: 10,
  about: 'Page size; larger values are capped at 100.',
  example: 25,
} as const

/** Cursor paging; the empty text starts it. */
export const CURSOR = {
  type: 'string',
  mayBeEmpty: true,
  invalid: 'Invalid cursor',
  about: 'Paging by cursor: empty for the first page, then the nextCursor of the last answer.',
  example: '',
} as const

/** Rows to skip; answers explain how to use a cursor instead. */
export const OFFSET = {
  type: 'integer',
  minimum: 0,
  default: 0,
  about: 'Number of matched records to skip.',
  example: 0,
} as const

export const EXPLAIN = {
  type: 'boolean',
  default: false,
  about:
    'Adds an explanation: how the parameters were read, the steps of the search with their ' +
    'counts, and why other parcels were not returned.',
  example: false,
} as const

export const UNIT = {
  type: 'string',
  aliases: ['unitNumberStripped'],
  about: 'Unit number only, without the unit type: for `APT 2B` send `2B`.',
  example: '2B',
} as const

/** Only some fields of each record; see `fields.ts`. */
export const FIELDS = {
  type: 'string',
  about:
    'Names of the fields to return, with commas between them, as the records of the account show ' +
    'them; the id and `propertyId` are always returned. Nested records take paths such as ' +
    '`propertyLocation.address`, or the name of a part.',
  example: 'address,ownerName,acres',
} as const
