/**
 * The contract's use codes: one national scheme of four digits, the same for all rolls. The table
 * is `tables/use-codes.tsv`, see docs/use-codes.md. A mapping gives the code, or the words of the
 * roll's use do.
 */
import { foldUseCode } from '../base/fold.ts'
import { readTable } from '../base/tables.ts'

/** One code. `condo`: the codes of condominium units. */
type UseCode = { description: string; group: string; dwelling: boolean; condo: boolean }

const CONDOS: ReadonlySet<string> = new Set(['1004', '1114', '2052', '3008', '5010'])

/** Every code in ascending order. */
export const USE_CODES: ReadonlyMap<string, UseCode> = new Map(
  readTable('use-codes.tsv')
    .slice(1)
    .map((line) => {
      const [code = '', description = '', group = '', dwelling] = line.split('\t')
      return [code, { description, group, dwelling: dwelling === '1', condo: CONDOS.has(code) }]
    }),
)

const FOLDED_CODES = [...USE_CODES.keys()].map((code) => [code, foldUseCode(code)] as const)

const HOUSES = ['1000', '1001', '1002', '1003', '1007', '1008', '1009', '1012', '1013', '1015']

/** Kinds of property that callers ask for, by their codes. */
export const PROPERTY_TYPES = {
  any: [],
  SFR: HOUSES,
  house: HOUSES,
  CONDO: ['1004', '1114'],
  APARTMENT: listUseCodes('11*').filter((code) => code !== '1109' && code !== '1114'),
  MOBILE: ['1006', '1109'],
} as const satisfies Record<string, readonly string[]>

/**
 * Returns the codes that a text asks for: a code, several with commas between them, or first digits
 * as `10*`. Leading zeros of a whole code do not count. A part that no code matches adds nothing.
 *
 * @example listUseCodes('1001, 12*') // ['1001']
 */
export function listUseCodes(asked: string): string[] {
  const parts = asked.split(',').map((part) => part.trim())
  const whole = new Set(parts.map(foldUseCode))
  const first = parts.filter((part) => part.endsWith('*')).map((part) => part.slice(0, -1))
  return FOLDED_CODES.filter(
    ([code, folded]) => whole.has(folded) || first.some((digits) => code.startsWith(digits)),
  ).map(([code]) => code)
}

const VACANT = String.raw`\b(?:VACANT|VAC|UNIMPROVED|UNDEVELOPED|UNBUILT|HIGHEST AND BEST USE)\b`

/** The patterns of `tables/use-words.tsv`: the first that matches a text gives its code. */
const WORDS = readTable('use-words.tsv').map((line) => {
  const [code = '', words = ''] = line.split('\t')
  const pattern = words.replace(/^vacant (.*)/, `${VACANT}.*\\b$1|\\b$1\\w*\\b.*${VACANT}`)
  return [new RegExp(pattern), code] as const
})

/**
 * Returns the code of a use.
 *
 * `given`: the mapping's value, a code of the table or words; `description`: the roll's own words.
 * Returns null when neither is known.
 *
 * @example readUseCode(null, 'TWO-FAMILY DWELLING') // '1101'
 */
export function readUseCode(given: string | null, description: string | null): string | null {
  if (given !== null && USE_CODES.has(given)) return given
  for (const text of [given, description]) {
    const upper = text?.toUpperCase() ?? ''
    const found = upper === '' ? undefined : WORDS.find(([pattern]) => pattern.test(upper))
    if (found !== undefined) return found[1] === '-' ? null : found[1]
  }
  return null
}
