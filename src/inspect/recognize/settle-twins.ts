/** Reads columns whose meaning follows only from another column's name or from their values. */
import { wordSet } from '../../base/tables.ts'
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import { type Contents, shareOf } from '../sample/contents.ts'
import { dedupe, readMeaning, type Subject, withWords } from './subject.ts'

/** Letters that make a column of the owner's of the name of another one. */
const OWNERS_LETTERS = ['O', 'M', 'MA', 'OW']
/** Words of an address. Only these occur twice in a table, for the site and for the owner. */
const PLACE = wordSet('city state zip address street house direction kind')

/**
 * With `OCITYNAME` and `CITYNAME`, or `MZIP1` and `ZIP1`, the longer name is the owner's and the
 * other one the site's. Letters that make two such pairs make `MACITY` of the owner too.
 */
function readTwins(subject: Subject, all: Subject[]): Subject {
  const name = subject.name.toUpperCase()
  const letters = OWNERS_LETTERS.filter((one) => name.startsWith(one))
  for (const one of letters) {
    const twin = twinOf(name, one, all)
    if (twin !== undefined) return withWords(subject, ['mail', ...twin.words], twin.ordinal)
  }
  const pairs = (one: string) =>
    all.filter((other) => twinOf(other.name.toUpperCase(), one, all) !== undefined).length
  const paired = letters.find((one) => one.length > 1 && pairs(one) > 1)
  if (paired === undefined) return subject
  const { words, ordinal } = readMeaning({ name: name.slice(paired.length) })
  const isPlace = words.length > 0 && words.every((word) => PLACE.has(word) || word === 'line')
  return isPlace ? withWords(subject, ['mail', ...words], ordinal) : subject
}

/** The meaning of the site's column whose name has these letters less. */
function twinOf(name: string, letters: string, all: Subject[]): Subject['meaning'] | undefined {
  if (!name.startsWith(letters) || !/^[A-Z]/.test(name.slice(letters.length))) return undefined
  const twin = all.find((other) => other.name.toUpperCase() === name.slice(letters.length))
  const words = twin?.meaning.words ?? []
  const isPlain = !words.includes('mail') && !words.includes('owner')
  return isPlain && words.some((word) => PLACE.has(word)) ? twin?.meaning : undefined
}

/** With `OWNER` in each row, an `OWNER_1` in some rows is the second owner. */
function readSecondNames(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents, name } = subject
  if (meaning.ordinal !== 1 || !meaning.words.every((word) => word === 'owner' || word === 'name'))
    return subject
  const first = all.find((other) => other.name === name.replace(/_?1$/, ''))
  const hasSecond = all.some(
    (other) => other.meaning.ordinal === 2 && other.meaning.words.join() === meaning.words.join(),
  )
  const isRarer = contents.fill < 0.8 * (first?.contents.fill ?? 0)
  return isRarer && !hasSecond ? { ...subject, meaning: { ...meaning, ordinal: 2 } } : subject
}

/** dBASE numbers names that it cut alike: `CONSIDER_1` is the second `CONSIDERAT`. */
function readCutNames(subject: Subject, all: Subject[]): Subject {
  const [, stem, number] = /^(?=.{10}$)(.{6,8})_([1-4])$/.exec(subject.name) ?? []
  const [first, ...others] = all.filter(
    ({ name }) => name.length > 8 && name.startsWith(stem ?? '?') && !/_\d$/.test(name),
  )
  if (first === undefined || others.length > 0) return subject
  return withWords(subject, first.meaning.words, Number(number) + 1)
}

/** Next to `ACTUAL_YEAR_BUILT`, a year built that is mostly later is the effective one. */
function readActualYears(subject: Subject, all: Subject[]): Subject {
  const isYear = ({ meaning: { words } }: Subject) =>
    words.includes('year') && words.includes('built') && !words.includes('effective')
  const isActual = ({ name }: Subject) => /^ACT(?:UAL)?[_ ]?Y/i.test(name)
  if (!isYear(subject)) return subject
  if (isActual(subject)) return withWords(subject, ['year', 'built'], 0)
  const actual = all.find((one) => isYear(one) && isActual(one))?.contents
  const { median, high } = subject.contents
  const isAfter = actual !== undefined && median > actual.median && high >= actual.high
  return isAfter ? withWords(subject, ['effective', 'year', 'built'], 0) : subject
}

