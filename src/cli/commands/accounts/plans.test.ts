import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { operate } from '../../../../test/processes/operator.ts'

function makeFolder(t: TestContext): string {
  const data = mkdtempSync(join(tmpdir(), 'platbook-plans-'))
  t.after(() => rmSync(data, { recursive: true }))
  return data
}

test('an account has its plan’s facts unless it has its own; a changed plan applies', async (t) => {
  const data = makeFolder(t)
  await operate(data, 'plan', 'create', 'pro', 'includedTokens=100', 'requestsPerMinute=60')
  const { id } = await operate(data, 'account', 'create', 'A', 'plan=pro')
  const facts = async () => {
    const { plan, includedTokens, overageCap, requestsPerMinute } = await operate(
      data,
      'account',
      'show',
      id,
    )
    return [plan, includedTokens, overageCap, requestsPerMinute]
  }
  assert.deepEqual(await facts(), ['pro', 100, 0, 60])
  await operate(data, 'account', 'set', id, 'includedTokens=7')
  assert.deepEqual(await facts(), ['pro', 7, 0, 60])
  await operate(
    data,
    'plan',
    'set',
    'pro',
    'includedTokens=200',
    'overageCap=9',
    'requestsPerMinute=',
  )
  assert.deepEqual(await facts(), ['pro', 7, 9, 'unlimited'])
  await assert.rejects(operate(data, 'account', 'set', id, 'includedTokens='), /, or plan for/)
  await operate(data, 'account', 'set', id, 'includedTokens=plan')
  assert.deepEqual(await facts(), ['pro', 200, 9, 'unlimited'])
  await operate(data, 'account', 'set', id, 'plan=')
  assert.deepEqual(await facts(), [null, 'unlimited', 0, 'unlimited'])
  await operate(data, 'account', 'set', id, 'plan=pro')
  await operate(data, 'account', 'set', id, 'plan=none')
  assert.deepEqual(await facts(), [null, 'unlimited', 0, 'unlimited'])
  await assert.rejects(operate(data, 'plan', 'create', 'none'), /none is what an account/)
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
})

test('plans are listed and shown, and wrong use is an error in one sentence', async (t) => {
  const data = makeFolder(t)
  await operate(data, 'plan', 'create', 'pro', 'includedTokens=100', 'price.id=price_1')
  assert.deepEqual((await operate(data, 'plan', 'list')).plans, [
    { name: 'pro', includedTokens: 100, 'price.id': 'price_1' },
  ])
  assert.equal((await operate(data, 'plan', 'show', 'pro')).accounts, 0)
  await assert.rejects(operate(data, 'plan', 'create', 'pro'), /exists already/)
  await assert.rejects(operate(data, 'plan', 'create', 'x', 'suspended=true'), /a plan has no/)
  await assert.rejects(
    operate(data, 'plan', 'create', 'x', 'overageCap=-1'),
    /overageCap cannot be/,
  )
  await assert.rejects(operate(data, 'plan', 'set', 'prp', 'overageCap=1'), /no plan prp/)
  await assert.rejects(operate(data, 'account', 'create', 'A', 'plan=nope'), /no plan "nope"/)
})

test('prices are the program’s own until they are set', async (t) => {
  const data = makeFolder(t)
  const prices = async () => {
    const list: { operation: string; tokens: number }[] = (await operate(data, 'price', 'list'))
      .prices
    return Object.fromEntries(list.map(({ operation, tokens }) => [operation, tokens]))
  }
  const before = await prices()
  assert.deepEqual([before.premiumOwnerSearch, before.ownerSearch, before.addressLookup], [1, 1, 0])
  await operate(data, 'price', 'set', 'addressLookup', '2')
  assert.deepEqual(await prices(), { ...before, addressLookup: 2 })
  await assert.rejects(operate(data, 'price', 'set', 'adressLookup', '2'), /addressLookup/)
  await assert.rejects(operate(data, 'price', 'set', 'addressLookup', '1.5'), /whole number/)
})
