/**
 * Typical tasks in the console, in Chromium, with the checks of axe and of the
 * Content-Security-Policy on every page.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { createAccount } from '../../src/accounts/manage-accounts.ts'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { keepDefect } from '../../src/base/logs/defect-log.ts'
import { makeAccountLink } from '../../src/console/account-links.ts'
import { type AskedSuppression, makeSuppression } from '../../src/privacy/suppress.ts'
import { NO_BROWSER } from './browser.ts'
import {
  AXE,
  checkBothThemes,
  chooseField,
  openPeople,
  type People,
  ROLL,
  waitUntil,
} from './people.ts'
import { PASSPHRASE, type RunningConsole, startTestConsole } from './running-console.ts'

const STEP_MS = 120_000
const folder = mkdtempSync(join(tmpdir(), 'platbook-journeys-'))

const WITHOUT_WEBGL = `{
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (kind, more) {
    return kind === '2d' ? getContext.call(this, kind, more) : null
  }
}`

let console: RunningConsole
let people: People
const enter = () => people.enterWithoutMap()
before(async () => {
  if (NO_BROWSER !== false) return
  console = await startTestConsole(ROLL, true)
  await console.makeOperator('otto', 'admin')
  people = await openPeople(console)
})
afterEach(() => people?.leave())
after(async () => {
  await people?.close()
  await console?.close()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * A roll in a layout that no mapping knows; two columns are named so that nobody could guess them.
 */
function writeStrangeRoll(): string {
  const file = join(folder, 'strange.csv')
  const rows = Array.from({ length: 40 }, (_, at) =>
    [`09-${1000 + at}`, 'HOLLIN, PETRA', `${100 + at * 2} QUARRY RD`, 'MADISON', '53711']
      .concat([`Q${at}`, String(90_000 + at * 1000), '43.05', String(-89.45 - at / 10_000)])
      .map((cell) => `"${cell}"`)
      .join(','),
  )
  const header = 'PIN,OWNER_NM,SITE_ADDR,SITE_CITY,SITE_ZIP,X1,X2,LAT,LON'
  writeFileSync(file, [header, ...rows].join('\n'))
  return file
}

test('a newcomer finds a parcel with the keyboard, sees why it matched, and its owner’s others', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enter()
  await page.waitForURL('**/map**')
  // Maps of results have tests of their own.
  await page.addInitScript(WITHOUT_WEBGL)
  await page.keyboard.press('/')
  await page.keyboard.type('garcia')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=garcia')
  const first = page.locator('.results > li').first()
  await first.getByText('Why this matched').click()
  assert.match(await first.innerText(), /surname or company garcia/)
  await first.locator('a').first().click()
  assert.match(await page.locator('main').innerText(), /GARCIA/)
  await page.getByRole('link', { name: /Parcels under this name/ }).click()
  await page.locator('.results > li').first().waitFor()
  assert.match(await page.locator('.queries').innerText(), /1 token for a caller/)
  await page.locator('.results > li a').first().click()
  await page.getByRole('link', { name: 'Neighbours' }).waitFor()
  const parcel = page.url()
  await page.getByRole('link', { name: 'Neighbours' }).click()
  await page.getByRole('heading', { name: 'Neighbours' }).waitFor()
  assert.match(await page.locator('main').innerText(), /No parcel touches this one/)
  // A click is lost while the earlier page is being put back.
  await page.goBack({ waitUntil: 'networkidle' })
  assert.equal(page.url(), parcel)
  await page.getByRole('link', { name: /Comparable sales/ }).click()
  await page.getByRole('heading', { name: 'Comparable sales' }).waitFor()
})

