/** How the facts of `facts.ts` follow from a stored record. */
import { numberLetters } from '../base/fold.ts'
import { UNITS_PER_DEGREE } from '../base/model/geometry.ts'
import { ITEM_PROPERTIES } from './parcel.ts'
import { FIELD, ITEM, positionsOf, slotOf, toText } from './stored.ts'

/** A stored parcel as an import writes it; `owner`: see `ownerInState`. */
export type FactRecord = {
  state: string
  fieldValues: string
  owner: number
  /** Unit key of the first situs address. */
  unit: string
}

/** The separators before the items of a list, then the one behind the last; empty without items. */
type Items = readonly number[]

const NO_ITEMS: Items = []

const [FIELD_CODE, ITEM_CODE] = [FIELD.charCodeAt(0), ITEM.charCodeAt(0)]
const [TRUE, FALSE, MINUS, POINT, ZERO, QUOTE] = Array.from('tf-.0"', (one) =>
  one.charCodeAt(0),
) as Six
type Six = [number, number, number, number, number, number]

/** Of a number whose digits are an exact integer. */
const NUMBER_MAX = 15
const TENS = Array.from({ length: NUMBER_MAX }, (_, at) => 10 ** at)

/**
 * One record while its facts are read; one object serves all. A value is known by the number of the
 * separator before it. Numbers are read from the codes of the text: cutting each value out took a
 * third of what facts cost an import.
 */
export class Reading {
  state = ''
  owner = 0
  unit = ''
  buildings: Items = NO_ITEMS
  transfers: Items = NO_ITEMS
  /** The newest transfer with a price above 0; behind the last without. */
  sale = 0
  #text = ''
  #codes = new Uint16Array(0)
  #bytes = Buffer.alloc(0)
  /** Where each separator is, then the end of the text. */
  #marks = new Int32Array(0)
  /** The separator before each present field, then the end. */
  #fields = new Int32Array(0)
  #present = 0
  #positions: readonly number[] = []

  open({ state, owner, unit, fieldValues }: FactRecord): void {
    this.state = state
    this.owner = owner
    this.unit = unit
    this.#text = fieldValues
    this.#scan()
    this.#positions = positionsOf(fieldValues.slice(0, this.#marks[0]))
    this.buildings = this.#itemsOf(BUILDINGS)
    this.transfers = this.#itemsOf(TRANSFERS)
    this.sale = 0
    while (this.sale < this.transfers.length) {
      if (this.numberIn(this.transfers, this.sale, PRICE) > 0) break
      this.sale += 1
    }
  }

  /** Finds the separators: the only characters below a blank. */
  #scan(): void {
    const size = this.#text.length
    if (size >= this.#codes.length) this.#grow(2 * size + 4096)
    this.#bytes.write(this.#text, 0, 'utf16le')
    const [codes, marks, fields] = [this.#codes, this.#marks, this.#fields]
    let [count, present] = [0, 0]
    for (let at = 0; at < size; at += 1) {
      const code = codes[at] as number
      if (code >= 0x20) continue
      if (code === FIELD_CODE) fields[present++] = count
      marks[count++] = at
    }
    marks[count] = size
    fields[present] = count
    this.#present = present
  }

  #grow(size: number): void {
    this.#codes = new Uint16Array(size)
    this.#bytes = Buffer.from(this.#codes.buffer)
    this.#marks = new Int32Array(size)
    this.#fields = new Int32Array(size)
  }

