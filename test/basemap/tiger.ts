/** Shapefiles in the layout of the Census's TIGER/Line files, of an invented town. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDbf, makeLineShp, makeShp, makeZip } from '../import/make-files.ts'

type Corner = [number, number]
type Town = {
  /** State and county, five digits. */
  fips: string
  /** The south-west corner, degrees. */
  at: Corner
  /** Blocks in each direction, and the width of one in degrees of longitude. */
  blocks: number
  width: number
}

const TREES = [
  'OAK',
  'ELM',
  'MAPLE',
  'CEDAR',
  'BIRCH',
  'ASPEN',
  'LINDEN',
  'WILLOW',
  'ALDER',
  'HAZEL',
]
const PRJ =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",' +
  'SPHEROID["GRS_1980",6378137,298.257222101]],PRIMEM["Greenwich",0],' +
  'UNIT["Degree",0.017453292519943295]]'

/** Writes the files as the Census's site has them: `ROADS/tl_2025_55025_roads.zip` and so on. */
export function writeTiger(folder: string, town: Town): void {
  const state = town.fips.slice(0, 2)
  const put = (kind: string, code: string, part: Part) => {
    const stem = `tl_2025_${code}_${kind.toLowerCase()}`
    const path = join(folder, kind, `${stem}.zip`)
    mkdirSync(dirname(path), { recursive: true })
    const files = { shp: part.shp, dbf: part.dbf, prj: PRJ, cpg: 'UTF-8' }
    const entries = Object.entries(files).map(([ending, bytes]) => [`${stem}.${ending}`, bytes])
    writeFileSync(path, makeZip(Object.fromEntries(entries)))
  }
  put('ROADS', town.fips, roadsOf(town))
  put('LINEARWATER', town.fips, riverOf(town))
  put('AREAWATER', town.fips, areasOf(town, 'lake'))
  put('AREALM', state, areasOf(town, 'park'))
  put('PLACE', state, placeOf(town))
  put('COUNTY', 'us', countyOf(town))
}

type Part = { shp: Buffer; dbf: Buffer }

const LINE_COLUMNS: [string, number][] = [
  ['LINEARID', 22],
  ['FULLNAME', 100],
  ['RTTYP', 1],
  ['MTFCC', 5],
]

function roadsOf({ at: [west, south], blocks, width }: Town): Part {
  const height = width * 0.7
  const roads: [string, string, Corner[]][] = []
  for (let at = 0; at <= blocks; at += 1) {
    const x = west + at * width
    const y = south + at * height
    const [east, north] = [west + blocks * width, south + blocks * height]
    // Streets bend a little, as real ones do.
    const bend = Math.sin(at) * width * 0.08
    const code = at % 8 === 4 ? 'S1200' : 'S1400'
    roads.push([
      `${TREES[at % TREES.length]} ST`,
      code,
      [
        [west, y],
        [west + (east - west) / 2, y + bend],
        [east, y],
      ],
    ])
    roads.push([
      `N ${at + 1}TH ST`,
      code,
      [
        [x, south],
        [x + bend, (south + north) / 2],
        [x, north],
      ],
    ])
  }
  const middle = south + blocks * height * 0.58
  roads.push([
    'I- 80',
    'S1100',
    Array.from({ length: 200 }, (_, at): Corner => {
      const share = at / 199
      return [
        west + (share * 1.4 - 0.2) * blocks * width,
        middle + Math.sin(share * 5) * height * 2,
      ]
    }),
  ])
  roads.push([
    'Cañon Path',
    'S1710',
    [
      [west, south],
      [west + width, south + height],
    ],
  ])
  return {
    shp: makeLineShp(roads.map(([, , line]) => [line])),
    dbf: makeDbf(
      LINE_COLUMNS,
      roads.map(([name, code], at) => [`11${at}`, name, 'M', code]),
    ),
  }
}

