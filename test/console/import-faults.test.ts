/**
 * What goes wrong while a roll is imported in the browser: wrong files, a page that is left, a
 * session that ends, a console that dies, a load that is refused.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, chooseField, openPeople, type People, ROLL } from './people.ts'
import { PASSPHRASE, type RunningConsole, startTestConsole } from './running-console.ts'

const STEP_MS = 120_000
const HOURS = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'platbook-import-faults-'))

let console: RunningConsole
let people: People
before(async () => {
  if (NO_BROWSER !== false) return
  console = await startTestConsole(ROLL, true)
  await console.makeOperator('otto', 'operator')
  people = await openPeople(console)
})
afterEach(() => people?.leave())
after(async () => {
  await people?.close()
  await console?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Drops a file, and resolves when its jobs have ended. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  page.setDefaultTimeout(STEP_MS)
  const file = join(folder, name)
  writeFileSync(file, text)
  await page.goto(`${console.address}/imports`)
  await page.setInputFiles('input[type=file]', file)
  await page.waitForURL('**/imports/*')
  await ended(page)
}

const ended = (page: Page) => page.locator('[data-upload][aria-busy=false]').waitFor()
const stateText = (page: Page) => page.locator('[data-upload] [data-state]').innerText()

/** A roll with columns of state and county; `count` parcels. */
function writeRoll(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) =>
      `09-${1000 + at},HOLLIN PETRA,${100 + at * 2} QUARRY RD,MADISON,53711,WI,DANE,Q${at}`,
  )
  return ['PIN,OWNER_NM,SITE_ADDR,SITE_CITY,SITE_ZIP,STATE,COUNTY,X1', ...rows].join('\n')
}

test('a file that is not a roll is reported by its format, and another can be dropped', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await drop(page, 'letter.pdf', '%PDF-1.7\n')
  assert.match(await stateText(page), /^letter\.pdf is a PDF document.*Drop another file$/s)
  assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).isVisible(), false)
  await page.getByRole('link', { name: 'Drop another file' }).click()
  await page.waitForURL('**/imports')
  await drop(page, 'head.csv', 'PIN,OWNER_NM,SITE_ADDR\n')
  assert.match(await stateText(page), /no rows below its head/)
  await drop(page, 'cut.zip', 'PK\u0003\u0004 and no more')
  assert.match(await stateText(page), /^cut\.zip is cut short or damaged/)
})

test('a page that is left keeps its mapping and choices; a load that was stopped begins again', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await drop(page, 'kept_properties_of_a_public_sample.csv', writeRoll(5))
  await page.getByLabel('County, if no column has it').fill('Dane')
  await page.getByLabel('a part of the roll').check()
  await ended(page)
  await chooseField(page.getByLabel('Field of the column X1'), 'neighborhood')
  await ended(page)
  assert.match(await stateText(page), /5 parcels new.*Nothing was changed yet/)
  await page.reload()
  await page.getByLabel('Field of the column X1').waitFor()
  await ended(page)
  assert.equal(await page.getByLabel('Field of the column X1').inputValue(), 'neighborhood')
  assert.equal(await page.getByLabel('County, if no column has it').inputValue(), 'Dane')
  assert.equal(await page.getByLabel('a part of the roll').isChecked(), true)
  assert.match(await stateText(page), /5 parcels new.*Nothing was changed yet/)
  assert.equal(await page.getByLabel('Field of the column STATE').inputValue(), '')
  // Its fields are there once a person comes to it.
  await page.getByLabel('Field of the column STATE').focus()
  assert.match(
    await page.getByLabel('Field of the column STATE').innerText(),
    /^\s*WI in all rows\n/,
  )
  await page.setViewportSize({ width: 390, height: 800 })
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  // As in mid-load, and the job then ends by a stop.
  await page.route(page.url(), async (route) => {
    const response = await route.fetch()
    const asRunning = 'data-job="running" data-step="load"'
    const body = (await response.text()).replace(/data-job="[^"]*"\s+data-step="\w+"/, asRunning)
    await route.fulfill({ response, body })
  })
  const error = 'stopped: nothing was loaded; the same command begins again'
  const job = { lines: [], endedAt: 1, result: null, error }
  await page.route('**/jobs/running', (route) => route.fulfill({ json: job }))
  await page.reload()
  await ended(page)
  assert.equal(await stateText(page), 'Stopped: nothing was loaded; press Import to begin again.')
  const load = page.getByRole('button', { name: 'Import', exact: true })
  assert.equal(await load.isEnabled(), true)
})

test('a session that ends while a mapping is edited loses nothing', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await drop(page, 'late.csv', writeRoll(5))
  console.passTime(12 * HOURS)
  await chooseField(page.getByLabel('Field of the column X1'), 'neighborhood')
  await ended(page)
  assert.match(await stateText(page), /Your session has ended, so nothing was changed/)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in again in another tab' }).click(),
  ])
  await tab.getByLabel('Name').fill('otto')
  await tab.getByLabel('Passphrase').fill(PASSPHRASE)
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL('**/map')
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.locator('[data-state]', { hasText: 'rows:' }).waitFor()
  assert.equal(await page.getByLabel('Field of the column X1').inputValue(), 'neighborhood')
})

