/**
 * Decides between columns that could be the same thing, by fill, contents and repetition. Examples
 * are owner and taxpayer, a printed ID and its number, the same amount of several years.
 */
import { wordSet } from '../../base/tables.ts'
import type { Sample } from '../sample/sample.ts'
import { type Subject, withWords } from './subject.ts'

/** A rival must be filled twice as often to be preferred. */
const FULLER = 2
/** Share of rows in which two IDs must be the same. */
const SAME = 0.95

/** Returns the subjects with the words of the columns that lost changed, and a note on winners. */
export function settleRivals(
  subjects: Subject[],
  sample: Sample,
  { today, state }: { today: string; state?: string | undefined },
): Subject[] {
  const settled = settleYears(settleParties(subjects), Number(today.slice(0, 4)))
  return settleSerials(settlePrinted(settled, sample), sample, state)
}

const has = ({ meaning }: Subject, word: string) => meaning.words.includes(word)
const fillOf = (subjects: Subject[]) =>
  Math.max(0, ...subjects.map(({ contents }) => contents.fill))
const percent = (share: number) => `${Math.round(share * 100)} %`

/**
 * `TAXPAYER_NAME` in 96 % of the rows and `OWNER_NAME` in 8 %: the fuller one is the owner. The
 * other one is the second owner, and its mailing lines are not used. So it is with `BILL_NAME`.
 */
function settleParties(subjects: Subject[]): Subject[] {
  const isName = ({ meaning: { words, ordinal }, contents }: Subject) =>
    words.every((word) => NAME_WORDS.has(word)) && ordinal < 2 && contents.fill > 0
  const partiesOf = (word: string) =>
    subjects.filter((one) => has(one, word) || new RegExp(`^${word}`, 'i').test(one.name))
  const [owners, taxpayers] = [partiesOf('owner'), partiesOf('taxpayer')]
  const payers = taxpayers.some(isName) ? taxpayers : subjects.filter(isAddressee)
  const ownerNames = owners.filter(isName)
  const [few, many] = [fillOf(ownerNames), fillOf(payers.filter(isName))]
  if (few === 0 || many < 0.5 || many < few * FULLER) return subjects
  return subjects.map((subject): Subject => {
    if (ownerNames.includes(subject)) return withWords(subject, ['owner', 'name'], 2)
    if (payers.includes(subject)) {
      const isPayer = (word: string) => word === 'taxpayer' || word === 'mail'
      const owner = subject.meaning.words.map((word) => (isPayer(word) ? 'owner' : word))
      const note = `filled in ${percent(many)} of rows, the owner's own column in ${percent(few)}`
      return withWords(isName(subject) ? { ...subject, note } : subject, owner)
    }
    return owners.includes(subject) ? withWords(subject, ['?other', '?party'], 0) : subject
  })
}
const isAddressee = ({ meaning, contents: c }: Subject) =>
  meaning.words.join(' ') === 'mail name' && c.person + c.organization > 0.5

const NAME_WORDS = wordSet('owner taxpayer mail name full primary line current legal deed')

const MONEY = wordSet('tax value assessed market taxable land building improvement exemption total')
const NO_MONEY: ReadonlySet<string> = new Set(['district', 'code', 'year', 'date', 'id', 'number'])

/** `taxes_2018`, `taxes_2019`: the newest year is used, and the draft says which year it is. */
function settleYears(subjects: Subject[], thisYear: number): Subject[] {
  const dated = subjects.map((subject) => {
    const found = YEAR.exec(subject.name)
    const year = found === null ? undefined : Number(found[1]) + (found[1]?.length === 2 ? 2000 : 0)
    const { words } = subject.meaning
    const isMoney = words.some((word) => MONEY.has(word)) && !words.some((w) => NO_MONEY.has(w))
    const isItem = /\.\d{4}\./.test(subject.name)
    const isYear = year !== undefined && year >= 2005 && year <= thisYear + 1
    if (subject.isNameless === true || !isYear || !(isMoney || isItem)) return undefined
    const isShort = found?.[1]?.length === 2
    // `A13` and `A14` are numbers of columns.
    if (isShort && /^[A-Z]?\d+$/i.test(subject.name)) return undefined
    return { subject, year, isShort, key: subject.name.replace(YEAR, '').toUpperCase() }
  })
  const groups = Map.groupBy(
    dated.filter((one) => one !== undefined),
    ({ key }) => key,
  )
  return subjects.map((subject, at): Subject => {
    const own = dated[at]
    const group = groups.get(own?.key ?? '') ?? []
    if (own === undefined || (own.isShort && !isRun(group.map(({ year }) => year)))) return subject
    const newest = Math.max(...group.map(({ year }) => year))
    if (own.year < newest) return withWords(subject, ['?earlier'], 0)
    const others = group.filter(({ year }) => year < newest).map(({ subject: { name } }) => name)
    const note = others.length === 0 ? {} : { note: `the newest year; also ${others.join(', ')}` }
    return withWords({ ...subject, ...note, year: newest }, subject.meaning.words, 0)
  })
}
const YEAR = /(?<!\d)((?:19|20)\d\d|[0-3]\d(?=$))(?!\d)/