/** A `TAXDESC` is the legal description where no column is named so. */
function readTaxTexts(subject: Subject, all: Subject[]): Subject {
  const isNamed = ({ name }: Subject) => /LE?GA?L/i.test(name)
  if (subject.meaning.words.join(' ') !== 'legal description' || isNamed(subject)) return subject
  const isLegal = (one: Subject) => one.meaning.words[0] === 'legal' && isNamed(one)
  return all.some(isLegal) ? withWords(subject, ['?tax', '?text'], 0) : subject
}

/** A mailing line with its city, next to one without it, says nothing more. */
function readWholeLines(subject: Subject, all: Subject[]): Subject {
  const isLine = ({ meaning: { words } }: Subject) =>
    /^mail (?:address|line)$/.test(words.join(' '))
  const isBare = ({ contents: c }: Subject) => c.address > 0.4 && c.oneLine < 0.1
  const isWhole = isLine(subject) && subject.contents.oneLine > 0.5
  const other = all.find((one) => one !== subject && isLine(one) && isBare(one))
  if (!isWhole || other === undefined || other.contents.fill < subject.contents.fill * 0.9)
    return subject
  return withWords(subject, ['?whole', '?mail'], 0)
}

/** `PREVSALEDATE`, `Prior_Book_Page`, `PSALEDATE` next to `SALEDATE`: the sale before the last. */
function readEarlierSales(subject: Subject, all: Subject[]): Subject {
  const name = subject.name.toUpperCase()
  const last = all.find((one) => `P${one.name.toUpperCase()}` === name)?.meaning
  if (last?.ordinal === 0 && last.words.some((word) => OF_SALES.has(word)))
    return withWords(subject, last.words, 2)
  const { words, ordinal } = subject.meaning
  const isOfDeed = words.some((word) => word === 'sale' || word === 'book' || word === 'page')
  if (!words.includes('alternate') || !isOfDeed) return subject
  // `SALE_OLDOWNER` sold it.
  if (words.includes('owner')) return withWords(subject, ['grantor'], ordinal)
  const rest = words.filter((word) => word !== 'alternate')
  return withWords(subject, rest, Math.max(2, ordinal + 1))
}

const OF_SALES = wordSet('sale book page grantor grantee deed')

/** Next to another market value, Texas's appraised one is that after its cap: the assessed one. */
function readAppraised(subject: Subject, all: Subject[]): Subject {
  const { meaning, name, contents } = subject
  if (!meaning.words.includes('market') || !/appr/i.test(name)) return subject
  const isOther = (other: Subject) =>
    (/mkt|market/i.test(other.name) &&
      totalOf(other.meaning.words) === totalOf(meaning.words) &&
      other.contents.texts.join() !== contents.texts.join()) ||
    isCapOf(other, contents)
  if (!all.some(isOther)) return subject
  const words = meaning.words.map((word) => (word === 'market' ? 'assessed' : word))
  // `Appraised`, less the cap of a homestead, is `Assessed`.
  const isTaken = all.some((other) => other.meaning.words.join() === words.join())
  return withWords(subject, isTaken ? ['?appraised'] : words)
}

