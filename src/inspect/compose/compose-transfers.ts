/** Drafts sales from one set of columns, or from several numbered sets. */
import { wordSet } from '../../base/tables.ts'
import { type DateForm, readDate } from '../../import/mapping/dates.ts'
import type { Value } from '../../import/mapping/mapping.ts'
import { citesDeeds } from '../recognize/field-fits.ts'
import { type Guess, guessAll, guessOf } from '../recognize/guess.ts'
import { scoreField } from '../recognize/score.ts'
import { type Subject, withWords } from '../recognize/subject.ts'
import { type Contents, shareOf } from '../sample/contents.ts'
import { beginsIds, isWithin } from './compose-scope.ts'
import { type DraftBuilder, percent, type Section } from './draft-builder.ts'

const FIELDS =
  `transferDate transferPrice recordingDate transferDocType transferDocNum bookNum pageNum grantor
grantee saleQualificationCode`.split(/\s+/)

export function composeTransfers(builder: DraftBuilder): void {
  const rival = findOtherDate(builder)
  const isApart = rival !== undefined && !rival.isNear
  for (const field of FIELDS) {
    const guess = builder.look(`transfers.${field}`)
    if (guess === undefined) {
      if (field === 'transferDate') composeParts(builder)
      continue
    }
    if (BOOKS.includes(field) && holdsBoth(guess.subject)) continue
    const doubt = BOOKS.includes(field)
      ? whyNoDeeds(builder, guess.subject)
      : whyNoType(field, guess.subject)
    const rule = ruleOf(field, guess.subject.contents)
    if (doubt !== undefined)
      builder.add(`transfers.${field}`, guess.subject.name, [guess], { why: doubt, most: 0.5 })
    else if (isApart && OF_SALE.includes(field)) builder.put(`transfers5.${field}`, guess, rule)
    else builder.put(`transfers.${field}`, guess, rule)
  }
  if (rival !== undefined) composeOtherDate(builder, rival)
  composeBookAndPage(builder, 'transfers', (field) => builder.look(`transfers.${field}`))
  for (const ordinal of [2, 3, 4, 5] as const) composeNumbered(builder, ordinal)
}

const OF_SALE = ['transferDate', 'transferPrice', 'grantor', 'grantee', 'saleQualificationCode']
const BOOKS = ['bookNum', 'pageNum']
/** Days between the dates of one transfer: a contract, its deed, its recording. */
const NEAR_DAYS = 92

/** A deed's date next to a sale's. `isNear`: both are of the same transfer in nearly all rows. */
type OtherDate = { sale: Guess; deed: Guess; isNear: boolean; near: number }

function findOtherDate(builder: DraftBuilder): OtherDate | undefined {
  const sale = builder.look('transfers.transferDate')
  if (sale === undefined || !sale.subject.meaning.words.includes('sale')) return undefined
  const subject = builder.subjects.find(({ meaning: { words, ordinal }, contents, index }) => {
    const isDeeds = words.includes('deed') && words.includes('date')
    const isPlain = isDeeds && !words.includes('recording') && !words.includes('sale')
    return isPlain && index !== sale.subject.index && contents.date > 0.5 && ordinal < 2
  })
  if (subject === undefined || subject.contents.fill < 0.1) return undefined
  const apart = builder.sample.kept
    .map((row) => daysApart(row[sale.subject.index], row[subject.index], builder.today))
    .filter((days) => days !== undefined)
  const near = apart.filter((days) => days <= NEAR_DAYS).length / Math.max(1, apart.length)
  return { sale, deed: { ...sale, subject, certainty: 0.84 }, isNear: near > 0.9, near }
}

function daysApart(one = '', other = '', today = ''): number | undefined {
  const [a, b] = [one, other].map((text) => readDate(text.trim(), 'auto', today))
  if (typeof a !== 'string' || typeof b !== 'string') return undefined
  return Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000
}

