import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexRoll } from '../../test/address-roll.ts'
import { type AddressReader, lookUpAddress } from './lookup.ts'

test('an address that is not there costs one look at each of its keys', async () => {
  let asked: string[] = []
  const note = (table: string) => async (_: string, key: string) => {
    asked.push(`${table} ${key}`)
    return []
  }
  const reader: AddressReader = {
    isRemote: false,
    bySitusKey: note('situs'),
    byLooseKey: note('loose'),
  }
  for (const [address, most] of [
    ['12 N MAIN ST', 5],
    ['12-16 MAIN ST, MADISON WI 53703', 14],
    ['9 US HIGHWAY 12', 2],
  ] as const) {
    asked = []
    const question = { state: 'WI', address, unit: undefined, fips: undefined, city: undefined }
    assert.deepEqual(await lookUpAddress(question, reader), { outcome: 'none' })
    assert.equal(new Set(asked).size, asked.length, asked.join('\n'))
    assert.ok(asked.length >= 2 && asked.length <= most, asked.join('\n'))
  }
})

test('the first step that finds anything decides: two roads are not told apart by a third', async () => {
  const lines = ['9 N OAK DR', '9 S OAK DR', '9 OAK'].map((line) => ({ line, city: null, zip: '' }))
  const lookUp = indexRoll(lines, { state: 'NE' })
  assert.deepEqual(await lookUp('9 OAK DR'), { outcome: 'ambiguous', count: 2 })
})

test('a reading without its city may be forgiven one thing too', async () => {
  const lookUp = indexRoll([{ line: '9 N OAK DR', city: 'LINCOLN', zip: '' }], { state: 'NE' })
  const finding = await lookUp('9 OAK DR LINCOLN NE')
  assert.equal(finding.outcome === 'found' && finding.match, 'directional')
})

test('letters of a state that may be a suffix or a direction are not cut off', async () => {
  const zip = '06001'
  const lookUp = indexRoll([{ line: '9 RIDGE AVE', city: null, zip }], { state: 'CT' })
  for (const line of ['9 RIDGE CT', '9 RIDGE CT 06001']) {
    assert.deepEqual(await lookUp(line), { outcome: 'none' }, line)
  }
  for (const line of ['9 RIDGE AVE CT', '9 RIDGE AVE, CT', '9 RIDGE AVE CT 06001']) {
    assert.equal((await lookUp(line)).outcome, 'found', line)
  }
})