/** `DEED` and `Recording` with `B1234/P567` have a book and its page. */
function readDeeds(subject: Subject): Subject {
  const { meaning, contents } = subject
  const isDeed = meaning.words.length > 0 && meaning.words.every((word) => DEEDS.has(word))
  const isBoth = shareOf(contents.texts, (text) => BOOK_AND_PAGE.test(text)) > 0.9
  return isDeed && isBoth ? withWords(subject, ['deed', 'book', 'page']) : subject
}
const DEEDS = wordSet('deed recording document number id last')
const BOOK_AND_PAGE = /^[A-Z]{1,6}[ .:#]*\d+[ ,/]*P(?:G|AGE)?[ .:#]*\d+/i

/** `NAME_ADD2` to `NAME_ADD5` after `NAME1`: what the envelope has below the name. */
function readNameLines(subject: Subject): Subject {
  const { words, ordinal } = subject.meaning
  if (words.join(' ') !== 'name address' || ordinal < 2) return subject
  return withWords(subject, ['mail', 'address'], ordinal - 1)
}

/** `MailToPostalCode` has no high end of a range; dBASE cuts `AssessedTotal` to `AssessedTo`. */
function readTo(subject: Subject): Subject {
  const { name, meaning, contents } = subject
  const { words, ordinal } = meaning
  const rest = words.filter((word) => word !== 'high')
  if (rest.length === words.length) return subject
  if (words[0] === 'mail') return withWords(subject, dedupe(rest), ordinal)
  const isCut = /^.{8}to$/i.test(name) && contents.numeric > 0.9 && contents.high >= MONEY_MEDIAN
  return isCut ? withWords(subject, [...rest, 'total'], ordinal) : subject
}

/**
 * Next to a street's parts the values say which part a column is, whatever its name. Examples are
 * `LOCATE` between `STRNUM` and `STRTYP`, `ADDRSF` of types, `BLDG_NUM` of house numbers.
 */
function readStreetParts(subject: Subject, all: Subject[]): Subject {
  const role = roleOf(subject)
  if (role === undefined || PARTIES.some((word) => subject.meaning.words.includes(word)))
    return subject
  const near = all.filter(
    (one) =>
      one !== subject &&
      Math.abs(one.index - subject.index) <= NEAR &&
      !PARTIES.some((word) => one.meaning.words.includes(word)),
  )
  const holds = (one: Subject, of: StreetRole) =>
    STREET_WORDS[of].every((word) => one.meaning.words.includes(word)) ||
    (of !== 'name' && roleOf(one) === of)
  const isOn = (of: StreetRole, sign: number) =>
    near.some((one) => holds(one, of) && (one.index - subject.index) * sign > 0)
  // A name has the number before it and the type after it.
  const isBeside = role === 'name' ? isOn('house', -1) && isOn('kind', 1) : near.some(isStreetsName)
  if (!isBeside || all.some((one) => one !== subject && holds(one, role))) return subject
  return withWords(subject, STREET_WORDS[role], 0)
}
type StreetRole = 'house' | 'name' | 'kind'
const STREET_WORDS: Readonly<Record<StreetRole, string[]>> = {
  house: ['house'],
  name: ['street', 'name'],
  kind: ['street', 'kind'],
}
const PARTIES = ['mail', 'owner', 'taxpayer']
/** The parts of a street are within as many columns. */
const NEAR = 4
const NUMBERED: ReadonlySet<string> = new Set(['number', 'building', 'address', 'site'])

/** The part of a street that a column's values may be, where its name does not say another. */
function roleOf({ meaning: { words }, contents: c }: Subject): StreetRole | undefined {
  const isUnknown = words.every((word) => word.startsWith('?'))
  const isNumber = words.includes('number') && words.every((word) => NUMBERED.has(word))
  if (isNumber && c.houseNumber > 0.9 && c.numeric > 0.8) return 'house'
  const isOther = words.some((word) => word === 'state' || word === 'city' || word === 'zip')
  if (c.streetType > 0.8 && c.state < 0.9 && !isOther) return 'kind'
  const isText = c.numeric < 0.1 && c.fill > 0.5 && c.distinct > 5 && c.words < 4
  return isText && isUnknown ? 'name' : undefined
}

const isStreetsName = ({ meaning: { words }, contents: c }: Subject) =>
  words.includes('street') &&
  !words.includes('kind') &&
  c.streetName > 0.7 &&
  c.streetType < 0.75 &&
  c.address < 0.35

/** `CUBOOK` and `CUPAGE`: the deed's, as nothing else says what they are. */
function readPrefixedPages(subject: Subject, all: Subject[]): Subject {
  const [, prefix, word = ''] = /^(.*?)[_ ]?(BOOK|PAGE)$/i.exec(subject.name) ?? []
  const isUnknown = (one: Subject) => one.meaning.words.every((part) => part.startsWith('?'))
  if (prefix === undefined || !isUnknown(subject)) return subject
  const other = /book/i.test(word) ? 'PAGE' : 'BOOK'
  const form = new RegExp(`^${RegExp.escape(prefix)}[_ ]?${other}$`, 'i')
  const pair = all.find(({ name }) => form.test(name))
  if (pair === undefined) return subject
  return withWords(subject, ['deed', word.toLowerCase()], 0)
}

/** `LIBER` and `FOLIO`, where no column is a page: the deed's page, and no parcel. */
function readFolios(subject: Subject, all: Subject[]): Subject {
  const near = all.filter(({ index }) => Math.abs(index - subject.index) === 1)
  const isPage =
    /^folio(?:_?no)?$/i.test(subject.name) &&
    near.some(({ meaning: { words } }) => words.includes('book')) &&
    !all.some(({ meaning: { words } }) => words.includes('page'))
  return isPage ? withWords(subject, ['deed', 'page'], 0) : subject
}

/** `STR_S`, `STR_T`, `STR_R`: section, township and range. */
function readSurveyLetters(subject: Subject, all: Subject[]): Subject {
  const [, prefix, letter = ''] = /^([A-Z]{2,})_([STR])$/i.exec(subject.name) ?? []
  const isWhole = [...'STR'].every((one) =>
    all.some(({ name, contents }) => {
      return name.toUpperCase() === `${prefix?.toUpperCase()}_${one}` && contents.length < 5
    }),
  )
  const word = SURVEY_LETTERS[letter.toUpperCase()]
  return isWhole && word ? withWords(subject, [word], 0) : subject
}
const SURVEY_LETTERS: Partial<Record<string, string>> = {
  ...{ S: 'section', T: 'township', R: 'range' },
}

/** Michigan's `tax` is most of the assessed value: what is taxed, not a tax. */
function readTaxedValues(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents: c } = subject
  if (meaning.words.join() !== 'tax' || c.numeric < 0.95 || c.median < 1000) return subject
  const isTaxed = all.some(
    ({ meaning: { words }, contents }) =>
      words.includes('assessed') &&
      words.every((word) => TOTALS.has(word)) &&
      contents.numeric > 0.95 &&
      c.median > contents.median * TAXED_SHARE &&
      c.median <= contents.median,
  )
  return isTaxed ? withWords(subject, ['taxable', 'value']) : subject
}
const TOTALS: ReadonlySet<string> = new Set(['assessed', 'value', 'total'])
/** No tax is as much of an assessed value. */
const TAXED_SHARE = 0.35

