/** Drafts owners and their mailing address. */
import type { Value } from '../../../import/mapping/mapping.ts'
import { cutCityStateZip, readCareOf } from '../../../import/rows/lines.ts'
import { type Guess, guessOf } from '../../recognize/guess.ts'
import type { Meaning } from '../../recognize/name-words.ts'
import { readMeaning, type Subject } from '../../recognize/subject.ts'
import { shareOf } from '../../sample/contents.ts'
import { columnsIn, type DraftBuilder, percent } from '../draft-builder.ts'
import { composeEnvelope } from './compose-envelope.ts'
import { composeStack } from './compose-stack.ts'
import { OWN_LINE, PLACE_LINE, STREET_START, UNIT_START } from './envelope-lines.ts'

const UNIT_LINE = `^(?:${UNIT_START}).*$`
const STREET_LINE = '^(?:\\d+\\S* .*|P\\.? ?O\\.? ?BOX .*)$'
const NAME_LINE = `^(?!${STREET_START}|${OWN_LINE})[^0-9]+$`
const CARE_OF = '^(?:%|C\\s?[/\\\\]\\s?O\\b|CARE OF\\b|ATTN\\b|ATTENTION\\b)[^0-9]*$'
const PLACE_END = `^${PLACE_LINE}$`

export function composeOwner(builder: DraftBuilder): void {
  composeNames(builder)
  composeCareOf(builder)
  composeOccupied(builder)
  settleLines(builder)
  if (composeEnvelope(builder) || composeStack(builder)) {
    putOwnZip(builder)
    return
  }
  composeMailLine(builder)
  composeMailPlace(builder)
}

function composeNames(builder: DraftBuilder): void {
  for (const [field, ...parts] of NAMES) {
    const [last, ...given] = parts.map((part) => builder.look(part))
    const found = builder.look(field)
    const whole = last !== undefined && isPayer(found) ? undefined : found
    if (whole !== undefined && isRepeated(builder, whole)) continue
    const firms =
      field === 'ownerName1' && last !== undefined ? findFirms(builder, last, whole) : undefined
    if (whole !== undefined && firms === undefined) builder.put(field, whole)
    else if (last !== undefined) {
      const rest = given.filter(isThere)
      const columns = rest.map(({ subject }) => subject.name)
      const value: Value =
        columns.length === 0
          ? last.subject.name
          : { join: [last.subject.name, { join: columns }], with: ', ' }
      const both = firms === undefined ? value : { first: [value, firms] }
      const other = firms === undefined ? '' : `; else ${firms}`
      const note = `surname and given names are columns of their own${other}`
      builder.add(field, both, [last, ...rest], note)
    }
  }
}

/** Who pays the tax is not the owner where that one's names have columns. */
const isPayer = (guess: Guess | undefined) =>
  guess?.subject.meaning.words.includes('taxpayer') === true

/**
 * `ORG_NAME` or `Company` next to `LAST_NAME`: where one has a name, the other has none. A column
 * that is not named as the owner's has organizations in most of the rows without a surname.
 */
function findFirms(
  { subjects, sample }: DraftBuilder,
  last: Guess,
  whole: Guess | undefined,
): string | undefined {
  const isFilled = (row: readonly string[], { index }: Subject) => (row[index] ?? '').trim() !== ''
  const nameless = sample.kept.filter((row) => !isFilled(row, last.subject)).length
  const isApart = (one: Subject) => {
    const own = sample.kept.filter((row) => isFilled(row, one))
    const alone = own.filter((row) => !isFilled(row, last.subject)).length
    const { organization, person } = one.contents
    const isOwners = one === whole?.subject
    const isMost = alone > nameless * 0.9 && organization > 0.5 && person < 0.5
    return own.length > 2 && alone > own.length * 0.9 && (isOwners || isMost)
  }
  return (whole === undefined ? subjects : [whole.subject]).find(isApart)?.name
}

/** The ZIP code has a column of its own where the lines of the envelope end without one. */
function putOwnZip(builder: DraftBuilder): void {
  const place = builder.entry('fields.ownerCityStateZip')
  const lines = builder.subjects.filter(({ name }) => place?.columns.includes(name))
  const ends = lines.some(({ contents }) => contents.endsInZip > 0.1)
  if (place !== undefined && !ends) builder.take('ownerZipCode', 'ownerZipCodePlusFour')
}

