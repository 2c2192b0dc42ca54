/**
 * Shows a parcel's buildings as one in the flat layout. The table of fields defines how several are
 * combined: a sum, the value of the largest building, one of any, or the first known.
 */
import { BUILDING_FIELDS, type BuildingField } from '../record/fields.ts'
import { ITEM_PROPERTIES } from '../record/parcel.ts'
import { slotOf, splitItems, VALUE } from '../record/stored.ts'
import { cutItem } from './lists.ts'
import { bytes, pieceOf, Spans } from './memory.ts'
import { whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import type { Source } from './template.ts'

const BUILDINGS = slotOf('buildings')
const NAMES = ITEM_PROPERTIES.buildings
const SEVERAL = NAMES.map((name) => (BUILDING_FIELDS[name] as BuildingField).several)
const AREA = NAMES.indexOf('buildingArea')

/**
 * Positions of the counts from which `ANY` is derived: whether any building has a garage or a
 * fireplace. The derived values follow the stored ones.
 */
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
    if (several === 'sum') return values.length === 0 ? '' : String(addUp(values))
    if (several === 'any') return values.includes('true') ? 'true' : (values[0] ?? '')
    if (several === 'largest') return largest[slot] ?? ''
    return values[0] ?? ''
  })
  return joined.join(VALUE)
}

function addUp(values: string[]): number {
  return values.reduce((total, value) => total + Number(value), 0)
}