  /** The place of a field among the present ones; -1 without it. */
  #indexOf(slot: number): number {
    const position = this.#positions[slot] as number
    return position === -1 || position > this.#present ? -1 : position - 1
  }

  #itemsOf(slot: number): Items {
    const field = this.#indexOf(slot)
    if (field === -1) return NO_ITEMS
    const [first, end] = [this.#fields[field] as number, this.#fields[field + 1] as number]
    const items = [first]
    for (let mark = first + 1; mark < end; mark += 1) {
      if (this.#codes[this.#marks[mark] as number] === ITEM_CODE) items.push(mark)
    }
    items.push(end)
    return items
  }

  /** The JSON text of a field, or `''`. */
  part(slot: number): string {
    const field = this.#indexOf(slot)
    if (field === -1) return ''
    const start = this.#marks[this.#fields[field] as number] as number
    return this.#text.slice(start + 1, this.#marks[this.#fields[field + 1] as number])
  }

  /** The number of a field; NaN when unknown. */
  number(slot: number): number {
    const field = this.#indexOf(slot)
    return field === -1 ? Number.NaN : this.#numberAt(this.#fields[field] as number)
  }

  /** The number of a value of an item; NaN when unknown. */
  numberIn(items: Items, item: number, at: number): number {
    const mark = markIn(items, item, at)
    return mark === -1 ? Number.NaN : this.#numberAt(mark)
  }

  /** The text of a value of an item; `''` when unknown. */
  textIn(items: Items, item: number, at: number): string {
    const mark = markIn(items, item, at)
    if (mark === -1) return ''
    return this.#text.slice((this.#marks[mark] as number) + 1, this.#marks[mark + 1])
  }

  #numberAt(mark: number): number {
    const codes = this.#codes
    const from = (this.#marks[mark] as number) + 1
    const end = this.#marks[mark + 1] as number
    if (from === end) return Number.NaN
    if (end - from > NUMBER_MAX) return Number(this.#text.slice(from, end))
    const isNegative = codes[from] === MINUS
    let [digits, decimals] = [0, 0]
    for (let at = isNegative ? from + 1 : from; at < end; at += 1) {
      const code = codes[at] as number
      const digit = code - ZERO
      if (digit >= 0 && digit <= 9) digits = digits * 10 + digit
      else if (code === POINT && decimals === 0) decimals = end - at - 1
      else return Number(this.#text.slice(from, end))
    }
    // Both are exact, so that their quotient is the number that the text means.
    const number = decimals === 0 ? digits : digits / (TENS[decimals] as number)
    return isNegative ? -number : number
  }

  /** 1 or 0; NaN when unknown. */
  flag(slot: number): number {
    const code = this.codeIn(slot, 0)
    return code === TRUE ? 1 : code === FALSE ? 0 : Number.NaN
  }

  /** A code of the JSON text of a field; NaN without the field. */
  codeIn(slot: number, at: number): number {
    const field = this.#indexOf(slot)
    if (field === -1) return Number.NaN
    return this.#codes[(this.#marks[this.#fields[field] as number] as number) + 1 + at] as number
  }
}

/** The separator before a value of an item, whose last values may be left out; -1 without it. */
function markIn(items: Items, item: number, at: number): number {
  if (item + 1 >= items.length) return -1
  const mark = (items[item] as number) + at
  return mark < (items[item + 1] as number) ? mark : -1
}

const [STATE, ZIP, COUNTRY] = [slotOf('ownerState'), slotOf('ownerZipCode'), slotOf('ownerCountry')]
const [STREET, CITY] = [slotOf('ownerStreet'), slotOf('ownerCity')]
const [OWNER_TYPE, OWNER_NAME] = [slotOf('ownerType'), slotOf('ownerName')]
const SURNAME = slotOf('ownerLastName')
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

export function toUnits(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE)
}

/** A value of all buildings together. */
export function combine(one: Reading, at: number, several: 'sum' | 'largest' | 'first'): number {
  const items = one.buildings
  if (several === 'largest') return one.numberIn(items, largestOf(one), at)
  let sum = Number.NaN
  for (let item = 0; item < items.length - 1; item += 1) {
    const number = one.numberIn(items, item, at)
    if (Number.isNaN(number)) continue
    if (several === 'first') return number
    sum = Number.isNaN(sum) ? number : sum + number
  }
  return sum
}

function largestOf(one: Reading): number {
  const areaOf = (item: number) => one.numberIn(one.buildings, item, AREA) || 0
  let largest = 0
  for (let item = 1; item < one.buildings.length - 1; item += 1) {
    if (areaOf(item) > areaOf(largest)) largest = item
  }
  return largest
}

/** Last values may be left out. V8 gives up code that often reads behind the end of an array. */
export function valueAt(item: string[], at: number): string {
  return at < item.length ? (item[at] as string) : ''
}

const AREA = BUILDING.buildingArea as number

export const [DATE, PRICE, RECORDED] = (
  ['transferDate', 'transferPrice', 'recordingDate'] as const
).map((name) => ITEM_PROPERTIES.transfers.indexOf(name)) as [number, number, number]

export function dayOfTransfer(one: Reading, item: number): number {
  const { transfers } = one
  return dayOf(one.textIn(transfers, item, DATE) || one.textIn(transfers, item, RECORDED))
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
  if (isOwnState(one)) return 0
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

/** Whether the owner's state is written as the parcel's, as most are. */
const isOwnState = (one: Reading) =>
  one.codeIn(STATE, 1) === one.state.charCodeAt(0) &&
  one.codeIn(STATE, 2) === one.state.charCodeAt(1) &&
  one.codeIn(STATE, 3) === QUOTE

/** Unknown where the parcel's own address is suppressed, not only a mailing address. */
export function hasSitus(one: Reading): number {
  const has = one.flag(ASSIGNED)
  return has !== 1 && one.part(SUPPRESSED).includes('address') ? Number.NaN : has
}

/** A listed building or a value of one; 0 where the roll says none. */
export function hasBuilding(one: Reading): number {
  if (one.buildings.length > 0) return 1
  const amounts = [one.number(COUNT), one.number(MARKET), one.number(ASSESSED)]
  if (amounts.some((amount) => amount > 0)) return 1
  return isVacantUse(one) || !amounts.every(Number.isNaN) ? 0 : Number.NaN
}

/** By the use code if there is one, otherwise by whether there is a building. */
export function isVacant(one: Reading): number {
  if (Number.isNaN(one.codeIn(USE, 0))) return 1 - hasBuilding(one)
  return isVacantUse(one) ? 1 : 0
}

/** `"8…"` */
const isVacantUse = (one: Reading) => one.codeIn(USE, 1) === ZERO + 8

export function isShortName(one: Reading): number {
  if (one.part(OWNER_TYPE) !== '"individual"') return 0
  const name = one.part(OWNER_NAME)
  if (!THREE_WORDS.test(name)) return 1
  const surname = one.part(SURNAME).replace(/[^\p{L}\d]/gu, '')
  if (surname === '') return 0
  const others = withoutSurname(name, surname).filter((word) => !GENERATION.test(word))
  return others.length < 2 || others.every((word) => word.length === 1) ? 1 : 0
}

const THREE_WORDS = /\w\W+\w+\W+\w/
const GENERATION = /^(?:JR|SR|I{2,3}|IV)$/

/** The words of a name besides its surname: `DE LA ROSA`, `O'DELL` and `PRYCE-HALL` are one. */
function withoutSurname(name: string, surname: string): string[] {
  const words = name.match(/[\p{L}\d]+/gu) ?? []
  for (const from of words.keys()) {
    for (let end = from + 1; end <= words.length; end += 1) {
      if (words.slice(from, end).join('') === surname) return words.toSpliced(from, end - from)
    }
  }
  return words
}

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