const NAMES: [string, string, ...string[]][] = [
  ['ownerName1', 'ownerLast', 'ownerFirst', 'ownerMiddle', 'ownerSuffix'],
  ['ownerName2', 'ownerLast2', 'ownerFirst2', 'ownerMiddle2'],
]

/** `Owner_Line_2` next to an `Owner_Name` that has all lines is no further owner. */
function isRepeated(builder: DraftBuilder, { field, subject }: Guess): boolean {
  const first = builder.look('ownerName1')?.subject.index
  if (field !== 'ownerName2' || first === undefined) return false
  const filled = builder.sample.kept.filter((row) => row[subject.index]?.trim())
  const has = filled.filter((row) => row[first]?.includes(row[subject.index]?.trim() ?? ''))
  return filled.length > 9 && has.length > filled.length * 0.9
}

/**
 * Uses a care-of column; else a column that mostly holds care-of names; else an address line that
 * does and is not a street.
 */
function composeCareOf(builder: DraftBuilder): void {
  if (builder.look('ownerCareOf') !== undefined) {
    builder.take('ownerCareOf')
    return
  }
  const taken = new Set(['ownerName1', 'ownerName2'].map((field) => builder.look(field)?.subject))
  const [found] = builder.subjects
    .filter((subject) => !taken.has(subject))
    .map((subject) => ({ subject, careOf: careShare(builder, subject) }))
    .filter(({ careOf }) => careOf > 0.02)
    .sort((a, b) => b.careOf - a.careOf)
  if (found === undefined) return
  const { subject: best, careOf } = found
  const guess = guessOf('ownerCareOf', best, 0.7, [0, careOf])
  const note = `${percent(careOf)} of its values begin with %, C/O or ATTN`
  builder.put('ownerCareOf', guess, careOf > 0.9 ? {} : { cut: CARE_OF }, note)
}

/** Lines of the mailing address are read whole, since few of them have a care-of. */
function careShare(builder: DraftBuilder, subject: Subject): number {
  const { careOf, texts } = subject.contents
  const isLine = MAIL_LINES.some((field) => builder.look(field)?.subject === subject)
  if (!isLine || careOf > 0.02) return careOf
  const count = texts.filter((text) => readCareOf(text) !== undefined).length
  return count < CARE_MIN ? 0 : Math.max(0.021, count / texts.length)
}
const MAIL_LINES = ['ownerAddressLine1', 'mailLine2', 'mailLine3']
const CARE_MIN = 3

/** A homestead column is a flag, a code or an amount. Empty or 0 means no homestead. */
function composeOccupied(builder: DraftBuilder): void {
  const guess = builder.look('ownerOccupied')
  if (guess === undefined) return
  const { contents } = guess.subject
  const { flag, numeric } = contents
  const isCode = contents.texts.length > 0 && contents.texts.every((text) => RESIDENT.test(text))
  const has = (form: RegExp) => contents.texts.some((text) => form.test(text))
  // Minnesota's full homestead next to none; next to a `T`, an `F` is false.
  const isFull = isCode && has(/^F$/i) && has(/^N/i) && !has(/^[TY]/i)
  if (flag > 0.9 && !isFull) builder.put('ownerOccupied', guess)
  else if (isCode) {
    const cases = [
      { pattern: `^(?:${NO_RESIDENT})$`, gives: false },
      { pattern: `^(?:${OF_RESIDENT})$`, gives: true },
    ]
    builder.put('ownerOccupied', guess, { cases, otherwise: null }, 'a code for who lives there')
  } else if (numeric > 0.9) {
    const rule = { cases: [{ pattern: '^\\$? ?0*(?:\\.0*)?$', gives: null }], otherwise: true }
    builder.put('ownerOccupied', guess, rule, 'an amount above 0 is a homestead')
    const isAmount = guess.subject.meaning.words.includes('exemption') && contents.high >= 500
    if (isAmount && !EXEMPT.some((field) => builder.look(field) !== undefined)) {
      const note = 'the only exemption in the roll'
      builder.put('exemptionAmount', guess, {}, note)
    }
  }
}

/** Homestead, owner; none, renter, absentee; `D` is a dwelling of which it is not known. */
const OF_RESIDENT =
  'F|FULL|H|HS|HX|Y|YES|OO|OWNER(?:[- ]OCC(?:UPIED)?)?|PRINCIPAL|PRIMARY|HOMESTEAD'
const NO_RESIDENT = 'N|NO|NONE|RENTER|RENTAL|TENANT|ABSENTEE|NON[- ]?(?:OWNER.*|HOMESTEAD)'
const RESIDENT = new RegExp(`^(?:${OF_RESIDENT}|${NO_RESIDENT}|D)$`, 'i')