test('an admin sees suppressions, due ones and the audit; a viewer sees no audit', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await enter()
  await page.goto(`${console.address}/privacy`)
  assert.match(await page.locator('main').innerText(), /Nobody is suppressed/)
  const asked: AskedSuppression = {
    ...({ kind: 'owner', text: 'NOBODY, NORA', scope: 'owner', nameOrder: 'last-first' } as const),
    ...{ place: { state: 'WI', fips: 55025 }, basis: 'order 17', until: '2020-01-31' },
  }
  const suppression = makeSuppression(asked, console.service.config, 0)
  await console.context.accounts(({ admin }) => admin.putSuppressions([suppression]))
  const key = await console.service.keyFor()
  const found = await console.service.get(
    '/public/premium/owner/',
    { state: 'WI', lastName: 'garcia' },
    { key },
  )
  assert.equal(found.status, 200)
  await page.goto(`${console.address}/privacy`)
  const text = await page.locator('main').innerText()
  assert.match(text, /1 is past the day to look at it again/)
  assert.match(text, /sup_[\s\S]*Dane, WI[\s\S]*order 17[\s\S]*31 January 2020/)
  await page.getByLabel('Property ID').fill('55025-0709-123-0101-4')
  await page.getByRole('button', { name: 'Ask the audit' }).click()
  await page.getByText('1 answer showed 55025-0709-123-0101-4').waitFor()
  assert.match(await page.locator('main').innerText(), /Premium owner search/)
  await page.getByLabel('Property ID').fill('55025-none')
  await page.getByRole('button', { name: 'Ask the audit' }).click()
  await page.getByText('No answer that is still in the audit showed 55025-none').waitFor()
  await console.makeOperator('vera', 'viewer')
  const vera = await console.signIn('vera')
  const shown = await (await vera.get('/privacy?property=55025-0709-123-0101-4')).text()
  assert.match(shown, /Only an admin may ask/)
  assert.doesNotMatch(shown, /Premium owner search/)
})

test('typing an address suggests the recorded ones', { skip: NO_BROWSER }, async () => {
  const { page } = await enter()
  // Scripts load after the first paint: whoever types before gets suggestions as well.
  const typed = Promise.withResolvers<void>()
  await page.route(/search\.js/, async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto(`${console.address}/search`)
  await page.locator('main input[data-suggest]').pressSequentially('125 ma')
  typed.resolve()
  // Earlier letters have suggestions of their own.
  await page.locator('#suggestions option[value*=Ephraim]').waitFor({ state: 'attached' })
  await waitUntil(page, "document.querySelectorAll('#suggestions option').length === 2")
  const options = await page.evaluate(
    "Array.from(document.querySelectorAll('#suggestions option'), (option) => option.value)",
  )
  // The second is another address of a parcel.
  assert.deepEqual(options, ['125 MAIN ST, Madison, WI', '125 MAIN ST, Ephraim, WI'])
})

test('a file that no mapping knows is dropped, two columns corrected, tried, loaded and found', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await enter()
  // Each step starts a command, which takes seconds on a busy machine.
  page.setDefaultTimeout(STEP_MS)
  await page.goto(`${console.address}/imports`)
  await page.setInputFiles('input[type=file]', writeStrangeRoll())
  await page.waitForURL('**/imports/*')
  await page.getByLabel('State, if no column has it').fill('WI')
  await page.getByLabel('County, if no column has it').fill('Dane')
  await page.getByRole('button', { name: 'Read again' }).click()
  const state = page.locator('[data-upload] [data-state]')
  await page.locator('[data-upload][aria-busy=false]').waitFor()
  await page.getByLabel('a part of the roll').check()
  await chooseField(page.getByLabel('Field of the column X1'), 'neighborhood')
  await chooseField(page.getByLabel('Field of the column X2'), 'totalAssessedValue')
  await page.locator('[data-upload][aria-busy=false]').waitFor()
  assert.match(await state.innerText(), /Nothing was changed yet/)
  assert.match(await page.locator('[data-preview]').innerText(), /total assessed value/i)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await state.filter({ hasText: 'Loaded: 40 new' }).waitFor()
  await page.getByRole('link', { name: 'See it on the map' }).click()
  await page.waitForURL('**/map?in=55025**')
  await page.locator('#map[data-ready]').waitFor()
  await page.goto(`${console.address}/search?q=118+Quarry+Rd`)
  assert.match(await page.locator('.results').innerText(), /118 QUARRY RD/)
  await page.goto(`${console.address}/imports`)
  assert.match(await page.locator('table').innerText(), /40/)
})

