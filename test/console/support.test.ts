/** The console's search for a request, a key or an account: what was refused to whom, and why. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount, readSettings, setFacts } from '../../src/accounts/manage-accounts.ts'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { openRefusalLog } from '../../src/base/logs/refusal-log.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

let console: RunningConsole
before(async () => {
  console = await startTestConsole('')
  await console.makeOperator('vera', 'viewer')
})
after(() => console.close())

test('a request or key shows account, refusal and reason, and no whole key', async () => {
  const { config, accounts, now } = console.context
  const { account, key } = await accounts(async (data) => {
    const { admin } = data
    const account = await createAccount(admin, 'Orchard Homes', [], now())
    const key = await createKey(config, admin, { accountId: account.id, label: 'shop' }, now())
    await setFacts(data, account.id, readSettings(['unpaidInvoices=2']), now())
    return { account, key }
  })
  const log = openRefusalLog({
    dataDir: config.data,
    now,
    fail: (error) => assert.fail(`${error}`),
  })
  const requestId = '0123456789abcdef-2x'
  log.note({
    ...{ requestId, operation: 'premiumOwnerSearch', status: 403, reason: 'unpaid_invoices' },
    ...{ keyId: key.id, prefix: null },
  })
  log.close()
  const vera = await console.signIn('vera')
  const textOf = async (path: string) => (await vera.get(path)).text()
  for (const asked of [requestId, key.key, key.key.slice(0, 8), account.id]) {
    const page = await textOf(`/search?q=${asked}`)
    assert.match(page, /Orchard Homes/, asked)
    assert.match(page, /<td>403<\/td><td class="wide">[^<]*unpaid/i, asked)
    assert.match(page, /unpaid invoices: 0 → 2/, asked)
    assert.ok(!page.includes(key.key), asked)
  }
  assert.match(await textOf(`/accounts/${account.id}`), /unpaid invoices: 0 → 2/)
  assert.match(await textOf('/search?q=fedcba9876543210-1'), /Nothing is known/)
  // Near misses are still searches for parcels.
  for (const asked of ['KEY LARGO', '0709-123-0101-4', 'acc']) {
    assert.doesNotMatch(await textOf(`/search?q=${encodeURIComponent(asked)}`), /What is known/)
  }
})
