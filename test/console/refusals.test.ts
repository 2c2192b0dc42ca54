/**
 * Answers of the console to people without permission, late forms, unknown pages and invalid
 * requests.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { type Person, type RunningConsole, startTestConsole } from './running-console.ts'

let console: RunningConsole
before(async () => {
  console = await startTestConsole('')
  await console.makeOperator('vera', 'viewer')
  await console.makeOperator('otto', 'operator')
  await console.makeOperator('anna', 'admin')
})
after(() => console.close())

const JSON_ACCEPTED = { accept: 'application/json' }
const UPLOAD = '/imports/0123456789abcdef01234567'
const WRITES = [
  ...['/accounts', '/accounts/acc_1/facts', '/accounts/acc_1/keys'],
  ...['/accounts/acc_1/keys/key_1/rotate', '/accounts/acc_1/keys/key_1/revoke'],
  ...['/imports/upload', `${UPLOAD}/inspect`, `${UPLOAD}/try`, `${UPLOAD}/load`, '/jobs/1/stop'],
  ...['/operation/backup', '/operation/check'],
]

test('without JavaScript the page of the service says what needs it', async () => {
  const page = await (await (await console.signIn('vera')).get('/operation')).text()
  assert.doesNotMatch(page, /Asking/)
  assert.match(page, /<noscript>.*need JavaScript/)
})

test('every write refuses a viewer, a foreign Origin and a person without a session', async () => {
  const vera = await console.signIn('vera')
  const otto = await console.signIn('otto')
  for (const path of WRITES) {
    const page = await vera.post(path, {})
    assert.equal(page.status, 403, path)
    assert.match(await page.text(), /vera has the role viewer/)
    const json = await vera.post(path, {}, JSON_ACCEPTED)
    assert.equal(json.status, 403, path)
    assert.match(((await json.json()) as { error: string }).error, /needs the role operator/)
    assert.equal((await otto.post(path, {}, { origin: 'null' })).status, 403, path)
    assert.equal((await otto.post(path, { csrf: 'x' })).status, 403, path)
    assert.equal((await otto.post(path, {}, { cookie: '' })).status, 401, path)
  }
})

test('a form sent after the session ended is sent again after a new sign-in', async () => {
  const otto = await console.signIn('otto')
  await otto.post('/sign-out', {})
  const late = await otto.post('/accounts', { name: 'Kept & Sons' })
  assert.equal(late.status, 401)
  const kept = readFields(await late.text())
  assert.equal(kept['kept-path'], '/accounts')
  const passphrase = 'twelve letters and more'
  const again = await fetch(`${console.address}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: console.address },
    body: new URLSearchParams({ ...kept, name: 'otto', passphrase }),
  })
  assert.equal(again.status, 200)
  const page = await again.text()
  assert.match(page, /nothing was changed[\s\S]*Kept &#38; Sons/)
  const { name = '', csrf = '' } = readFields(page)
  assert.equal(name, 'Kept & Sons')
  const [cookie = ''] = (again.headers.get('set-cookie') ?? '').split(';')
  const made = await otto.post('/accounts', { name, csrf }, { cookie })
  assert.match(made.headers.get('location') ?? '', /^\/accounts\/acc_/)
})

test('page of an earlier session: its form is offered again, its script gets a token', async () => {
  const otto = await console.signIn('otto')
  const stale = await otto.post('/accounts', { name: 'Late', csrf: 'of an earlier session' })
  assert.equal(stale.status, 403)
  const { name, csrf } = readFields(await stale.text())
  assert.deepEqual({ name, csrf }, { name: 'Late', csrf: otto.csrf })
  const reply = await otto.post('/operation/check', { csrf: 'x' }, JSON_ACCEPTED)
  assert.equal(((await reply.json()) as { stale: boolean }).stale, true)
  const session = await otto.get('/session.json', JSON_ACCEPTED)
  assert.deepEqual(await session.json(), { csrf: otto.csrf })
})

test('a change with a mistake shows the form again, to be corrected', async () => {
  const otto = await console.signIn('otto')
  const wrong = await otto.post('/accounts', { name: 'Typo Title', includedTokens: 'many' })
  assert.equal(wrong.status, 400)
  const page = await wrong.text()
  assert.match(page, /role="alert">Included tokens cannot be &#34;many&#34;/)
  assert.match(page, /<form method="post" action="\/accounts"/)
  assert.match(page, /name="name" value="Typo Title"/)
  assert.match(page, /Included tokens|included tokens/)
})

test('the form of a change with a mistake marks the field that is wrong', async () => {
  const anna = await console.signIn('anna')
  const hide = { kind: 'owner', text: 'HOLLIN PETRA', scope: 'owner', state: 'WI', basis: 'order' }
  const cases: [path: string, form: Record<string, string>, field: string][] = [
    ['/accounts', { name: 'Typo', includedTokens: 'many' }, 'includedTokens'],
    ['/privacy/suppress', { ...hide, county: 'Dnae' }, 'county'],
    ['/privacy/suppress', { ...hide, state: 'Wisc' }, 'state'],
    ['/privacy/suppress', { ...hide, basis: ' ' }, 'basis'],
    ['/privacy/suppress', { ...hide, text: '' }, 'text'],
    ['/admin/operators', { name: 'a name', role: 'viewer' }, 'name'],
    ['/admin/prices', { operation: 'addressLookup', tokens: 'two' }, 'tokens'],
    ['/imports/address', { url: 'ftp://county.example/roll.csv' }, 'url'],
    ['/accounts', { name: 'Typo', periodStart: '', periodEnd: '2026-01-31' }, 'periodStart'],
  ]
  for (const [path, form, field] of cases) {
    const page = await (await anna.post(path, form)).text()
    const marked = [...page.matchAll(/<input name="(\w+)"[^>]* aria-invalid="true"/g)]
    assert.deepEqual(
      marked.map(([, name]) => name),
      [field],
      JSON.stringify(form),
    )
    for (const value of Object.values(form)) assert.ok(page.includes(`value="${value}"`), value)
  }
})

test('a change that is kept leads nowhere else than to the console', async () => {
  for (const path of ['https://elsewhere.example/', '//elsewhere.example/', 'accounts']) {
    const answer = await fetch(`${console.address}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: console.address },
      body: new URLSearchParams({
        ...{ 'kept-path': path, 'kept-form': 'name=x' },
        ...{ name: 'otto', passphrase: 'twelve letters and more' },
      }),
    })
    assert.equal(answer.status, 303, path)
    assert.equal(answer.headers.get('location'), '/')
  }
})

test('an unknown page is 404, with links', async () => {
  const vera = await console.signIn('vera')
  const paths = [
    ...['/accounts/acc_none', '/accounts/acc_none/ledger', '/accounts/acc_none/usage.json'],
    ...['/coverage/99999', '/parcel?county=55025&parcelId=1', '/nothing'],
    ...['/parcel/neighbours?propertyId=55025-1', '/parcel/portfolio?propertyId=1'],
  ]
  for (const path of paths) assert.equal((await vera.get(path)).status, 404, path)
  const otto = await console.signIn('otto')
  assert.equal((await otto.get('/jobs/none')).status, 404)
  const gone = await otto.get(UPLOAD)
  assert.equal(gone.status, 404)
  assert.match(await gone.text(), /imported already, or is too old; drop it again/)
})

test('an invalid request is answered with one sentence', async () => {
  const otto = await console.signIn('otto')
  const send = (type: string, more = {}) =>
    fetch(`${console.address}/imports/upload`, {
      method: 'POST',
      headers: headersOf(otto, { 'content-type': type, ...more }),
      body: 'a,b',
    })
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
    const answer = await send(type)
    assert.equal(answer.status, 415)
    assert.match(await answer.text(), /does not take a request of this kind/)
  }
  for (const name of ['%', '', '..', '%2e%2e%2f']) {
    const answer = await send('application/octet-stream', { 'x-file-name': name })
    assert.equal(answer.status, 400, name)
    assert.match(await answer.text(), /Drop one file with a name/)
  }
})

test('a page that is no number, or of none, is the first or an empty one', async () => {
  const account = { id: 'acc_paged', name: 'Paged', createdAt: 0, facts: DEFAULT_FACTS }
  await console.context.accounts(({ admin }) => admin.createAccount(account))
  const vera = await console.signIn('vera')
  for (const page of ['', '0', '-1', '1.5', '1e308', '9'.repeat(20), 'NaN', 'x', '%00', '2']) {
    for (const path of ['accounts?page=', 'accounts/acc_paged/ledger?before=']) {
      assert.equal((await vera.get(`/${path}${page}`)).status, 200, `${path}${page}`)
    }
  }
})

test('consoles on two ports of a machine do not end each other’s sessions', async () => {
  const otto = await console.signIn('otto')
  assert.match(otto.cookie, new RegExp(`^platbook_session_${new URL(console.address).port}=`))
  const both = `platbook_session_1=of-another; ${otto.cookie}; platbook_session=of-a-third`
  assert.equal((await otto.get('/coverage', { cookie: both })).status, 200)
})

function headersOf({ cookie, csrf }: Person, more: Record<string, string>) {
  return { cookie, origin: console.address, 'x-csrf-token': csrf, ...JSON_ACCEPTED, ...more }
}

/** Hidden fields of the form on a page. */
function readFields(page: string): Record<string, string> {
  const main = page.slice(page.indexOf('<main'))
  const fields = main.matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, decode(value)]))
}

function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

test('while nothing is loaded a search says so, and a county leads to what is there', async () => {
  const vera = await console.signIn('vera')
  const search = await (await vera.get('/search?q=smith')).text()
  assert.match(search, /No county is loaded yet[\s\S]*Import a county/)
  assert.doesNotMatch(search, /Nothing was found/)
  const county = await vera.get('/coverage/12001')
  assert.equal(county.status, 404)
  assert.match(await county.text(), /not loaded. <a href="\/coverage">/)
})
