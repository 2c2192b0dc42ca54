/**
 * Parameters: each operation declares its own once, from which parsing, types and OpenAPI follow.
 * `tables/parameters.txt` has texts. Rules: docs/decisions/http-interface.md.
 */
import { refuse } from '../base/errors.ts'
import { readTable } from '../base/tables.ts'
import { findState } from '../regions/states.ts'
import {
  checkText,
  collectGiven,
  foldName,
  type GivenQuery,
  type NameTest,
  REPEATED,
} from './given-query.ts'

type Common = {
  /** Default: in the query string. */
  in?: 'path'
  required?: boolean
  /** Alternative names. Two of them with different values are refused. */
  aliases?: readonly string[]
  /** Instead, the first name that is given wins. */
  firstWins?: true
  deprecated?: boolean
}

type Parameter =
  | (Common & {
      type: 'string'
      /** The empty text is a value (`cursor`); otherwise an empty parameter counts as missing. */
      mayBeEmpty?: boolean
      /** The error for a text that is too long. */
      invalid?: string
      /** Several may be given; they are read as one text with commas between them. */
      repeats?: boolean
      /** A required form, and its error: `must be …`. A group has all that is used. */
      pattern?: { is: RegExp; says: string; holds?: (text: string) => boolean }
    })
  | (Common & { type: 'state' })
  | (Common & {
      type: 'integer'
      minimum?: number
      /** A larger value is refused, or reduced with `cap`. */
      maximum?: number
      cap?: boolean
      default?: number
      /** Not read when this parameter is given. */
      unless?: string
    })
  /** A decimal number, such as `-89.4`. Outside its range it is refused, or limited with `cap`. */
  | (Common & {
      type: 'number'
      minimum?: number
      maximum?: number
      cap?: boolean
      default?: number
    })
  | (Common & { type: 'choice'; values: readonly string[]; default?: string })
  /** Several texts: repeated, or separated by commas where `values` are all there may be. */
  /** `commas`: no value contains a comma, so that one may separate them. */
  | (Common & { type: 'words'; values?: readonly string[]; commas?: true })
  | (Common & { type: 'boolean'; default?: boolean })

export type Parameters = Readonly<Record<string, Parameter>>

/** Parameters with what people are told of them. */
export type DescribedParameters = Readonly<Record<string, Described>>

export type Described = Parameter & { about: string; example?: string | number | boolean }

/** A line of `tables/parameters.txt`. */
type Told = { about: string; example: string }

/** By the operation, `*` for all, and name. */
const TOLD: ReadonlyMap<string, Told> = readTold()

function readTold(): Map<string, Told> {
  const told = new Map<string, Told>()
  let section = ''
  for (const line of readTable('parameters.txt')) {
    const [name = '', example = '', about = ''] = line.split('\t')
    if (name.startsWith('[')) section = name.slice(1, -1)
    else told.set(`${section} ${name}`, { about, example })
  }
  return told
}

/** Adds what the table says of an operation's parameters. Throws for a missing one. */
export function describeParameters(operationId: string, declared: Parameters): DescribedParameters {
  const described = Object.entries(declared).map(([name, parameter]): [string, Described] => {
    const told = TOLD.get(`${operationId} ${name}`) ?? TOLD.get(`* ${name}`)
    if (told === undefined) throw new Error(`parameters.txt: ${operationId} has no "${name}"`)
    const { about, example } = told
    const isNumber = parameter.type === 'integer' || parameter.type === 'number'
    const typed = isNumber ? Number(example) : example
    const shown = parameter.type === 'boolean' ? example === 'true' : typed
    return [name, { ...parameter, about, ...(example !== '-' && { example: shown }) }]
  })
  return Object.fromEntries(described)
}

type ValueOf<P extends Parameter> = P extends { type: 'integer' | 'number' }
  ? number
  : P extends { type: 'boolean' }
    ? boolean
    : P extends { type: 'choice'; values: readonly (infer Word)[] }
      ? Word
      : P extends { type: 'words' }
        ? string[]
        : string

