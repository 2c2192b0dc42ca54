/** Converts segments to persons and shares surnames. docs/matching.md, owner rules 2 and 3. */
import type { NameEvidence, NameOrder, Person } from '../base/model/owner.ts'
import { liftWidow } from './asides.ts'
import { differInSex, isKnownGiven, isKnownSurname, leaning } from './evidence.ts'
import { decideOrder, isDoubtful, isGivenOnly, isInitials, orderOdds } from './name-order.ts'
import { isNatural, isTurned, readSegments, type Segment } from './segment.ts'
import { endsWith, laterForm } from './signs/later-form.ts'
import { otherSplitEnd, person, splitEnd, splitStart, withTrailingParticle } from './surname.ts'
import type { Word } from './words.ts'

/** Persons that are shown, and second readings that are searchable but not shown. */
export type Persons = { persons: Person[]; alternates: Person[] }

/** Titles that are never surnames and are followed by a given name or a whole name. */
const FORMS_OF_ADDRESS = new Set(['MR', 'MRS', 'MISS', 'DR', 'DRS', 'REV', 'REVEREND'])

/** Reads the persons of one name whose roles were removed. Adds closing roles to `roles`. */
export function readPersons(
  words: readonly Word[],
  sourceOrder: NameOrder,
  evidence: NameEvidence | undefined,
  roles: string[],
): Persons {
  const widow = liftWidow(words, sourceOrder)
  if (widow !== undefined) {
    roles.push('VDA DE')
    const found = readPersons(widow.words, sourceOrder, evidence, roles)
    const given = found.persons[0]?.given ?? []
    if (widow.surname.length > 0) found.alternates.push(person(widow.surname, given, null))
    return found
  }
  // Names after a form of address are in natural order in every roll: `MR AND MRS JOHN DOE`.
  const usual = FORMS_OF_ADDRESS.has(words[0] ?? '') ? 'first-last' : sourceOrder
  const read = readSegments(words, roles, usual, evidence)
  const segments = usual === 'last-first' ? read : spreadLists(read, usual, evidence)
  const order = segments.length > read.length ? 'first-last' : usual
  if (segments.length === 0) return { persons: [], alternates: [] }
  const odds = orderOdds(segments, order, evidence)
  const decided = decideOrder(segments, order, odds, evidence)
  const reading = RESOLVE[decided](segments, evidence)
  const doubtful = segments.some((segment) => segment.surname !== null)
    ? false
    : isDoubtful(decided, order, odds, evidence)
  if (doubtful) {
    const other = decided === 'last-first' ? 'first-last' : 'last-first'
    reading.alternates.push(...RESOLVE[other](segments, evidence).persons)
  }
  return reading
}