/** `Market` is a total value. */
const totalOf = (words: string[]) =>
  words.filter((word) => word !== 'value' && word !== 'total').join()

/** `Total_Value` is never below `Appraised_Value`, and above it in some rows. */
function isCapOf({ meaning, contents }: Subject, { values }: Contents): boolean {
  const words = meaning.words.toSorted().join(' ')
  if (words !== 'total value' || contents.values.length !== values.length) return false
  const over = contents.values.map((text, at) => Number(text) - Number(values[at]))
  return over.every((one) => one >= 0) && over.filter((one) => one > 0).length > over.length * 0.03
}

/** `d_CITY` has the texts of the codes in `CITY`. */
function readDecoded(subject: Subject, all: Subject[]): Subject {
  const { name, meaning } = subject
  if (!meaning.words.includes('city')) return subject
  const isText = name.startsWith(TEXT_PREFIX)
  const words = meaning.words.filter((word) => word !== 'description')
  if (isText) return withWords(subject, words)
  const isCoded = all.some((other) => other.name === TEXT_PREFIX + name)
  return isCoded ? withWords(subject, ['?code'], 0) : subject
}

const SIDES: ReadonlySet<string> = new Set(['mail', 'site', 'owner', 'address', 'code'])

/**
 * Reads a column whose name has only words for the mailing or site address (`mail_postal`,
 * `OwnerPostalCode`) as ZIP codes, if its values are.
 */
function readBareZip(subject: Subject): Subject {
  const { words } = subject.meaning
  const side = words.includes('site') ? 'site' : 'mail'
  const isBare = words.includes(side) && words.every((word) => SIDES.has(word))
  if (!isBare || subject.contents.zip < 0.9) return subject
  return withWords(subject, [side, 'zip'], 0)
}

/** A `Record #` that every row has, and no other, is the county's own number, not a deed's. */
function readRecordNumbers(subject: Subject): Subject {
  const { name, meaning, contents } = subject
  const isNumber =
    meaning.words.join(' ') === 'recording number' && !/recording|recorded/i.test(name)
  if (!isNumber || contents.uniqueness < 0.99 || contents.fill < 0.99) return subject
  return withWords(subject, ['account', 'number'], 0)
}

