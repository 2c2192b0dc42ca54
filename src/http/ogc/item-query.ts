/** Reads the parameters of `items`. */
import { hash } from 'node:crypto'
import { dayOf } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { boundsOf, type Shape } from '../../geo/shape.ts'
import type { Box } from '../../geo/sphere.ts'
import { decodeRank } from '../../operations/cursor.ts'
import { parseJson } from '../../operations/given-query.ts'
import type { Order, Ranked } from '../../operations/questions/pick.ts'
import type { FactTest } from '../../operations/questions/select.ts'
import { compileFilter, type Test } from './cql2/compile.ts'
import { type Cql2, readCql2Text } from './cql2/read-text.ts'
import { meets, readBoxes, shapeOfBox } from './cql2/shapes.ts'
import { type Crs, readCrs } from './crs.ts'
import { findField, isQueryable, type OgcField, type Readable } from './fields.ts'
import { readOrder, testsOfBounds } from './narrow.ts'
import type { OgcRequest } from './request.ts'

/** Parameters of `items` besides the queryable properties. */
export const ITEM_PARAMETERS = [
  ...['limit', 'bbox', 'bbox-crs', 'crs', 'datetime', 'properties', 'sortby', 'cursor'],
  ...['filter', 'filter-lang', 'filter-crs'],
]

export const FILTER_LANGUAGES = ['cql2-text', 'cql2-json', 'cql-text']

export const LIMIT_DEFAULT = 10
export const LIMIT_MAX = 10_000

export type ItemQuery = {
  limit: number
  after: Ranked | undefined
  /** `undefined`: that of first loads. */
  order: Order | undefined
  /** Identifies conditions and order in a cursor. */
  name: string | undefined
  crs: Crs
  shown: readonly OgcField[]
  /** The conditions; `undefined`: every parcel. */
  test: Test | undefined
  /** Facts and boxes that every match meets. */
  facts: readonly FactTest[]
  boxes: readonly Box[] | undefined
}

/** Throws *bad request*. */
export function readItemQuery({ params, readable }: OgcRequest): ItemQuery {
  const crs = readCrs('crs', params.get('crs'))
  const tests: Test[] = []
  const shapes: Shape[] = []
  const bbox = readBbox(params, readable)
  if (bbox !== undefined) {
    const shape = bbox.flatMap(shapeOfBox)
    shapes.push(shape)
    tests.push(({ shape: own }) => own !== undefined && meets(own, shape))
  }
  const datetime = params.get('datetime')
  if (datetime !== undefined) tests.push(readDatetime(datetime, readable))
  const facts: FactTest[] = []
  for (const tree of readTrees(params, readable)) {
    const filterCrs = readCrs('filter-crs', params.get('filter-crs'))
    const compiled = compileFilter(tree, { readable, crs: filterCrs })
    tests.push(compiled.test)
    shapes.push(...compiled.narrowed.shapes)
    facts.push(...testsOfBounds(compiled.narrowed.bounds))
  }
  const order = readOrder(params.get('sortby'), readable)
  const cursor = params.get('cursor') ?? ''
  const name =
    order && hash('sha256', JSON.stringify([...params].filter(isOfQuestion).sort())).slice(0, 12)
  return {
    limit: readLimit(params.get('limit')),
    after: cursor === '' ? undefined : decodeRank(cursor, name),
    ...{ order, name },
    crs,
    shown: readShown(params.get('properties'), readable),
    test: tests.length === 0 ? undefined : (record) => tests.every((test) => test(record) === true),
    facts,
    boxes: smallest(shapes),
  }
}

function isOfQuestion([name]: readonly [string, string]): boolean {
  return !['cursor', 'limit', 'crs', 'properties'].includes(name)
}

