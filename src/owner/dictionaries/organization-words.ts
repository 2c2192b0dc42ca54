/**
 * Words that tell an organization from a person: the lists of `tables/organization-words.txt`,
 * which says what each is.
 */
import { LINES, openLists, PHRASES, readForms, readTable } from '../../base/tables.ts'

const listOf = openLists('organization-words.txt')
const setOf = (title: string, parting?: RegExp): ReadonlySet<string> =>
  new Set(listOf(title, parting))
const patternOf = (title: string) => listOf(title, LINES).join('|')

/** Variant forms, each with the form that both sides of a comparison use. */
export const SHORT_FORMS = readForms(readTable('organization-forms.txt'))

/** Phrases with their short form. */
export const SHORT_PHRASES = listOf('short phrases', LINES).map((line) => {
  const end = line.indexOf(' ')
  return [line.slice(end + 1), line.slice(0, end)] as const
})

export const STRONG = setOf('strong')
export const LEGAL_FORMS = setOf('legal forms')
export const SURNAME_TOO = setOf('surname too')
export const RARE_SURNAMES = setOf('rare surnames')
export const PLACE_ENDS = setOf('place ends')
export const SCHOOL_ENDS = setOf('school ends')
export const PRACTICE_DEGREES = setOf('practice degrees')
export const WEAK = setOf('weak')
export const NOT_CUT = setOf('not cut')
export const CUT_FORMS = setOf('cut forms')
export const NAME_STARTS = setOf('name starts')
export const NATURE = setOf('nature')
export const FIRM_PAIRS = setOf('firm pairs', PHRASES)
export const FIRM_PHRASES = setOf('firm phrases', PHRASES)
/** By first word. */
export const FIRM_NAMES = Map.groupBy(listOf('firm names', PHRASES), (name) =>
  name.slice(0, name.indexOf(' ')),
)
export const UNLEARNED = listOf('unlearned')
export const JOINING = setOf('joining')
export const COMPANY_ENDS = setOf('company ends')
export const PERSON_ENDS = setOf('person ends')
export const COMPANY_WORDS = setOf('companies')
export const CONNECTORS = setOf('connectors')
export const GOVERNMENT = setOf('government')
export const GOVERNMENT_NAME = new RegExp(patternOf('government names'))
export const ORDERS = new RegExp(`^(?:${patternOf('orders')})`)
export const PRIVATE_NAME = new RegExp(patternOf('private names'))
const nobody = `(?:(?:${listOf('nobody words').join('|')})(?: |$)){2,}`
export const PLACEHOLDER = new RegExp(
  `^(?!.* (?:LLC|INC|CORP|LTD|LP|TRUST)$)(?:OWNERS? )?(?:${patternOf('placeholders')}|${nobody})$`,
)
export const PLAN_WORDS = setOf('plan words')
export const TRUST_WORDS = setOf('trust words').union(PLAN_WORDS)
export const PERSONAL_TRUST = setOf('personal trust')
export const BUSINESS_TRUST = setOf('business trust')
export const SHORT_KINDS = kindsOf('short kinds')
export const STROKE_KINDS = new Map([...SHORT_KINDS, ...kindsOf('stroke kinds')])

function kindsOf(title: string): ReadonlyMap<string, readonly string[]> {
  const lines = listOf(title, LINES).map((line) => line.split(' '))
  return new Map(lines.map(([short = '', ...kind]) => [short, kind]))
}