test('an operator makes an account and a key with the keyboard alone, blocks it and cures it', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.come()
  await page.goto(`${console.address}/accounts`)
  // The name has the focus, once the page has given it.
  await page.locator('input[name=name]:focus').waitFor()
  await page.keyboard.type('otto')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSPHRASE)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/accounts')
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Acme Title')
  await page.keyboard.press('Tab')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/accounts/acc_*')
  await page.getByLabel('What it is for').focus()
  await page.keyboard.type('shop')
  await page.keyboard.press('Enter')
  const key = await page.locator('.made pre').innerText()
  const query = 'state=WI&lastName=garcia'
  const ask = () =>
    fetch(`${console.service.address}/public/premium/owner/?${query}`, {
      headers: { authorization: key },
    })
  assert.equal((await ask()).status, 200)
  const account = page.url().replace(/\/keys$/, '')
  await page.goto(account)
  assert.match(await page.locator('main').innerText(), /1 token used of 5, 4 left/)
  await page.locator('.plot canvas').waitFor()
  for (const [suspended, said] of [
    ['true', 'Blocked: access denied'],
    ['false', 'Open.'],
  ] as const) {
    await page.getByText('Show and change').click()
    await page.getByLabel('suspended', { exact: true }).selectOption(suspended)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.standing', { hasText: said }).waitFor()
  }
  // A change that is sent twice by a quick second click is made once.
  const isRefused = await page.evaluate(`[1, 2].map(() => {
    const sent = new SubmitEvent('submit', { bubbles: true, cancelable: true })
    return !document.querySelector('form[action$="/links"]').dispatchEvent(sent)
  })`)
  assert.deepEqual(isRefused, [false, true])
  await page.reload()
  await page.getByRole('button', { name: "The owner's page" }).click()
  assert.match(await page.locator('main').innerText(), /Your account is open/)
})

test('the map shows the parcels, coloured by each of the things that its box lists', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await enter()
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(`${console.address}/map#16/43.0747/-89.3841`)
  await page.locator('#legend li').first().waitFor()
  await page.locator('#map[data-ready]').waitFor()
  await checkBothThemes(page, '/map')
  const hasLines = "document.querySelector('#map').map.getLayer('county-lines') !== undefined"
  assert.equal(await page.evaluate(hasLines), false, 'coarse outlines are not drawn near by')
  const names = await page.evaluate(
    "Array.from(document.querySelectorAll('#colour option'), ({ value }) => value)",
  )
  assert.deepEqual(names, [
    ...['value', 'use', 'valuePerAcre', 'change', 'ratio', 'saleYear', 'yearBuilt', 'ownerKind'],
    'absentee',
  ])
  const said = new Map<string, string>()
  // The first one is chosen already.
  for (const name of (names as string[]).toReversed()) {
    await page.evaluate("document.querySelector('#classes').textContent = ''")
    await page.locator('#colour').selectOption(name)
    await waitUntil(page, "document.querySelector('#classes').textContent !== ''")
    said.set(name, await page.locator('#classes').innerText())
  }
  assert.equal(new Set(said.values()).size, names.length)
  assert.match(said.get('change') ?? '', /^Only one roll of Dane is loaded/)
  assert.match(said.get('absentee') ?? '', /parcels of Dane with an owner whose address is known/)
  assert.match(said.get('use') ?? '', /^Shares of the \d+ parcels of Dane with a use/)
  await page.getByRole('button', { name: 'Parcels in view' }).click()
  await page
    .locator('#in-view td', { hasText: /residen|condo/i })
    .first()
    .waitFor()
  await page.locator('#in-view button').first().click()
  await page.locator('#card', { hasText: 'Owner' }).waitFor()
  await page.goto(`${console.address}/map#6/43.0747/-89.3841`)
  await page.getByText('A dot is one or more parcels').waitFor()
  await waitUntil(page, hasLines)
  await page.addInitScript(WITHOUT_WEBGL)
  await page.goto(`${console.address}/map?table#16/43.0747/-89.3841`)
  await page.locator('#in-view button').first().waitFor()
})