/** Splits lists of given names: in natural order, `JOHN, MARY & BOB SMITH` names three people. */
function spreadLists(
  segments: readonly Segment[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): readonly Segment[] {
  const last = segments[segments.length - 1]
  if (segments.length < 2 || last === undefined || isGivenOnly(last.words)) return segments
  return segments.flatMap((segment) => {
    const { surname, words } = segment
    if (surname === null || last.surname !== null || !isGivenOnly(surname)) return [segment]
    const most = order === 'mixed' ? -2.5 : -1.5
    if (!isGivenOnly(words) || leaning(surname[0] as Word, evidence) > most) return [segment]
    const plain = { surname: null, suffix: null, suffixSecond: false }
    return [
      { ...plain, words: surname },
      { ...plain, words },
    ]
  })
}

const endsInName = ({ words }: Segment) => words.length > 1 && (words.at(-1) as Word).length > 1
const RESOLVE = { 'last-first': resolveLastFirst, 'first-last': resolveFirstLast }

function resolveLastFirst(
  segments: readonly Segment[],
  evidence: NameEvidence | undefined,
): Persons {
  const persons: Person[] = []
  const alternates: Person[] = []
  let before: Person | undefined
  const commas = segments.some((segment) => segment.surname !== null)
  for (const segment of segments) {
    const [own, other] = lastFirstReadings(segment, before, commas, evidence)
    if (other !== undefined) alternates.push(other)
    const bare = persons.length === 1 && persons[0]?.given.length === 0
    // `DOE, & JOHN`: a surname alone and a given name are one person.
    if (bare && own.surname === before?.surname) persons.pop()
    persons.push(own)
    if (own.surname !== '') before = own
  }
  return { persons, alternates }
}

/** Returns the person that is shown, and in doubt a second reading. */
function lastFirstReadings(
  segment: Segment,
  before: Person | undefined,
  commas: boolean,
  evidence: NameEvidence | undefined,
): [Person, Person?] {
  const { words, suffix } = segment
  if (segment.surname !== null) {
    const read = person(segment.surname, words, suffix)
    const whole = withTrailingParticle(read)
    return whole === undefined ? [read] : [whole, read]
  }
  // `PAUL HARLOW & TRENT, ANNA`
  if (before === undefined) {
    const split = commas && isNatural(words, evidence) ? splitEnd : splitStart
    return [split(words, suffix, evidence)]
  }
  const form = laterForm(segment, before, commas, evidence)
  return form.split(' or ').map((one) => {
    if (one === 'shared') return { surname: before.surname, given: [...words], suffix }
    return (one === 'last-first' ? splitStart : splitEnd)(words, suffix, evidence)
  }) as [Person, Person?]
}

function resolveFirstLast(
  segments: readonly Segment[],
  evidence: NameEvidence | undefined,
): Persons {
  const persons: Person[] = []
  const alternates: Person[] = []
  const waiting: Segment[] = []
  let shared: Word[] = []
  for (const [at, segment] of segments.entries()) {
    const { words, suffix } = segment
    const inherits = isGivenOnly(words) || (shared.length > 0 && isAllGiven(words, evidence))
    const next = segments[at + 1]?.words ?? []
    // `ROY HARLOW & ERIC & ANNA TRENT`: ERIC has the surname that follows.
    const isAhead = isGivenOnly(words) && next.length > 1 && !isGivenOnly(next)
    if (isAhead && shared.length > 0) waiting.push(segment)
    else if (inherits && shared.length > 0) {
      persons.push(person(shared, words, suffix))
      if (!isGivenOnly(words)) alternates.push(splitEnd(words, suffix, evidence))
    } else if (inherits && segments.length > 1) waiting.push(segment)
    else if (shared.length === 0 && isAllGiven(words, evidence) && segments.at(-1) !== segment) {
      waiting.push(segment)
    } else if (shared.length === 0 && arePairs(words, next, evidence)) {
      waiting.push(segment)
      alternates.push(splitEnd(words, suffix, evidence))
    } else {
      // `PAUL HARLOW & JONES MARY`
      const isBehind = at > 0 && isTurned(words, evidence)
      const own = (isBehind ? splitStart : splitEnd)(words, suffix, evidence)
      const other = otherSplitEnd(words, suffix)
      if (other !== undefined && own.given.length > 0) alternates.push(other)
      shared = own.surname.split(' ')
      persons.push(
        ...waiting.splice(0).map((earlier) => {
          // `CHRISTOPHER JAMES & AMY JAMES`: both have the surname.
          const isOwn = earlier.words.length > shared.length && endsWith(earlier.words, shared)
          const given = isOwn ? earlier.words.slice(0, -shared.length) : earlier.words
          return person(shared, given, earlier.suffix)
        }),
      )
      persons.push(own)
    }
  }
  // No segment had a surname: the last word is shared (`JOHN & M DOE`), or each is a name alone.
  for (const [at, { words, suffix }] of waiting.entries()) {
    const lone = words.length === 1 || isInitials(words)
    const named = lone ? waiting.slice(at).findLast(endsInName) : undefined
    const own = splitEnd((named ?? { words }).words, suffix, evidence)
    persons.push(named === undefined ? own : person([own.surname], words, suffix))
  }
  return { persons, alternates }
}

/** Reports whether two given names share the next surname: `PAUL MICHAEL & ANNA MARIE HARLOW`. */
function arePairs(
  words: readonly Word[],
  next: readonly Word[],
  evidence: NameEvidence | undefined,
): boolean {
  const [first = '', second = ''] = words
  if (words.length !== 2 || next.length !== 3 || first.length < 2) return false
  const last = next[2] as Word
  const isLast = last.length > 1 && (!isKnownGiven(last) || leaning(last, evidence) > -1)
  const isSecond = isKnownGiven(second) && leaning(second, evidence) <= 0.5
  return isSecond && isLast && leaning(first, evidence) < 0.5
}

function isAllGiven(words: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const last = words[words.length - 1] as Word
  if (words.length < 2 || isKnownSurname(last)) return false
  // `ANNA JAMES`: given names of different sexes, so one of them is the surname.
  if (differInSex(words[0] as Word, last)) return false
  if (words[words.length - 2]?.length === 1 || leaning(last, evidence) > -1.8) return false
  return words.every((word) => word.length === 1 || leaning(word, evidence) < -1)
}
