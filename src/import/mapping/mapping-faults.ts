/** Describes the faults of a mapping document in sentences that name the line and the field. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { nearest } from '../../base/nearest.ts'
import { explainPattern } from './pattern-check.ts'

/** Returns the JSON parser's own sentence, with the line when the sentence has a position. */
export function explainJson(error: Error, text: string): string {
  const at = /at position (\d+)/.exec(error.message)?.[1]
  const plain = error.message.replace(/ \(line \d+ column \d+\)$/, '')
  if (at === undefined || error.message.includes('(line ')) return error.message
  return `${plain} (line ${text.slice(0, Number(at)).split('\n').length})`
}

/**
 * Returns one sentence per fault of a document. Leaves out a fault that contains others, and one
 * that another fault describes better.
 */
export function explainFaults(errors: ErrorObject[], text: string): string[] {
  const chosen = [...Map.groupBy(errors, (error) => error.instancePath)].flatMap(([path, own]) => {
    if (errors.some((error) => error.instancePath.startsWith(`${path}/`))) {
      return own.filter((error) => TELLING.has(error.keyword))
    }
    const telling = own.filter((error) => !VAGUE.has(error.keyword))
    const named = telling.filter((error) => TELLING.has(error.keyword))
    // Reports only the unknown property: a missing alternative is then only a consequence of it.
    const some = named.length > 0 ? named : telling.slice(0, 1)
    return some.length > 0 ? some : own.slice(0, 1)
  })
  return [...new Set(chosen.map((error) => sentence(error, text)))]
}

/** Schema keywords that fail when no alternative fits; their messages are vague. */
const VAGUE: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'if', 'required', 'const'])
const TELLING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

function sentence(error: ErrorObject, text: string): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const params = error.params as Record<string, unknown>
  const named = params.additionalProperty ?? params.propertyName ?? params.unevaluatedProperty
  const full = named === undefined ? path : [...path, String(named)]
  const at = `line ${findLine(text, full)}, ${full.join('.') || 'the document'}`
  switch (error.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const known = Object.keys(error.parentSchema?.properties ?? {})
      return `${at}: no such property${suggest(String(named), known)}`
    }
    case 'enum': {
      const allowed = params.allowedValues as unknown[]
      return (
        `${at}: ${JSON.stringify(error.data)} is none of ` +
        `${allowed.map((value) => JSON.stringify(value)).join(', ')}`
      )
    }
    case 'required':
      return `${at}: the property "${params.missingProperty}" is missing`
    case 'format':
      return `${at}: ${JSON.stringify(error.data)}: ${explainPattern(String(error.data))}`
    case 'pattern':
      return (
        `${at}: ${JSON.stringify(error.data)} is not ` +
        `${error.parentSchema?.description ?? `of the form ${params.pattern ?? params.format}`}`
      )
    default:
      return `${at}: ${error.message}${remark(error)}`
  }
}

function remark({ parentSchema }: ErrorObject): string {
  return parentSchema?.description === undefined ? '' : ` (${parentSchema.description})`
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Lists the known words that are close to the unknown one; `''` when none is. */
export function suggest(asked: string, known: string[]): string {
  const near = nearest(asked, known)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}

/**
 * Returns the line, counted from 1, on which the property or item at a path begins. If the path is
 * not there, uses its deepest part that is.
 *
 * `text` must be valid JSON. Linear in its length.
 *
 * @example findLine('{\n "a": [\n 1,\n 2 ]}', ['a', '1']) // 4
 */
export function findLine(text: string, path: readonly string[]): number {
  const found = { depth: 0, at: 0 }
  /** Names of the members that are open, and for a list the number of the next one. */
  const own: string[] = []
  const counts: (number | undefined)[] = []
  let begins = false
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']'
    if (begins && !isEnd) {
      const count = counts.at(-1)
      if (count !== undefined) counts[counts.length - 1] = count + 1
      own[counts.length - 1] = count === undefined ? JSON.parse(token) : String(count)
      const isIt = own.every((name, place) => name === path[place])
      if (isIt && own.length > found.depth) Object.assign(found, { depth: own.length, at })
    }
    begins = token === '{' || token === '[' || token === ','
    if (token === '{' || token === '[') counts.push(token === '[' ? 0 : undefined)
    else if (isEnd) counts.pop()
    own.length = Math.min(own.length, counts.length)
  }
  return text.slice(0, found.at).split('\n').length
}

/** A text, a sign, or another value of JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
