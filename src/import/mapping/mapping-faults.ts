/** What is wrong with a mapping document, in sentences that name the line and the field. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { nearest } from '../../nearest.ts'
import { findLine } from './json-lines.ts'

/** The engine's own sentence, with the line where it tells a position. */
export function explainJson(error: Error, text: string): string {
  const at = /at position (\d+)/.exec(error.message)?.[1]
  const plain = error.message.replace(/ \(line \d+ column \d+\)$/, '')
  if (at === undefined || error.message.includes('(line ')) return error.message
  return `${plain} (line ${text.slice(0, Number(at)).split('\n').length})`
}

/**
 * One sentence per fault of a document with this text. A fault that has others below it, or of which another tells more, is left
 * out.
 */
export function explainFaults(errors: ErrorObject[], text: string): string[] {
  const chosen = [...Map.groupBy(errors, (error) => error.instancePath)].flatMap(([path, own]) => {
    if (errors.some((error) => error.instancePath.startsWith(`${path}/`))) {
      return own.filter((error) => TELLING.has(error.keyword))
    }
    const telling = own.filter((error) => !VAGUE.has(error.keyword))
    const named = telling.filter((error) => TELLING.has(error.keyword))
    // One of several origins is always missing; an unknown property says what is meant.
    const some = named.length > 0 ? named : telling.slice(0, 1)
    return some.length > 0 ? some : own.slice(0, 1)
  })
  return [...new Set(chosen.map((error) => sentence(error, text)))]
}

/** What alternatives of the schema say when none fits. */
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
    case 'unevaluatedProperties':
      return `${at}: no such property${suggest(String(named), propertiesOf(error))}`
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
    case 'pattern':
      return (
        `${at}: ${JSON.stringify(error.data)} is not ` +
        `${error.parentSchema?.description ?? `of the form ${params.pattern ?? params.format}`}`
      )
    default:
      return `${at}: ${error.message}${remark(error)}`
  }
}

function propertiesOf({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema?.properties as object) ?? {})
}

function remark({ parentSchema }: ErrorObject): string {
  return parentSchema?.description === undefined ? '' : ` (${parentSchema.description})`
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Names the known words that are near to the asked one; `''`: none is. */
export function suggest(asked: string, known: string[]): string {
  const near = nearest(asked, known)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}
