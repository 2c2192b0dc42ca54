/**
 * Leaves out what a draft has too little evidence for, in one place. It is a name that says more
 * than its field, another column that could be meant as well, or what other columns say against it.
 */

import { foldCity } from '../../base/fold.ts'
import { wordSet } from '../../base/tables.ts'
import { columnKey } from '../../import/mapping/expression.ts'
import type { MappingDocument } from '../../import/mapping/mapping.ts'
import { isPlace } from '../../regions/places.ts'
import { type Guess, SURE, weigh } from '../recognize/guess.ts'
import { kindOf, scoreField, strangeWords } from '../recognize/score.ts'
import { addsUp, sumOf } from '../recognize/settle-sums.ts'
import { readMeaning, type Subject } from '../recognize/subject.ts'
import { shareOf } from '../sample/contents.ts'
import { medianRatio } from './compose-land.ts'
import { columnsIn, type DraftBuilder, type Entry, percent } from './draft-builder.ts'

/**
 * Comments out each entry that is doubtful, with the reason and the columns that it could be. Where
 * values speak against a column and for another one, that is taken.
 */
export function leaveOutDoubtful(
  builder: DraftBuilder,
  state: string | undefined,
  mappings: MappingDocument[] = [],
): void {
  const sums = findSums(builder)
  for (const entry of builder.entries) {
    if (entry.certainty < SURE || UNDOUBTED.has(entry.name) || UNDOUBTED.has(entry.section))
      continue
    const against = DOUBTS[entry.name]?.(builder, entry, state)
    if (against !== undefined && takeOther(builder, entry, against, state)) continue
    const isSum = entry.columns.every((name) => sums.has(name))
    const doubt = isSum ? undefined : findDoubt(builder, entry)
    const why = against ?? (doubt === undefined || isKnown(entry, mappings) ? undefined : doubt)
    if (why === undefined) continue
    entry.certainty = SURE - 0.1
    entry.why = `left out, because ${why}; ${entry.why}`
  }
}

/** Takes the unused column that is nearest to the field by its name and has nothing against it. */
function takeOther(
  builder: DraftBuilder,
  entry: Entry,
  against: string,
  state: string | undefined,
): boolean {
  const used = builder.usedColumns()
  const scored = builder.subjects
    .filter(({ name }) => !used.has(name) && typeof entry.value === 'string')
    .map((subject) => ({ name: subject.name, score: weigh(scoreField(entry.name, subject)) }))
    .filter(({ score }) => score >= SURE)
    .sort((a, b) => b.score - a.score)
  const other = scored.find(({ name }) => {
    const own = { ...entry, value: name, columns: [name] }
    return DOUBTS[entry.name]?.(builder, own, state) === undefined
  })
  if (other === undefined) return false
  entry.why = `not ${entry.columns.join()}, because ${against}`
  entry.value = other.name
  entry.columns = [other.name]
  return true
}

/** Nothing can be loaded without an ID; another one harms nobody. */
const UNDOUBTED: ReadonlySet<string> = new Set(['parcelId', 'alternateParcelIds'])

function findDoubt(builder: DraftBuilder, entry: Entry): string | undefined {
  for (const guess of builder.guessesOf(entry)) {
    const why =
      doubtName(builder, entry, guess) ??
      doubtRivals(builder, entry, guess) ??
      doubtLesser(builder, guess) ??
      doubtSide(builder, entry, guess)
    if (why !== undefined) return why
  }
  return undefined
}

/** Kinds of values that say what they are, whatever else the name of their column says. */
const TELLING =
  wordSet(`owner owner2 namePart careOf address line cityStateZip city state zip four country house
direction streetName streetType unit county latitude longitude date yearBuilt rooms bedrooms
stories legal`)

/** `LY_JUSTVAL`, `MCR_BOOK`: amounts, codes and numbers look alike, and the name says more. */
function doubtName(
  builder: DraftBuilder,
  { value }: Entry,
  { field, subject }: Guess,
): string | undefined {
  // A cut and a sum come from the values.
  const isRead = typeof value === 'object' && (value.cut ?? value.sum) !== undefined
  if (isRead || TELLING.has(kindOf(field) ?? '')) return undefined
  const strange = strangeWords(field, subject).filter((word) => !isShared(builder, word))
  if (strange.length === 0) return undefined
  const words = strange.map((word) => word.replace('?', '')).join(' ')
  return `the name of ${subject.name} also says "${words}", which may make something else of it`
}

