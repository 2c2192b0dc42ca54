/** A county's office without a terminal: tasks in Chromium that needed the command line before. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startArcgis } from '../sources/arcgis-server.ts'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, chooseField, openPeople, type People, ROLL } from './people.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

const STEP_MS = 60_000
const folder = mkdtempSync(join(tmpdir(), 'platbook-office-'))

let console: RunningConsole
let people: People
before(async () => {
  if (NO_BROWSER !== false) return
  console = await startTestConsole(ROLL, true)
  people = await openPeople(console)
})
afterEach(() => people?.leave())
after(async () => {
  await people?.close()
  await console?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(path: string): Promise<Page> {
  const { page } = await people.enterWithoutMap()
  // Each step starts a command, which takes seconds on a busy machine.
  page.setDefaultTimeout(STEP_MS)
  await page.goto(console.address + path)
  return page
}

/** A roll of 30 parcels; a row is given twice, one has no ID, one has too many fields. */
function writeRoll(): string {
  const rows = Array.from({ length: 30 }, (_, at) =>
    [`09-${1000 + at}`, 'HOLLIN', 'PETRA', `${100 + at * 2} QUARRY RD`, 'MADISON', '53711']
      .concat([String(1950 + at), '2', '1', `2021-03-${10 + (at % 20)}`, String(200_000 + at)])
      .concat([String(90_000 + at), `Q${at}`])
      .join(','),
  )
  const head =
    'PIN,OWNER_LAST,OWNER_FIRST,SITE_ADDR,SITE_CITY,SITE_ZIP,YR_BLT,FBATH,HBATH,SALE_DT,SALE_AMT,' +
    'TOT_VAL,X1'
  const file = join(folder, 'quarry.csv')
  const noId = (rows[0] ?? '').replace(/^[^,]*/, '')
  const another = `${rows[5]},one,two`
  writeFileSync(file, [head, ...rows, rows[3], noId, another].join('\n'))
  return file
}

const settled = (page: Page) => page.locator('[data-upload][aria-busy=false]').waitFor()

test('the table of an import shows what each column feeds; a wrong one is mended in place', {
  skip: NO_BROWSER,
}, async () => {
  const page = await open('/imports')
  await page.setInputFiles('input[type=file]', writeRoll())
  await page.waitForURL('**/imports/*')
  await settled(page)
  assert.match(await page.locator('[data-found]').innerText(), /No layout is known.*\d+ are likely/)
  assert.equal(await page.getByLabel('State, if no column has it').inputValue(), 'WI')
  const said = await page.locator('[data-upload] [data-state]').innerText()
  assert.match(said, /^No column has the county of these rows: fill it in below and press Read/)
  await page.getByLabel('County, if no column has it').fill('Dane')
  await page.getByLabel('County, if no column has it').press('Enter')
  await page.locator('[data-upload][aria-busy=true]').waitFor()
  await settled(page)
  assert.match(await page.locator('[data-found]').innerText(), /Its parcels are in Dane, WI\./)
  const row = (name: string) =>
    page.locator('.columns tr', { has: page.getByText(name, { exact: true }) })
  assert.match(await row('OWNER_FIRST').innerText(), /after OWNER_LAST[\s\S]*\d+\s%/)
  assert.match(await row('HBATH').innerText(), /added to FBATH, × 0.5/)
  const field = (name: string) => page.getByLabel(`Field of the column ${name}`, { exact: true })
  assert.equal(await field('HBATH').inputValue(), 'buildings.totalBathrooms')
  assert.equal(await field('SALE_AMT').inputValue(), 'transfers.transferPrice')
  await chooseField(field('PIN'), '')
  await page.getByText('no column feeds the parcel ID, so choose one below').waitFor()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await chooseField(field('OWNER_FIRST'), '')
  await page.getByText('owner name 1 now comes from OWNER_LAST alone.').waitFor()
  await page.getByRole('button', { name: 'Take it back' }).click()
  assert.equal(await field('OWNER_FIRST').inputValue(), 'ownerName1')
  await chooseField(field('X1'), 'city')
  await page.getByRole('button', { name: 'X1 where that is empty' }).click()
  assert.match(await row('X1').innerText(), /where SITE_CITY is empty/)
  await page.getByLabel('Another field for TOT_VAL').click()
  await chooseField(page.getByLabel('Another field of the column TOT_VAL'), 'totalMarketValue')
  await page.getByText('TOT_VAL feeds total market value.').waitFor()
  await settled(page)
  const account = await page.locator('[data-account]').innerText()
  const shown = /make a parcel[\s\S]*?(\d+)\s+repeat another row\s+such as line (\d+)\s+(\d+)/.exec(
    account,
  )
  assert.deepEqual(shown?.slice(1), ['30', '32', '1'])
  // What repeats a row, is skipped or rejected adds up with the parcels.
  assert.match(account, /no parcel ID\s+such as line 33\s+1\s+rejected: [^\n]*\s+1\s+in all\s+33/)
  await page.getByText('Rejected rows, the first of each reason').click()
  assert.match(await page.locator('[data-account] code').innerText(), /HOLLIN,PETRA,110 QUARRY RD/)
  const preview = page.locator('[data-preview]')
  assert.match(
    await preview.innerText(),
    /Parcel 1 of 20[\s\S]*As it is served[\s\S]*total market value/,
  )
  await page.getByRole('button', { name: 'Next' }).click()
  assert.match(await preview.innerText(), /Parcel 2 of 20/)
  await checkBothThemes(page, 'the page of an upload')
})