/** Two digits, a township with its direction, a range: `10-30N-03W`, `T30N R3W S10`. */
const SURVEYS: [string[], RegExp][] = [
  [
    ['section', 'township', 'range'],
    /^S?(?:EC)?[. ]?\d{1,2}[-/ ,]+T?[. ]?\d{1,3}[NS][-/ ,]+R?[. ]?\d{1,3}[EW]$/i,
  ],
  [
    ['township', 'range', 'section'],
    /^T?[. ]?\d{1,3}[NS][-/ ,]+R?[. ]?\d{1,3}[EW][-/ ,]+S?(?:EC)?[. ]?\d{1,2}$/i,
  ],
]

/** Reads `S_T_R` by its values, whatever its name, and `Town` with `35N` next to ranges. */
function readSurveys(subject: Subject, all: Subject[]): Subject {
  const { texts } = subject.contents
  const isRange = ({ meaning }: Subject) => meaning.words.includes('range')
  const isTownship = texts.length > 0 && texts.every((text) => /^T?\d{1,3}[NS]$/i.test(text))
  if (isTownship && !isRange(subject) && all.some(isRange))
    return withWords(subject, ['township'], 0)
  const found = SURVEYS.find(
    ([, form]) => texts.filter((text) => form.test(text)).length > texts.length * 0.9,
  )
  if (texts.length < 20 || found === undefined) return subject
  return withWords(subject, found[0], 0)
}

/** Above all codes of sales in figures. */
const SALE_CODES = 1000

/**
 * `SALEVAL` with letters or small numbers says whether the sale is valid; with amounts it is the
 * price.
 */
function readSaleValues(subject: Subject): Subject {
  const { meaning, contents: c } = subject
  const isSmall = c.numeric < 0.5 || (c.numeric > 0.9 && c.high < SALE_CODES)
  const isCode = isSmall && c.distinct < 40 && c.texts.length > 0
  if (meaning.words.join(' ') !== 'sale value' || !isCode) return subject
  return withWords(subject, ['sale', 'qualified'], meaning.ordinal)
}

/** `Last Sale`, `Amount`: an amount after a sale date is its price. */
function readAmounts(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents, index } = subject
  if (meaning.words.join() !== 'value' || contents.numeric < 0.9) return subject
  const isDate = (one: Subject) => one.meaning.words.includes('sale') && one.contents.date > 0.5
  const isNext = (one: Subject) => isDate(one) && index - one.index === 1
  // `S_DATE, VI, QU, AMT`: flags of the sale are between.
  const isNear = (one: Subject) => isDate(one) && index > one.index && index - one.index < 5
  const isSale = all.some(isNext) || (/^AM(?:OUN)?T$/i.test(subject.name) && all.some(isNear))
  return isSale ? withWords(subject, ['sale', 'price']) : subject
}

/** Words of a column that a later word would make a date, an amount or a text. */
const EVENTS: ReadonlySet<string> = new Set(['sale', 'deed', 'recording', 'document', 'transfer'])
const REFERENCES = wordSet('sale deed recording document book page legal alternate')
const BOOK_PAGE = /^(?:B(?:K|OOK)?[ .:]*)?\d{1,6} ?(?:[-/]|P(?:G|AGE)?[ .:]*) ?\d{1,5}$/i

/** Whole dollars above this are a value that is taxed, not a tax. */
const WHOLE_MEDIAN = 5000

/** Next to a net tax the gross one is before credits. */
function readGrossTax(subject: Subject, all: Subject[]): Subject {
  const isTax = ({ meaning: { words } }: Subject) =>
    words.includes('tax') && words.every((word) => OF_TAX.has(word))
  const isGross = isTax(subject) && /gr(?:oss|s)/i.test(subject.name)
  const hasNet = isGross && all.some((other) => isTax(other) && /net/i.test(other.name))
  return hasNet ? withWords(subject, ['?gross', 'tax'], 0) : subject
}
const OF_TAX: ReadonlySet<string> = new Set(['net', 'tax', 'annual', 'total', 'value'])

