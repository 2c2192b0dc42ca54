/**
 * A parcel's buildings as the flat layout's one: area, rooms, garages and fireplaces are sums, years those of the
 * largest building, a pool is one of any building, the rest is of the first building that has it.
 */
import { BUILDING_LEAVES, leafIndex, splitItems, VALUE } from '../record/leaves.ts'
import { cutItem, makeItem } from './lists.ts'
import { bytes, pieceOf } from './memory.ts'
import { whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import { compose, type End } from './template.ts'

type BuildingLeaf = (typeof BUILDING_LEAVES)[number]

const shown = makeItem()

/** A field of the flat layout that one value of the building shows. */
export function building(name: BuildingLeaf): End {
  return showSpan(AT[name])
}

/** Whether a count says that there is one. */
export function anyBuilding(name: 'garageCount' | 'fireplaceCount'): End {
  return showSpan(name === 'garageCount' ? HAS_GARAGE : HAS_FIREPLACE)
}

function showSpan(value: number): End {
  const bits = [whole(shown.address(value))]
  return compose((leaf) => (leaf('buildings') === null ? null : bits), makeBuilding)
}

const BUILDINGS = leafIndex('buildings')
const AT = Object.fromEntries(BUILDING_LEAVES.map((name, index) => [name, index])) as Record<
  BuildingLeaf,
  number
>
const SUMMED = [AT.buildingArea, AT.bedrooms, AT.bathrooms, AT.garageCount, AT.fireplaceCount]
const OF_LARGEST = [AT.actualYearBuilt, AT.effectiveYearBuilt]

/** Behind a building's own values stand those that say whether there is any. */
const HAS_GARAGE = BUILDING_LEAVES.length
const HAS_FIREPLACE = HAS_GARAGE + 1
const TRUE = pieceOf('true')
const FALSE = pieceOf('false')

/** Makes the building that is shown, of one or several. */
function makeBuilding(record: StoredRecord): void {
  const to = record.to(BUILDINGS)
  if (cutItem(shown, record.from(BUILDINGS), to) !== to) {
    const joined = record.append(joinBuildings(record.text(BUILDINGS)))
    cutItem(shown, joined.from, joined.to)
  }
  record.length += 2 * (FALSE.to - FALSE.from)
  tellAny(AT.garageCount, HAS_GARAGE)
  tellAny(AT.fireplaceCount, HAS_FIREPLACE)
}

function tellAny(count: number, any: number): void {
  const [from, to] = [shown.from(count), shown.to(count)]
  if (from === to) return
  const { from: start, to: end } = Number(bytes.toString('latin1', from, to)) > 0 ? TRUE : FALSE
  shown.set(any, start, end)
}

/** Several buildings as one, kept as a building is. */
function joinBuildings(buildings: string): string {
  const items = splitItems(buildings)
  const largest = items.reduce((a, b) =>
    Number(b[AT.buildingArea]) > Number(a[AT.buildingArea]) ? b : a,
  )
  const joined = BUILDING_LEAVES.map((_, at) => {
    const values = items.map((item) => item[at] ?? '').filter((value) => value !== '')
    if (SUMMED.includes(at)) return values.length === 0 ? '' : String(sum(values))
    if (at === AT.pool) return values.includes('true') ? 'true' : (values[0] ?? '')
    if (OF_LARGEST.includes(at)) return largest[at] ?? ''
    return values[0] ?? ''
  })
  return joined.join(VALUE)
}

function sum(values: string[]): number {
  return values.reduce((total, value) => total + Number(value), 0)
}
