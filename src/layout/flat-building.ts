/**
 * A parcel's buildings as the flat layout's one: area, rooms, garages and fireplaces are sums, years those of the
 * largest building, a pool is one of any building, the rest is of the first building that has it.
 */
import { BUILDING_LEAVES, leafIndex, splitItems, VALUE } from './leaves.ts'
import { cutItem, makeItemCut } from './lists.ts'
import { pieceOf } from './output.ts'
import type { StoredRecord } from './record.ts'
import { derive, type End } from './template.ts'

type BuildingLeaf = (typeof BUILDING_LEAVES)[number]

/** A field of the flat layout that one value of the building shows. */
export function building(name: BuildingLeaf): End {
  const value = AT[name]
  return derive(
    (record, output) => {
      cutBuilding(record)
      output.copy(record, cut.start(value), cut.end(value))
    },
    ['buildings'],
  )
}

/** Whether a count says that there is one. */
export function anyBuilding(name: 'garageCount' | 'fireplaceCount'): End {
  const value = AT[name]
  return derive(
    (record, output) => {
      cutBuilding(record)
      const [from, to] = [cut.start(value), cut.end(value)]
      if (to === from) return
      output.piece(Number(record.bytes.toString('latin1', from, to)) > 0 ? TRUE : FALSE)
    },
    ['buildings'],
  )
}

const TRUE = pieceOf('true')
const FALSE = pieceOf('false')

const BUILDINGS = leafIndex('buildings')
const AT = Object.fromEntries(BUILDING_LEAVES.map((name, index) => [name, index])) as Record<
  BuildingLeaf,
  number
>
const SUMMED = [AT.buildingArea, AT.bedrooms, AT.bathrooms, AT.garageCount, AT.fireplaceCount]
const OF_LARGEST = [AT.actualYearBuilt, AT.effectiveYearBuilt]

/** The values of the building shown; several fields ask for them in a row. */
const cut = makeItemCut()
let cutTurn = 0

function cutBuilding(record: StoredRecord): void {
  if (cutTurn === record.turn) return
  cutTurn = record.turn
  const to = record.end(BUILDINGS)
  const end = cutItem(cut, record, record.start(BUILDINGS), to)
  if (end === to) return
  const start = record.append(joinBuildings(record.text(BUILDINGS)))
  cutItem(cut, record, start, record.length)
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
