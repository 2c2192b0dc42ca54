/** How the facts of `facts.ts` follow from a stored record. */
import { numberLetters } from '../base/fold.ts'
import { ITEM_PROPERTIES } from './parcel.ts'
import { positionsOf, slotOf, splitItems, splitParts } from './stored.ts'

/** A stored parcel as an import writes it; `owner`: see `ownerInState`. */
export type FactRecord = {
  state: string
  fieldValues: string
  owner: number
  /** Unit key of the first situs address. */
  unit: string
}

/** One record while its facts are read; one object serves all. */
export class Reading {
  state = ''
  owner = 0
  unit = ''
  buildings: string[][] = []
  transfers: string[][] = []
  /** The newest transfer with a price. */
  sale: string[] | undefined
  #parts: string[] = []
  #positions: readonly number[] = []

  open({ state, owner, unit, fieldValues }: FactRecord): void {
    this.state = state
    this.owner = owner
    this.unit = unit
    this.#parts = splitParts(fieldValues)
    this.#positions = positionsOf(this.#parts[0] ?? '')
    this.buildings = splitItems(this.part(BUILDINGS))
    this.transfers = splitItems(this.part(TRANSFERS))
    this.sale = undefined
    for (const item of this.transfers) {
      if (!(Number(valueAt(item, PRICE)) > 0)) continue
      this.sale = item
      break
    }
  }

  /** The JSON text of a field, or `''`. */
  part(slot: number): string {
    const position = this.#positions[slot] as number
    return position === -1 ? '' : (this.#parts[position] ?? '')
  }
}

const [STATE, ZIP, COUNTRY] = [slotOf('ownerState'), slotOf('ownerZipCode'), slotOf('ownerCountry')]
const [STREET, CITY] = [slotOf('ownerStreet'), slotOf('ownerCity')]
const [OWNER_TYPE, OWNER_NAME] = [slotOf('ownerType'), slotOf('ownerName')]
const [STREET_NAME, STREET_TYPE] = [slotOf('streetName'), slotOf('streetType')]
const [BEFORE, AFTER] = [slotOf('streetDirectionPrefix'), slotOf('streetDirectionSuffix')]
const [BUILDINGS, TRANSFERS] = [slotOf('buildings'), slotOf('transfers')]
const USE = slotOf('propertyUseCode')
const [COUNT, MARKET, ASSESSED] = [
  slotOf('buildingCount'),
  slotOf('totalBuildingValue'),
  slotOf('assessedBuildingValue'),
]
const [ASSIGNED, SUPPRESSED] = [slotOf('addressAssigned'), slotOf('suppressed')]

/** Places of the values of a building. */
export const BUILDING = Object.fromEntries(ITEM_PROPERTIES.buildings.map((name, at) => [name, at]))
export function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text)
}

export function toFlag(text: string): number {
  return text === 'true' ? 1 : text === 'false' ? 0 : Number.NaN
}

export function toText(json: string): string {
  if (json === '') return ''
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1)
}

const UNITS_PER_DEGREE = 10_000_000

export function toUnits(text: string): number {
  return text === '' ? Number.NaN : Math.round(Number(text) * UNITS_PER_DEGREE)
}

export function combine(
  items: string[][],
  at: number,
  several: 'sum' | 'largest' | 'first',
): number {
  if (several === 'largest') return toNumber(valueAt(largestOf(items), at))
  let sum = Number.NaN
  for (const item of items) {
    const text = valueAt(item, at)
    if (text === '') continue
    if (several === 'first') return Number(text)
    sum = Number.isNaN(sum) ? Number(text) : sum + Number(text)
  }
  return sum
}

function largestOf(items: string[][]): string[] {
  let largest = items.length === 0 ? NO_VALUES : (items[0] as string[])
  for (let at = 1; at < items.length; at += 1) {
    const item = items[at] as string[]
    if (Number(item[AREA]) > Number(largest[AREA])) largest = item
  }
  return largest
}

