/** Drafts sales from one set of columns, or from several numbered sets. */
import type { DateForm } from '../../import/mapping/dates.ts'
import type { Value } from '../../import/mapping/mapping.ts'
import { type Guess, guessAll } from '../recognize/guess.ts'
import type { Subject } from '../recognize/subject.ts'
import type { Contents } from '../sample/contents.ts'
import type { DraftBuilder, Section } from './draft-builder.ts'

const FIELDS =
  `transferDate transferPrice recordingDate transferDocType transferDocNum bookNum pageNum grantor
grantee saleQualificationCode`.split(/\s+/)

/** Adds sales and deeds to the draft. */
export function composeTransfers(builder: DraftBuilder): void {
  for (const field of FIELDS) {
    const guess = builder.look(`transfers.${field}`)
    if (guess !== undefined)
      builder.put('transfers', field, guess, ruleOf(field, guess.subject.contents))
    else if (field === 'transferDate') composeParts(builder)
  }
  composeBookAndPage(builder)
  for (const ordinal of [2, 3, 4, 5] as const) composeNumbered(builder, ordinal)
}

/** Reads year and month from separate columns, and the day if there is one. */
function composeParts(builder: DraftBuilder): void {
  const parts = [builder.look('saleYear'), builder.look('saleMonth')].filter(
    (guess) => guess !== undefined,
  )
  if (parts.length < 2) return
  const value: Value = { join: parts.map(partOf), with: '-' }
  builder.add('transfers', 'transferDate', value, parts, 'year and month in columns of their own')
}

/** `SALE_DATE2`, `SALE_PRICE2`: an earlier sale, once the first set was used. */
function composeNumbered(builder: DraftBuilder, ordinal: 2 | 3 | 4 | 5): void {
  const section: Section = `transfers${ordinal}`
  const numbered = builder.subjects.filter(({ meaning }) => meaning.ordinal === ordinal)
  const parts: Partial<Record<string, Guess>> = {}
  for (const guess of guessAll(numbered.map(withoutNumber))) {
    const field = guess.field.replace('transfers.', '')
    const first = builder.look(guess.field)?.subject
    const isSame =
      first !== undefined && first.meaning.words.join() === guess.subject.meaning.words.join()
    if (isSame && parts[field] === undefined) parts[field] = guess
  }
  const { saleYear, saleMonth } = parts
  if (
    parts.transferDate === undefined &&
    parts.transferPrice === undefined &&
    saleYear === undefined
  )
    return
  for (const field of FIELDS) {
    const guess = parts[field]
    if (guess !== undefined)
      builder.put(section, field, guess, ruleOf(field, guess.subject.contents))
  }
  if (parts.transferDate === undefined && saleYear !== undefined && saleMonth !== undefined) {
    const join = [saleYear, saleMonth].map(partOf)
    builder.add(section, 'transferDate', { join, with: '-' }, [saleYear, saleMonth])
  }
}

/** Rolls write year 0 when nothing was sold. */
function partOf({ subject }: Guess): Value {
  const { name, contents } = subject
  return contents.zero > 0 ? { column: name, nulls: ['0'] } : name
}

/** `6285/705`: a book and its page in one column. */
function composeBookAndPage(builder: DraftBuilder): void {
  const guess = builder.look('transfers.transferDocNum')
  if (guess === undefined || builder.look('transfers.bookNum') !== undefined) return
  const { meaning, contents } = guess.subject
  const isBoth = meaning.words.includes('book') && meaning.words.includes('page')
  const cut = contents.texts.filter((text) => BOOK_PAGE.test(text)).length
  if (!isBoth || cut < contents.texts.filter((text) => /\w/.test(text)).length * 0.9) return
  const at = builder.entries.findIndex(({ name }) => name === 'transferDocNum')
  if (at >= 0) builder.entries.splice(at, 1)
  const note = 'book and page are in one column'
  builder.put('transfers', 'bookNum', guess, { cut: '^(\\w+) ?[/-]' }, note)
  builder.put('transfers', 'pageNum', guess, { cut: '[/-] ?(\\w+)$' }, note)
}
const BOOK_PAGE = /^\w+ ?[/-] ?\w+$/

function withoutNumber(subject: Subject): Subject {
  return { ...subject, meaning: { ...subject.meaning, ordinal: 0 } }
}

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
  const share = (pattern: RegExp) =>
    texts.filter((text) => pattern.test(text)).length / Math.max(1, texts.length)
  if (share(/^(?:1[6-9]|20)\d\d(?:0\d|1[0-2])[0-3]\d$/) > 0.8) return 'YYYYMMDD'
  if (share(/^(?:0?[1-9]|1[0-2])[0-3]\d(?:19|20)\d\d$/) > 0.8) return 'MMDDYYYY'
  if (date < 0.5 && compactDate > 0.8 && compactForm !== undefined) return compactForm
  const slashed = texts
    .map((text) => /^(\d{1,2})\/(\d{1,2})\//.exec(text))
    .filter((found) => found !== null)
  const dayFirst = slashed.filter(([, first]) => Number(first) > 12).length
  const daySecond = slashed.filter(([, , second]) => Number(second) > 12).length
  return dayFirst > 3 && daySecond === 0 ? 'DD/MM/YYYY' : 'auto'
}
