/** Prices of operations and the facts that shape records, through the real server. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { openAccounts } from '../../../src/store/open.ts'
import { startService } from '../../service.ts'

const ROLL = readFileSync(new URL('../../fixtures/example-roll.csv', import.meta.url), 'utf8')
const service = await startService(ROLL)
after(() => service.close())
const LOOKUP = '/public/property/parcelId/'
const PARCEL = { state: 'WI', county: 'Dane', parcelId: '0709-123-0101-4' }

async function setPrice(operation: string, tokens: number): Promise<void> {
  const accounts = await openAccounts(service.config)
  await accounts.admin.putPrice(operation, tokens)
  await accounts.close()
}

test('a price that is set is charged, kept with the charge, and held against the cap', async () => {
  const key = await service.keyFor({ includedTokens: 5 })
  const ask = () => service.get(LOOKUP, PARCEL, { key })
  assert.equal((await ask()).headers.get('x-tokens-charged'), null)
  await setPrice('parcelIdLookup', 2)
  await service.changeFacts(key, {})
  const charged = await ask()
  assert.equal(charged.headers.get('x-tokens-charged'), '2')
  assert.equal(charged.headers.get('x-tokens-remaining'), '3')
  assert.equal((await ask()).headers.get('x-tokens-remaining'), '1')
  const refused = await ask()
  assert.deepEqual([refused.status, refused.body.code], [403, 'overage_limit_exceeded'])
  assert.deepEqual(
    (await service.entries(key)).map(({ cost, endpoint }) => [cost, endpoint]),
    [
      [2, 'parcelIdLookup'],
      [2, 'parcelIdLookup'],
    ],
  )
  await setPrice('parcelIdLookup', 0)
  await service.changeFacts(key, {})
  assert.equal((await ask()).status, 200)
  assert.equal(await service.charges(key), 2)
})

test('an account may want fields without a value left out, in both layouts', async () => {
  for (const responseShape of ['flat', 'nested'] as const) {
    const all = await service.keyFor({ responseShape })
    const few = await service.keyFor({ responseShape, emptyFields: 'omit' })
    const whole = (await service.get(LOOKUP, PARCEL, { key: all })).body.property
    // Not by `service.get`: the document describes the fields of accounts that want nulls.
    const url = `${service.address}${LOOKUP}?${new URLSearchParams(PARCEL)}`
    const shown = await (await fetch(url, { headers: { authorization: few } })).text()
    assert.match(JSON.stringify(whole), /null/)
    assert.doesNotMatch(shown, /null/)
    const text = JSON.stringify(whole, (_name, value) => (value === null ? undefined : value))
    assert.deepEqual(JSON.parse(shown).property, JSON.parse(text))
  }
})