function riverOf({ at: [west, south], blocks, width }: Town): Part {
  const line = Array.from(
    { length: 120 },
    (_, at): Corner => [
      west + (at / 119) * blocks * width,
      south + blocks * width * (0.18 + 0.05 * Math.sin(at / 9)),
    ],
  )
  return {
    shp: makeLineShp([[line]]),
    dbf: makeDbf(
      [
        ['ANSICODE', 8],
        ['LINEARID', 22],
        ['FULLNAME', 100],
        ['ARTPATH', 1],
        ['MTFCC', 5],
      ],
      [['1', '11', 'Salt Crk', 'N', 'H3010']],
    ),
  }
}

const AREA_COLUMNS: [string, number][] = [
  ['ANSICODE', 8],
  ['FULLNAME', 100],
  ['MTFCC', 5],
  ['ALAND', 14],
  ['AWATER', 14],
]

/** Clockwise on the ground, as outer rings of shapefiles are. */
function ringAround([x, y]: Corner, [wide, high]: Corner, corners = 40): Corner[] {
  return Array.from({ length: corners + 1 }, (_, at): Corner => {
    const angle = (-2 * Math.PI * (at % corners)) / corners
    const uneven = 1 + 0.12 * Math.sin(3 * angle)
    return [x + Math.cos(angle) * wide * uneven, y + Math.sin(angle) * high * uneven]
  })
}

function areasOf({ at: [west, south], blocks, width }: Town, kind: 'lake' | 'park'): Part {
  const middle = (x: number, y: number): Corner => [
    west + x * blocks * width,
    south + y * blocks * width,
  ]
  const size = (share: number): Corner => [share * blocks * width, share * blocks * width * 0.7]
  const lake = ringAround(middle(0.75, 0.45), size(0.08))
  const island = ringAround(middle(0.75, 0.45), size(0.02)).toReversed()
  const rings = kind === 'lake' ? [lake, island] : [ringAround(middle(0.35, 0.4), size(0.07))]
  const row =
    kind === 'lake'
      ? ['2', 'Lake Wren', 'H2030', '0', '900000']
      : ['3', 'Pioneers Park', 'K2180', '900000', '0']
  return { shp: makeShp([rings]), dbf: makeDbf(AREA_COLUMNS, [row]) }
}

function boxOf({ at: [west, south], blocks, width }: Town, margin: number): Corner[] {
  const [side, high] = [blocks * width, blocks * width * 0.7]
  const [left, right] = [west - margin * side, west + (1 + margin) * side]
  const [bottom, top] = [south - margin * high, south + (1 + margin) * high]
  return [
    [left, bottom],
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

function placeOf(town: Town): Part {
  const [x, y] = town.at
  const side = town.blocks * town.width
  const columns: [string, number][] = [
    ['STATEFP', 2],
    ['NAME', 100],
    ['PCICBSA', 1],
    ['MTFCC', 5],
    ['ALAND', 14],
    ['AWATER', 14],
    ['INTPTLAT', 11],
    ['INTPTLON', 12],
  ]
  const middle = [String(y + side * 0.35).slice(0, 11), String(x + side / 2).slice(0, 12)]
  return {
    shp: makeShp([[boxOf(town, 0.05)]]),
    dbf: makeDbf(columns, [
      [town.fips.slice(0, 2), 'Wrenfield', 'Y', 'G4110', '60000000', '0', ...middle],
    ]),
  }
}

/** The county, and one of another state. */
function countyOf(town: Town): Part {
  const far = { ...town, at: [town.at[0] + 20, town.at[1]] as Corner }
  const columns: [string, number][] = [
    ['STATEFP', 2],
    ['NAME', 100],
    ['MTFCC', 5],
  ]
  return {
    shp: makeShp([[boxOf(town, 0.4)], [boxOf(far, 0.4)]]),
    dbf: makeDbf(columns, [
      [town.fips.slice(0, 2), 'Wren', 'G4020'],
      ['99', 'Far', 'G4020'],
    ]),
  }
}