/** One transfer with the fuller date first, or a deed and a sale of their own. */
function composeOtherDate(builder: DraftBuilder, { sale, deed, isNear, near }: OtherDate): void {
  const [of, to] = [sale, deed].map(({ subject }) => subject)
  if (of === undefined || to === undefined) return
  const fillOf = ({ name, contents }: Subject) => `${name} in ${percent(contents.fill)} of rows`
  const fills = `${fillOf(to)}, ${fillOf(of)}`
  const value = dateValue(to)
  if (!isNear) {
    const note = `${fills}; they are near in ${percent(near)} only: a deed and a sale of their own`
    builder.add('transfers.transferDate', value, [deed], note)
    return
  }
  const entry = builder.entry('transfers.transferDate')
  if (entry === undefined || to.contents.fill < of.contents.fill + 0.05) return
  entry.value = { first: [value, entry.value] }
  entry.columns = [to.name, ...entry.columns]
  entry.why = `${entry.why}; ${fills}, near in ${percent(near)}`
}

function dateValue({ name, contents }: Subject): Value {
  const rule = ruleOf('transferDate', contents)
  return Object.keys(rule).length === 0 ? name : { column: name, ...rule }
}

/** A sale's kind in numbers is what was sold or how, of a list that the roll does not have. */
function whyNoType(field: string, { meaning, contents: c }: Subject): string | undefined {
  if (field !== 'transferDocType' || !meaning.words.includes('sale')) return undefined
  const isDeeds = meaning.words.some((word) => word === 'deed' || word === 'document')
  return !isDeeds && c.numeric > 0.9 ? 'numbers of a list that this roll does not have' : undefined
}

const DEEDS = wordSet(
  'book page number id deed sale recording document last current primary ?or ?dr',
)

const MAPS = ['plat', 'map', 'subdivision']

/** Says why a book or a page is the assessor's or a plat's, not a deed's. */
function whyNoDeeds(builder: DraftBuilder, subject: Subject): string | undefined {
  const words = [...subject.meaning.words, ...(subject.alias?.words ?? [])]
  if (['deed', 'sale', 'recording', 'document'].some((word) => words.includes(word)))
    return undefined
  if (MAPS.some((word) => words.includes(word))) return "a plat's or a map's, not a deed's"
  const id = builder.look('parcelId')?.subject
  const rows = builder.sample.kept.filter((row) => /[1-9]/.test(row[subject.index] ?? ''))
  if (rows.length > 19 && id !== undefined && beginsIds(rows, id, subject))
    return `the assessor's: parcel IDs begin with it`
  if (rows.length > 19 && id !== undefined && shareOf(rows, isWithin(id, subject)) > 0.9)
    return `the assessor's: it is a part of the parcel IDs`
  const restOf = (all: string[]) => all.filter((word) => !DEEDS.has(word)).join()
  const isOther = ({ meaning }: Subject, word: string) =>
    meaning.words.includes(word) && restOf(meaning.words) === restOf(words)
  const word = words.includes('book') ? 'page' : 'book'
  const pair = builder.subjects.find((one) => one !== subject && isOther(one, word))
  if (rows.length > 19 && id !== undefined && pair !== undefined && beginsIds(rows, id, pair))
    return `the assessor's: parcel IDs begin with its ${word}`
  const isBoth = words.includes('book') && words.includes('page')
  if (pair === undefined && !isBoth) return `no column has its ${word}`
  const texts = rows.map((row) => `${row[subject.index]} ${row[pair?.index ?? subject.index]}`)
  const distinct = new Set(texts).size / Math.max(1, texts.length)
  const most = words.every((one) => DEEDS.has(one)) ? 0.05 : 0.3
  return texts.length > 19 && distinct < most
    ? `${percent(distinct)} of its values differ: a plat's or a map's, not a deed's`
    : undefined
}

