const CAPPED = { cap: true } as const

/** The commonest kinds of parameters, and parameters that several operations share. */
export const param = {
  text: (about: string, example: string) => ({ type: 'string', about, example }) as const,
  flag: (about: string, example: boolean = false) =>
    ({ type: 'boolean', default: false, about, example }) as const,
  /** A whole number from 1; larger ones than `maximum` are capped. */
  upTo: (maximum: number, ifAbsent: number, about: string, example: number) =>
    ({
      ...CAPPED,
      type: 'integer',
      minimum: 1,
      maximum,
      default: ifAbsent,
      about,
      example,
    }) as const,
  /** Miles from a point; more than `maximum` are capped. */
  miles: (maximum: number, about: string) =>
    ({ ...CAPPED, type: 'number', minimum: 0, maximum, default: 1, about, example: 0.5 }) as const,
  choice: <const Word extends string>(
    values: readonly Word[],
    ifAbsent: NoInfer<Word>,
    about: string,
    example: NoInfer<Word>,
  ) => ({ type: 'choice', values, default: ifAbsent, about, example }) as const,
}

/** Two letters, in any case. */
export const STATE = {
  type: 'state',
  required: true,
  about: 'Two-letter state abbreviation, in any case.',
  example: 'WI',
} as const

/** A name in any common form, or a FIPS code of three or five digits. */
export const COUNTY = param.text(
  'County by name, with or without "County", or by three- or five-digit FIPS code.',
  'Dane',
)

export const ZIP_CODE = {
  type: 'string',
  aliases: ['zip', 'zipcode', 'postal_code'],
  pattern: { is: /^\d{5}(?:-?\d{4})?$/, says: 'must be five digits, or nine as ZIP+4' },
  example: '53703',
} as const

/** Page size of searches, up to 100. */
export const LIMIT = param.upTo(100, 10, 'Page size; larger values are capped at 100.', 25)

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

export const EXPLAIN = param.flag(
  'Adds an explanation: how the parameters were read, the steps of the search with their ' +
    'counts, and why other parcels were not returned.',
)

export const UNIT = {
  type: 'string',
  aliases: ['unitNumberStripped'],
  about: 'Unit number only, without the unit type: for `APT 2B` send `2B`.',
  example: '2B',
} as const

/** Only some fields of each record; see `fields.ts`. */
export const FIELDS = param.text(
  'Names of the fields to return, with commas between them, as the records of the account show ' +
    'them; the id and `propertyId` are always returned. Nested records take paths such as ' +
    '`propertyLocation.address`, or the name of a part.',
  'address,ownerName,acres',
)