const NO_VALUES: string[] = []

/** Last values may be left out. V8 gives up code that often reads behind the end of an array. */
export function valueAt(item: string[], at: number): string {
  return at < item.length ? (item[at] as string) : ''
}

const AREA = BUILDING.buildingArea as number

export const [DATE, PRICE, RECORDED] = (
  ['transferDate', 'transferPrice', 'recordingDate'] as const
).map((name) => ITEM_PROPERTIES.transfers.indexOf(name)) as [number, number, number]

export function dayOfTransfer(item: string[] | undefined): number {
  return item === undefined ? Number.NaN : dayOf(item[DATE] || valueAt(item, RECORDED))
}

/** `"2024-02-06"` as days since 1970-01-01; NaN without a date. */
function dayOf(json: string): number {
  if (json.length !== 12) return Number.NaN
  const digit = (at: number) => json.charCodeAt(at) - 0x30
  const year = digit(1) * 1000 + digit(2) * 100 + digit(3) * 10 + digit(4)
  const month = digit(6) * 10 + digit(7)
  // Counts from March, so that a leap day ends the year.
  const years = month > 2 ? year : year - 1
  const days = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5)
  const centuries = Math.floor(years / 100)
  const leaps = Math.floor(years / 4) - centuries + Math.floor(centuries / 4)
  return years * 365 + leaps + days + digit(9) * 10 + digit(10) - 719_469
}

/** The owner's state against the parcel's; unknown for texts that are no state's letters. */
export function isOutOfState(one: Reading): number {
  const text = one.part(STATE)
  if (text.length === 4) return text.slice(1, 3).toUpperCase() === one.state ? 0 : 1
  const owners = toText(text).trim().toUpperCase()
  if (/^[A-Z]{2}$/.test(owners)) return owners === one.state ? 0 : 1
  const country = toText(one.part(COUNTRY))
    .replace(/[^A-Za-z]/g, '')
    .toUpperCase()
  return owners === '' && country !== '' && !/^U(?:NITED)?S(?:TATES|A)?/.test(country)
    ? 1
    : Number.NaN
}

/** Unknown where the address is suppressed. */
export function hasSitus(one: Reading): number {
  return one.part(SUPPRESSED).includes('address') ? Number.NaN : toFlag(one.part(ASSIGNED))
}

/** A listed building or a value of one; 0 where the roll says none. */
export function hasBuilding(one: Reading): number {
  if (one.buildings.length > 0) return 1
  const amounts = [one.part(COUNT), one.part(MARKET), one.part(ASSESSED)]
  if (amounts.some((text) => Number(text) > 0)) return 1
  return amounts.some((text) => text !== '') || isVacantUse(one.part(USE)) ? 0 : Number.NaN
}

/** By the use code if there is one, otherwise by whether there is a building. */
export function isVacant(reading: Reading): number {
  const use = reading.part(USE)
  if (use !== '') return isVacantUse(use) ? 1 : 0
  return 1 - hasBuilding(reading)
}

const isVacantUse = (use: string) => use.startsWith('"8')

export function isShortName(one: Reading): number {
  if (one.part(OWNER_TYPE) !== '"individual"') return 0
  return THREE_WORDS.test(one.part(OWNER_NAME)) ? 0 : 1
}

const THREE_WORDS = /\w\W+\w+\W+\w/

/** Street and ZIP code, or city and state; without punctuation. NaN without a street. */
export function readMailing(one: Reading): number {
  const street = one.part(STREET)
  if (street === '') return Number.NaN
  const place = one.part(ZIP).slice(0, 6) || `${one.part(CITY)}${one.part(STATE)}`
  return numberLetters(`${street} ${place}`)
}

export function readStreet(one: Reading): string {
  const name = toText(one.part(STREET_NAME))
  if (name === '') return ''
  const [before, after] = [toText(one.part(BEFORE)), toText(one.part(AFTER))]
  return `${before}|${name}|${toText(one.part(STREET_TYPE))}|${after}`
}
