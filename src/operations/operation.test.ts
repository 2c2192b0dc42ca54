import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANGE_GROUPS } from '../base/model/changes.ts'
import { readTable } from '../base/tables.ts'
import { isFree, replyWithEtag } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { readParameters } from './parameters.ts'
import { propertySearch } from './property-search.ts'
import { propertySummary } from './questions/summary.ts'
import { WATCH_ROUTES } from './watches/operations.ts'

const make = () => ({ body: '{}', headers: { 'x-match': 'exact' } })

for (const [ifNoneMatch, status] of [
  [undefined, undefined],
  ['"other"', undefined],
  ['"roll-1"', 304],
  ['"other", W/"roll-1"', 304],
  ['*', 304],
] as const) {
  test(`If-None-Match ${ifNoneMatch} over "roll-1" is ${status ?? 200}`, async () => {
    const reply = await replyWithEtag('"roll-1"', { ifNoneMatch }, make)
    assert.equal(reply.status, status)
    assert.equal(reply.headers.etag, '"roll-1"')
    assert.equal(reply.body, status === 304 ? '' : '{}')
  })
}

const TILE = {
  z: { type: 'integer', in: 'path', required: true, minimum: 0, maximum: 18, about: 'Zoom.' },
  radius: {
    type: 'number',
    minimum: 0,
    maximum: 2,
    cap: true,
    default: 1,
    about: '.',
  },
  scope: { type: 'choice', values: ['county', 'state'], default: 'state', about: '.' },
} as const

test('reads parameters from the path, caps numbers, compares choices without case', () => {
  const read = (query: string, z = '14') => readParameters(TILE, query, { z })
  assert.deepEqual(read('z=3&radius=9.5&scope=County'), { z: 14, radius: 2, scope: 'county' })
  assert.deepEqual(read(''), { z: 14, radius: 1, scope: 'state' })
  assert.deepEqual(read('radius=0'), { z: 14, radius: 0, scope: 'state' })
  assert.throws(() => read('radius=-1'), /radius must be 0 or more/)
  assert.throws(() => read('radius=1e3'), /radius must be a number/)
  assert.throws(() => read('scope=town'), /scope must be one of county, state/)
  assert.throws(() => read('', '19'), /z must be 18 or less/)
})

test('what a query makes free is what the operation reads: a second ? is part of a name', () => {
  const operation = { freeWith: 'countOnly' } as const
  assert.equal(isFree(operation, 'countOnly=true'), true)
  assert.equal(isFree(operation, '?countOnly=true&propertyId=55025-1'), false)
})

const DECLARED = [...OPERATIONS, ...WATCH_ROUTES.map(({ operation }) => operation)]

test('each section and line of the table of parameters is of an operation', () => {
  const names = new Map(DECLARED.map((one) => [one.operationId, Object.keys(one.parameters)]))
  const all = [...names.values()].flat()
  let known: string[] = []
  for (const line of readTable('parameters.txt')) {
    const [name = ''] = line.split('\t')
    if (name.startsWith('[')) known = name === '[*]' ? all : (names.get(name.slice(1, -1)) ?? [])
    else assert.ok(known.includes(name), line)
  }
})

/** Two values of a type that one parameter may have. */
const PAIRS: Record<string, [string, string]> = {
  number: ['44.5', '44.6'],
  integer: ['7', '8'],
  choice: ['house', 'CONDO'],
  string: ['53703', '53704'],
}

for (const { operationId, parameters } of DECLARED) {
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const alias of parameter.firstWins ? [] : (parameter.aliases ?? [])) {
      test(`${operationId} refuses ${name} and ${alias} with two values, and names both`, () => {
        const [one, other] = PAIRS[parameter.type] ?? ['', '']
        const declared = { [name]: parameter }
        const read = (query: string) => readParameters(declared, query)[name]
        const text = `${name} and ${alias} are one parameter with two values; send one`
        assert.throws(() => read(`${alias}=${other}&${name}=${one}`), { message: text })
        assert.deepEqual(read(`${alias}=${one}&${name}=${one}`), read(`${name}=${one}`))
        assert.deepEqual(read(`${alias}=&${name}=${one}`), read(`${name}=${one}`))
      })
    }
  }
}

test('two names of one parameter may have its value in two forms', () => {
  const read = (query: string) => readParameters(propertySearch.parameters, query)
  assert.equal(read('state=WI&latitude=44.50&lat=%2B44.5').latitude, 44.5)
  assert.equal(read('state=WI&zip=53703-1234&zipCode=53703').zipCode, '53703')
  assert.equal(read('state=WI&unit=2b&unitNumberStripped=+2B').unitNumberStripped, ' 2B')
  assert.throws(() => read('state=WI&zip=53703&postal_code=53704'), /zip and postal_code are one/)
  assert.throws(() => read('state=WI&unit=2B&unitNumberStripped=2C'), /unitNumberStripped and unit/)
})

const LISTED: [operationId: string, parameter: string, words: () => readonly string[]][] = [
  ['changes', 'groups', () => CHANGE_GROUPS],
  ['createWatch', 'groups', () => CHANGE_GROUPS],
  ['propertyHistory', 'fields', () => CHANGE_GROUPS],
  ['propertySummary', 'groupBy', () => valuesOf('groupBy')],
  ['propertySummary', 'measure', () => valuesOf('orderBy').slice(1)],
]
for (const [operationId, parameter, words] of LISTED) {
  test(`${operationId} describes ${parameter} with every word that there is`, () => {
    const operation = DECLARED.find((one) => one.operationId === operationId)
    assert.ok(operation?.parameters[parameter]?.about.includes(words().join(', ')))
  })
}

function valuesOf(name: string): readonly string[] {
  const parameter = propertySummary.parameters[name]
  assert.ok(parameter !== undefined && 'values' in parameter && parameter.values !== undefined)
  return parameter.values
}
