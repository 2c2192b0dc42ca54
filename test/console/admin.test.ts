/** What only an admin may do on the page: operators, prices, and ending a suppression. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount } from '../../src/accounts/manage-accounts.ts'
import { makeSuppression } from '../../src/privacy/suppress.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

let console: RunningConsole
before(async () => {
  console = await startTestConsole('')
  await console.makeOperator('ada', 'admin')
  await console.makeOperator('otto', 'operator')
})
after(() => console.close())

async function readActions(): Promise<string> {
  const entries = await console.context.accounts(({ ledger }) =>
    ledger.operatorEntriesAfter(0, 1000),
  )
  return entries
    .filter(({ kind, subject }) => kind === 'action' && subject === 'ada')
    .map(({ state }) => state)
    .join('\n')
}

test('an operator cannot reach the page of admins, nor its changes', async () => {
  const otto = await console.signIn('otto')
  assert.equal((await otto.get('/admin')).status, 403)
  assert.doesNotMatch(await (await otto.get('/accounts')).text(), /href="\/admin"/)
  const writes = ['/admin/operators', '/admin/operators/ada/disable', '/admin/prices']
  for (const path of [...writes, '/privacy/sup_1/expire']) {
    assert.equal((await otto.post(path, {})).status, 403, path)
  }
  const ada = await console.signIn('ada')
  assert.match(await (await ada.get('/accounts')).text(), /href="\/admin"[^>]*>ada</)
})

test('an operator is made, signs in with the passphrase shown once, and is disabled', async () => {
  const ada = await console.signIn('ada')
  const made = await ada.post('/admin/operators', { name: 'nora', role: 'viewer' })
  const passphrase = /<pre[^>]*>([\w-]+)<\/pre>/.exec(await made.text())?.[1] ?? ''
  assert.doesNotMatch(await (await ada.get('/admin')).text(), new RegExp(passphrase))
  const enter = () =>
    fetch(`${console.address}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: console.address },
      body: new URLSearchParams({ name: 'nora', passphrase }),
    })
  const answer = await enter()
  assert.equal(answer.status, 303)
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  assert.equal((await ada.post('/admin/operators/nora/disable', {})).status, 303)
  assert.equal((await ada.get('/coverage', { cookie })).status, 303)
  assert.equal((await enter()).status, 403)
  const log = await readActions()
  assert.match(log, /operator create --role viewer[\s\S]*operator disable/)
  assert.doesNotMatch(log, new RegExp(passphrase))
})

test('an admin cannot lock themselves out, and mistakes are reported', async () => {
  const ada = await console.signIn('ada')
  const own = await ada.post('/admin/operators/ada/disable', {})
  assert.equal(own.status, 400)
  assert.match(await own.text(), /would end your own session/)
  assert.equal((await ada.post('/admin/operators', { name: 'ada', role: 'viewer' })).status, 400)
  const wrong = await ada.post('/admin/operators', { name: 'n o', role: 'viewer' })
  assert.match(await wrong.text(), /an operator&#39;s name has 1 to 64 letters/i)
  assert.equal((await ada.post('/admin/operators', { name: 'x', role: 'king' })).status, 400)
  assert.equal((await ada.post('/admin/operators/nobody/disable', {})).status, 400)
})

test('a price is set for all, with the default shown', async () => {
  const ada = await console.signIn('ada')
  const asked = { operation: 'addressLookup', tokens: '3' }
  assert.equal((await ada.post('/admin/prices', asked)).status, 303)
  assert.equal((await console.context.prices()).get('addressLookup'), 3)
  assert.match(await (await ada.get('/admin')).text(), /Address lookup[\s\S]*?>3<\/td>/)
  const wrong = await ada.post('/admin/prices', { ...asked, tokens: '1.5' })
  assert.match(await wrong.text(), /whole number from 0/)
  assert.equal((await ada.post('/admin/prices', { ...asked, operation: 'x' })).status, 400)
  assert.match(await readActions(), /price set 3/)
})

test('a suppression is ended by an admin, and shows when', async () => {
  const ada = await console.signIn('ada')
  const suppression = makeSuppression(
    {
      ...({ kind: 'owner', text: 'NOBODY, NORA', scope: 'owner', nameOrder: 'mixed' } as const),
      ...{ place: { state: 'WI', fips: 55025 }, basis: 'order 17', until: null },
    },
    console.service.config,
    0,
  )
  await console.context.accounts(({ admin }) => admin.putSuppressions([suppression]))
  const { id } = suppression
  assert.match(await (await ada.get('/privacy')).text(), new RegExp(`/privacy/${id}/expire`))
  const otto = await console.signIn('otto')
  assert.doesNotMatch(await (await otto.get('/privacy')).text(), /expire"/)
  assert.equal((await ada.post(`/privacy/${id}/expire`, {})).status, 303)
  assert.match(await (await ada.get('/privacy')).text(), /ended \d+ \w+ 20\d\d/)
  assert.equal((await ada.post('/privacy/sup_none/expire', {})).status, 400)
  assert.match(await readActions(), /suppress expire/)
})

test("one link of an account's page is ended; the others still open it", async () => {
  const { accounts, now } = console.context
  const { id } = await accounts(({ admin }) => createAccount(admin, 'Orchard', [], now()))
  const otto = await console.signIn('otto')
  const make = async () => {
    const answer = await otto.post(`/accounts/${id}/links`, {})
    return answer.headers.get('location') ?? answer.url
  }
  const open = async (link: string) =>
    (await fetch(new URL(link, console.address), { redirect: 'manual' })).status
  const [first, second] = [await make(), await make()]
  assert.deepEqual([await open(first), await open(second)], [200, 200])
  const ended = new URL(first, console.address).searchParams.get('link') ?? ''
  assert.match(await (await otto.get(`/accounts/${id}`)).text(), new RegExp(`/links/${ended}/end`))
  // A link is ended on its own account's page alone.
  for (const other of ['acc_other', '%F0%9F%8F%A0', '%0d%0aX:1']) {
    assert.equal((await otto.post(`/accounts/${other}/links/${ended}/end`, {})).status, 400, other)
  }
  assert.equal(await open(first), 200)
  await otto.post(`/accounts/${id}/links/${ended}/end`, {})
  assert.deepEqual([await open(first), await open(second)], [403, 200])
  assert.equal(await open(second.replace(/link=[^&]+/, `link=${ended}`)), 403)
  assert.doesNotMatch(await (await otto.get(`/accounts/${id}`)).text(), new RegExp(ended))
})