/** `DEED_REC` of dates is a date, `TAX_BILL` of amounts a tax, `Recording` a book and a page. */
function readByValues(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents: c } = subject
  const { words } = meaning
  const to = (...found: string[]) => withWords(subject, found)
  const isAll = (form: RegExp) => c.texts.length > 0 && c.texts.every((text) => form.test(text))
  // Few rows have them.
  const isMail = words.includes('mail') || words.includes('owner')
  if (isAll(FRACTION) && c.fill < 0.5 && !isMail) return to('house', 'fraction')
  if (words.includes('suffix') && !words.includes('direction') && c.direction > 0.9)
    return to(...words.map((word) => (word === 'suffix' ? 'postdirection' : word)))
  if (c.texts.length < 20) return subject
  const isEvent = words.length > 0 && words.every((word) => EVENTS.has(word))
  if (c.date > 0.8 && isEvent) return to(...words, 'date')
  // Taxes have cents.
  const isWhole = c.numeric > 0.95 && c.decimal < 0.02 && c.median >= WHOLE_MEDIAN
  if (words.join(' ') === 'tax value' && isWhole) return to('taxable', 'value')
  if (words.join() === 'taxpayer' && c.numeric > 0.95 && c.decimal > 0.2) return to('tax')
  // Vision's `PRCL_LOCN`
  if (words.includes('site') && words.includes('house') && c.address > 0.8)
    return to(...words.map((word) => (word === 'house' ? 'address' : word)))
  const isSuffix = words.at(-1) === 'kind' && words.length < 3 && c.streetType > 0.8
  if (isSuffix && (words.length === 1 || words[0] === 'site')) return to('site', 'street', 'kind')
  const isText = !c.texts.some((text) => /\d/.test(text))
  const isKind = isEvent && words.at(-1) === 'document' && c.distinct < 40 && isText
  if (isKind) return to('deed', 'kind')
  const isUse = c.numeric < 0.1 && c.length > 5 && c.dwelling > 0.1
  // The occupancy of buildings says less than a use that every parcel has.
  const isLess = all.some((one) => isUseText(one) && one.contents.fill > c.fill + 0.1)
  if (words.join() === 'occupied' && isUse)
    return isLess ? to('?occupancy') : to('use', 'description')
  // Two in a building: how many live there, not who.
  const isCount = c.numeric > 0.95 && c.texts.some((text) => Number(text) > 1)
  if (words.join() === 'occupied' && isCount) return to('?occupancy')
  // `BldgNum` numbers the buildings or is a house's number; `NumBldgs` counts them.
  if (words.join(' ') === 'building number') return to('building', '?number')
  // `2001-1333363`: the document of a year.
  const isNumbered = c.idShape > 0.9 && c.uniqueness > 0.8
  const dated = shareOf(c.texts, (text) => YEAR_FIRST.test(text))
  if (words.join() === 'deed' && isNumbered && dated > 0.8) return to('document', 'number')
  // `ACT` next to `EFF`.
  const isBuilt = c.year > 0.95 && c.distinct > 12 && c.median < 2020
  if (words.join() === 'market' && isBuilt) return to('year', 'built')
  // dBASE cuts `SITUS_COMMUNITY`.
  const isPlace = c.place > 0.8 && c.distinct > 1 && c.numeric < 0.1
  if (words.join(' ') === 'site commercial' && isPlace) return to('site', 'city')
  // Next to a net one.
  const isGross = words.includes('assessed') && /gr(?:oss|s)/i.test(subject.name)
  if (isGross && words.includes('net')) return to('total', 'assessed', 'value')
  // `IMP_U - Improved Property`: codes of a class with their texts, where no column has a use.
  const isCoded = c.texts.every((text) => CODED_TEXT.test(text))
  if (words.join() === 'class' && isCoded && !all.some(isUseText)) return to('use', 'description')
  // Letters are the class of use; New Jersey's numbers are those of the construction.
  if (words.join(' ') === 'building class' && c.numeric > 0.8) return to('quality')
  const isReference = words.length > 0 && words.every((word) => REFERENCES.has(word))
  const paged = shareOf(c.texts, (text) => BOOK_PAGE.test(text))
  // `2002-10034` is the tenth thousand of a year's documents.
  const isPaged = isReference && c.date < 0.3 && paged > 0.9 && dated < 0.8
  return isPaged ? to('deed', 'book', 'page') : subject
}
const CODED_TEXT = /^[A-Z]{1,5}(?:_[A-Z]{1,3})? - [A-Z][a-z]/
const isUseText = ({ meaning: { words }, contents: c }: Subject) =>
  words.includes('description') &&
  (words.includes('class') || words.includes('use')) &&
  c.numeric < 0.5