/** Two digits are a year only in a series: `TAX18`, `TAX19`. `TOT_35` is not. */
function isRun(years: number[]): boolean {
  const sorted = [...new Set(years)].sort((a, b) => a - b)
  return (
    sorted.length > 1 && sorted.every((year, at) => at === 0 || year - (sorted[at - 1] ?? 0) < 3)
  )
}

/** A number (`PPN`) with the digits of an ID that has signs (`PNUM`): the latter is printed. */
function settlePrinted(subjects: Subject[], sample: Sample): Subject[] {
  const ids = subjects.filter(({ contents: c }) => c.uniqueness > 0.9 && c.fill > 0.9)
  for (const number of ids.filter(({ contents }) => contents.numeric > 0.98)) {
    const printed = ids.find((one) => one !== number && isPrinted(one, number, sample))
    if (printed === undefined) continue
    const note = `it is printed so, unlike ${number.name}`
    return subjects.map((subject): Subject => {
      if (subject === printed) return withWords({ ...subject, note }, ['parcel', 'id'], 0)
      if (subject !== number) return subject
      return withWords(subject, ['alternate', 'parcel', 'id'], 0)
    })
  }
  return subjects
}

/**
 * `PID` 501, 502, 503 next to `Map-Lot-Sub` 29-1-2, `prop_id` next to `parcel_no`: the serial
 * number of a database is not the ID that is printed. In Texas it is, and `geo_id` is another ID.
 */
function settleSerials(subjects: Subject[], sample: Sample, state?: string): Subject[] {
  const ids = subjects.filter(({ contents: c }) => c.uniqueness > 0.9 && c.fill > 0.9)
  const serial = ids.find((one) => isParcelId(one) && isSerial(one, sample))
  const isOfPlace = (one: Subject) => GEOGRAPHIC.test(one.name) && (state ?? 'TX') !== 'TX'
  const printed = ids
    .filter((one) => (isNamedId(one) || isOfPlace(one)) && isStructured(one, serial))
    .sort((a, b) => Number(isParcelId(b)) - Number(isParcelId(a)))[0]
  if (serial === undefined || printed === undefined) return subjects
  const note = `it is printed so; ${serial.name} is a serial number`
  return subjects.map((subject): Subject => {
    if (subject === printed) return withWords({ ...subject, note }, ['parcel', 'id'], 0)
    const isOther = subject === serial || (isParcelId(subject) && isSerial(subject, sample))
    return isOther ? withWords(subject, ['alternate', 'parcel', 'id'], 0) : subject
  })
}

const isParcelId = ({ meaning: { words, ordinal } }: Subject) =>
  ordinal < 2 &&
  words.includes('parcel') &&
  words.every((word) => word === 'parcel' || word === 'id' || word === 'number')

/** Numbers of up to seven digits that leave few out: the next row has one of the next numbers. */
function isSerial({ contents: c }: Subject, sample: Sample): boolean {
  const isWhole = c.numeric > 0.98 && c.decimal === 0 && c.uniqueness > 0.98
  return isWhole && c.low > 0 && c.high < 1e7 && c.high - c.low < sample.rows * STEPS_MAX
}

/** Numbers that a serial number may leave out for each that it gives. */
const STEPS_MAX = 20

const isNamedId = (one: Subject) => isParcelId(one) || (has(one, 'map') && has(one, 'lot'))
const GEOGRAPHIC = /^GEO(?:GRAPHIC)?[_ -]?ID$/i

/** IDs with signs or letters, or of more digits. */
function isStructured(one: Subject, serial: Subject | undefined): boolean {
  const { numeric, low, idShape } = one.contents
  const isLonger = numeric < 0.1 || low > (serial?.contents.high ?? 0) * 10
  return one !== serial && isLonger && idShape > 0.8
}

const FORMATTED = /format|print/i

/** A reference or a note may have the digits too. */
const IDS = wordSet('parcel id number key map account tax property site alternate assessed')

function isPrinted(one: Subject, number: Subject, sample: Sample): boolean {
  // `PINFormat` next to `PID`.
  if (FORMATTED.test(one.name) && has(one, 'parcel') && has(number, 'parcel'))
    return one.contents.numeric < 0.1 && one.contents.idShape > 0.8
  const isSigned =
    one.contents.numeric < 0.1 &&
    one.contents.idShape > 0.8 &&
    one.meaning.words.some((word) => IDS.has(word))
  if (!isSigned || number.contents.length < 5) return false
  const pairs = sample.kept
    .map((row) => [row[one.index] ?? '', row[number.index] ?? ''] as const)
    .filter(([text, digits]) => /\d/.test(text) && digits.trim() !== '')
  const same = pairs.filter(([text, digits]) => digitsOf(text) === digitsOf(digits))
  return pairs.length >= 20 && same.length > pairs.length * SAME
}

/** The digits without leading zeros and without the `.0` of a double. */
const digitsOf = (text: string) => text.replace(/\.0*$/, '').replace(/\D/g, '').replace(/^0+/, '')