/** The service's answer for a parcel of the roll, and its status. */
async function askOwner(lastName: string): Promise<string[]> {
  const key = await console.service.keyFor()
  const query = { state: 'WI', lastName, limit: '50' }
  const { status, body } = await console.service.get('/public/premium/owner/', query, { key })
  if (status === 404) return []
  return (body.properties as { parcelId: string }[]).map(({ parcelId }) => parcelId)
}

/** The newest actions in the operator log. */
async function readActions(): Promise<string[]> {
  const entries = await console.context.accounts(({ ledger }) =>
    ledger.operatorEntriesAfter(0, 500),
  )
  return entries
    .filter(({ kind }) => kind === 'action')
    .map(({ state }) => Object.values(JSON.parse(state) as Record<string, string>).join(': '))
}

const done = (page: Page) => page.locator('.jobs [role=status].good').first().waitFor()

test('an import is undone: what will happen is named first, and the history says it', {
  skip: NO_BROWSER,
}, async () => {
  const page = await open('/imports')
  await page.setInputFiles('input[type=file]', writeRoll())
  await page.waitForURL('**/imports/*')
  await page.locator('[data-upload][aria-busy=true]').waitFor()
  await settled(page)
  await page.getByLabel('County, if no column has it').fill('Dane')
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.locator('[data-upload][aria-busy=true]').waitFor()
  await settled(page)
  await page.getByLabel('a part of the roll').check()
  await page.locator('[data-upload][aria-busy=true]').waitFor()
  await settled(page)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Loaded: 30 new').waitFor()
  assert.ok((await askOwner('hollin')).length > 0)
  await page.goto(`${console.address}/imports`)
  await page
    .getByRole('link', { name: /^Undo the import of/ })
    .first()
    .click()
  await page.getByText('Removed: 30 parcels that it added').waitFor()
  assert.match(await page.locator('main').innerText(), /is undone in Dane, WI:/)
  await checkBothThemes(page, 'undo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/imports')
  await done(page)
  assert.match(
    await page.locator('.jobs').innerText(),
    /Undo the import of Dane, WI[\s\S]*30 parcels removed/,
  )
  await page.locator('table td', { hasText: /^undo$/ }).waitFor()
  assert.deepEqual(await askOwner('hollin'), [])
  assert.ok((await readActions()).some((text) => /undo import: \d+: Dane, WI/.test(text)))
})