const FRACTION = /^(?:[1-7]\/[2-8]|[½¼¾])$/
const YEAR_FIRST = /^(?:19|20)\d\d\D/

const MONEY_MEDIAN = 20_000
const OF_MONEY = wordSet('market assessed value land building total')
/** `40PCT`, `PCT_35`. */
const PERCENT = /(?<!\d)([1-9]\d|100)[ _]?P(?:C|ER ?C)|P(?:CT|ERCENT)[ _]?([1-9]\d|100)$/i

/**
 * Reads amounts by their sizes. `ASSD_40PCT` is assessed at 40 %, Michigan's `TCV` is a true cash
 * value and not a town, `FMV_ACC` is of accessories and no account.
 */
function readMoneyWords(subject: Subject): Subject {
  const { meaning, contents: c } = subject
  const { words } = meaning
  const to = (found: string[]) => withWords(subject, dedupe(found), 0)
  if (c.numeric < 0.95 || c.high < MONEY_MEDIAN / 4) return subject
  const isMoney = words.some((word) => OF_MONEY.has(word))
  if (isMoney && words.includes('account'))
    return to(words.map((word) => (word === 'account' ? 'other' : word)))
  if (c.high < MONEY_MEDIAN) return subject
  const share = PERCENT.exec(subject.name)
    ?.slice(1)
    .find((digits) => digits !== undefined)
  if (isMoney && words.includes('percent') && share !== undefined) {
    const rest = words.filter((word) => word !== 'percent' && word !== 'value')
    const kind = share === '100' ? 'market' : 'assessed'
    return to([...(rest.includes(kind) ? [] : [kind]), ...rest, 'value'])
  }
  const isSpread = c.round > 0.5 || c.uniqueness > 0.4
  return words.includes('jurisdiction') && isSpread && !/^0/.test(c.texts[0] ?? '')
    ? to(words.flatMap((word) => (word === 'jurisdiction' ? ['market', 'value'] : [word])))
    : subject
}

/** Bare `LAND` and `BUILDING` next to each other or to `LAND_EST`, with amounts, are values. */
function readBareValues(subject: Subject, all: Subject[]): Subject {
  const isBare = ({ meaning, contents: c }: Subject) =>
    BARE.has(meaning.words.join()) && c.numeric > 0.9 && c.high >= MONEY_MEDIAN && c.round > 0.2
  const isNamed = ({ meaning: { words }, contents }: Subject) =>
    words.length === 2 &&
    BARE.has(words[0] ?? '') &&
    VALUED.has(words[1] ?? '') &&
    contents.numeric > 0.9
  const pair = all.filter(
    (one) => (isBare(one) || isNamed(one)) && Math.abs(one.index - subject.index) < 3,
  )
  const isPair = isBare(subject) && new Set(pair.map((one) => one.meaning.words[0])).size > 1
  if (!isPair) return subject
  const kind = pair.find(isNamed)?.meaning.words[1] ?? 'value'
  return withWords(subject, [...subject.meaning.words, kind])
}
const VALUED: ReadonlySet<string> = new Set(['estimated', 'market', 'assessed', 'value'])
const BARE: ReadonlySet<string> = new Set(['land', 'building', 'improvement'])

/** A township in figures, without a range and a section, is the county's code of a municipality. */
function readTownshipCodes(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents: c } = subject
  const isCode = meaning.words.join() === 'township' || meaning.words.join() === 'township,code'
  const isSurveyed = all.some(({ meaning: { words } }) => words.includes('range'))
  if (!isCode || isSurveyed || c.numeric < 0.9) return subject
  return withWords(subject, ['municipality', 'code'])
}

/** `city` with `TTE`, of which the cities of `addr_city` are none: the code of a taxing unit. */
function readUnitCodes(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents: c } = subject
  const codes = new Set(c.texts.map((text) => text.toUpperCase()))
  const isCode = meaning.words.join() === 'city' && codes.size > 1 && [...codes].every(isShort)
  const names = all.filter(({ meaning: { words }, contents }) => {
    return words.includes('city') && contents.place > 0.7 && contents.length > 4.5
  })
  const isOther = names.every((one) => !one.contents.texts.some((text) => codes.has(text)))
  const isUnit = isCode && names.length > 0 && isOther
  return isUnit ? withWords(subject, ['?unit', '?code'], 0) : subject
}
const isShort = (text: string) => /^[A-Z0-9]{1,4}$/.test(text)

