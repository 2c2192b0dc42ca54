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
  const own: string[] = []
  const note = (at: number) => {
    const depth = own.length
    if (depth <= found.depth || depth > path.length) return
    if (own.every((key, index) => key === path[index])) Object.assign(found, { depth, at })
  }
  walkValue(text, skipBlanks(text, 0), own, note)
  return text.slice(0, found.at).split('\n').length
}

type Note = (at: number) => void

/** Walks the value that starts at `at` and returns its end. */
function walkValue(text: string, at: number, path: string[], note: Note): number {
  const first = text[at]
  if (first === '{' || first === '[') return walkList(text, at, path, note)
  if (first === '"') return endOfString(text, at)
  const rest = /[\s,\]}]/g
  rest.lastIndex = at
  return rest.exec(text)?.index ?? text.length
}

function walkList(text: string, start: number, path: string[], note: Note): number {
  const named = text[start] === '{'
  const end = named ? '}' : ']'
  let at = skipBlanks(text, start + 1)
  for (let index = 0; at < text.length && text[at] !== end; index += 1) {
    const keyAt = at
    if (named) {
      at = endOfString(text, at)
      path.push(JSON.parse(text.slice(keyAt, at)) as string)
      at = skipBlanks(text, skipBlanks(text, at) + 1)
    } else path.push(String(index))
    note(keyAt)
    at = skipBlanks(text, walkValue(text, at, path, note))
    path.pop()
    if (text[at] === ',') at = skipBlanks(text, at + 1)
  }
  return at + 1
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? 'x')) at += 1
  return at
}