/** A word of three columns names their table or their form. */
const isShared = ({ subjects }: DraftBuilder, word: string) =>
  subjects.filter(({ meaning }) => meaning.words.includes(word)).length > 2

/** Kinds of values of which another column is another thing, not another form of it. */
const MEASURED = wordSet('money tax buildingArea yearBuilt landArea date legal')
/** Share of rows in which two columns differ if they are two things. */
const APART = 0.1

/** Two columns of which nothing says which one it is. */
function doubtRivals(
  builder: DraftBuilder,
  entry: Entry,
  { field, subject, byName, byContents }: Guess,
): string | undefined {
  if (!MEASURED.has(kindOf(field) ?? '') || subject.note !== undefined) return undefined
  const used = new Set(
    builder.entries.flatMap((one) => (one.certainty >= SURE ? one.columns : entry.columns)),
  )
  const own = weigh({ byName, byContents }) - 0.1
  const strange = strangeWords(field, subject).length
  // Adjusted and total areas have many names.
  const isArea = kindOf(field) === 'buildingArea' && !subject.meaning.words.includes('living')
  const rivals = builder.subjects.filter((one) => {
    if (used.has(one.name) || one.contents.fill < 0.2) return false
    const isAsNear = weigh(scoreField(field, one)) >= Math.max(own, SURE)
    const isPlain = isArea || strangeWords(field, one).length <= strange
    return isAsNear && isPlain && isApart(builder, subject, one)
  })
  if (rivals.length === 0) return undefined
  return `it could be ${[subject, ...rivals].map(({ name }) => name).join(' or ')}`
}

/** Doubts a column with a near name where an unused one has the field's very name. */
function doubtLesser(builder: DraftBuilder, { field, subject, byName }: Guess): string | undefined {
  const used = builder.usedColumns()
  const named = builder.subjects.find(
    (one) =>
      byName < OUTRIGHT - 0.05 &&
      !TELLING.has(kindOf(field) ?? '') &&
      one !== subject &&
      !used.has(one.name) &&
      one.contents.fill > 0.5 &&
      scoreField(field, one).byName >= OUTRIGHT,
  )
  return named && `${named.name} is named so, whose values are unlike it`
}
/** The score of a name that says the field and nothing more. */
const OUTRIGHT = 0.95

function isApart({ sample }: DraftBuilder, one: Subject, other: Subject): boolean {
  const pairs = sample.kept
    .map((row) => [one, other].map(({ index }) => (row[index] ?? '').trim().toUpperCase()))
    .filter((pair) => pair.every((text) => text !== ''))
  return shareOf(pairs, ([a, b]) => a !== b) > APART
}

/** Parts of an address, with those of the other address that a roll of owners has as well. */
const SIDES: Readonly<Record<string, string[]>> = {
  address: ['ownerAddressLine1'],
  city: ['ownerCity', 'ownerCityStateZip'],
  zipCode: ['ownerZipCode', 'ownerCityStateZip'],
}
const SIDED = wordSet('site parcel mail owner taxpayer building')

/** An only city whose name does not say whether it is the parcel's or the owner's. */
function doubtSide(
  builder: DraftBuilder,
  { name: to }: Entry,
  { field, subject }: Guess,
): string | undefined {
  const words = [...subject.meaning.words, ...(subject.alias?.words ?? [])]
  const isMail = to === 'ownerAddressLine1' && field === 'address'
  const others = isMail ? [] : SIDES[field]
  if (others === undefined || words.some((word) => SIDED.has(word))) return undefined
  if (words.includes('grantee') || words.includes('grantor')) return `${subject.name} is of a deed`
  const has = (...names: string[]) => names.some((name) => builder.has(name))
  if (isMail ? !builder.subjects.some(isMailStreet) : !has('ownerState', 'ownerAddressLine1'))
    return undefined
  if (has(...others)) return undefined
  return `nothing says whether ${subject.name} is of the parcel or of its owner`
}

const isMailStreet = ({ meaning: { words }, contents }: Subject) =>
  words.includes('mail') && words.includes('street') && contents.texts.length > 0

/** Doubts of single fields, by what other columns hold. */
const DOUBTS: Readonly<
  Record<string, (builder: DraftBuilder, entry: Entry, state?: string) => string | undefined>
