/**
 * Compiles a CQL2 filter into a test of records, and the box and values by which fewer records need
 * be read. Unknown values give neither true nor false, as in SQL.
 */
import { dayOf } from '../../../base/days.ts'
import { refuse } from '../../../base/errors.ts'
import type { Shape } from '../../../geo/shape.ts'
import type { Crs } from '../crs.ts'
import { findField, isQueryable, type OgcField, type Readable } from '../fields.ts'
import { isLike, readPattern } from './like.ts'
import type { Cql2 } from './read-text.ts'
import { meets, type Placed, readLiteralShape } from './shapes.ts'

/** What a test reads of a record: values by their place, and its shape. */
type Tested = { values: readonly unknown[]; shape: Placed | undefined }

/** `null`: unknown. */
export type Test = (record: Tested) => boolean | null

/** What holds of a property in every match: it is one of some values, or in a range. */
export type Bound =
  | { name: string; among: readonly Scalar[] }
  | { name: string; from?: Scalar; to?: Scalar }

/** What every match meets. */
type Narrowed = { bounds: readonly Bound[]; shapes: readonly Shape[] }

type Scalar = string | number | boolean
type Kind = 'text' | 'number' | 'boolean' | 'time'
type Value = { kind: Kind; read(record: Tested): Scalar | null; name?: string; is?: Scalar }
type World = { readable: Readable; crs: Crs }

const NODES_MAX = 500
const DEPTH_MAX = 40

/** Throws *bad request* for what is not supported, and for properties that cannot be asked for. */
export function compileFilter(tree: Cql2, world: World): { test: Test; narrowed: Narrowed } {
  checkSize(tree, 0, { nodes: 0 })
  const test = compile(tree, world)
  const bounds: Bound[] = []
  const shapes: Shape[] = []
  for (const part of conjuncts(tree)) {
    if (typeof part !== 'object' || !('op' in part)) continue
    if (part.op === 's_intersects') shapes.push(readIntersects(part.args, world))
    else bounds.push(...boundsOf(part, world))
  }
  return { test, narrowed: { bounds, shapes } }
}

const TURNED = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
  ['=', '='],
])

/** Returns what a comparison of a property with constants says; of others nothing. */
function boundsOf({ op, args }: { op: string; args: Cql2[] }, world: World): Bound[] {
  const isProperty = (arg: Cql2 | undefined) => typeof arg === 'object' && 'property' in arg
  const turned = TURNED.get(op)
  if (turned !== undefined && isProperty(args[1]) && !isProperty(args[0])) {
    return boundsOf({ op: turned, args: [args[1], args[0]] as Cql2[] }, world)
  }
  if (!isProperty(args[0])) return []
  const property = readValue(args[0] as Cql2, world)
  const name = property.name ?? ''
  const others = args.slice(1).flat() as Cql2[]
  if (others.some((other) => typeof other === 'object' && ('property' in other || 'op' in other))) {
    return []
  }
  const values = others.flatMap((other) => alike(property, readValue(other, world))[1].is ?? [])
  const [first, second] = values
  if (first === undefined) return []
  if (op === '=' || op === 'in') return [{ name, among: values }]
  if (op === 'between' && second !== undefined) return [{ name, from: first, to: second }]
  if (op === '<' || op === '<=') return [{ name, to: first }]
  return op === '>' || op === '>=' ? [{ name, from: first }] : []
}

/** Also checks members that must be texts, as objects of a caller cannot be written as one. */
function checkSize(tree: unknown, depth: number, count: { nodes: number }): void {
  count.nodes += 1
  if (count.nodes > NODES_MAX) throw refuse.badRequest('filter is too long')
  if (depth > DEPTH_MAX) throw refuse.badRequest('filter is nested too deeply')
  if (tree === null) throw unsupported('null')
  if (typeof tree !== 'object') return
  for (const [name, inner] of Object.entries(tree)) {
    if (TEXTS.has(name) && typeof inner !== 'string') throw unsupported(`${name} that is no text`)
    if (!('coordinates' in tree)) checkSize(inner, depth + 1, count)
  }
}

