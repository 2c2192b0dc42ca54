/**
 * Writes the tables of US projections, `us-projections.txt` and `projection-extents.txt`
 * in `tables/`; their comments stay.
 *
 * Source: EPSG Geodetic Parameter Dataset, by way of the npm package epsg-index 2.0.0. In an empty
 * folder: `npm init -y && npm i epsg-index@2.0.0`, then
 * `node scripts/write-projections.ts FOLDER/node_modules/epsg-index/all.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { STATES } from '../src/regions/states.ts'

type System = {
  code: string
  kind: string
  name: string
  proj4: string | null
  area: string
  bbox: number[] | null
}

/** Of whole states or the sea: no county publishes in them, and they would hide its own zone. */
const NOT_OF_ROLLS = /Albers|GIC Lambert|Offshore|BLM \d+N|UTM zone (?:1|2|20|59|60)N$/

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node scripts/write-projections.ts all.json')
const all = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, System>)
const systems = all
  .filter(({ kind, name, proj4, area }) => {
    const isNorthAmerican = /^NAD(?:27|83(?:\((?:HARN|NSRS2007|2011)\))?) \//.test(name)
    return (
      kind === 'CRS-PROJCRS' &&
      isNorthAmerican &&
      proj4 !== null &&
      /United States|Puerto Rico/.test(area)
    )
  })
  .sort(byCode)

const codesOf = new Map<string, System[]>()
for (const system of systems) {
  const datum = system.name.startsWith('NAD27') ? ' +datum=NAD27' : ''
  const definition = defineProjection(system.proj4 ?? '') + datum
  codesOf.set(definition, [...(codesOf.get(definition) ?? []), system])
}
const definitions = [...codesOf].map(
  ([definition, same]) => `${same.map(({ code }) => code).join(',')} ${definition}`,
)
const extents = [...codesOf.values()]
  .filter(([first]) => first?.name.startsWith('NAD83') === true)
  .flatMap((same) => same.find(({ name }) => name.startsWith('NAD83 /')) ?? same.slice(0, 1))
  .filter(({ name, bbox }) => !NOT_OF_ROLLS.test(name) && bbox !== null && !crossesDateLine(bbox))
  .sort(byCode)
  .map(showExtent)
writeTable('us-projections.txt', definitions)
writeTable('projection-extents.txt', extents)

function byCode(one: System, other: System): number {
  return Number(one.code) - Number(other.code)
}

function crossesDateLine([, west = 0, , east = 0]: number[]): boolean {
  return west > east
}

/** PROJ parameters without datum. */
function defineProjection(proj4: string): string {
  return proj4
    .replace('+proj=', '')
    .replace(/ \+(?:ellps|datum|nadgrids|towgs84|no_defs|type)(?:=\S+)?/g, '')
    .trim()
}

/** State, south, west, north and east, and the name. */
function showExtent({ code, name, area, bbox }: System): string {
  const [north, west, south, east] = bbox ?? []
  // Counties may follow the states, and many have the name of a state.
  const places =
    /(?:United States \(USA\) - |^(?!.*United States))(.+?)(?: -|\.|$)/
      .exec(area)?.[1]
      ?.split(/; ?/) ?? []
  const states = STATES.filter((state) => places.some((place) => place.startsWith(state.name)))
  const state = states.length === 1 ? states[0]?.code : '--'
  const short = name.replace(/^NAD83(?:\([^)]*\))? \/ /, '')
  return [code, state, south, west, north, east, short].join(' ')
}

function writeTable(path: string, lines: readonly string[]): void {
  const file = new URL(`../tables/${path}`, import.meta.url)
  const comments = readFileSync(file, 'utf8').match(/^#.*$/gm) ?? []
  writeFileSync(file, `${[...comments, ...lines].join('\n')}\n`)
}
