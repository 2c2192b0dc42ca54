/** The console's page of an account's watches. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount } from '../../src/accounts/manage-accounts.ts'
import { makeRoll } from '../contract/rolls.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

const at = { latitude: 43.07, longitude: -89.4, acres: 2 }
const ROLL = makeRoll([{ parcelId: '1', ownerName1: 'PRENTLEY, RUTH', address: '1 OAK ST', ...at }])
/** An area around the parcel. */
const POLYGON = '_|ydG~mgaP?_af@_ry@??~`f@'
let console: RunningConsole
let list = ''
before(async () => {
  console = await startTestConsole(ROLL)
  await console.makeOperator('otto', 'operator')
  await console.makeOperator('vera', 'viewer')
  const { accounts, now } = console.context
  const { id } = await accounts(({ admin }) => createAccount(admin, 'Orchard Homes', [], now()))
  list = `/accounts/${id}/watches`
})
after(() => console.close())

const FORMS: [kind: string, what: string, shown: RegExp][] = [
  ['parcels', '55025-1\n55025-2', /2 parcels/],
  ['owner', 'Prentley Ruth', /the owner Prentley Ruth/],
  ['search', '?state=WI&acresMin=2', /the search state=WI&#38;acresMin=2/],
  ['shape', '-89.5,43,-89.4,43.1', /the area \{/],
]
for (const [kind, what, shown] of FORMS) {
  test(`a watch of ${kind} is made, its secret shown once, listed and deleted`, async () => {
    const otto = await console.signIn('otto')
    const made = await otto.post(list, { kind, what, name: `My ${kind}` })
    const page = await made.text()
    assert.equal(made.status, 200, page)
    assert.match(page, shown)
    assert.match(page, /whsec_[\w+/=]+/)
    assert.match(page, /Nothing was sent yet/)
    const listed = await (await otto.get(list)).text()
    const [, path = ''] =
      new RegExp(`href="(${list}/wat_[0-9a-f]+)">My ${kind}<`).exec(listed) ?? []
    assert.doesNotMatch(await (await otto.get(path)).text(), /whsec_/)
    const renewed = await (await otto.post(`${path}/secret`, {})).text()
    assert.match(renewed, /whsec_/)
    assert.equal((await otto.post(`${path}/delete`, {})).status, 303)
    assert.equal((await otto.get(path)).status, 404)
  })
}

test('viewers see watches and change none; wrong conditions are explained', async () => {
  const [otto, vera] = [await console.signIn('otto'), await console.signIn('vera')]
  const page = await (await vera.get(list)).text()
  assert.match(page, /watches nothing yet/)
  assert.doesNotMatch(page, /Make the watch/)
  assert.equal((await vera.post(list, { kind: 'owner', what: 'Roe' })).status, 403)
  const private_ = { kind: 'parcels', what: '55025-1', url: 'http://127.0.0.1:9/' }
  const refused = await otto.post(list, private_)
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /private|public/i)
  assert.equal((await otto.post(list, { kind: 'search', what: 'state=WI&acreMin=2' })).status, 400)
})

test('a search and a selection of the map lead to a watch of the same', async () => {
  const otto = await console.signIn('otto')
  const linkOn = async (page: string) => {
    const text = await (await otto.get(page)).text()
    return /href="(\/watch\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? text
  }
  for (const [page, kind, what] of [
    ['/search?q=&in=55025&acresMin=1', 'search', /state=WI&#38;county=55025&#38;acresMin=1/],
    ['/search?q=Prentley&in=55025', 'owner', /^Prentley$/],
    ['/selection?id=55025-1', 'parcels', /^55025-1$/],
    [`/selection?polygon=${encodeURIComponent(POLYGON)}`, 'shape', /\[-89\.5,42\.9\]/],
  ] as const) {
    const chooser = await (await otto.get(await linkOn(page))).text()
    const own = new RegExp(`href="(${list}\\?[^"]*)"`).exec(chooser)?.[1] ?? chooser
    const form = await (await otto.get(own.replaceAll('&#38;', '&'))).text()
    assert.match(form, new RegExp(`value="${kind}" selected`), page)
    const box = /<textarea[^>]*>([^<]*)</.exec(form)?.[1] ?? ''
    assert.match(box, what, page)
    const made = await otto.post(list, {
      kind,
      what: box.replaceAll('&#38;', '&').replaceAll('&#34;', '"'),
    })
    assert.equal(made.status, 200, page)
  }
})
