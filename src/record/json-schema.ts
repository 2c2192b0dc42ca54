/**
 * JSON Schemas as the OpenAPI document holds them, each with a description for people. Texts of
 * operations and schemas of their answers are read from `tables/operations.txt`, whose first lines
 * say how it is written.
 */
import { readTable } from '../base/tables.ts'

export type JsonSchema = Record<string, unknown>

const simple =
  (type: string | string[], more: object = {}) =>
  (description: string): JsonSchema => ({ type, ...more, description })

/** Makes a schema of each kind. */
export const json = {
  text: simple('string'),
  number: simple('number'),
  boolean: simple('boolean'),
  time: simple('string', { format: 'date-time' }),
  numberOrNull: simple(['number', 'null']),
  texts: simple('array', { items: { type: 'string' } }),
  list: (items: JsonSchema, description: string): JsonSchema => ({
    ...{ type: 'array', items, description },
  }),
  /** An object with these members; `optional`: those that may be absent, all for `'all'`. */
  object: (
    properties: Record<string, JsonSchema>,
    description?: string,
    optional: readonly string[] | 'all' = [],
  ): JsonSchema => ({
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    ...(optional !== 'all' && {
      required: Object.keys(properties).filter((name) => !optional.includes(name)),
    }),
  }),
}

/** A line of the table with the lines below it. */
type Field = { name: string; isOptional: boolean; kind: string; about?: string; members: Field[] }

/** Schemas by the names that the table has for them. */
type Given = Record<string, JsonSchema>

type Section = { summary: string; description: string; fields: readonly Field[] }

const SECTIONS: ReadonlyMap<string, Section> = new Map(
  readTable('operations.txt')
    .join('\n')
    .split(/^\[/m)
    .slice(1)
    .map((section) => {
      const [head = '', ...lines] = section.trimEnd().split('\n')
      const [name = '', summary = '', description = ''] = head.split('\t')
      return [name.slice(0, -1), { summary, description, fields: nest(lines) }]
    }),
)

/** Returns the schema of a section, an object. `given`: what the section names and has not. */
export function answerOf(section: string, given: Given = {}): JsonSchema {
  return objectOf(needSection(section).fields, given)
}

export function textsOf(operationId: string): Pick<Section, 'summary' | 'description'> {
  const { summary, description } = needSection(operationId)
  if (description === '') throw new Error(`operations.txt: ${operationId} has no description`)
  return { summary, description }
}

function needSection(name: string): Section {
  const section = SECTIONS.get(name)
  if (section === undefined) throw new Error(`operations.txt: no section "${name}"`)
  return section
}

export function membersOf(section: string, given: Given = {}): Record<string, JsonSchema> {
  return answerOf(section, given).properties as Record<string, JsonSchema>
}

function nest(lines: readonly string[]): Field[] {
  const open: Field[][] = [[]]
  for (const line of lines) {
    const depth = line.search(/\S/) / 2
    const [name = '', kind = '', about] = line.trim().split('\t')
    const isOptional = name.endsWith('?')
    const field: Field = { name: name.replace(/\?$/, ''), isOptional, kind, members: [] }
    if (about !== undefined) field.about = about
    const into = open[depth]
    if (into === undefined) throw new Error(`operations.txt: "${line}" is not below a member`)
    into.push(field)
    open[depth + 1] = field.members
  }
  return open[0] ?? []
}

function objectOf(fields: readonly Field[], given: Given): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const optional: string[] = []
  for (const field of fields) {
    const spliced = field.name.startsWith('...') && named(field.name.slice(3), given)
    if (spliced) {
      const own = spliced.properties as Record<string, JsonSchema>
      Object.assign(properties, own)
      const required = (spliced.required ?? []) as string[]
      optional.push(...Object.keys(own).filter((name) => !required.includes(name)))
    } else {
      properties[field.name] = schemaOf(field, given)
      if (field.isOptional) optional.push(field.name)
    }
  }
  const areAll = optional.length === Object.keys(properties).length
  return json.object(properties, undefined, areAll ? 'all' : optional)
}

const named = (name: string, given: Given) => given[name] ?? answerOf(name, given)

function schemaOf({ kind, about, members }: Field, given: Given): JsonSchema {
  const description = about !== undefined && { description: about }
  const [word = '', ...rest] = kind.split(' ')
  if (word === 'list') {
    const isPlain = rest.length === 0 || rest[0] === 'closed'
    const own = isPlain ? objectOf(members, given) : kindOf(rest.join(' '), given)
    const items = rest[0] === 'closed' ? close(own) : own
    return { type: 'array', items, ...description }
  }
  if (word === 'closed') return { ...close(objectOf(members, given)), ...description }
  const plain: JsonSchema = { ...kindOf(kind, given), ...description }
  if (members.length === 0) return plain
  const { properties, required } = objectOf(members, given)
  return { ...plain, properties, ...(required !== undefined && { required }) }
}

/** Forbids members that are not named. */
export function close({ properties, required = [] }: JsonSchema): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

const TYPES: Record<string, JsonSchema> = {
  any: {},
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  time: { type: 'string', format: 'date-time' },
}

function kindOf(kind: string, given: Given): JsonSchema {
  if (kind.startsWith('{')) return JSON.parse(kind) as JsonSchema
  if (kind.startsWith('=')) return named(kind.slice(1), given)
  if (kind.startsWith('one of ')) return { type: 'string', enum: kind.slice(7).split(' ') }
  const [word = '', orNull] = kind.split('|')
  const found = TYPES[word]
  if (found === undefined) throw new Error(`operations.txt: unknown kind "${kind}"`)
  return orNull === undefined ? found : { ...found, type: [found.type, 'null'] }
}

/**
 * Returns a document of JSON with these values where it has `{name}`. A text that is nothing else
 * becomes the value itself, and goes without one.
 */
// biome-ignore lint/suspicious/noExplicitAny: every document has its own shape
export function fillIn(document: string, values: Record<string, unknown>): any {
  return JSON.parse(document, (_key, text) => {
    if (typeof text !== 'string') return text
    const alone = /^\{(\w+)\}$/.exec(text)?.[1]
    if (alone !== undefined) return values[alone]
    return text.replaceAll(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place))
  })
}