test('a published layer is pasted, looked at, followed, checked and left', {
  skip: NO_BROWSER,
}, async () => {
  const [head = '', ...rows] = readFileSync(writeRoll(), 'utf8').split('\n')
  const names = [...head.split(','), 'STATE', 'COUNTY']
  const layer = await startArcgis(
    rows.slice(0, 30).map((row, at) => {
      const cells = [...row.split(','), 'WI', 'Adams']
      const attributes = Object.fromEntries(names.map((name, column) => [name, cells[column]]))
      return { id: at + 1, attributes }
    }),
    { fields: names.map((name) => ({ name, alias: name, type: 'esriFieldTypeString' })) },
  )
  try {
    const page = await open('/sources')
    await page.getByText('No published roll is followed yet').waitFor()
    await page.getByRole('link', { name: /rolls of Wisconsin$/ }).click()
    await page
      .getByRole('button', { name: /^Load and follow: / })
      .first()
      .waitFor()
    assert.match(await page.locator('#catalogue table').innerText(), /Never loaded here/)
    const follow = async () => {
      await page.getByLabel('Address of a file or layer').fill(layer.address)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/imports/*')
      await page.locator('[data-upload][aria-busy=true]').waitFor()
      await settled(page)
      assert.equal(await page.getByLabel('follow it').isChecked(), true)
      assert.match(await page.locator('[data-preview]').innerText(), /source name\s+127\.0\.0\.1:/)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
    }
    await follow()
    await page.getByText('Loaded: 30 new').waitFor()
    await page.goto(`${console.address}/sources`)
    const row = page.locator('table tr', { hasText: 'own/wi/127.0.0.1' })
    assert.match(
      await row.innerText(),
      /Adams, WI[\s\S]*Loaded \d+ \w+ 20[\s\S]*Due \d+ \w+ 20[\s\S]*every 30 days/,
    )
    await row.getByRole('button', { name: /^Check: / }).click()
    await done(page)
    assert.match(
      await page.locator('.jobs').innerText(),
      /own\/wi\/127.0.0.1[^:]*: it answers|30 rows/,
    )
    await row.getByRole('button', { name: /^Load now: / }).click()
    await page.getByText(/: unchanged\./).waitFor()
    await row.getByRole('button', { name: /^Stop following: / }).click()
    await page.getByText('No published roll is followed yet').waitFor()
    // What has not changed is loaded again by a person who asks for it.
    await follow()
    await page.getByText('Loaded: 0 new').waitFor()
  } finally {
    await layer.close()
  }
})

test('while a job runs, what it has not changed stays, with the focus in it', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  const address = `${console.address}/sources?state=DE`
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<div data-jobs', '<div data-jobs="running"')
    await route.fulfill({ response, body })
  })
  await page.goto(address)
  const button = page.locator('[data-fresh] form button').first()
  await button.focus()
  for (const _ of [1, 2, 3]) await page.waitForResponse(address)
  assert.equal(await button.evaluate((it) => it === it.ownerDocument.activeElement), true)
})

test('a county is exported, downloaded and deleted, and unloaded after its name is typed', {
  skip: NO_BROWSER,
}, async () => {
  const page = await open('/coverage/55001')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await done(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.jobs a[download]').click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  assert.equal(text.trimEnd().split('\n').length, 31)
  await page.goto(`${console.address}/coverage`)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: /^Delete wi-adams/ }).click()
  await page.locator('section', { hasText: 'Exports' }).waitFor({ state: 'detached' })
  await page.goto(`${console.address}/coverage/55001/unload`)
  assert.match(await page.locator('main').innerText(), /This removes 30 parcels of Adams, WI/)
  await page.keyboard.type('Dane')
  await page.keyboard.press('Enter')
  await page.getByText('Type Adams to confirm').waitFor()
  await page.getByLabel('name', { exact: true }).fill('adams')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/coverage')
  await page.getByText('30 parcels removed').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Adams, WI' }).count(), 0)
})

test('a person is suppressed: the effect is named, no log and no process has the name', {
  skip: NO_BROWSER,
}, async () => {
  assert.equal((await askOwner('garcia')).length > 0, true)
  const page = await open('/privacy')
  await page.getByLabel('Name, street line or ID').fill('GARCIA, MARIA L')
  await page.getByLabel('State').fill('WI')
  await page.getByLabel('County').fill('Dane')
  await page.getByLabel('Law or order').fill('order 17')
  await page.keyboard.press('Enter')
  await page.getByText('This hides GARCIA, MARIA L in Dane, WI').waitFor()
  await checkBothThemes(page, 'suppress')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/privacy')
  await done(page)
  assert.match(await page.locator('.jobs').innerText(), /Something is hidden in \d+ parcel/)
  await page.locator('th code', { hasText: /^sup_/ }).waitFor()
  const actions = await readActions()
  assert.ok(actions.includes('suppress: owner, owner: order 17'), actions.join('\n'))
  assert.equal(/GARCIA/i.test(actions.join() + console.logged.join()), false)
})

test('required fields say so, and a form that lacks one keeps what was typed', {
  skip: NO_BROWSER,
}, async () => {
  const page = await open('/accounts')
  for (const path of ['/accounts', '/sources', '/admin', '/coverage/55025/unload', '/privacy']) {
    if (path !== '/accounts') await page.goto(console.address + path)
    const marks = await page.evaluate(`[...document.querySelectorAll('label :required')].map(
      (field) => getComputedStyle(field.closest('label'), '::before').content)`)
    assert.match(String(marks), /^("required"[^,]*,?)+$/, path)
  }
  const name = page.getByLabel('Name, street line or ID')
  await name.fill('HOLLIN, PETRA')
  await page.getByRole('button', { name: 'Look over' }).click()
  await page.getByLabel('Law or order').and(page.locator(':focus')).waitFor()
  assert.equal(await name.inputValue(), 'HOLLIN, PETRA')
})

test('a ratio study is printed by a button', { skip: NO_BROWSER }, async () => {
  const page = await open('/coverage/55025/ratios')
  await page.evaluate("window.print = () => document.body.setAttribute('data-printed', '')")
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('body[data-printed]').waitFor()
})

test('a backup is made and listed with the command that puts it back', {
  skip: NO_BROWSER,
}, async () => {
  const page = await open('/operation')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await done(page)
  await page.getByText('platbook restore').waitFor()
})

test('viewers see no buttons, and roles below are refused', { skip: NO_BROWSER }, async () => {
  await console.makeOperator('vera', 'viewer')
  await console.makeOperator('olga', 'operator')
  const vera = await console.signIn('vera')
  for (const path of ['/sources?state=WI', '/coverage/55025', '/imports', '/privacy']) {
    const text = await (await vera.get(path)).text()
    const main = text.slice(text.indexOf('<main'))
    assert.doesNotMatch(main, /method="post"/, path)
  }
  const refused: [string, Record<string, string>][] = [
    ['/sources/sync', { id: 'ny-pluto' }],
    ['/imports/address', { url: 'https://example.gov/a.csv' }],
    ['/exports', { state: 'WI', format: 'csv' }],
    ['/coverage/55025/unload', { name: 'Dane' }],
    ['/imports/undo/1', {}],
    ['/privacy/suppress', { kind: 'owner' }],
  ]
  for (const [path, form] of refused) assert.equal((await vera.post(path, form)).status, 403, path)
  const olga = await console.signIn('olga')
  const asked = { kind: 'owner', text: 'X', scope: 'owner', basis: 'law' }
  assert.equal((await olga.post('/privacy/suppress', asked)).status, 403)
  assert.equal((await vera.get('/jobs/none')).status, 403)
  const wrong: [string, Record<string, string>, RegExp][] = [
    ['/imports/address', { url: 'file:///etc/passwd' }, /begins with https/],
    ['/exports', { state: 'WI', format: 'exe' }, /choose a state and a format/i],
    ['/sources/sync', { id: 'no-such' }, /no source/],
    ['/sources/remove', { id: 'ny-pluto' }, /comes with Platbook/],
    ['/exports/..%2Faccounts.db/delete', {}, /not kept any more/],
  ]
  for (const [path, form, words] of wrong) {
    const response = await olga.post(path, form)
    assert.equal(response.status, 400, path)
    assert.match(await response.text(), words)
  }
})

test('no page broke the policy, and none asked another machine', { skip: NO_BROWSER }, () => {
  people.checkVisits()
})
