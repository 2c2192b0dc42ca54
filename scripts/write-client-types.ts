/**
 * Writes `client/src/generated.ts` from the OpenAPI document: the client's types and its table of
 * paths.
 *
 * Our own code: the known libraries need the compiler's JavaScript interface, which TypeScript 7
 * lacks.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeApi } from '../src/http/openapi/openapi.ts'

const CLIENT_TYPES = fileURLToPath(new URL('../client/src/generated.ts', import.meta.url))

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  description?: string
}
type Parameter = {
  name: string
  required?: boolean
  description?: string
  deprecated?: boolean
  schema: Schema
}
type Operation = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
type Described = Operation & { path: string }
type Schemas = Record<string, Schema>
type Document = {
  paths: Record<string, { get?: Operation }>
  components: { schemas: Schemas }
}

/** The text of the generated file, formatted. */
export function writeClientTypes(): string {
  const document = describeApi() as unknown as Document
  const { schemas } = document.components
  const operations = Object.entries(document.paths)
    .flatMap(([path, { get }]) => (get === undefined ? [] : [{ path, ...get }]))
    .filter(({ path, responses }) => path.startsWith('/public/') && answersJson(responses))
    // `client.watches` is written by hand.
    .filter(({ path }) => !path.startsWith('/public/watches/'))
  const records = ['FlatProperty', 'NestedProperty'].map(
    (name) => `export type ${name} = ${typeOf(schemas[name] ?? {}, schemas)}`,
  )
  const lines = [
    '// Written by `npm run client-types` from the OpenAPI document. Do not edit.',
    "import type { PropertyList } from './list.ts'",
    "import type { CallOptions, Query, WithMeta } from './request.ts'",
    ...records,
    '/** Parameters and answers by operation. */',
    'export type Operations = {',
    ...operations.map((operation) => describeOperation(operation, schemas)),
    '}',
    '/** Where each operation is and how its answer is read. */',
    'export const OPERATIONS = {',
    ...operations.map((operation) => tableRow(operation, schemas)),
    '} as const',
    '/** A method per operation; how they ask is the client class. */',
    'export abstract class Methods<Property = FlatProperty> {',
    'protected abstract one<Value>(name: keyof Operations, query: Query, options: ' +
      'CallOptions): Promise<WithMeta<Value> | null>',
    'protected abstract list<Item, Metadata>(name: keyof Operations, query: Query, ' +
      'options: CallOptions): PropertyList<Item, Metadata>',
    ...operations.map((operation) => writeMethod(operation, schemas)),
    '}',
  ]
  return format(lines.join('\n'))
}

function answersJson(responses: Operation['responses']): boolean {
  return responses['200']?.content?.['application/json'] !== undefined
}

/**
 * The schema of an operation's 200, followed through its reference. Of several forms it is the one
 * with metadata: a list.
 */
function answerOf({ responses }: Described, schemas: Schemas): Schema {
  const answer = follow(responses['200']?.content?.['application/json']?.schema ?? {}, schemas)
  return answer.anyOf?.find(({ properties }) => properties?.metadata !== undefined) ?? answer
}

function describeOperation(operation: Described, schemas: Schemas): string {
  const answer = answerOf(operation, schemas)
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const { name, required, deprecated, description, schema } = parameter
    const about = comment(deprecated ? `Deprecated. ${description ?? ''}` : description)
    const type = typeOf(schema, schemas)
    return `${about}${quote(name)}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`
  })
  const { property, metadata } = answer.properties ?? {}
  const named = parameters.length === 0 ? 'Record<string, never>' : `{ ${parameters.join('; ')} }`
  const parts = [
    `parameters: ${named}`,
    property === undefined ? `answer: ${typeOf(answer, schemas)}` : 'property: FlatProperty',
    ...(metadata === undefined ? [] : [`metadata: ${typeOf(metadata, schemas)}`]),
  ]
  return `${comment(operation.summary)}${operation.operationId}: { ${parts.join('; ')} }`
}

function tableRow(operation: Described, schemas: Schemas): string {
  const { operationId, path, parameters = [] } = operation
  const { properties = {} } = answerOf(operation, schemas)
  const has = (name: string) => parameters.some((parameter) => parameter.name === name)
  const by = has('cursor') ? 'cursor' : has('offset') ? 'offset' : 'none'
  const list = Object.entries(properties).find(([, { type }]) => type === 'array')?.[0]
  const isList = list !== undefined && properties.metadata !== undefined
  const paging = isList ? `, paging: { list: '${list}', by: '${by}' }` : ''
  const field = properties.property === undefined ? '' : ", field: 'property'"
  return `${operationId}: { path: '${path}'${field}${paging} },`
}

/** Returns the method of an operation: it returns a property, a list, or the answer itself. */
function writeMethod(operation: Described, schemas: Schemas): string {
  const { operationId: id, parameters = [], summary } = operation
  const { properties = {} } = answerOf(operation, schemas)
  const list = Object.entries(properties).find(([, { type }]) => type === 'array')
  const isList = properties.metadata !== undefined && list !== undefined
  const item = list?.[1].items?.$ref?.endsWith('/Property')
    ? 'Property'
    : `Operations['${id}']['answer']['${list?.[0]}'][number]`
  const asked = parameters.filter(({ name }) => name !== 'Idempotency-Key')
  const optional = asked.some(({ required }) => required) ? '' : ' = {}'
  const first =
    asked.length === 0 ? '' : `parameters: Operations['${id}']['parameters']${optional}, `
  const given = asked.length === 0 ? '{}' : 'parameters'
  const call = isList
    ? `this.list<${item}, Operations['${id}']['metadata']>`
    : properties.property !== undefined
      ? 'this.one<Property>'
      : `this.one<Operations['${id}']['answer']>`
  const about = comment(methodText(summary, isList, properties.property !== undefined))
  return (
    `${about}${id}(${first}options: ` +
    `CallOptions = {}) { return ${call}('${id}', ${given}, options) }`
  )
}

function methodText(summary: string, isList: boolean, isLookup: boolean): string {
  if (isList) return `${summary}: a list, read page by page.`
  return isLookup ? `${summary}: the property, or \`null\` when there is none.` : `${summary}.`
}

function follow(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : follow(schemas[name] ?? {}, schemas)
}

/** A schema as a TypeScript type. Records are named, other references are written out. */
function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.$ref?.endsWith('/Property')) return 'FlatProperty'
  if (schema.$ref !== undefined) return typeOf(follow(schema, schemas), schemas)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return choices.map((one) => typeOf(one, schemas)).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'unknown']
  return types.map((type) => plainType(type, schema, schemas)).join(' | ')
}

function plainType(type: string, schema: Schema, schemas: Schemas): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `Array<${schema.items ? typeOf(schema.items, schemas) : 'unknown'}>`
  if (type !== 'object') return type
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return 'Record<string, unknown>'
  const required = new Set(schema.required ?? [])
  const shown = fields.map(([name, field]) => {
    const mark = required.has(name) ? '' : '?'
    return `${comment(field.description)}${quote(name)}${mark}: ${typeOf(field, schemas)}`
  })
  return `{ ${shown.join('; ')} }`
}

function comment(text: string | undefined): string {
  if (text === undefined) return ''
  return `\n/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */\n`
}

function quote(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}

function format(text: string): string {
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url))
  const options = ['format', '--stdin-file-path', CLIENT_TYPES]
  return execFileSync(process.execPath, [biome, ...options], { input: text, encoding: 'utf8' })
}

if (import.meta.main) writeFileSync(CLIENT_TYPES, writeClientTypes())