type Sure<P extends Parameter> = P extends { required: true }
  ? true
  : P extends { default: number | boolean | string }
    ? true
    : false

/** The values of a declaration: those that are always present, and those that may be missing. */
export type Values<Declared extends Parameters> = {
  [Name in keyof Declared]: Sure<Declared[Name]> extends true
    ? ValueOf<Declared[Name]>
    : ValueOf<Declared[Name]> | undefined
}

/**
 * Reads a query. Unknown parameters are ignored, unless one is another spelling of a declared name
 * or in `unsupported`. Throws *bad request* naming the faulty parameter.
 */
export function readParameters<Declared extends Parameters>(
  declared: Declared,
  query: GivenQuery,
  path?: Readonly<Record<string, string>>,
  unsupported?: NameTest,
): Values<Declared> {
  const { placeOf, spelled, listed } = plans.getOrInsertComputed(declared, makePlan)
  const given = collectGiven(declared, { placeOf, spelled }, query, unsupported)
  if (path !== undefined) takePath(declared, placeOf, given, path)
  const values: Record<string, unknown> = {}
  for (const one of listed) {
    if (one.required || one.names.some(({ place }) => given[place] !== undefined)) {
      values[one.name] = read(one, given)
    } else if (one.absent !== undefined) values[one.name] = one.absent
  }
  return values as Values<Declared>
}

/** Path parameters only come from the path: one of the same name in the query is ignored. */
function takePath(
  declared: Parameters,
  placeOf: ReadonlyMap<string, number>,
  given: (string | undefined)[],
  path: Readonly<Record<string, string>>,
): void {
  for (const [name, { in: where }] of Object.entries(declared)) {
    const place = placeOf.get(name)
    if (where === 'path' && place !== undefined)
      given[place] = checkText(name, path[name], declared)
  }
}

type Given = readonly (string | undefined)[]

/** A parameter with all its names, its own first, each with its index among all names. */
type Listed = {
  name: string
  parameter: Parameter
  /** Here too, because declarations have many shapes, which makes reading 60 of them slow. */
  required: boolean
  /** Its default. */
  absent: unknown
  names: readonly { alias: string; place: number }[]
  /** Index of the parameter that disables this one; -1 for none. */
  unless: number
}

/** A compiled declaration, made on first use. */
type Plan = {
  placeOf: ReadonlyMap<string, number>
  /** Names by their folded form. */
  spelled: ReadonlyMap<string, string>
  listed: readonly Listed[]
}

const plans = new WeakMap<Parameters, Plan>()

function makePlan(declared: Parameters): Plan {
  const placeOf = new Map<string, number>()
  const named = Object.entries(declared).map(([name, parameter]) => {
    const names = [name, ...(parameter.aliases ?? [])].map((alias) => {
      const place = placeOf.getOrInsertComputed(alias, () => placeOf.size)
      return { alias, place }
    })
    const required = parameter.required === true
    const absent = 'default' in parameter ? parameter.default : undefined
    return { name, parameter, required, absent, names }
  })
  const listed = named.map((one): Listed => {
    const beside = 'unless' in one.parameter ? one.parameter.unless : undefined
    return { ...one, unless: placeOf.get(beside ?? '') ?? -1 }
  })
  // For names that fold alike, the error suggests the first declared one.
  const queried = [...placeOf.keys()].filter((name) => declared[name]?.in !== 'path')
  const spelled = new Map(queried.reverse().map((name) => [foldName(name), name]))
  return { placeOf, spelled, listed }
}

function read(one: Listed, given: Given): unknown {
  const { name, parameter, names, unless, absent } = one
  if (unless === -1 || given[unless] === undefined) {
    for (const { alias, place } of names) {
      const text = given[place]
      if (text === undefined) continue
      const empty = text.trim() === ''
      if (empty && !('mayBeEmpty' in parameter && parameter.mayBeEmpty)) continue
      const value = readText(alias, parameter, text)
      if (names.length > 1 && !parameter.firstWins) refuseOther(alias, text, one, given)
      return value
    }
  }
  if (parameter.required) throw refuse.badRequest(`${name} is required`)
  return absent
}

