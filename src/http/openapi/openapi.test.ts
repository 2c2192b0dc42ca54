import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { EXPOSED } from '../cors.ts'
import { describeApi } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of nested plain objects, walked by name
const document = describeApi() as any

type Described = { operationId: string; responses: { 200: { headers: object } } }

type Listed = { parameters?: { name: string }[] }

test('every array of the document states its items', () => {
  const bare: string[] = []
  walk(document, '', (part, path) => {
    const types = [part.type].flat()
    if (types.includes('array') && !('items' in part)) bare.push(path)
  })
  assert.deepEqual(bare, [])
})

test('nothing is described by an empty text', () => {
  const empty: string[] = []
  walk(document, '', (part, path) => {
    if (part.description === '') empty.push(path)
  })
  assert.deepEqual(empty, [])
})

test('every property of every answer has a description', () => {
  const silent: string[] = []
  walk(document, '', (part, path) => {
    if (!path.includes('/schema') || typeof part.properties !== 'object') return
    for (const [name, property] of Object.entries<Record<string, unknown>>(part.properties)) {
      const isSchema = typeof property === 'object' && !Array.isArray(property) && 'type' in part
      if (isSchema && !('description' in property) && !('$ref' in property)) {
        silent.push(`${path}/${name}`)
      }
    }
  })
  assert.deepEqual(silent, [])
})

test('no two parameters of an operation have one name to generators', () => {
  for (const [path, methods] of Object.entries<Record<string, Listed>>(document.paths)) {
    for (const { parameters = [] } of Object.values(methods)) {
      const names = parameters.map(({ name }) => name.replaceAll(/[-_.]/g, '').toLowerCase())
      assert.deepEqual(names, [...new Set(names)], path)
    }
  }
})

test('a parameter with another name is not required, and its text says what is', () => {
  const { parameters: point } = document.paths['/public/property/point/'].get
  const one = (name: string) => point.find((own: { name: string }) => own.name === name)
  assert.deepEqual([one('latitude').required, one('lat').required], [false, false])
  assert.match(one('latitude').description, /Required, by this name or lat\.$/)
  const required = new Set<string>()
  for (const { get } of Object.values<{ get?: { parameters?: object[] } }>(document.paths)) {
    const names = get?.parameters as { name: string; required: boolean }[] | undefined
    for (const own of names ?? []) if (own.required) required.add(own.name)
  }
  assert.ok(required.has('state') && !required.has('longitude'), [...required].join(' '))
})

test('a name that differs in case alone is described, and other names are listed', () => {
  const { parameters } = document.paths['/public/premium/comparables/'].get
  const named = (name: string) => parameters.find((one: { name: string }) => one.name === name)
  assert.match(named('timeFrame').description, /Also spelled `time_frame`\.$/)
  assert.equal(named('time_frame'), undefined)
  for (const name of ['lat', 'lng', 'lon', 'limit']) assert.equal(named(name).required, false)
})

test('a page of another origin may read every header that an answer may have', () => {
  const shown = new Set(EXPOSED.split(', ').map((name) => name.toLowerCase()))
  const hidden = new Set<string>()
  walk(document.paths, '', (part) => {
    for (const name of Object.keys(part.headers ?? {})) {
      if (!shown.has(name.toLowerCase())) hidden.add(name)
    }
  })
  assert.deepEqual([...hidden], [])
})

test('operations on owners and sales are tagged with owners and properties', () => {
  const tagOf = (path: string) => document.paths[path].get.tags
  assert.deepEqual(tagOf('/public/premium/portfolio/'), ['Owners'])
  assert.deepEqual(tagOf('/public/premium/comparables/'), ['Properties'])
  assert.deepEqual(tagOf('/public/coverage/'), ['Service'])
})

test('an operation describes the headers that its 200 may have, and no other', () => {
  const everywhere = ['X-Request-Id', 'X-Sandbox', 'X-Tokens-Charged', 'X-Tokens-Remaining']
  const lookup = ['X-Match', 'X-Match-Count', 'X-Match-Alike']
  const owners = ['X-Match', 'X-Result-Truncated']
  const own: Record<string, string[]> = {
    premiumOwnerSearch: owners,
    ownerSearch: owners,
    addressLookup: [...lookup, 'X-Match-Units', 'X-As-Of'],
    parcelIdLookup: [...lookup, 'X-As-Of'],
    pointLookup: ['X-Match', 'X-Match-Count', 'X-As-Of'],
    propertySearch: ['Deprecation', 'Link', 'X-As-Of', 'X-Unassigned-Address', 'X-Unknown-County'],
    coverage: ['ETag'],
    ratioStudy: ['ETag'],
    tile: ['ETag'],
    tileJson: ['ETag'],
  }
  for (const { get } of Object.values<{ get?: Described }>(document.paths)) {
    if (get === undefined || ['health', 'readiness'].includes(get.operationId)) continue
    assert.deepEqual(
      Object.keys(get.responses[200].headers).sort(),
      [...everywhere, ...(own[get.operationId] ?? [])].sort(),
      get.operationId,
    )
  }
})

test('every answer, whatever its status, describes its request ID', () => {
  const without: string[] = []
  for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths)) {
    for (const { operationId, responses } of Object.values(methods)) {
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        if (!('X-Request-Id' in headers)) without.push(`${path} ${operationId} ${status}`)
      }
    }
  }
  assert.deepEqual(without, [])
})

test("a parameter's example is a value of its schema", () => {
  const ajv = new Ajv({ strict: false })
  const wrong: string[] = []
  let all = 0
  walk(document.paths, '', ({ in: place, name, schema, example }, path) => {
    if (place === undefined || example === undefined) return
    all += 1
    if (!ajv.validate(schema, example)) wrong.push(`${path} ${name}`)
  })
  assert.deepEqual(wrong, [])
  assert.ok(all > 50, `${all} examples`)
})

test('a free operation describes what it answers once an operator has set a price', () => {
  const { get } = document.paths['/public/property/address/']
  assert.ok('422' in get.responses)
  assert.ok('X-Tokens-Charged' in get.responses[200].headers)
})

test('the answer of a point lookup is described with how it was matched', () => {
  const { headers } = document.paths['/public/property/point/'].get.responses[200]
  assert.ok('X-Match' in headers)
})

// biome-ignore lint/suspicious/noExplicitAny: as above
function walk(part: any, path: string, visit: (part: any, path: string) => void): void {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) visit(part, path)
  for (const [name, inner] of Object.entries(part)) {
    if (name !== 'example' && name !== 'examples') walk(inner, `${path}/${name}`, visit)
  }
}
