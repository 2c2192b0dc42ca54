/** `platbook whois` over a service: each refusal is found by request, key and prefix. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeKey, prefixOf } from '../../../src/accounts/api-key.ts'
import { CommandError } from '../../../src/base/errors.ts'
import { accountSet } from '../../../src/cli/commands/accounts/accounts.ts'
import { keyRevoke } from '../../../src/cli/commands/accounts/keys.ts'
import { whois } from '../../../src/cli/commands/accounts/whois.ts'
import { runCommand } from '../../command.ts'
import { type AskOptions, NOON, type Query, startService, type TestService } from '../../service.ts'

let service: TestService
before(async () => {
  service = await startService('', {})
})
after(() => service.close())

const LOOKUP = '/public/property/address/'
const OWNER = '/public/premium/owner/'

/** What a whois answers, once the log has reached the disk. */
// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape
async function look(asked: string, isThere = (_found: any) => true): Promise<any> {
  const world = { data: service.config.data, now: NOON }
  for (let tries = 0; ; tries += 1) {
    const found = await runCommand(whois, [asked, '--json'], world).catch((error) => {
      if (!(error instanceof CommandError) || tries > 100) throw error
      return undefined
    })
    const body = found?.json()
    if (body !== undefined && isThere(body)) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function ask(path: string, query: Query = {}, options: AskOptions = {}) {
  const { status, headers } = await service.get(path, query, options)
  return { status, id: headers.get('x-request-id') ?? '' }
}

test('a refused request shows its account, key, operation and reason', async () => {
  const key = await service.keyFor({ unpaidInvoices: 1 })
  const refused = await ask(OWNER, { state: 'WI', lastName: 'ZWETSCHKE' }, { key })
  assert.equal(refused.status, 403)
  const { accounts, keys, refusals } = await look(refused.id)
  assert.equal(refusals[0].status, 403)
  assert.equal(refusals[0].reason, 'unpaid_invoices')
  assert.equal(refusals[0].operation, 'premiumOwnerSearch')
  assert.equal(keys[0].id, refusals[0].keyId)
  assert.equal(keys[0].prefix, prefixOf(key))
  assert.equal(accounts[0].id, keys[0].account)
  assert.equal(accounts[0].blocked, 'unpaid_invoices')
  // The same by the whole key, its first characters, its id and the account's.
  for (const asked of [key, prefixOf(key), keys[0].id, accounts[0].id]) {
    assert.equal((await look(asked)).refusals[0].requestId, refused.id, asked)
  }
})

test('a key that was revoked is found by its prefix, with what was refused to it', async () => {
  const key = await service.keyFor()
  const { keys } = await look(key)
  await runCommand(keyRevoke, [keys[0].id], { data: service.config.data, now: NOON })
  service.setClock(NOON + 5000)
  const refused = await ask(LOOKUP, {}, { key })
  assert.equal(refused.status, 401)
  const found = await look(key, ({ refusals }) => refusals.length > 0)
  assert.equal(found.keys[0].id, keys[0].id)
  assert.equal(found.refusals[0].requestId, refused.id)
  assert.equal(found.refusals[0].prefix, prefixOf(key))
  assert.equal(found.changes[0].changed.revoked_at.before, null)
})

test('changes of an account are listed with before and after', async () => {
  const key = await service.keyFor({ requestsPerMinute: 60 })
  const [{ id }] = (await look(key)).accounts
  const words = [id, 'requestsPerMinute=600']
  await runCommand(accountSet, words, { data: service.config.data, now: NOON })
  const { changes } = await look(id)
  assert.deepEqual(changes[0].changed.requests_per_minute, { before: 60, after: 600 })
  assert.deepEqual([changes[0].kind, changes[0].subject], ['account', id])
})

test('a charged request shows its charge', async () => {
  const roll = 'state,county,parcelId,ownerName1\nWI,Dane,1,ROE JANE\n'
  await service.importRoll(roll)
  const key = await service.keyFor()
  const paid = await ask(OWNER, { state: 'WI', lastName: 'ROE' }, { key })
  assert.equal(paid.status, 200)
  const { charges, refusals } = await look(paid.id)
  assert.deepEqual([charges[0].endpoint, charges[0].cost], ['premiumOwnerSearch', 1])
  assert.deepEqual(refusals, [])
})

const FILTER = `a = "b"Zwetschke"c"`

test('each way of refusing is kept, and no key, value or name is', async () => {
  const key = await service.keyFor()
  const unknown = makeKey()
  const asked: [string, Query, AskOptions, number][] = [
    [LOOKUP, { state: 'WI', address: '1 Zwetschke St' }, { key }, 404],
    [LOOKUP, { state: 'Zwetschke', address: '1 Zwetschke St' }, { key }, 400],
    [OWNER, { state: 'WI', lastName: 'Zwetschke', fields: 'Zwetschke' }, { key }, 400],
    ['/public/property/search/', { state: 'WI', limit: 'Zwetschke' }, { key }, 400],
    [LOOKUP, {}, { key: unknown }, 401],
    [LOOKUP, {}, { key: 'Zwetschke' }, 401],
    ['/Zwetschke', {}, {}, 404],
  ]
  for (const [path, query, options, status] of asked) {
    const refused = await ask(path, query, options)
    assert.equal(refused.status, status, path)
    const { refusals } = await look(refused.id)
    assert.equal(refusals[0].status, status, path)
  }
  for (const path of ['Zwetschke/items', `parcels/items?filter=${encodeURIComponent(FILTER)}`]) {
    const headers = { authorization: key }
    const answer = await fetch(`${service.address}/ogc/collections/${path}`, { headers })
    assert.ok(answer.status === 404 || answer.status === 400, path)
    await look(answer.headers.get('x-request-id') ?? '')
  }
  const { data } = service.config
  const names = readdirSync(data).filter((name) => name.startsWith('refused'))
  assert.equal(names.length, 2)
  for (const name of names) {
    const text = readFileSync(join(data, name), 'utf8')
    assert.doesNotMatch(text, /Zwetschke/i)
    assert.ok(!text.includes(key) && !text.includes(unknown))
  }
})

test('what is unknown is an error of one sentence, without the key', async () => {
  const key = makeKey()
  await assert.rejects(
    runCommand(whois, [key], { data: service.config.data, now: NOON }),
    (error: Error) => error instanceof CommandError && !error.message.includes(key),
  )
})