/** Reads year and month from separate columns, and the day if there is one. */
function composeParts(builder: DraftBuilder): void {
  const parts = ['saleYear', 'saleMonth', 'saleDay']
    .map((field) => builder.look(field))
    .filter((guess) => guess !== undefined)
  if (parts[1]?.field !== 'saleMonth') return
  const value: Value = { join: parts.map(partOf), with: '-' }
  const note = 'the parts of a date are columns of their own'
  builder.add('transfers.transferDate', value, parts, note)
}

/** `SALE_DATE2`, `SALE_PRICE2`: an earlier sale, once the first set was used. */
function composeNumbered(builder: DraftBuilder, ordinal: 2 | 3 | 4 | 5): void {
  const section: Section = `transfers${ordinal}`
  const numbered = builder.subjects.filter(({ meaning }) => meaning.ordinal === ordinal)
  const parts: Partial<Record<string, Guess>> = {}
  for (const guess of guessAll(numbered.map((one) => withWords(one, one.meaning.words, 0)))) {
    const field = guess.field.replace('transfers.', '')
    const first = builder.look(guess.field)?.subject
    // `SALE_AMT2` is the price of `SALE_DATE2`, whatever the first one is called.
    const isSales = (one: Subject) => one.meaning.words.includes('sale') && guess.byName >= 0.9
    const isSame =
      first !== undefined &&
      (wordsOf(first) === wordsOf(guess.subject) || [first, guess.subject].every(isSales))
    if (isSame && parts[field] === undefined) parts[field] = guess
  }
  const { saleYear, saleMonth, transferPrice } = parts
  // The price of a joined table of land is called so too.
  const isPrice = transferPrice !== undefined && !/\(\d\)$/.test(transferPrice.subject.name)
  if ((parts.transferDate ?? saleYear) === undefined && !isPrice) return
  for (const field of FIELDS) {
    const guess = parts[field]
    if (guess !== undefined && !(BOOKS.includes(field) && holdsBoth(guess.subject)))
      builder.put(`${section}.${field}`, guess, ruleOf(field, guess.subject.contents))
  }
  composeBookAndPage(builder, section, (field) => parts[field])
  if (parts.transferDate === undefined && saleYear !== undefined && saleMonth !== undefined) {
    const join = [saleYear, saleMonth].map(partOf)
    builder.add(`${section}.transferDate`, { join, with: '-' }, [saleYear, saleMonth])
  }
}

/** `Last Sale Date` and `Prior Sale Date` are the same of two sales. */
const wordsOf = ({ meaning: { words } }: Subject) =>
  words.filter((word) => word !== 'last' && word !== 'current').join()

/** Rolls write year 0 when nothing was sold. */
function partOf({ subject }: Guess): Value {
  const { name, contents } = subject
  return contents.zero > 0 ? { column: name, nulls: ['0'] } : name
}

