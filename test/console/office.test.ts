/** A county's office without a terminal: tasks in Chromium that needed the command line before. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, openPeople, type People, ROLL } from './people.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

const STEP_MS = 60_000
const folder = mkdtempSync(join(tmpdir(), 'platbook-office-'))

let console: RunningConsole
let people: People
before(async () => {
  if (NO_BROWSER !== false) return
  console = await startTestConsole(ROLL)
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
  await page.getByLabel('County, if no column has it').fill('Dane')
  await page.getByLabel('County, if no column has it').press('Enter')
  await page.locator('[data-upload][aria-busy=true]').waitFor()
  await settled(page)
  const row = (name: string) =>
    page.locator('.columns tr', { has: page.getByText(name, { exact: true }) })
  assert.match(await row('OWNER_FIRST').innerText(), /after OWNER_LAST[\s\S]*\d+\s%/)
  assert.match(await row('HBATH').innerText(), /added to FBATH, × 0.5/)
  const field = (name: string) => page.getByLabel(`Field of the column ${name}`, { exact: true })
  assert.equal(await field('HBATH').inputValue(), 'buildings.totalBathrooms')
  assert.equal(await field('SALE_AMT').inputValue(), 'transfers.transferPrice')
  await field('OWNER_FIRST').selectOption('')
  await page.getByText('owner name 1 now comes from OWNER_LAST alone.').waitFor()
  await page.getByRole('button', { name: 'Take it back' }).click()
  assert.equal(await field('OWNER_FIRST').inputValue(), 'ownerName1')
  await field('X1').selectOption('city')
  await page.getByRole('button', { name: 'X1 where that is empty' }).click()
  assert.match(await row('X1').innerText(), /where SITE_CITY is empty/)
  await page.getByLabel('Another field for TOT_VAL').click()
  await page.getByLabel('Another field of the column TOT_VAL').selectOption('totalMarketValue')
  await page.getByText('TOT_VAL feeds total market value.').waitFor()
  await settled(page)
  const account = await page.locator('[data-account]').innerText()
  const shown = /make a parcel[\s\S]*?(\d+)\s+repeat another row\s+such as line (\d+)\s+(\d+)/.exec(
    account,
  )
  assert.deepEqual(shown?.slice(1), ['30', '32', '1'])
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

test('no page broke the policy, and none asked another machine', { skip: NO_BROWSER }, () => {
  people.checkVisits()
})
