/** Finds three money columns of which two add up to the third: land, building and total. */
import { wordSet } from '../../base/tables.ts'
import { readNumber } from '../../import/mapping/clean.ts'
import type { Sample } from '../sample/sample.ts'
import { type Subject, withWords } from './subject.ts'

/** Share of rows that must add up exactly. */
const ADDS_UP = 0.95
const ROWS_MIN = 20
const OTHER = wordSet(
  'alternate personal exemption taxable agricultural percent sale area sqft acres',
)

/**
 * Adds the word `value` to such columns if their names have no word of money: `C_A_LAND`,
 * `C_A_IMPRV`, `C_A_TOTAL`. The total may be less by an exemption.
 */
export function settleSums(subjects: Subject[], sample: Sample): Subject[] {
  const money = subjects.filter(isMoney)
  const [lands, buildings, totals] = ROLES.map((words) =>
    money.filter(({ meaning }) => meaning.words.some((word) => words.includes(word))),
  )
  const exempt = subjects.filter(
    ({ meaning: { words }, contents: c }) => words.includes('exemption') && c.high >= 500,
  )
  const found = new Map<number, string | undefined>()
  const net = new Set<number>()
  for (const land of lands ?? []) {
    for (const building of buildings ?? []) {
      for (const total of totals ?? []) {
        const three = [land, building, total]
        if (new Set(three).size < 3 || three.every(({ index }) => found.has(index))) continue
        const less = [NONE, ...exempt].find((one) =>
          addsUp(sample, [land, building], [total, one].flat()),
        )
        if (less === undefined) continue
        for (const { index } of three) found.set(index, kindOf(land, building, total))
        if (less !== NONE && total.meaning.words.join() === 'total') net.add(total.index)
      }
    }
  }
  const settled = settleNet(settleGross(settleSquareFeet(subjects, sample), sample), sample)
  return settled.map((subject) => {
    if (net.has(subject.index)) return withWords(subject, ['net', 'taxable', 'value'])
    return found.has(subject.index) ? addValueWord(subject, found.get(subject.index)) : subject
  })
}
const NONE: Subject[] = []

const SQUARE_FEET = 43_560

/** `SIZESQFT` next to `SIZEACRES`: square feet that are as many acres are the land's. */
function settleSquareFeet(subjects: Subject[], sample: Sample): Subject[] {
  const namesOf = (word: string) =>
    subjects.filter(
      ({ meaning: { words }, contents: c }) => words.includes(word) && c.numeric > 0.9,
    )
  const acres = namesOf('acres')
  const isSame = (one: Subject, other: Subject) => {
    const pairs = sample.kept
      .map((row) => [sumOf(row, [one]), sumOf(row, [other])] as const)
      .filter(([feet, area]) => feet > 0 && area > 0.05)
    const near = pairs.filter(([feet, area]) => Math.abs(feet / SQUARE_FEET / area - 1) < 0.02)
    return pairs.length >= ROWS_MIN && near.length > pairs.length * 0.9
  }
  const found = namesOf('sqft').find((one) => acres.some((other) => isSame(one, other)))
  return subjects.map((subject) =>
    subject === found ? withWords(subject, ['land', 'sqft'], 0) : subject,
  )
}

/** `TOTTXBLE` less `TOTALEXEMP` is `NETTAXABLE`: what is left after exemptions is taxable. */
function settleGross(subjects: Subject[], sample: Sample): Subject[] {
  const namesOf = (word: string) =>
    subjects.filter(
      ({ meaning, contents: c }) =>
        meaning.words.includes(word) && c.numeric > 0.9 && c.high >= 500,
    )
  const [taxables, exempt] = [namesOf('taxable'), namesOf('exemption')]
  const isBefore = (one: Subject, net: Subject) =>
    isAfter(sample, net, one) && exempt.some((less) => addsUp(sample, [net, less], [one]))
  return subjects.map((subject) =>
    taxables.includes(subject) && taxables.some((net) => net !== subject && isBefore(subject, net))
      ? withWords(subject, ['?gross', '?taxable'], 0)
      : subject,
  )
}

/**
 * A net value that is another one less its exemption is taxable. So is one that is never more than
 * the total and less in some rows. Maine's `Assessment` is `Total` less `Exemption`: the total was
 * assessed, and so were its parts.
 */