/** Decides whether lines named only "address 1 to 3" are the parcel's or the owner's. */
function settleLines(builder: DraftBuilder): void {
  const line = builder.look('address')
  if (line === undefined || builder.look('ownerAddressLine1') !== undefined) return
  if (line.subject.meaning.words.includes('site')) return
  const { contents, meaning } = line.subject
  const isMail = hasPlaceBelow(builder, line) || isApart(builder, line)
  if (!isMail && (contents.fill >= 0.3 || meaning.ordinal === 0)) return
  builder.move('address', 'ownerAddressLine1')
  for (const [from, to] of [
    ['city', 'ownerCity'],
    ['siteState', 'ownerState'],
    ['zipCode', 'ownerZipCode'],
    ['cityStateZip', 'ownerCityStateZip'],
  ] as const) {
    const guess = builder.look(from)
    const ownName = guess?.subject.meaning.words.includes('site') === true
    if (guess !== undefined && !ownName && builder.look(to) === undefined) builder.move(from, to)
  }
}

/** `ADDRESS2` with places in several states below `ADDRESS1` is of an envelope, not of a site. */
function hasPlaceBelow(builder: DraftBuilder, { subject }: Guess): boolean {
  const stemOf = ({ name }: Subject) => name.replace(/\d+$/, '').toUpperCase()
  const place = builder.subjects.find(
    (one) => one !== subject && stemOf(one) === stemOf(subject) && one.contents.cityStateZip > 0.3,
  )
  const texts = place?.contents.texts ?? []
  const states = texts.map((text) => cutCityStateZip(text.toUpperCase()).state)
  return new Set(states.filter((state) => state !== null)).size > 1
}

/** `ADDRESS1` is the mail's where `HOUSE_NO` next to a `STREET` is another number in some rows. */
function isApart(builder: DraftBuilder, { subject: line }: Guess): boolean {
  const [house, street] = ['streetNumber', 'streetName'].map((one) => builder.look(one)?.subject)
  if (house === undefined || street === undefined || house === line || street === line) return false
  const numbers = builder.sample.kept
    .filter((row) => row[street.index]?.trim() && row[line.index]?.trim())
    .map((row) => [house, line].map(({ index }) => Number.parseInt(row[index] ?? '', 10)))
    .filter(([own = 0]) => own > 0)
  const same = numbers.filter(([own, other]) => own === other)
  return numbers.length > 19 && same.length < numbers.length * 0.9
}

/** `ADDRESS2` with units is a line of the mail where `ADDRESS1` is one. */
function findNextLine(builder: DraftBuilder, first: Guess | undefined): Guess | undefined {
  const name = first?.subject.name.replace(/1$/, '2')
  const isFree = ({ name: own, contents }: Subject) =>
    own !== first?.subject.name && contents.fill > 0 && !builder.usedColumns().has(own)
  const next = builder.subjects.find((one) => one.name === name && isFree(one))
  return next && guessOf('mailLine2', next, 0.7, [0.6, 0.6])
}

function composeMailLine(builder: DraftBuilder): void {
  const first = builder.look('ownerAddressLine1')
  const second = builder.look('mailLine2') ?? findNextLine(builder, first)
  const third = builder.look('mailLine3')
  const parts = builder.look('mailStreet')?.subject.contents.fill ?? 0
  const isRare = first !== undefined && first.subject.contents.fill < parts * 0.5
  if (first === undefined || isRare) {
    // When the first line is mostly blank or a care-of, the street is in the next one.
    const next = [second, third].find((line) => (line?.subject.contents.address ?? 0) > 0.4)
    const isWithParts = parts > 2 * (next?.subject.contents.fill ?? 0)
    if (next !== undefined && !isWithParts) {
      putLine(builder, next.subject.name, next, next === second ? [third] : [])
      return
    }
    composeMailParts(builder, first, next)
    return
  }
  const { contents, name } = first.subject
  if (contents.oneLine > 0.5 && builder.look('ownerCity') === undefined) {
    builder.put('ownerAddressFull', first, {}, 'the city is in the same line')
    return
  }
  const box = findBox(builder)
  if (box !== undefined) {
    const value = { first: [name, box.value] }
    builder.add('ownerAddressLine1', value, [first], `else the box of ${box.name}`)
    return
  }
  const named = second === undefined ? 0 : nameShare(builder, first, second)
  const isEither = (second?.subject.contents.address ?? 0) > 0.35 || named > SOME
  if (second !== undefined && named > SOME) composeUpperName(builder, first, second)
  const street: Value =
    second !== undefined && isEither
      ? { first: [{ column: second.subject.name, cut: STREET_LINE }, name] }
      : name
  putLine(builder, street, first, [second, third])
}

