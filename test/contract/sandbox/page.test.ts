import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { makeSandboxKey } from '../../../src/accounts/api-key.ts'
import { GATE } from '../../../src/accounts/billing-gate.ts'
import { buildSandbox } from '../../../src/sandbox/build.ts'
import { NOON, startService, type TestService } from '../../service.ts'

const PAGE = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')

let service: TestService
let key: string
before(async () => {
  service = await startService('')
  await buildSandbox(service.config.data, () => NOON)
  key = await service.keyFor({ responseShape: 'flat' }, makeSandboxKey)
})
after(() => service.close())

test('the page lists each code of a 403', () => {
  const listed = [...PAGE.matchAll(/^\| `403\/(\w+)`/gm)].map(([, code]) => code)
  assert.deepEqual(
    listed,
    GATE.map(({ code }) => code),
  )
})

test('each header of the table causes the status of the table', async () => {
  const rows = [...PAGE.matchAll(/^\| `((?:\d{3}|slow)\S*)` \| (.*) \|$/gm)]
  assert.ok(rows.length >= 16)
  for (const [, asked = '', said = ''] of rows) {
    const status = /^\d{3}/.exec(said)?.[0] ?? (asked.startsWith('403') ? '403' : '200')
    const header = asked.replace('2000', '20')
    const response = await fetch(`${service.address}/public/property/search/?state=WI`, {
      headers: { authorization: key, 'x-sandbox': header },
    })
    assert.equal(String(response.status), status, asked)
  }
})

test('the parcels that the page names are found as described', async () => {
  const ask = async (path: string, query: Record<string, string>) =>
    (await service.get(path, query, { key })).body
  const wi = await ask('/public/property/address/', {
    state: 'WI',
    address: '1200 Pecanhill Ave',
  })
  assert.equal(wi.property.parcelId, '0510-111-0000001-6')
  const tx = { state: 'TX', county: 'Travis', parcelId: '101195' }
  const found = await ask('/public/property/parcelId/', tx)
  assert.equal(found.property.address, '3200 W GRANT LN')
  const il = await ask('/public/premium/owner/', { state: 'IL', lastName: 'COLEMAN', limit: '25' })
  const ids = il.properties.map((one: { parcelId: string }) => one.parcelId)
  assert.ok(ids.includes('01-27-100-008'))
  for (const said of ['0510-111-0000001-6', '3200 W GRANT LN', '01-27-100-008']) {
    assert.ok(PAGE.includes(said))
  }
})