> = {
  ...{ streetNumber: doubtStreet, streetName: doubtStreet, streetDirectionPrefix: doubtStreet },
  ...{ address: doubtLine, ownerAddressLine1: doubtLine },
  ...{ city: doubtCity, ownerName1: doubtOwner, section: doubtSection },
  ...{ totalAssessedValue: doubtTotal, totalMarketValue: doubtTotal, taxableValue: doubtTaxable },
  ...{ taxValue: doubtTax, assessedLandValue: doubtPart, assessedBuildingValue: doubtPart },
  ...{ totalLandValue: doubtPart, totalBuildingValue: doubtPart },
}

/** A street without numbers, or without the types that a column has, is half an address. */
function doubtStreet(builder: DraftBuilder): string | undefined {
  if (!builder.has('streetName')) return undefined
  if (builder.entry('streetNumber') === undefined) return 'no column has the numbers of its houses'
  if (builder.has('streetType')) return undefined
  const used = builder.usedColumns()
  const at = builder.look('streetName')?.subject.index ?? 0
  // `AV` and `GD` are grades of buildings too.
  const isType = ({ name, index, contents, meaning: { words } }: Subject) =>
    contents.streetType > 0.7 &&
    Math.abs(index - at) < 4 &&
    !used.has(name) &&
    !words.includes('mail')
  const types = builder.subjects.find(isType)
  return types && `${types.name} may have the types of its streets`
}

function textsOf({ sample }: DraftBuilder, { value, columns }: Entry): string[] {
  const name = typeof value === 'string' ? value : columns.length === 1 ? columns[0] : undefined
  const index = sample.columns.findIndex((one) => one.name === name)
  const texts = sample.kept.map((row) => (row[index] ?? '').trim().toUpperCase())
  return texts.filter((text) => text !== '')
}

/** A line with the place behind its street; mail goes to boxes, and no parcel is in one. */
function doubtLine(builder: DraftBuilder, entry: Entry): string | undefined {
  const texts = textsOf(builder, entry)
  const share = shareOf(texts, (text) => ZIP_END.test(text))
  if (share > 0.3) return `${percent(share)} of its lines end in a ZIP code`
  const boxes = entry.name === 'address' ? shareOf(texts, (text) => BOX.test(text)) : 0
  return boxes > 0.03 ? `${percent(boxes)} of its lines are post boxes` : undefined
}
const ZIP_END = / \d{5}(?:-?\d{4})?$/
const BOX = /^P\.? ?O\.? ?BOX\b/

/** Given names or surnames are half a name; an owner that few rows have may be another party. */
function doubtOwner(builder: DraftBuilder, entry: Entry): string | undefined {
  const texts = textsOf(builder, entry)
  const fill = builder.subjects.find(({ name }) => name === entry.value)?.contents.fill ?? 1
  const fuller = builder.subjects.find(
    (one) =>
      one.contents.fill > fill + 0.1 &&
      one.meaning.words.includes('owner') &&
      weigh(scoreField('ownerName1', one)) >= SURE,
  )
  if (fuller !== undefined) return `${fuller.name} has more of them`
  const share = shareOf(texts, (text) => !/[A-Z]{2}\W+(?:.*\W)?[A-Z]{2}/.test(text))
  return texts.length < 20 || share < 0.5
    ? undefined
    : `${percent(share)} of its values are a single name`
}

/** The colonies were not surveyed: their sections are those of the tax map. */
function doubtSection(builder: DraftBuilder, _: Entry, state?: string): string | undefined {
  if (!UNSURVEYED.has(state ?? '') || builder.has('township')) return undefined
  return `${state} has no sections but those of its tax maps`
}
const UNSURVEYED = wordSet('CT DC DE KY MA MD ME NC NH NJ NY PA RI SC TN VA VT WV')

/**
 * A total of which its land and buildings are no parts, where they add up to another column. An
 * assessed value that is named so may be capped.
 */
function doubtTotal(builder: DraftBuilder, entry: Entry): string | undefined {
  const isNamed = builder.guessesOf(entry).some(({ byName }) => byName >= 0.9)
  if (entry.name === 'totalAssessedValue' && isNamed) return undefined
  const columnOf = (name: string) => builder.entry(name)?.columns.slice(0, 1) ?? []
  const lands = columnOf(entry.name === 'totalMarketValue' ? 'totalLandValue' : 'assessedLandValue')
  const buildings = ['totalBuildingValue', 'assessedBuildingValue'].flatMap(columnOf)
  const pairs = lands.flatMap((land) => buildings.map((building) => [land, building]))
  const isSum = (name: string) =>
    pairs.some((pair) => addUp(builder, [[name], ...pair.map((one) => [one])]))
  if (pairs.length === 0 || entry.columns.some(isSum)) return undefined
  const used = builder.usedColumns()
  const other = builder.subjects.find(
    ({ name, contents }) =>
      !used.has(name) && contents.numeric > 0.9 && contents.high > 1000 && isSum(name),
  )
  return other && `land and buildings add up to ${other.name}`
}