/**
 * Joins the parts of a mailing street; a direction after the type's column follows it. `line`: a
 * column of whole lines for the rows without parts. `next`: a line with the street of some rows.
 */
function composeMailParts(builder: DraftBuilder, line?: Guess, next?: Guess): void {
  const parts = MAIL_PARTS.map((part) => builder.look(part)).filter(isThere)
  const indexOf = (part: string) => builder.look(part)?.subject.index ?? -1
  const isLast = indexOf('mailDirection') > indexOf('mailStreetType')
  const place = ({ field }: Guess) =>
    MAIL_PARTS.indexOf(isLast && field === 'mailDirection' ? 'mailDirectionSuffix' : field)
  if (!parts.some(({ field }) => field === 'mailStreet')) return
  parts.sort((a, b) => place(a) - place(b))
  const join = parts.map(({ field, subject: { name } }) =>
    field === 'mailUnit' ? { column: name, replace: [MARK_UNIT] } : name,
  )
  const box = findBox(builder)
  const others = [box?.value, line?.subject.name].filter(isThere)
  const street = next && { column: next.subject.name, cut: STREET_LINE }
  const all: Value[] = [street, { join }, ...others].filter(isThere)
  const value = all.length === 1 ? { join } : { first: all }
  const names = others.flatMap(columnsIn)
  const note = names.length === 0 ? '' : `; else ${names.join(' or ')}`
  builder.add('ownerAddressLine1', value, parts, `the parts of a mailing line${note}`)
}

/** A column of the numbers of boxes, as a line. */
function findBox({ subjects }: DraftBuilder): { name: string; value: Value } | undefined {
  const isBox = ({ meaning: { words }, contents }: Subject) =>
    words.includes('box') &&
    words.every((word) => BOX.has(word)) &&
    shareOf(contents.texts, (text) => BOX_NUMBER.test(text)) > 0.9
  const name = subjects.find(isBox)?.name
  if (name === undefined) return undefined
  return {
    name,
    value: { column: name, replace: [{ pattern: '^(?=\\d)', with: 'PO BOX ' }] },
  }
}
const BOX_NUMBER = /^(?:P\.? ?O\.? ?BOX )?\d+$/i
const BOX: ReadonlySet<string> = new Set(['box', '?po', 'mail', 'owner', 'address', 'number'])

/** A bare number after a street is a unit's. */
const MARK_UNIT = { pattern: '^(?=\\d+[A-Z]?$)', with: '#' }

/** Puts a street's line with the units of the lines after it, or of a column of their own. */
function putLine(
  builder: DraftBuilder,
  street: Value,
  from: Guess,
  after: (Guess | undefined)[],
): void {
  const isUnit = new RegExp(UNIT_LINE, 'i')
  const units: Value[] = after
    .filter(isThere)
    .filter(({ subject }) => subject.contents.texts.some((text) => isUnit.test(text)))
    .map(({ subject }) => ({ column: subject.name, cut: UNIT_LINE }))
  const own = builder.look('mailUnit')?.subject
  if (own !== undefined && own.contents.texts.length > 0)
    units.push({ column: own.name, replace: [MARK_UNIT] })
  if (units.length === 0 && typeof street === 'string') {
    builder.put('ownerAddressLine1', from)
    return
  }
  const names = [street, ...units].flatMap(columnsIn).filter((one) => one !== from.subject.name)
  const note = units.length === 0 ? 'the street is in either line' : 'units are in another column'
  const value = units.length === 0 ? street : { join: [street, ...units] }
  builder.add('ownerAddressLine1', value, [from], `${note} (${names.join(', ')})`)
}

/** Share of rows from which a line is worth a rule. */
const SOME = 0.005

/** Share of rows with a name in the street's column and the street in the next one. */
function nameShare({ sample }: DraftBuilder, first: Guess, second: Guess): number {
  const [name, street] = [new RegExp(NAME_LINE, 'i'), new RegExp(STREET_LINE, 'i')]
  const found = sample.kept.filter(
    (row) =>
      name.test((row[first.subject.index] ?? '').trim()) &&
      street.test((row[second.subject.index] ?? '').trim()),
  )
  return found.length / Math.max(1, sample.kept.length)
}