/** `DESCRIPTIO` and `DESCRIPT_1`, of which one has lots and blocks: lines of the legal text. */
function readDescriptions(subject: Subject, all: Subject[]): Subject {
  const { words, ordinal } = subject.meaning
  const isBare = ({ meaning }: Subject) => meaning.words.join() === 'description'
  const isLegal = (one: Subject) =>
    isBare(one) && one.contents.legal > 0.3 && one.contents.uniqueness > 0.3
  if (!isBare(subject) || !all.some(isLegal)) return subject
  return withWords(subject, ['legal', ...words], ordinal)
}

/** `pin` and `pinext` make `pinnum`: the whole ID is the one that tells units apart. */
function readExtended(subject: Subject, all: Subject[]): Subject {
  const { words } = subject.meaning
  if (!words.includes('parcel') || !words.includes('id')) return subject
  const isWhole = (whole: Subject, part: Subject) => {
    const [long, short] = [whole, part].map(({ contents }) => contents.texts)
    const hasMore = all.some(({ name }) => isExtension(name, part.name))
    return (
      hasMore &&
      long?.length === short?.length &&
      long?.every((text, at) => isLonger(text, short?.[at]))
    )
  }
  const to = (...found: string[]) => withWords(subject, found, 0)
  if (all.some((part) => part !== subject && isWhole(subject, part))) return to('parcel', 'id')
  return all.some((whole) => whole !== subject && isWhole(whole, subject))
    ? to('alternate', 'parcel', 'id')
    : subject
}
const isLonger = (text: string, part = '') => text.length > part.length && text.startsWith(part)
const isExtension = (name: string, of: string) =>
  new RegExp(
    `^${RegExp.escape(of.replace(/_?(?:NUM(?:BER)?|NBR|NO)$/i, ''))}_?(?:EXT|SUF|UNIT)`,
    'i',
  ).test(name)

/** `number` after `volume` and `page` is the deed's; a code of the assessor's that none shares. */
function readNumbers(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents: c, index } = subject
  const words = meaning.words.join(' ')
  const before = all.find((other) => other.index === index - 1)?.meaning.words ?? []
  const to = (...found: string[]) => withWords(subject, found, 0)
  if (words === 'number' && before.at(-1) === 'page' && c.address < 0.1)
    return to('document', 'number')
  const isOwn = c.uniqueness > 0.99 && c.fill > 0.98 && c.idShape > 0.9 && c.length > 4
  return words === 'assessed code' && isOwn ? to('account', 'number') : subject
}

/** Headings of several things: the values and the other columns say which one it is. */
function readAmbiguous(subject: Subject, all: Subject[]): Subject {
  const { name, meaning, contents: c } = subject
  const words = meaning.words.join(' ')
  const isOfDeed = (one: Subject) => one.meaning.words.some((word) => EVENTS.has(word))
  if (words === 'filed date' && c.distinct > 1 && all.some(isOfDeed))
    return withWords(subject, ['recording', 'date'])
  const isFiles = words === 't date' && c.distinct === 1 && c.texts.length > 19
  const isCuerdas = /cabida/i.test(name) && c.median < 20
  const isOther = isFiles || isCuerdas || /(?:police|tax) ward|ward police/.test(words)
  return isOther ? withWords(subject, ['?other'], 0) : subject
}

/** Each depends on the ones before it. */
export const FIRST_STEPS: ((subject: Subject, all: Subject[]) => Subject)[] = [
  ...[
    readTwins,
    readNameLines,
    readDecoded,
    readCutNames,
    readTo,
    readEarlierSales,
    readAppraised,
    readDeeds,
    readSecondNames,
    readActualYears,
    readWholeLines,
    readTaxTexts,
  ],
  ...[readBareZip, readStreetParts, readPrefixedPages, readFolios, readSurveyLetters],
  ...[readTaxedValues, readByValues, readGrossTax, readBareValues, readRecordNumbers, readSurveys],
  ...[readSaleValues, readTownshipCodes, readAmounts, readMoneyWords, readUnitCodes, readNumbers],
  ...[readDescriptions, readExtended, readAmbiguous],
]