function readTrees(params: ReadonlyMap<string, string>, readable: Readable): Cql2[] {
  const trees: Cql2[] = []
  const text = params.get('filter')
  const language = params.get('filter-lang') ?? 'cql2-text'
  if (!FILTER_LANGUAGES.includes(language)) {
    throw refuse.badRequest('filter-lang must be cql2-text or cql2-json')
  }
  if (text !== undefined) {
    const isJson = language === 'cql2-json'
    trees.push(isJson ? (parseJson(text, 'filter is not JSON') as Cql2) : readCql2Text(text))
  }
  for (const [name, value] of params) {
    if (ITEM_PARAMETERS.includes(name)) continue
    trees.push({ op: '=', args: [{ property: name }, literalOf(findField(readable, name), value)] })
  }
  return trees
}

function literalOf({ name, type }: OgcField, text: string): Cql2 {
  if (type === 'integer' || type === 'number') {
    if (text.trim() === '' || Number.isNaN(Number(text))) {
      throw refuse.badRequest(`${name} must be a number`)
    }
    return Number(text)
  }
  if (type !== 'boolean') return text
  if (text !== 'true' && text !== 'false') throw refuse.badRequest(`${name} must be true or false`)
  return text === 'true'
}

function readBbox(params: ReadonlyMap<string, string>, readable: Readable): Box[] | undefined {
  const text = params.get('bbox')
  const crs = readCrs('bbox-crs', params.get('bbox-crs'))
  if (text === undefined) return undefined
  if (!readable.hasGeometry) findField({ ...readable, fields: [] }, 'geometry')
  const numbers = text.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)))
  return readBoxes(numbers, crs)
}

/** A parcel's time is the year of its roll; without one it matches no time. */
function readDatetime(text: string, readable: Readable): Test {
  const { at } = findField(readable, 'sourceRollYear')
  const ends = text.split('/')
  if (ends.length > 2) throw wrongTime()
  const [from = '', to = from] = ends.map((one) => one.trim())
  const [first, last] = [readMoment(from, -1), readMoment(to, 1)]
  if (first > last) throw refuse.badRequest('datetime must begin before it ends')
  if (!Number.isFinite(first) && !Number.isFinite(last)) throw wrongTime()
  return ({ values }) => {
    const year = values[at]
    if (typeof year !== 'number') return null
    return Date.UTC(year, 0, 1) <= last && Date.UTC(year + 1, 0, 1) > first
  }
}

function readMoment(text: string, sign: 1 | -1): number {
  if (text === '' || text === '..') return sign * Number.POSITIVE_INFINITY
  const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/i
  const isDay = form.test(text) && dayOf(text.slice(0, 10)) !== undefined
  const time = isDay ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw wrongTime()
  return text.length === 10 && sign === 1 ? time + 86_399_999 : time
}

function wrongTime() {
  return refuse.badRequest('datetime must be a time of RFC 3339, or two with / between them')
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT_DEFAULT
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
    throw refuse.badRequest('limit must be a whole number of 1 or more')
  }
  return Math.min(Number(text), LIMIT_MAX)
}

function readShown(text: string | undefined, readable: Readable): readonly OgcField[] {
  if (text === undefined) return readable.fields
  const names = text.split(',').map((one) => one.trim())
  const asked = new Set(names.map((name) => findField(readable, name, 'properties').name))
  return readable.fields.filter(({ name }) => asked.has(name))
}

/** Returns the bounds of the smallest shape: every match meets all of them. */
function smallest(shapes: readonly Shape[]): Box[] | undefined {
  const all = shapes.map((shape) => shape.flatMap((rings) => boundsOf([rings]) ?? []))
  const size = (boxes: Box[]) =>
    boxes.reduce((sum, one) => sum + (one.east - one.west) * (one.north - one.south), 0)
  return all.sort((a, b) => size(a) - size(b))[0]
}

/** Names that `items` takes: its own, and properties. */
export function isItemParameter(name: string, { fields }: Readable): boolean {
  return (
    ITEM_PARAMETERS.includes(name) ||
    fields.some((field) => field.name === name && isQueryable(field))
  )
}