/** A second name in the street's column is one where the next line is a street. */
function composeUpperName(builder: DraftBuilder, first: Guess, second: Guess): void {
  if (builder.has('ownerName2')) return
  const when: Value = { column: second.subject.name, cut: STREET_LINE }
  const value: Value = { when, column: first.subject.name, cut: NAME_LINE }
  const note = `a second name where ${second.subject.name} has the street`
  builder.add('ownerName2', value, [{ ...first, certainty: 0.7 }], note)
}

const EXEMPT = ['exemptionAmount', 'exemptLand', 'exemptBuilding']

const MAIL_PARTS = [
  ...['mailHouse', 'mailDirection', 'mailStreet'],
  ...['mailStreetType', 'mailDirectionSuffix', 'mailUnit'],
]

function composeMailPlace(builder: DraftBuilder): void {
  const own = builder.look('ownerCityStateZip')
  const lines = own === undefined ? findPlaceLines(builder) : [own.subject]
  settleOwnPlace(builder, lines)
  builder.take('ownerCity', 'ownerState', 'ownerZipCode', 'ownerZipCodePlusFour')
  composeCountry(builder)
  if (own !== undefined) {
    // A column that is named so has places abroad too, whatever their form.
    const { alias, contents } = own.subject
    const isNamed = [...readMeaning(own.subject).words, ...(alias?.words ?? [])].includes('city')
    const isWhole = isNamed || contents.cityStateZip > 0.98
    const rule = isWhole ? {} : { cut: PLACE_END }
    builder.put('ownerCityStateZip', own, rule)
  }
  if (own !== undefined || lines.length === 0) return
  const values = lines.map(({ name, contents }) =>
    contents.cityStateZip > 0.8 ? name : { column: name, cut: PLACE_END },
  )
  const [only] = values
  const value: Value = values.length === 1 && only !== undefined ? only : { first: values }
  const guesses = lines.map((subject) => {
    const share = subject.contents.cityStateZip
    return guessOf('ownerCityStateZip', subject, 0.5 + share / 2, [0.5, share])
  })
  builder.add('ownerCityStateZip', value, guesses, 'city, state and ZIP are in an address line')
}

/** One of several lines mostly holds the place. The others do where the address was shorter. */
function findPlaceLines(builder: DraftBuilder): Subject[] {
  if (builder.look('ownerCity') !== undefined) return []
  const found = builder.subjects.filter(
    ({ meaning, contents }) => isLine(meaning) && contents.cityStateZip > 0,
  )
  const isSure = found.some(({ contents }) => contents.cityStateZip > 0.3)
  return isSure ? found.sort((a, b) => b.meaning.ordinal - a.meaning.ordinal) : []
}

/** Lines with places have their own city and ZIP; other columns that differ are of the site. */
function settleOwnPlace(builder: DraftBuilder, lines: Subject[]): void {
  for (const [field, to, part] of OF_PLACE) {
    const guess = builder.look(field)
    if (lines.length === 0 || guess === undefined) continue
    const pairs = builder.sample.kept
      .map((row) => [
        lines
          .map(({ index }) => cutCityStateZip((row[index] ?? '').trim())[part])
          .find((own) => own !== null),
        /^\d{5}|^\D+/.exec((row[guess.subject.index] ?? '').trim().toUpperCase())?.[0],
      ])
      .filter(([own, other]) => own && other)
    const same = pairs.filter(([own, other]) => own === other).length
    if (pairs.length < 20 || same > pairs.length * (part === 'zip' ? 0.95 : 0.8)) continue
    builder.move(field, builder.look(to) === undefined ? to : 'otherPlace')
    guess.subject.note = `${lines[0]?.name} has the ${part} of the mail, which is another`
  }
}
const OF_PLACE = [
  ['ownerZipCode', 'zipCode', 'zip'],
  ['ownerCity', 'city', 'city'],
] as const

const isLine = ({ words }: Meaning) => words.includes('address') || words.includes('line')

/** Some rolls keep the country where others keep a care-of; a column of states is not a country. */
function composeCountry(builder: DraftBuilder): void {
  const guess = builder.look('ownerCountry')
  if (guess !== undefined && guess.subject.contents.state < 0.5) {
    builder.put('ownerCountry', guess)
  }
}

const isThere = <Item>(item: Item | undefined): item is Item => item !== undefined