/** Throws *bad request* when another name of the parameter has another value than `first`. */
function refuseOther(first: string, asked: string, { parameter, names }: Listed, given: Given) {
  for (const { alias, place } of names) {
    const text = given[place]
    if (alias === first || text === undefined || text.trim() === '') continue
    if (sameAs(alias, parameter, text) !== sameAs(first, parameter, asked)) {
      throw refuse.badRequest(`${first} and ${alias} are one parameter with two values; send one`)
    }
  }
}

/** Returns a value in a form that is equal for what an operation reads alike. */
function sameAs(name: string, parameter: Parameter, text: string): string {
  const value = String(readText(name, parameter, text))
    .trim()
    .toUpperCase()
  if (!('pattern' in parameter)) return value
  return parameter.pattern?.is.exec(value)?.[1] ?? value
}

function readText(
  name: string,
  parameter: Parameter,
  text: string,
): string | number | boolean | string[] {
  if (parameter.type === 'state') {
    const state = findState(text.trim())
    if (state === undefined) {
      throw refuse.badRequest(`${name} is not the two letters of a US state, DC or a territory`)
    }
    return state.code
  }
  if (parameter.type === 'integer' || parameter.type === 'number') {
    return readNumber(name, parameter, text.trim())
  }
  if (parameter.type === 'choice') return readChoice(name, parameter.values, text.trim())
  if (parameter.type === 'boolean') return readBoolean(name, text.trim())
  if (parameter.type === 'words') return readWords(name, parameter, text)
  const { pattern } = parameter
  if (pattern === undefined) return text
  if (!pattern.is.test(text.trim()) || pattern.holds?.(text.trim()) === false) {
    throw refuse.badRequest(`${name} ${pattern.says}`)
  }
  return text
}

function readNumber(
  name: string,
  { type, minimum, maximum, cap }: Extract<Parameter, { type: 'integer' | 'number' }>,
  text: string,
): number {
  const { is, says } = NUMBERS[type]
  if (!is.test(text)) throw refuse.badRequest(`${name} must be ${says}`)
  const value = type === 'integer' ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number(text)
  if (minimum !== undefined && value < minimum) {
    throw refuse.badRequest(`${name} must be ${minimum} or more`)
  }
  if (maximum === undefined || value <= maximum) return value
  if (cap) return maximum
  throw refuse.badRequest(`${name} must be ${maximum} or less`)
}

const NUMBERS = {
  integer: { is: /^[+-]?\d+$/, says: 'an integer' },
  number: { is: /^[+-]?(?:\d+\.?\d*|\.\d+)$/, says: 'a number' },
}

/** Compared without case; the declared spelling is returned. */
function readChoice(name: string, values: readonly string[], text: string): string {
  const value = values.find((one) => one.toLowerCase() === text.toLowerCase())
  if (value === undefined) throw refuse.badRequest(`${name} must be one of ${values.join(', ')}`)
  return value
}

/** Most texts of one parameter. */
const WORDS_MAX = 50

/** `text`: the given texts, joined by line feeds. */
function readWords(
  name: string,
  { values, commas }: { values?: readonly string[]; commas?: true },
  text: string,
): string[] {
  const texts = text.split(values === undefined && commas === undefined ? REPEATED : /[\n,]/)
  const words = texts.map((one) => one.trim()).filter((one) => one !== '')
  if (words.length === 0) throw refuse.badRequest(`${name} has no value`)
  if (words.length > WORDS_MAX) throw refuse.badRequest(`${name} has more than ${WORDS_MAX} values`)
  return values === undefined ? words : words.map((one) => readChoice(name, values, one))
}

function readBoolean(name: string, text: string): boolean {
  const isTrue = /^(?:true|1)$/i.test(text)
  if (isTrue || /^(?:false|0)$/i.test(text)) return isTrue
  throw refuse.badRequest(`${name} must be true or false`)
}