function settleNet(subjects: Subject[], sample: Sample): Subject[] {
  const has = (subject: Subject, word: string) => subject.meaning.words.includes(word)
  const money = subjects.filter(isMoney)
  const exempt = subjects.filter((one) => has(one, 'exemption') && one.contents.high >= 500)
  const totals = money.filter((one) => has(one, 'total') && !has(one, 'market'))
  const hasTaxable = subjects.some((one) => has(one, 'taxable') && one.contents.high >= 500)
  const wholeOf = (net: Subject) =>
    money.find((whole) => whole !== net && exempt.some((one) => isLess(net, one, whole)))
  const isLess = (net: Subject, less: Subject, whole: Subject) =>
    whole !== less && addsUp(sample, [net, less], [whole])
  const gross = new Set<Subject>()
  const settled = subjects.map((subject) => {
    if (!money.includes(subject) || !(has(subject, 'value') || has(subject, 'assessed')))
      return subject
    const whole = wholeOf(subject)
    const isBare = subject.meaning.words.every((word) => word === 'assessed')
    const isNet = has(subject, 'net')
    const isTaxable =
      (isNet && whole !== undefined) ||
      (isBare && whole !== undefined && isAfter(sample, subject, whole)) ||
      (isNet && !hasTaxable && totals.some((one) => isAfter(sample, subject, one)))
    if (!isTaxable) return subject
    if (isBare && whole !== undefined) gross.add(whole)
    return withWords(subject, ['net', 'taxable', 'value'])
  })
  const isPart = (one: Subject) =>
    [...gross].some((whole) => money.some((other) => addsUp(sample, [one, other], [whole])))
  return settled.map((subject, at) => {
    const { words } = subject.meaning
    const own = subjects[at] ?? subject
    const isPlain = words.length > 0 && words.every((word) => PLAIN.has(word))
    if (!isPlain || !money.includes(own) || !(gross.has(own) || isPart(own))) return subject
    return withWords(subject, ['assessed', ...words])
  })
}
const PLAIN: ReadonlySet<string> = new Set(['land', 'building', 'improvement', 'total', 'value'])

/** Reports whether an amount is never more than another, and less in a twentieth of the rows. */
function isAfter(sample: Sample, net: Subject, total: Subject): boolean {
  const pairs = sample.kept.map((row) => [sumOf(row, [net]), sumOf(row, [total])] as const)
  const rows = pairs.filter(([, all]) => all > 0)
  const less = rows.filter(([some, all]) => some < all - 1)
  const more = rows.filter(([some, all]) => some > all + 1)
  return (
    net !== total &&
    rows.length >= ROWS_MIN &&
    more.length < rows.length * 0.01 &&
    less.length > rows.length * 0.05 &&
    less.length < rows.length * ADDS_UP
  )
}

const ROLES = [['land'], ['building', 'improvement'], ['total', 'value', 'market', 'assessed']]

function isMoney({ meaning, contents: c }: Subject): boolean {
  return (
    c.numeric > 0.9 &&
    c.high >= 500 &&
    c.date < 0.5 &&
    !meaning.words.some((word) => OTHER.has(word))
  )
}

/** Reports whether amounts add up to others in nearly all rows. */
export function addsUp(sample: Sample, parts: Subject[], totals: Subject[]): boolean {
  let rows = 0
  let equal = 0
  for (const row of sample.kept) {
    const [some, all] = [sumOf(row, parts), sumOf(row, totals)]
    if (all === 0) continue
    rows += 1
    if (Math.abs(some - all) < 1) equal += 1
  }
  return rows >= ROWS_MIN && equal >= rows * ADDS_UP
}

/** Adds up the amounts of a row in some columns. */
export const sumOf = (row: readonly string[], subjects: Subject[]) =>
  subjects.reduce((sum, { index }) => sum + (readNumber(row[index] ?? '') ?? 0), 0)

const KINDS = ['assessed', 'market']

/** `LANDMKTVAL` and `TOTALAPPR` say of what kind `IMPVAL` is, which makes one of the other. */
function kindOf(...three: Subject[]): string | undefined {
  const kinds = three.map(({ meaning }) => KINDS.find((kind) => meaning.words.includes(kind)))
  const [first, second, ...others] = kinds.filter((kind) => kind !== undefined)
  return first === second && others.length === 0 ? first : undefined
}

/** Replaces unknown words, because the sum is stronger evidence. */
function addValueWord(subject: Subject, kind: string | undefined): Subject {
  const { words: own, ordinal } = subject.meaning
  const words = kind === undefined || own.includes(kind) ? own : [...own, kind]
  const known = words.filter((word) => !word.startsWith('?'))
  if (known.includes('value')) return withWords(subject, known, ordinal)
  return withWords(subject, [...known, 'value'], ordinal)
}
