/**
 * Reads CQL2 text into the form of CQL2 JSON. Source: OGC 21-065r2, the grammar of its annex B.
 *
 * Read are comparisons, `LIKE`, `BETWEEN`, `IN`, `IS NULL`, `CASEI`, `ACCENTI`, `S_INTERSECTS`,
 * dates, geometries and boxes. Everything else is *bad request*.
 */
import { refuse } from '../../../base/errors.ts'

type Word = { kind: 'name' | 'quoted' | 'text' | 'number' | 'sign' | 'end'; text: string }

const DEPTH_MAX = 32

/** A quoted name, a text, a number, a name, or a sign. */
const PATTERN = new RegExp(
  [
    String.raw`\s*(?:("(?:[^"]|"")*")`,
    String.raw`('(?:''|\\'|[^'])*')`,
    String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`,
    String.raw`([A-Za-z_][\w.:-]*)`,
    '(<>|<=|>=|[<>=(),]))',
  ].join('|'),
  'y',
)

/** Throws *bad request* that names where the text stops making sense. */
export function readCql2Text(text: string): Cql2 {
  const words = splitWords(text)
  const reader = new Reader(words)
  const tree = reader.readOr(0)
  reader.expectEnd()
  return tree
}

function splitWords(text: string): Word[] {
  const words: Word[] = []
  PATTERN.lastIndex = 0
  while (text.slice(PATTERN.lastIndex).trim() !== '') {
    const from = PATTERN.lastIndex
    const match = PATTERN.exec(text)
    if (match === null) throw fault(text.slice(from).trim().slice(0, 20))
    const [, quoted, string, number, name, sign] = match
    if (quoted !== undefined) {
      words.push({ kind: 'quoted', text: quoted.slice(1, -1).replaceAll('""', '"') })
    } else if (string !== undefined) {
      words.push({ kind: 'text', text: string.slice(1, -1).replaceAll(/''|\\'/g, "'") })
    } else if (number !== undefined) words.push({ kind: 'number', text: number })
    else if (name !== undefined) words.push({ kind: 'name', text: name })
    else words.push({ kind: 'sign', text: sign ?? '' })
  }
  return words
}

function fault(near: string) {
  return refuse.badRequest(`filter is not CQL2 text that is understood here, at "${near}"`)
}

const END: Word = { kind: 'end', text: 'its end' }
const COMPARISONS = new Set(['=', '<>', '<', '>', '<=', '>='])

class Reader {
  readonly #words: readonly Word[]
  #at = 0

  constructor(words: readonly Word[]) {
    this.#words = words
  }

  readOr(depth: number): Cql2 {
    if (depth > DEPTH_MAX) throw refuse.badRequest('filter is nested too deeply')
    const parts = [this.#readAnd(depth)]
    while (this.#take('OR')) parts.push(this.#readAnd(depth))
    return parts.length === 1 ? (parts[0] as Cql2) : { op: 'or', args: parts }
  }

  expectEnd(): void {
    if (this.#peek().kind !== 'end') throw fault(this.#peek().text)
  }

  #readAnd(depth: number): Cql2 {
    const parts = [this.#readNot(depth)]
    while (this.#take('AND')) parts.push(this.#readNot(depth))
    return parts.length === 1 ? (parts[0] as Cql2) : { op: 'and', args: parts }
  }

  #readNot(depth: number): Cql2 {
    if (this.#take('NOT')) return { op: 'not', args: [this.#readTest(depth)] }
    return this.#readTest(depth)
  }

  #readTest(depth: number): Cql2 {
    if (this.#take('(')) {
      const inner = this.readOr(depth + 1)
      this.#expect(')')
      return inner
    }
    const intersects = this.#takeCall('S_INTERSECTS')
    if (intersects) {
      const first = this.#readGeometry()
      this.#expect(',')
      const second = this.#readGeometry()
      this.#expect(')')
      return { op: 's_intersects', args: [first, second] }
    }
    const left = this.#readValue(depth)
    const sign = this.#peek()
    if (sign.kind === 'sign' && COMPARISONS.has(sign.text)) {
      this.#at += 1
      return { op: sign.text, args: [left, this.#readValue(depth)] }
    }
    if (this.#take('IS')) {
      const isNot = this.#take('NOT')
      this.#expect('NULL')
      return negate({ op: 'isNull', args: [left] }, isNot)
    }
    const isNot = this.#take('NOT')
    if (this.#take('LIKE'))
      return negate({ op: 'like', args: [left, this.#readValue(depth)] }, isNot)
    // Of the draft that GDAL writes.
    if (this.#take('ILIKE')) {
      const pattern = this.#readValue(depth)
      const args = [left, pattern].map((one) => ({ op: 'casei', args: [one] }))
      return negate({ op: 'like', args }, isNot)
    }
    if (this.#take('BETWEEN')) {
      const low = this.#readValue(depth)
      this.#expect('AND')
      return negate({ op: 'between', args: [left, low, this.#readValue(depth)] }, isNot)
    }
    if (this.#take('IN')) {
      this.#expect('(')
      const list = [this.#readValue(depth)]
      while (this.#take(',')) list.push(this.#readValue(depth))
      this.#expect(')')
      return negate({ op: 'in', args: [left, list] }, isNot)
    }
    // A property that is true or false by itself.
    return left
  }

  #readValue(depth: number): Cql2 {
    if (depth > DEPTH_MAX) throw refuse.badRequest('filter is nested too deeply')
    for (const name of ['CASEI', 'ACCENTI']) {
      if (!this.#takeCall(name)) continue
      const inner = this.#readValue(depth + 1)
      this.#expect(')')
      return { op: name.toLowerCase(), args: [inner] }
    }
    for (const name of ['DATE', 'TIMESTAMP'] as const) {
      if (!this.#takeCall(name)) continue
      const { kind, text } = this.#next()
      if (kind !== 'text') throw fault(text)
      this.#expect(')')
      return name === 'DATE' ? { date: text } : { timestamp: text }
    }
    const { kind, text } = this.#next()
    if (kind === 'text') return text
    if (kind === 'number') return Number(text)
    if (kind === 'quoted') return { property: text }
    if (kind !== 'name') throw fault(text)
    if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
    return { property: text }
  }

  #readGeometry(): Cql2 {
    if (this.#takeCall('BBOX')) {
      const bbox = [this.#readNumber()]
      while (this.#take(',')) bbox.push(this.#readNumber())
      this.#expect(')')
      return { bbox }
    }
    if (this.#takeCall('GEOMETRYCOLLECTION')) {
      const geometries = [this.#readGeometry()]
      while (this.#take(',')) geometries.push(this.#readGeometry())
      this.#expect(')')
      return { type: 'GeometryCollection', geometries }
    }
    for (const [name, depth] of SHAPES) {
      if (!this.#takeCall(name.toUpperCase())) continue
      const list = this.#readList(depth)
      return { type: name, coordinates: name === 'Point' ? (list as unknown[])[0] : list }
    }
    const { kind, text } = this.#next()
    if (kind !== 'name' && kind !== 'quoted') throw fault(text)
    return { property: text }
  }

  /** Reads points, or lists of them, to the closing parenthesis. */
  #readList(depth: number): unknown {
    const list: unknown[] = []
    do {
      if (depth === 0) list.push(this.#readPoint())
      else {
        this.#expect('(')
        list.push(this.#readList(depth - 1))
      }
    } while (this.#take(','))
    this.#expect(')')
    return list
  }

  /** A point of several may have parentheses of its own, once. */
  #readPoint(isInner = false): number[] {
    if (!isInner && this.#take('(')) {
      const inner = this.#readPoint(true)
      this.#expect(')')
      return inner
    }
    const point = [this.#readNumber(), this.#readNumber()]
    if (this.#peek().kind === 'number') this.#readNumber()
    return point
  }

  #readNumber(): number {
    const { kind, text } = this.#next()
    if (kind !== 'number') throw fault(text)
    return Number(text)
  }

  #peek(ahead = 0): Word {
    return this.#words[this.#at + ahead] ?? END
  }

  #next(): Word {
    const word = this.#peek()
    this.#at += 1
    return word
  }

  #is(word: Word, text: string): boolean {
    if (word.kind === 'sign') return word.text === text
    return word.kind === 'name' && word.text.toUpperCase() === text
  }

  #take(text: string): boolean {
    if (!this.#is(this.#peek(), text)) return false
    this.#at += 1
    return true
  }

  /** Takes a name and the parenthesis after it. */
  #takeCall(name: string): boolean {
    if (!this.#is(this.#peek(), name) || !this.#is(this.#peek(1), '(')) return false
    this.#at += 2
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw fault(this.#peek().text)
  }
}

/** Shapes, and how deep their points are in lists. */
const SHAPES = [
  ['Point', 0],
  ['MultiPoint', 0],
  ['LineString', 0],
  ['MultiLineString', 1],
  ['Polygon', 1],
  ['MultiPolygon', 2],
] as const

function negate(test: Cql2, isNot: boolean): Cql2 {
  return isNot ? { op: 'not', args: [test] } : test
}

/** A filter in the form of CQL2 JSON. Source: OGC 21-065r2. */
export type Cql2 =
  | string
  | number
  | boolean
  | Cql2[]
  | { op: string; args: Cql2[] }
  | { property: string }
  | { date: string }
  | { timestamp: string }
  | { bbox: number[] }
  | { type: string; coordinates: unknown }
  | { type: 'GeometryCollection'; geometries: Cql2[] }
