/** Holds every answer that a contract test sees against the service's own OpenAPI document. */
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeApi } from '../src/http/openapi/openapi.ts'
import type { Answer } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of nested plain objects, walked by name
const document = describeApi() as any
const ajv = new Ajv2020({
  allowUnionTypes: true,
  // Each schema once, as it is: a fifth of the time to compile them.
  inlineRefs: false,
  code: { optimize: false },
  formats: {
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
    uri: URL.canParse,
    'uri-reference': (text: string) => URL.canParse(text, 'http://a/'),
  },
})
ajv.addSchema({ $id: 'doc', $defs: relocate(document.components.schemas) })
const compiled = new Map<string, ValidateFunction>()

/** Throws when the answer is not one that the document describes. */
export function checkAgainstDocument(path: string, method: string, answer: Answer): void {
  assert.ok(answer.headers.get('x-request-id'), 'every answer has X-Request-Id')
  const isKept = answer.headers.has('etag')
  assert.equal(answer.headers.get('cache-control'), isKept ? 'private, no-cache' : 'no-store')
  if (method === 'HEAD') return
  const operation = findPath(path.replace(/\/?$/, '/'))?.[method.toLowerCase()]
  const response = operation?.responses[answer.status]
  if (operation !== undefined) {
    assert.ok(response, `${operation.operationId} does not describe status ${answer.status}`)
  }
  const type = Object.keys(response?.content ?? { 'application/json': {} })[0]
  if (answer.status === 204 || answer.status === 304) {
    assert.equal(answer.text, '')
    return
  }
  assert.ok(answer.headers.get('content-type')?.startsWith(type ?? ''))
  if (type !== 'application/json') return
  const schema = response?.content['application/json'].schema ?? {
    $ref: '#/components/schemas/Error',
  }
  check(schema, answer.body, `${path} ${answer.status}`)
  if (answer.status === 503) assert.ok(answer.headers.get('retry-after'), '503 has Retry-After')
  if (answer.status < 300) return
  // Refusals have only the members of the contract.
  const more: Record<number, string[]> = {
    300: ['candidates'],
    410: ['oldestSequence'],
    403: ['code', 'action', 'billing_url'],
  }
  const explained = answer.status <= 404 && 'explain' in answer.body ? ['explain'] : []
  const keys = ['error', ...(more[answer.status] ?? []), ...explained]
  assert.deepEqual(Object.keys(answer.body), keys)
}

/** Returns the path of the document for a requested path, with parameters in it. */
function findPath(path: string) {
  const names = Object.keys(document.paths)
  const is = (name: string) => new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  return document.paths[path] ?? document.paths[names.find(is) ?? '']
}

function check(schema: object, body: unknown, where: string): void {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(relocate(schema))
  compiled.set(text, validate)
  assert.ok(validate(body), `${where}: ${ajv.errorsText(validate.errors)}`)
}

/** The schemas have another base name here. */
function relocate(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"doc#/$defs/'))
}
