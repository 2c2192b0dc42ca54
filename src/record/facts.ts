/**
 * The facts of a parcel that questions filter, order and sum by, each defined once. The definition
 * says what it is and how it is read from the stored record. Stores keep them in columns
 * (`store/facts/`).
 *
 * A new fact is added at the end, because its place is its number in the store.
 */
import { foldUseCode, numberLetters } from '../base/fold.ts'
import {
  BUILDING,
  combine,
  dayOfTransfer,
  type FactRecord,
  hasBuilding,
  hasSitus,
  isOutOfState,
  isShortName,
  isVacant,
  PRICE,
  Reading,
  readMailing,
  readStreet,
  toUnits,
} from './fact-values.ts'
import type { Suppressible } from './fields.ts'
import type { Parcel } from './parcel.ts'
import { slotOf, toText } from './stored.ts'
import { WordList } from './word-list.ts'

export type { FactRecord }

/** `number`: NaN when unknown; flags are 1 or 0. `word`: `''` when unknown. */
type NumberFact = { type: 'number'; hiddenWith?: Suppressible; read(one: Reading): number }
type WordFact = {
  type: 'word'
  hiddenWith?: Suppressible
  /** The text of the record that the word is read of; equal texts have one word. */
  text(one: Reading): string
  read(text: string): string
}
type Fact = NumberFact | WordFact

type Scalar = { [Name in keyof Parcel]: Parcel[Name] extends object ? never : Name }[keyof Parcel]

const number = (name: Scalar): Fact => {
  const slot = slotOf(name)
  return { type: 'number', read: (one) => one.number(slot) }
}
const flag = (name: Scalar, hiddenWith?: Suppressible): Fact => {
  const slot = slotOf(name)
  const read = (one: Reading) => one.flag(slot)
  return { type: 'number', read, ...(hiddenWith && { hiddenWith }) }
}
const word = (name: Scalar, hiddenWith?: Suppressible): Fact => {
  const slot = slotOf(name)
  const text = (one: Reading) => one.part(slot)
  return { type: 'word', text, read: toText, ...(hiddenWith && { hiddenWith }) }
}
const eitherOf = (name: Scalar, other: Scalar): Fact => {
  const [slot, next] = [slotOf(name), slotOf(other)]
  const read = (one: Reading) => {
    const number = one.number(slot)
    return Number.isNaN(number) ? one.number(next) : number
  }
  return { type: 'number', read }
}

/** A value of the buildings, as the flat layout shows it. */
const building = (name: string, several: 'sum' | 'largest' | 'first'): Fact => {
  const at = BUILDING[name] ?? -1
  return { type: 'number', read: (one) => combine(one, at, several) }
}

const asIs = (text: string) => text

const [LONGITUDE, LATITUDE] = [slotOf('longitude'), slotOf('latitude')]
const [LOCAL_USE, CARE_OF] = [slotOf('localUseCode'), slotOf('careOf')]
const [TAXED_BY, NUMBERED_BY] = [slotOf('jurisdiction'), slotOf('municipality')]

/** As in `ownerInState`: the rest is the state. */
const STATES = 128

