/** `/healthz`, `/openapi.json`, `/metrics` and `/billing`: docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describeApi } from '../../../src/http/openapi/openapi.ts'
import { foldName } from '../../../src/operations/given-query.ts'
import { OPERATIONS } from '../../../src/operations/operations.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const service = await startService(makeRoll([{ address: '1 MAIN ST' }]))
after(() => service.close())

const read = (path: string) => fetch(`${service.address}${path}`)

for (const path of ['/healthz', '/healthz/']) {
  test(`${path} says ok, without a key`, async () => {
    const response = await read(path)
    assert.equal(response.status, 200)
    assert.equal(await response.text(), '{"status":"ok"}')
    assert.ok(response.headers.get('x-request-id'))
  })
}

test('/readyz says ready, and both paths answer HEAD without a body', async () => {
  assert.equal(await (await read('/readyz')).text(), '{"status":"ready"}')
  for (const path of ['/readyz', '/healthz']) {
    const response = await fetch(`${service.address}${path}`, { method: 'HEAD' })
    assert.equal(response.status, 200)
    assert.equal(await response.text(), '')
  }
})

test('/billing is where a blocked account is sent by default, and answers', async () => {
  const key = await service.keyFor({ suspended: true })
  const { body } = await service.get('/public/property/search/', { state: 'WI' }, { key })
  assert.equal(body.billing_url, `${service.address}/billing`)
  const page = await read('/billing')
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<h1>Billing<\/h1>/)
  assert.equal((await read('/billing?account=acc_1&token=x')).status, 403)
})

test('/metrics of this process is not served here unless it is asked to', async () => {
  assert.equal((await read('/metrics')).status, 404)
})

test('/openapi.json is a valid OpenAPI 3.1 document, without a key', async () => {
  const response = await read('/openapi.json')
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const document = (await response.json()) as { openapi: string }
  assert.match(document.openapi, /^3\.1\./)
  const { valid, errors } = await new Validator().validate(document)
  assert.ok(valid, JSON.stringify(errors))
})

// biome-ignore lint/suspicious/noExplicitAny: a document of nested plain objects, walked by name
const document = describeApi() as any

test('the document names every operation of the contract and the interface version', () => {
  assert.equal(document.info['x-interface-version'], '3.0.0')
  assert.match(document.info.version, /^\d+\.\d+\.\d+/)
  const { '/public/premium/owner/': premium, '/public/property/search/': search } = document.paths
  assert.equal(premium.get.operationId, 'premiumOwnerSearch')
  assert.ok(
    search.get.parameters.some((parameter: { name: string }) => parameter.name === 'cursor'),
  )
  for (const path of ['/public/property/address/', '/public/property/parcelId/']) {
    assert.deepEqual(Object.keys(document.paths[path]), ['get'])
  }
})

for (const { path, parameters, operationId } of OPERATIONS) {
  test(`${operationId} is described with all its parameters, statuses and schemas`, () => {
    const { get } = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]
    const queried = get.parameters.filter((one: { in: string }) => one.in !== 'header')
    const names = queried.map(({ name }: { name: string }) => name)
    // Another spelling of a name is in its description.
    const declared = Object.entries(parameters).flatMap(([name, { aliases }]) => [
      name,
      ...(aliases ?? []).filter((alias) => foldName(alias) !== foldName(name)),
    ])
    assert.deepEqual(names, declared)
    const statuses = Object.keys(get.responses)
    for (const status of ['200', '401', '403', '500']) assert.ok(statuses.includes(status), status)
    for (const [status, response] of Object.entries<{ content?: object }>(get.responses)) {
      const json = response.content?.['application/json' as never] as
        | { schema: { $ref?: string; type?: string; oneOf?: unknown[]; anyOf?: unknown[] } }
        | undefined
      // A tile is not JSON, and 204 and 304 have no body.
      if (json === undefined) continue
      const name = json.schema.$ref?.replace('#/components/schemas/', '')
      const { type, oneOf, anyOf } = json.schema
      if (name === undefined) assert.ok(type === 'object' || oneOf || anyOf, status)
      else assert.ok(name in document.components.schemas, `${status}: ${name}`)
    }
  })
}

test('the key is described as the bare Authorization header', () => {
  const [scheme] = Object.values<Record<string, string>>(document.components.securitySchemes)
  assert.deepEqual([scheme?.type, scheme?.in, scheme?.name], ['apiKey', 'header', 'Authorization'])
})
