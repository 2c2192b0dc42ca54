import { dayOf } from '../base/days.ts'

const CAPPED = { cap: true } as const

/** The commonest kinds of parameters, and parameters that several operations share. */
export const param = {
  text: { type: 'string' },
  /** Several texts, read as one with commas between them. */
  texts: { type: 'string', repeats: true },
  day: {
    type: 'string',
    pattern: {
      is: /^\d{4}-\d{2}-\d{2}$/,
      says: 'must be a date such as 2024-02-29',
      holds: (text: string) => dayOf(text) !== undefined,
    },
  },
  flag: { type: 'boolean', default: false },
  /** A flag that may be absent. */
  yesNo: { type: 'boolean' },
  /** A whole number from 1; larger ones than `maximum` are capped. */
  upTo: (maximum: number, ifAbsent: number) =>
    ({ ...CAPPED, type: 'integer', minimum: 1, maximum, default: ifAbsent }) as const,
  /** Miles from a point; more than `maximum` are capped. */
  miles: (maximum: number) =>
    ({ ...CAPPED, type: 'number', minimum: 0, maximum, default: 1 }) as const,
  oneOf: <const Word extends string>(values: readonly Word[]) =>
    ({ type: 'choice', values }) as const,
  words: <const Word extends string>(values: readonly Word[]) =>
    ({ type: 'words', values }) as const,
  choice: <const Word extends string>(values: readonly Word[], ifAbsent: NoInfer<Word>) =>
    ({ type: 'choice', values, default: ifAbsent }) as const,
} as const

/** Two letters, in any case. */
export const STATE = { type: 'state', required: true } as const

export const ZIP_CODE = {
  type: 'string',
  aliases: ['zip', 'zipcode', 'zip_code', 'postal_code'],
  pattern: { is: /^(\d{5})(?:-?\d{4})?$/, says: 'must be five digits, or nine as ZIP+4' },
} as const

/** Codes of the national scheme. */
export const USE_STANDARD_CODE = {
  type: 'string',
  repeats: true,
  pattern: {
    is: /^(?:\d{4}|\d{0,3}\*)(?:\s*,\s*(?:\d{4}|\d{0,3}\*))*$/,
    says: 'must be four digits, or first digits as 10*',
  },
} as const

/** Page size of searches, up to 100. */
export const LIMIT = param.upTo(100, 10)

/** Cursor paging; the empty text starts it. */
export const CURSOR = { type: 'string', mayBeEmpty: true, invalid: 'Invalid cursor' } as const

/** Rows to skip; answers explain how to use a cursor instead. */
export const OFFSET = { type: 'integer', minimum: 0, default: 0 } as const

/** `unit` wins over the other name: docs/decisions/lookups.md. */
export const UNIT = { type: 'string', aliases: ['unitNumberStripped'], firstWins: true } as const

/** Only some fields of each record; see `fields.ts`. */
export const FIELDS = { type: 'string' } as const