/** No tax is a sixth of the market value: New Mexico's `TAXTOTAL` is what is taxed. */
function doubtTax(builder: DraftBuilder, { columns }: Entry): string | undefined {
  const [market] = subjectsOf(builder, builder.entry('totalMarketValue')?.columns ?? [])
  const share = market && medianRatio(builder, subjectsOf(builder, columns), market)
  return (share ?? 0) > 1 / 6 ? `it is ${percent(share ?? 0)} of ${market?.name}` : undefined
}

/** No part is worth more than its total: Michigan's land values are of the market. */
function doubtPart(builder: DraftBuilder, { name, columns }: Entry): string | undefined {
  const whole = name.startsWith('assessed') ? 'totalAssessedValue' : 'totalMarketValue'
  const total = builder.has(whole) ? (builder.entry(whole)?.columns ?? []) : []
  const [own = [], all = []] = [columns, total].map((names) => subjectsOf(builder, names))
  const rows = builder.sample.kept.filter((row) => sumOf(row, all) > 0)
  const share = shareOf(rows, (row) => sumOf(row, own) > sumOf(row, all) + 1)
  return rows.length > 19 && share > 0.05
    ? `it is more than ${total.join(' and ')} in ${percent(share)} of rows`
    : undefined
}

/** No taxable value is above the assessed one. What Nevada calls so is the market value. */
function doubtTaxable(builder: DraftBuilder, { columns }: Entry): string | undefined {
  const [, ...parts] = SUMS[0] ?? []
  const whole = [['totalAssessedValue'], parts].find((all) => all.every((one) => builder.has(one)))
  const names = (whole ?? []).flatMap((one) => builder.entry(one)?.columns ?? [])
  const [own = [], other = []] = [columns, names].map((all) => subjectsOf(builder, all))
  const share = shareOf(builder.sample.kept, (row) => sumOf(row, own) > sumOf(row, other) + 1)
  return names.length > 0 && share > 0.5
    ? `it is more than ${names.join(' and ')} in ${percent(share)} of rows`
    : undefined
}
const subjectsOf = ({ subjects }: DraftBuilder, names: string[]) =>
  subjects.filter(({ name }) => names.includes(name))

/** Subdivisions look like cities, where the name does not say which they are. */
function doubtCity(builder: DraftBuilder, entry: Entry, state?: string): string | undefined {
  if (state === undefined || subjectsOf(builder, entry.columns).some(isNamedCity)) return undefined
  const texts = textsOf(builder, entry)
  const share = shareOf(texts, (text) => isPlace(foldCity(text), state))
  return share > 0.5 ? undefined : `${percent(share)} of its values are places of ${state}`
}
const isNamedCity = (subject: Subject) =>
  readMeaning(subject).words.some((word) => word === 'city' || word === 'municipality')

/** The columns of land, buildings and their total that add up. */
function findSums(builder: DraftBuilder): ReadonlySet<string> {
  const found = SUMS.map((names) => names.map((name) => builder.entry(name)?.columns ?? []))
  return new Set(found.filter((three) => addUp(builder, three)).flat(2))
}

function addUp(builder: DraftBuilder, [total = [], ...parts]: string[][]): boolean {
  const [some = [], all = []] = [parts.flat(), total].map((names) => subjectsOf(builder, names))
  return parts.every(({ length }) => length > 0) && addsUp(builder.sample, some, all)
}
const SUMS = [
  ['totalAssessedValue', 'assessedLandValue', 'assessedBuildingValue'],
  ['totalMarketValue', 'totalLandValue', 'totalBuildingValue'],
]

/** Reports whether a mapping in the box reads a column of this name for the same field. */
function isKnown({ section, name, columns }: Entry, mappings: MappingDocument[]): boolean {
  const keys = columns.map(columnKey)
  return mappings.some(({ fields, buildings, transfers }) => {
    const sets = section === 'fields' ? [fields] : section === 'buildings' ? buildings : transfers
    const values = (sets ?? []).map((set) => set[name]).filter((value) => value !== undefined)
    const read = values.flatMap(columnsIn).map(columnKey)
    return keys.every((key) => read.includes(key))
  })
}