/** Members of CQL2 JSON whose value is a text. */
const TEXTS = new Set(['op', 'property', 'date', 'timestamp', 'type'])

function conjuncts(tree: Cql2): Cql2[] {
  if (typeof tree !== 'object' || !('op' in tree) || tree.op !== 'and') return [tree]
  return Array.isArray(tree.args) ? tree.args.flatMap(conjuncts) : [tree]
}

function compile(tree: Cql2, world: World): Test {
  if (typeof tree !== 'object' || Array.isArray(tree) || !('op' in tree)) {
    const value = readValue(tree, world)
    if (value.kind !== 'boolean') throw unsupported('a value where a condition belongs')
    return (record) => value.read(record) as boolean | null
  }
  const { op, args } = tree
  if (!Array.isArray(args)) throw unsupported(`${op} without args`)
  switch (op) {
    case 'and':
    case 'or':
      return joinTests(
        args.map((arg) => compile(arg, world)),
        op === 'or',
      )
    case 'not': {
      const test = compile(args[0] as Cql2, world)
      return (record) => {
        const found = test(record)
        return found === null ? null : !found
      }
    }
    case 'isNull': {
      const value = readValue(args[0] as Cql2, world, true)
      return (record) => value.read(record) === null
    }
    case 's_intersects': {
      const shape = readIntersects(args, world)
      return ({ shape: own }) => (own === undefined ? null : meets(own, shape))
    }
    default:
      return compileComparison(op, args, world)
  }
}

function joinTests(tests: readonly Test[], decides: boolean): Test {
  if (tests.length === 0) throw unsupported('and and or without conditions')
  return (record) => {
    let found: boolean | null = !decides
    for (const test of tests) {
      const one = test(record)
      if (one === decides) return decides
      if (one === null) found = null
    }
    return found
  }
}

/** A map, because a caller's operator may be named like a member of every object. */
const COMPARE = new Map<string, (a: Scalar, b: Scalar) => boolean>([
  ['=', (a, b) => a === b],
  ['<>', (a, b) => a !== b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
])

function compileComparison(op: string, args: Cql2[], world: World): Test {
  const [first, second] = args
  if (first === undefined || second === undefined) throw unsupported(`${op} with these args`)
  if (op === 'in') return compileIn(first, Array.isArray(second) ? second : args.slice(1), world)
  if (op === 'between') {
    const bounds = Array.isArray(second) ? second : args.slice(1)
    if (bounds.length !== 2) throw unsupported('between without two bounds')
    const [low, high] = bounds as [Cql2, Cql2]
    return joinTests(
      [compileComparison('>=', [first, low], world), compileComparison('<=', [first, high], world)],
      false,
    )
  }
  const [a, b] = alike(readValue(first, world), readValue(second, world))
  if (op === 'like') {
    if (a.kind !== 'text') throw unsupported('like of something that is no text')
    const fixed = b.is === undefined ? undefined : readPattern(String(b.is))
    return (record) => {
      const [text, pattern] = [a.read(record), b.read(record)]
      if (text === null || pattern === null) return null
      return isLike(String(text), fixed ?? readPattern(String(pattern)))
    }
  }
  const compare = COMPARE.get(op)
  if (compare === undefined) throw unsupported(op)
  return (record) => {
    const [left, right] = [a.read(record), b.read(record)]
    return left === null || right === null ? null : compare(left, right)
  }
}

/** Constants are looked up together, and the value is read once. */
function compileIn(first: Cql2, list: readonly Cql2[], world: World): Test {
  if (list.length === 0) throw unsupported('in without values')
  const value = readValue(first, world)
  const pairs = list.map((one) => alike(value, readValue(one, world)))
  const constants = new Set(pairs.flatMap(([, { is }]) => is ?? []))
  if (value.is !== undefined || pairs.some(([, { is }]) => is === undefined)) {
    return joinTests(
      list.map((one) => compileComparison('=', [first, one], world)),
      true,
    )
  }
  return (record) => {
    const own = value.read(record)
    return own === null ? null : constants.has(own)
  }
}

/** Returns two values of one kind: a text next to a time is read as one. */
function alike(a: Value, b: Value): [Value, Value] {
  if (a.kind === b.kind) return [a, b]
  if (a.kind === 'time' && b.is !== undefined) return [a, timeOf(String(b.is))]
  if (b.kind === 'time' && a.is !== undefined) return [timeOf(String(a.is)), b]
  const name = a.name ?? b.name ?? 'a value'
  throw refuse.badRequest(`filter: ${name} cannot be compared with a ${b.name ? a.kind : b.kind}`)
}

function readValue(tree: Cql2, world: World, isAnyType = false): Value {
  if (typeof tree === 'string') return literal('text', tree)
  if (typeof tree === 'number') return literal('number', tree)
  if (typeof tree === 'boolean') return literal('boolean', tree)
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) throw unsupported('a list')
  if ('property' in tree) return readProperty(String(tree.property), world, isAnyType)
  if ('date' in tree) return timeOf(String(tree.date))
  if ('timestamp' in tree) return timeOf(String(tree.timestamp))
  if ('op' in tree && (tree.op === 'casei' || tree.op === 'accenti')) {
    const inner = readValue((tree.args ?? [])[0] as Cql2, world)
    if (inner.kind !== 'text') throw unsupported(`${tree.op} of something that is no text`)
    const fold = tree.op === 'casei' ? (text: string) => text.toUpperCase() : foldAccents
    return {
      kind: 'text',
      read(record) {
        const text = inner.read(record)
        return text === null ? null : fold(String(text))
      },
    }
  }
  throw unsupported('op' in tree ? String(tree.op) : 'a geometry where a value belongs')
}

function foldAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

function literal(kind: Kind, is: Scalar): Value {
  return { kind, is, read: () => is }
}

/** Milliseconds; a date is its first moment. GDAL 3.6 writes a T behind one. */
function timeOf(text: string): Value {
  const isTime = /^\d{4}-\d\d-\d\d(?:T(?:\d\d:\d\d:\d\d(?:\.\d+)?Z)?)?$/.test(text)
  const isDay = isTime && dayOf(text.slice(0, 10)) !== undefined
  const time = isDay ? Date.parse(text.replace(/T$/, '')) : Number.NaN
  if (Number.isNaN(time)) throw refuse.badRequest(`filter: "${text}" is not a date or a timestamp`)
  return literal('time', time)
}

const KINDS: Partial<Record<OgcField['type'], Kind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  moment: 'time',
}

function readProperty(name: string, { readable }: World, isAnyType: boolean): Value {
  const field = findField(readable, name, 'filter')
  if (!isAnyType && !isQueryable(field)) throw refuse.badRequest(`filter: ${name} is a list`)
  const { at, type } = field
  const kind = KINDS[type] ?? 'text'
  if (kind !== 'time') return { kind, name, read: ({ values }) => (values[at] ?? null) as Scalar }
  return {
    kind,
    name,
    read({ values }) {
      const text = values[at]
      return text === null || text === undefined ? null : Date.parse(String(text))
    },
  }
}

function readIntersects(args: readonly Cql2[], { readable, crs }: World): Shape {
  const isGeometry = (arg: Cql2 | undefined) =>
    typeof arg === 'object' && 'property' in arg && arg.property === 'geometry'
  const other = isGeometry(args[0]) ? args[1] : isGeometry(args[1]) ? args[0] : undefined
  if (other === undefined) throw unsupported('s_intersects without the property geometry')
  if (!readable.hasGeometry) findField({ ...readable, fields: [] }, 'geometry')
  return readLiteralShape(other, crs)
}

function unsupported(what: string) {
  return refuse.badRequest(`filter: ${what} is not supported; /ogc/conformance lists what is`)
}
