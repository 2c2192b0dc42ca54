/** Lists of objects: buildings, transfers and assessments, each stored as one field. */
import { BUILDING_FIELDS, type BuildingField } from '../record/fields.ts'
import { ITEM_PROPERTIES } from '../record/parcel.ts'
import { ITEM, slotOf, splitItems, VALUE } from '../record/stored.ts'
import type { Bits } from './compose.ts'
import { MIDNIGHT } from './derived.ts'
import { bytes, copy, pieceOf, Spans } from './memory.ts'
import { makeProgram, type Part, type Program, Programs, whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import type { Source, WriteValue } from './template.ts'

/** A key of a shown item: the slot of its value, and how it is shown; by default unchanged. */
export type ItemKey = { key: string; slot: number; show?: ((value: Part) => Bits) | undefined }

const ITEM_CODE = ITEM.charCodeAt(0)
const VALUE_CODE = VALUE.charCodeAt(0)
/** Most values of an item, so that a word has a bit for each. */
const VALUES_MAX = 31

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

/** Splits an item into its values and returns the end of the item. Absent values are empty. */
function cutItem(item: Spans, from: number, to: number): number {
  const end = item.cut(from, to, VALUE_CODE, ITEM_CODE)
  for (let slot = item.count; slot < item.most; slot += 1) item.set(slot, 0, 0)
  return end
}

/** Shows a stored list as a JSON array of objects with the given keys. */
export function writeList(name: string, keys: readonly ItemKey[], omit: boolean): WriteValue {
  const slot = slotOf(name)
  const item = new Spans(VALUES_MAX)
  const folded = new Programs<number, Program>()
  return (record, output) => {
    const to = record.to(slot)
    let from = record.from(slot)
    output.byte(OPEN)
    for (;;) {
      const end = item.cut(from, to, VALUE_CODE, ITEM_CODE)
      const { present } = item
      const program = folded.get(present) ?? folded.set(present, foldItem(keys, item, omit))
      output.render(program, program.start, end - from)
      if (end >= to) break
      output.byte(COMMA)
      from = end + 1
    }
    output.byte(CLOSE)
  }
}

/** The program of an item with the values that are present; nulls are fixed, or left out. */
function foldItem(keys: readonly ItemKey[], item: Spans, omit: boolean): Program {
  const bits: Bits = []
  const { present } = item
  for (const { key, slot, show } of keys) {
    const isThere = (present & (1 << slot)) !== 0
    if (!isThere && omit) continue
    bits.push(`${bits.length === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    const part = whole(item.address(slot))
    if (isThere) bits.push(...(show?.(part) ?? [part]))
    else bits.push('null')
  }
  return makeProgram([...(bits.length === 0 ? ['{'] : bits), '}'])
}

const TRANSFERS = slotOf('transfers')
const DATE = ITEM_PROPERTIES.transfers.indexOf('transferDate')
const PRICE = ITEM_PROPERTIES.transfers.indexOf('transferPrice')
/** The span of the date as a date-time follows the stored values. */
const DATE_OBJECT = ITEM_PROPERTIES.transfers.length
const newest = new Spans(DATE_OBJECT + 1)
const before = new Spans(DATE_OBJECT + 1)
const purchase = new Spans(DATE_OBJECT + 1)

/** The newest transfer, the one before it, and the newest with a price above 0. */
const SHOWN = { transfers: newest, before, purchase }

/** A field of the flat layout with one value of a transfer. */
export function showTransfer(
  which: keyof typeof SHOWN,
  name: string,
  { slot, show }: ItemKey,
): Source {
  const item = SHOWN[which]
  const object = name === 'transferDateObject'
  const part = whole(item.address(object ? DATE_OBJECT : slot))
  const bits = object ? [part] : (show?.(part) ?? [part])
  return { compose: (field) => (field('transfers') === null ? null : bits), prepare: findTransfers }
}

/** Finds the shown transfers; the values of one that is missing are empty. */
function findTransfers(record: StoredRecord): void {
  const from = record.from(TRANSFERS)
  const to = record.to(TRANSFERS)
  const end = cutItem(newest, from, to)
  cutItem(before, Math.min(end + 1, to), to)
  findPurchase(from, to)
  record.length += 2 * (to - from)
  makeDateObject(record)
}

/** Derives the newest transfer's date as a date-time. */
function makeDateObject(record: StoredRecord): void {
  const [from, to] = [newest.from(DATE), newest.to(DATE)]
  if (from === to) return
  // The date without its closing quote, and midnight.
  const start = record.take(to - 1 - from + TIME.to - TIME.from)
  newest.set(DATE_OBJECT, start, copy(TIME.from, TIME.to, copy(from, to - 1, start)))
}

const TIME = pieceOf(MIDNIGHT)

/** Finds the newest transfer with a price above 0. */
function findPurchase(first: number, to: number): void {
  for (let from = first; ; ) {
    const end = cutItem(purchase, from, to)
    const price = purchase.from(PRICE)
    // A price is a whole number without leading zeros.
    if (price < purchase.to(PRICE) && isPositive(bytes[price] as number)) return
    if (end >= to) break
    from = end + 1
  }
  cutItem(purchase, to, to)
}

function isPositive(firstDigit: number): boolean {
  return firstDigit > ZERO && firstDigit <= NINE
}

const BUILDINGS = slotOf('buildings')
const NAMES = ITEM_PROPERTIES.buildings
const SEVERAL = NAMES.map((name) => (BUILDING_FIELDS[name] as BuildingField).several)
const AREA = NAMES.indexOf('buildingArea')

/** Where `ANY` is derived from: whether any building has a garage or a fireplace. */
const COUNTED = { garage: NAMES.indexOf('garageCount'), fireplace: NAMES.indexOf('fireplaceCount') }
const ANY = { garage: NAMES.length, fireplace: NAMES.length + 1 }
const shown = new Spans(NAMES.length + 2)

/** A field of the flat layout with one value of the building. */
export function showBuilding(name: string): Source {
  const own = NAMES.indexOf(name as (typeof NAMES)[number])
  const bits = [whole(shown.address(own === -1 ? ANY[name as keyof typeof ANY] : own))]
  return {
    compose: (field) => (field('buildings') === null ? null : bits),
    prepare: makeBuilding,
  }
}

const TRUE = pieceOf('true')
const FALSE = pieceOf('false')

/** Derives the shown building from one or several. */
function makeBuilding(record: StoredRecord): void {
  const to = record.to(BUILDINGS)
  if (cutItem(shown, record.from(BUILDINGS), to) !== to) {
    const joined = record.append(joinBuildings(record.text(BUILDINGS)))
    cutItem(shown, joined.from, joined.to)
  }
  record.length += 2 * (FALSE.to - FALSE.from)
  setAny(COUNTED.garage, ANY.garage)
  setAny(COUNTED.fireplace, ANY.fireplace)
}

function setAny(count: number, any: number): void {
  const [from, to] = [shown.from(count), shown.to(count)]
  if (from === to) return
  const { from: start, to: end } = isAboveZero(from, to) ? TRUE : FALSE
  shown.set(any, start, end)
}

/** Reports whether a JSON number is above zero. Making a text of it first takes longer. */
function isAboveZero(from: number, to: number): boolean {
  if (bytes[from] === MINUS) return false
  for (let at = from; at < to; at += 1) {
    const code = bytes[at] as number
    if (code > ZERO && code <= NINE) return true
    if (code !== ZERO && code !== POINT) return false
  }
  return false
}

const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39]

/** Combines several buildings into one in stored form. */
function joinBuildings(buildings: string): string {
  const items = splitItems(buildings)
  const largest = items.reduce((a, b) => (Number(b[AREA]) > Number(a[AREA]) ? b : a))
  const joined = SEVERAL.map((several, slot) => {
    const values = items.map((item) => item[slot] ?? '').filter((value) => value !== '')
    if (several === 'sum')
      return values.length === 0 ? '' : `${values.reduce((sum, one) => sum + Number(one), 0)}`
    if (several === 'any') return values.includes('true') ? 'true' : (values[0] ?? '')
    if (several === 'largest') return largest[slot] ?? ''
    return values[0] ?? ''
  })
  return joined.join(VALUE)
}