/** `6285/705`: a book and its page in one column. */
function composeBookAndPage(
  builder: DraftBuilder,
  section: Section,
  look: (field: string) => Guess | undefined,
): void {
  const named = ['transferDocNum', ...BOOKS].map(look)
  const cited = builder.subjects.find(({ contents }) => citesDeeds(contents))
  const guess =
    named.find((one) => one !== undefined && holdsBoth(one.subject)) ??
    (cited && section === 'transfers' ? guessOf('', cited, 0.7, [0, 1]) : undefined)
  if (guess === undefined || builder.has(`${section}.bookNum`)) return
  const { contents } = guess.subject
  const filled = contents.texts.filter((text) => /\w/.test(text))
  const shareIn = (tests: RegExp[]) =>
    shareOf(filled, (text) => tests.some((test) => test.test(text)))
  const forms = BOOK_PAGES.filter(({ test }) => shareIn([test]) > 0.01)
  const tests = forms.map(({ test }) => test)
  // A column of both that also has numbers of documents.
  const isMixed = shareIn(tests) < 0.9
  if (shareIn(tests) <= 0.2 || shareIn([...tests, DOCUMENT]) < 0.9) return
  if (guess.field === 'transfers.transferDocNum') builder.drop(`${section}.transferDocNum`)
  const note = 'book and page are in one column'
  const [form] = forms
  const { name } = guess.subject
  for (const part of ['book', 'page'] as const) {
    const cuts = forms.map((one) => ({ column: name, cut: one[part] }))
    const value = forms.length === 1 ? cuts[0] : { first: cuts }
    if (form !== undefined && value !== undefined)
      builder.add(`${section}.${part}Num`, value, [guess], note)
  }
  if (isMixed) {
    const value = { column: name, cut: DOCUMENT.source }
    builder.add(`${section}.transferDocNum`, value, [guess], 'numbers of documents among them')
    return
  }
  if (section !== 'transfers') return
  const used = builder.usedColumns()
  const other = builder.subjects.find((subject) => {
    const { byName, byContents } = scoreField('transfers.transferDocNum', subject)
    return !used.has(subject.name) && byName > 0.7 && byContents > 0.6
  })
  if (other === undefined || builder.has('transfers.transferDocNum')) return
  builder.put('transfers.transferDocNum', { ...guess, subject: other, certainty: 0.8 })
}

const holdsBoth = ({ meaning: { words } }: Subject) =>
  words.includes('book') && words.includes('page')

/**
 * Maine's `B4500P233`, of several the first; Michigan's `L 1573 P 348`, `VOL 12 PG 34`; and
 * `4500/233`, `1407 11`.
 */
const BOOK_PAGES = [
  {
    test: /^[A-Z]{1,6}[ .:#]*\d+[ ,/]*P(?:G|AGE)?[ .:#]*\d+(?:[ ,;]+[A-Z]+[ .:#]*\d.*)?$/i,
    book: '^[A-Za-z]+[ .:#]*(\\d+)[ ,/]*[Pp]',
    page: '^[A-Za-z]+[ .:#]*\\d+[ ,/]*[Pp][A-Za-z]*[ .:#]*(\\d+)',
  },
  {
    test: /^(?:\w+ ?[/-] ?\w+|\d+[A-Z]? \d+[A-Z]?)$/i,
    book: '^(\\w+) ?[ /-]',
    page: '[ /-] ?(\\w+)$',
  },
]
/** `2009003113` in a column of books and pages. */
const DOCUMENT = /^(\d{6,})$/

function ruleOf(field: string, contents: Contents): object {
  if (field === 'transferDate' || field === 'recordingDate') {
    const date = dateForm(contents)
    return date === 'auto' ? {} : { date }
  }
  const numbered = field === 'bookNum' || field === 'pageNum' || field === 'transferDocNum'
  return numbered && contents.zero > 0 ? { nulls: ['0'] } : {}
}

/** Returns a column's date format when the usual readings would fail. */
function dateForm({ texts, date, compactDate, compactForm }: Contents): DateForm {
  const share = (pattern: RegExp) => shareOf(texts, (text) => pattern.test(text))
  if (share(/^(?:1[6-9]|20)\d\d(?:0\d|1[0-2])[0-3]\d$/) > 0.8) return 'YYYYMMDD'
  if (share(/^(?:0?[1-9]|1[0-2])[0-3]\d(?:19|20)\d\d$/) > 0.8) return 'MMDDYYYY'
  if (date < 0.5 && compactDate > 0.8 && compactForm !== undefined) return compactForm
  const slashed = texts
    .map((text) => /^(\d{1,2})[/.-](\d{1,2})[/.-]/.exec(text))
    .filter((found) => found !== null)
  const dayFirst = slashed.filter(([, first]) => Number(first) > 12).length
  const daySecond = slashed.filter(([, , second]) => Number(second) > 12).length
  return dayFirst > 3 && daySecond === 0 ? 'DD/MM/YYYY' : 'auto'
}