/** The facts in the order of their numbers. */
export const FACTS = {
  county: number('fips'),
  city: word('city', 'address'),
  zip: word('zipCode', 'address'),
  unit: { type: 'word', hiddenWith: 'address', text: ({ unit }) => unit, read: asIs },
  useCode: word('propertyUseCode'),
  localUse: {
    type: 'word',
    text: (one) => one.part(LOCAL_USE),
    read: (text) => foldUseCode(toText(text)),
  },
  residential: flag('residential'),
  hasSitus: { type: 'number', hiddenWith: 'address', read: hasSitus },
  /** In ten-millionths of a degree. */
  x: { type: 'number', hiddenWith: 'address', read: (one) => toUnits(one.number(LONGITUDE)) },
  y: { type: 'number', hiddenWith: 'address', read: (one) => toUnits(one.number(LATITUDE)) },
  acres: eitherOf('acres', 'calculatedAcres'),
  sqft: building('buildingArea', 'sum'),
  beds: building('bedrooms', 'sum'),
  baths: building('bathrooms', 'sum'),
  stories: building('stories', 'first'),
  units: eitherOf('unitCount', 'totalUnitCount'),
  yearBuilt: building('actualYearBuilt', 'largest'),
  marketValue: number('totalMarketValue'),
  assessedValue: number('totalAssessedValue'),
  landValue: number('totalLandValue'),
  tax: number('taxAmount'),
  /** Of the newest transfer with a price above 0. */
  salePrice: { type: 'number', read: (one) => one.numberIn(one.transfers, one.sale, PRICE) },
  /** Days since 1970-01-01. */
  saleDate: { type: 'number', read: (one) => dayOfTransfer(one, one.sale) },
  /** Day of the newest transfer, with or without a price. */
  transferDay: { type: 'number', read: (one) => dayOfTransfer(one, 0) },
  ownerType: word('ownerType', 'owner'),
  ownerOccupied: flag('ownerOccupied', 'owner'),
  ownerState: word('ownerState', 'owner'),
  ownerZipCode: word('ownerZipCode', 'owner'),
  outOfStateOwner: { type: 'number', hiddenWith: 'owner', read: isOutOfState },
  hasBuilding: { type: 'number', read: hasBuilding },
  vacant: { type: 'number', read: isVacant },
  zoningCode: word('zoningCode'),
  subdivision: word('subdivision', 'address'),
  neighborhood: word('neighborhood', 'address'),
  schoolDistrict: word('schoolDistrict'),
  municipality: {
    type: 'word',
    text: (one) => one.part(TAXED_BY) || one.part(NUMBERED_BY),
    read: toText,
  },
  /** Number of the canonical owner, as `ownerParcelCount` counts. */
  owner: {
    type: 'number',
    hiddenWith: 'owner',
    read: ({ owner }) => Math.floor(owner / STATES) || Number.NaN,
  },
  /** 1: a person of at most two words, whose name alone does not identify an owner. */
  shortName: { type: 'number', hiddenWith: 'owner', read: isShortName },
  /** Number of the mailing address, and of the care-of name. */
  mailing: { type: 'number', hiddenWith: 'owner', read: readMailing },
  careOf: { type: 'number', hiddenWith: 'owner', read: (one) => numberLetters(one.part(CARE_OF)) },
  /** Direction, name, type and direction of the street, separated by `|` as in address keys. */
  street: { type: 'word', hiddenWith: 'address', text: readStreet, read: asIs },
} as const satisfies Record<string, Fact>

export type FactName = keyof typeof FACTS

export const FACT_NAMES = Object.keys(FACTS) as FactName[]
const ALL: readonly Fact[] = Object.values(FACTS)

const reading = new Reading()

/**
 * Facts of many parcels, each a list by the place of the parcel: numbers and words apart, each in
 * the order of the facts. Lists of one kind are filled several times as fast as mixed ones.
 */
export type FactLists = { numbers: Float64Array[]; words: WordList[] }

const NUMBERS = ALL.filter((one) => one.type === 'number')
const WORDS = ALL.filter((one) => one.type === 'word')

/** Returns empty lists for some parcels. */
export function makeFactLists(size: number): FactLists {
  return {
    numbers: NUMBERS.map(() => new Float64Array(size)),
    words: WORDS.map(({ read }) => new WordList(size, read)),
  }
}

export function readFacts(record: FactRecord, { numbers, words }: FactLists, place: number): void {
  reading.open(record)
  for (let at = 0; at < NUMBERS.length; at += 1) {
    ;(numbers[at] as Float64Array)[place] = (NUMBERS[at] as NumberFact).read(reading)
  }
  for (let at = 0; at < WORDS.length; at += 1) {
    ;(words[at] as WordList).putText(place, (WORDS[at] as WordFact).text(reading))
  }
}

/** Returns a reader of single facts of a record, until another record is read. */
export function openFacts(record: FactRecord): (name: FactName) => number | string {
  reading.open(record)
  return (name) => {
    const fact: Fact = FACTS[name]
    return fact.type === 'number' ? fact.read(reading) : fact.read(fact.text(reading))
  }
}