test('results are on a map next to the list, and a parcel on its own page', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await enter()
  await page.goto(`${console.address}/search?q=garcia`)
  const map = page.locator('.result-map[data-ready]')
  await map.waitFor()
  const places = JSON.parse((await map.getAttribute('data-places')) ?? '')
  assert.equal(places.length, await page.locator('.results > li').count())
  const box = await map.boundingBox()
  assert.ok(box !== null && box.width > 200 && box.height > 200)
  await page.locator('.results > li a').first().click()
  await page.locator('.result-map[data-ready]').waitFor()
})

test('coverage shows the loaded counties on a map; a county shows its imports', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await enter()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${console.address}/coverage`)
  await page.locator('#coverage-map[data-ready]').waitFor()
  await checkBothThemes(page, '/coverage')
  assert.equal(await page.getByText('The map is being drawn').count(), 0)
  for (const name of ['ageDays', 'rollYear', 'parcels']) {
    await page.locator('#coverage-colour').selectOption(name)
    await page.locator('#coverage-legend li').first().waitFor()
  }
  await page.getByRole('link', { name: 'Dane, WI' }).click()
  await page.getByRole('heading', { name: 'Its imports' }).waitFor()
  assert.match(await page.locator('main').innerText(), /import[\s\S]*Dane, WI/)
  await page.goto(`${console.address}/sources`)
  assert.match(await page.locator('main').innerText(), /No published roll is followed yet/)
})

test('operation shows answers by status, the delay of the event loop, and defects', {
  skip: NO_BROWSER,
}, async () => {
  keepDefect(
    console.service.config.data,
    JSON.stringify({
      ...{ at: '2026-05-20T12:00:00Z', requestId: 'req_17', operation: 'usage' },
      error: 'Error: the disk is full\n    at write',
    }),
  )
  const { page } = await enter()
  await page.goto(`${console.address}/operation`)
  await page.locator('[data-numbers] dt', { hasText: 'event loop delay' }).waitFor()
  const text = await page.locator('main').innerText()
  assert.match(text, /Answers by status/)
  assert.match(text, /20 May 2026, 12:00 UTC\s+usage\s+req_17\s+Error: the disk is full/)
  assert.doesNotMatch(text, /at write/)
})

test('axe finds nothing serious on other pages, light and dark, wide and narrow', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await enter()
  const account = await console.context.accounts(({ admin }) =>
    createAccount(admin, 'Looked at', [], console.context.now()),
  )
  await console.context.accounts(({ admin }) =>
    createKey(
      console.context.config,
      admin,
      { accountId: account.id, label: 'x'.repeat(90) },
      console.context.now(),
    ),
  )
  // Those of maps are checked where a map is open; that of a parcel is like them. All states have
  // the same rows.
  await page.addInitScript(WITHOUT_WEBGL)
  await page.addInitScript(AXE)
  const paths = [
    ...['/search', '/search?q=garcia', '/coverage/55025', '/imports'],
    ...['/sources?state=DE', '/coverage/55025/unload'],
    ...['/accounts', '/operation', '/privacy', '/parcel?county=55025&parcelId=0709-123-0101-4'],
    ...['/admin', `/accounts/${account.id}`, `/accounts/${account.id}/ledger`],
    '/selection?id=55025-0709-123-0101-4',
    ...[
      '/nothing-here',
      makeAccountLink(console.context, account.id, 'ada'),
      '/account',
      '/sign-in',
    ],
  ]
  for (const [at, path] of paths.entries()) {
    await page.setViewportSize(
      at % 2 === 0 ? { width: 1200, height: 800 } : { width: 390, height: 800 },
    )
    await page.goto(new URL(path, console.address).href)
    await checkBothThemes(page, path)
  }
})

test('no page broke the policy, and none asked another machine', { skip: NO_BROWSER }, () => {
  people.checkVisits()
})