test('a console that does not answer is asked again, and then reported', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await drop(page, 'dead.csv', writeRoll(5))
  await page.route('**/try', (route) => route.abort())
  await page.route('**/session.json', (route) => route.abort())
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.locator('[data-state]', { hasText: 'The console does not answer' }).waitFor()
  await page.unroute('**/try')
  let polls = 0
  await page.route('**/jobs/*', (route) => {
    polls += 1
    return polls < 3 ? route.abort() : route.continue()
  })
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.locator('[data-state]', { hasText: 'asking again' }).waitFor()
  await page.locator('[data-state]', { hasText: 'rows:' }).waitFor()
})

test('a load that would remove a county explains how to force it, and can be forced', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await drop(page, 'small.csv', writeRoll(3))
  assert.match(
    await stateText(page),
    /An import would be refused. It would remove .* parcels of DANE/,
  )
  assert.match(await stateText(page), /tick “load it in spite of the warning”/)
  const load = page.getByRole('button', { name: 'Import', exact: true })
  assert.equal(await load.isDisabled(), true)
  await page.getByLabel('in spite of the warning').check()
  await ended(page)
  await load.click()
  await page.locator('[data-state]', { hasText: 'Loaded: 3 new' }).waitFor()
  const link = page.getByRole('link', { name: 'See it on the map' })
  await link.and(page.locator(':focus')).waitFor()
  await page.reload()
  assert.match(await page.locator('main').innerText(), /imported already, or is too old/)
})

test('a roll outside its county cannot be loaded until its county is right, or it is forced', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  const rows = Array.from(
    { length: 60 },
    (_, at) => `R-${1000 + at},HOLLIN PETRA,${100 + at * 2} QUARRY RD,42.68,${-89.02 - at / 10000}`,
  )
  const elsewhere = ['PIN,OWNER_NM,SITE_ADDR,LAT,LON', ...rows].join('\n')
  const readAgain = async (county: string) => {
    await page.getByLabel('State, if no column has it').fill('WI')
    await page.getByLabel('County, if no column has it').fill(county)
    await page.getByRole('button', { name: 'Read again' }).click()
    await ended(page)
  }
  const load = page.getByRole('button', { name: 'Import', exact: true })
  await drop(page, 'elsewhere.csv', elsewhere)
  await readAgain('Bayfield')
  assert.match(await stateText(page), /would be refused. 60 of 60 points of BAYFIELD, WI are more/)
  assert.match(await stateText(page), /is wrong: mend it and press Read again; .*tick “load it/)
  assert.equal(await load.isDisabled(), true)
  await page.getByLabel('in spite of the warning').check()
  await ended(page)
  assert.equal(await load.isEnabled(), true)
  await page.getByLabel('in spite of the warning').uncheck()
  await ended(page)
  assert.equal(await load.isDisabled(), true)
  // An edit of the place ends the dry run for the place before, which the page takes for running.
  const edited = Promise.withResolvers<void>()
  await page.route(/\/jobs\/[^/]+$/, (route) => edited.promise.then(() => route.continue()))
  const isStopped = page.waitForResponse(/\/jobs\/.+\/stop$/)
  await page.getByLabel('in spite of the warning').check()
  await page.getByLabel('County, if no column has it').fill('Rock')
  await isStopped
  edited.resolve()
  assert.match(await stateText(page), /^Press Read again/)
  assert.equal(await load.isDisabled(), true)
  await page.getByLabel('in spite of the warning').uncheck()
  await ended(page)
  await readAgain('Rock')
  assert.match(await stateText(page), /60 parcels new.*Nothing was changed yet/)
  assert.equal(await load.isEnabled(), true)
})

test('rows that were rejected are shown with their reasons, to operators', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  const bad = '09-9999,HOLLIN PETRA,1 QUARRY RD,MADISON'
  await drop(page, 'bad.csv', `${writeRoll(3)}\n${bad}`)
  await page.getByLabel('a part of the roll').check()
  await ended(page)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.locator('[data-state]', { hasText: '1 rejected rows' }).waitFor()
  await page.goto(`${console.address}/imports`)
  await page
    .getByRole('link', { name: /^Rejected rows of/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Rejected rows' }).waitFor()
  assert.match(await page.locator('main').innerText(), /1 row .*made no parcel[\s\S]*09-9999/)
  await checkBothThemes(page, 'rejected rows')
  await console.makeOperator('vera', 'viewer')
  const vera = await console.signIn('vera')
  assert.equal((await vera.get(new URL(page.url()).pathname)).status, 403)
  assert.doesNotMatch(await (await vera.get('/imports')).text(), /imports\/rejects/)
})

test('an upload that is refused or broken off is reported on the page', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await page.goto(`${console.address}/imports`)
  const file = join(folder, 'roll.csv')
  writeFileSync(file, writeRoll(3))
  const full = { error: 'The disk of the data folder is full, so nothing was written.' }
  await page.route('**/imports/upload', (route) => route.fulfill({ status: 507, json: full }))
  await page.setInputFiles('input[type=file]', file)
  await page.locator('[data-state]', { hasText: 'The disk of the data folder is full' }).waitFor()
  await page.unroute('**/imports/upload')
  await page.route('**/imports/upload', (route) => route.abort())
  await page.setInputFiles('input[type=file]', file)
  await page.locator('[data-state]', { hasText: 'The connection broke' }).waitFor()
  await page.unroute('**/imports/upload')
  console.passTime(12 * HOURS)
  await page.setInputFiles('input[type=file]', file)
  await page.locator('[data-state]', { hasText: 'Your session has ended' }).waitFor()
})
