/**
 * The console without a mouse: every page by Tab, Enter, Escape and arrow keys alone. The focus is
 * always visible, and in a sensible place after each step.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createAccount } from '../../src/accounts/manage-accounts.ts'
import { until } from '../until.ts'
import { NO_BROWSER } from './browser.ts'
import { openPeople, type People, ROLL } from './people.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

const STEP_MS = 120_000
const STOPS_MAX = 120
const folder = mkdtempSync(join(tmpdir(), 'platbook-keyboard-'))

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

type Stop = { name: string; isSeen: boolean; isInView: boolean }

/** What has the focus, whether an outline shows it, and whether it is on the screen. */
async function lookAtFocus(page: Page): Promise<Stop> {
  return (await page.evaluate(`(() => {
    const element = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent
    const name = label || element.textContent || element.tagName
    return {
      name: element === document.body ? '' : name.trim(),
      isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      isInView: right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
    }
  })()`)) as Stop
}

/** Presses Tab through the whole page; gives the names of what had the focus, in that order. */
async function walk(page: Page, path: string): Promise<string[]> {
  const names: string[] = []
  for (let at = 0; at < STOPS_MAX; at += 1) {
    await page.keyboard.press('Tab')
    const { name, isSeen, isInView } = await lookAtFocus(page)
    if (name === '') return names
    assert.ok(isSeen, `${path}: the focus on “${name}” is not seen`)
    assert.ok(isInView, `${path}: “${name}” has the focus out of sight`)
    names.push(name)
  }
  return names
}

/** Walks through a page, on which the focus comes to these; by the link that skips the links. */
async function walkBy(page: Page, path: string, stops: RegExp[]): Promise<void> {
  await page.keyboard.press('Tab')
  assert.match((await lookAtFocus(page)).name, /^Skip to/, path)
  await page.keyboard.press('Enter')
  const names = await walk(page, path)
  for (const stop of stops) {
    assert.ok(
      names.some((name) => stop.test(name)),
      `${path} has no ${stop}: ${names.join(' | ')}`,
    )
  }
}

/** Presses Tab until something of that name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let at = 0; at < STOPS_MAX; at += 1) {
    await page.keyboard.press('Tab')
    const focused = (await lookAtFocus(page)).name
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  assert.fail(`Tab never came to ${name}`)
}

test('Tab goes through every page without a large map, and the focus is always seen', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  const account = await console.context.accounts(({ admin }) =>
    createAccount(admin, 'Walked', [], console.context.now()),
  )
  const needed: Record<string, RegExp[]> = {
    '/search?q=garcia': [/^Why this matched/, /^Download as CSV/, /^Map of these parcels/],
    '/imports': [/^Load a county's roll/],
    '/accounts': [/^Find by name/, /^Create account/, /^Walked/],
    [`/accounts/${account.id}`]: [/^Create key/, /^Show and change/, /^Ledger/],
    [`/accounts/${account.id}/ledger`]: [/^Verify/],
    '/operation': [/^Back up now/, /^Check the/],
    '/privacy': [/^Property ID/, /^Ask the audit/],
    '/admin': [/^Make the operator/, /^Set Address lookup/],
    '/parcel?county=55025&parcelId=0709-123-0101-4': [/^Neighbours/, /^Copy/],
  }
  await page.goto(`${console.address}/search`)
  const links = await walk(page, '/search')
  assert.match(links[0] ?? '', /^Skip to/)
  assert.ok(links.includes('Map') && links.includes('Privacy'), links.join(' | '))
  for (const [path, stops] of Object.entries(needed)) {
    await page.goto(console.address + path)
    if (/search|parcel/.test(path)) await page.locator('.result-map[data-ready]').waitFor()
    await walkBy(page, path, stops)
  }
})

test('the map: move, open the parcel in the middle, close it, colour, and choose from the table', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  await page.goto(`${console.address}/map?in=55025#18/43.0747/-89.3841`)
  await page.locator('#map[data-ready]').waitFor()
  await walkBy(page, '/map', [/^Map of parcels/, /^Colour by/, /^Parcels in/, /^Zoom in/])
  await page.keyboard.press('Tab')
  assert.match((await lookAtFocus(page)).name, /^Skip to/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Map of parcels/)
  const before = page.url()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL((url) => String(url) !== before)
  await tabTo(page, /^Parcels in/)
  await page.keyboard.press('Enter')
  await page.locator('#in-view button').first().waitFor()
  // Links of the legend may come before the table.
  const isInTable = "document.activeElement.closest('#in-view') !== null"
  await until(() => page.keyboard.press('Tab').then(() => page.evaluate<boolean>(isInTable)))
  const chosen = (await lookAtFocus(page)).name
  await page.keyboard.press('Enter')
  await page.locator('#card:focus').waitFor()
  // A map that finishes drawing replaces the table.
  await page.evaluate(`document.querySelector('#in-view table').replaceWith(
    document.querySelector('#in-view table').cloneNode(true))`)
  assert.match(await page.locator('#card').innerText(), /Owner/)
  await page.keyboard.press('Tab')
  assert.equal((await lookAtFocus(page)).name, 'The whole record')
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('#card').isVisible(), false)
  assert.equal((await lookAtFocus(page)).name, chosen)
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('#in-view').isVisible(), false)
  assert.match((await lookAtFocus(page)).name, /^Parcels in/)
  await page.keyboard.press('Shift+Tab')
  assert.match((await lookAtFocus(page)).name, /^Colour by/)
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.locator('#colour').inputValue(), 'use')
})

test('coverage: choose a colour, open a county, come back', { skip: NO_BROWSER }, async () => {
  const { page } = await people.enterWithoutMap()
  await page.goto(`${console.address}/coverage`)
  await page.locator('#coverage-map[data-ready]').waitFor()
  await walkBy(page, '/coverage', [/^Colour by/, /^Dane, WI/])
  await tabTo(page, /^Colour by/)
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.locator('#coverage-colour').inputValue(), 'ageDays')
  await tabTo(page, 'Dane, WI')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/coverage/55025')
  await walkBy(page, '/coverage/55025', [/^On the map/])
  await tabTo(page, 'On the map')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/map?in=55025**')
})

test('imports: choose a file, correct a column, try, load, and see it on the map', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  page.setDefaultTimeout(STEP_MS)
  const file = join(folder, 'quarry.csv')
  const rows = Array.from({ length: 3 }, (_, at) => `09-${at},HOLLIN PETRA,${at}1 QUARRY RD,WI,Q1`)
  writeFileSync(file, ['PIN,OWNER_NM,SITE_ADDR,STATE,X1', ...rows].join('\n'))
  // Listens from the start, because the browser enables the interception of the dialog
  // asynchronously.
  page.on('filechooser', () => undefined)
  await page.goto(`${console.address}/imports`)
  await tabTo(page, /^Load a county's roll/)
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('Space')
  await (await choosing).setFiles(file)
  await page.waitForURL('**/imports/*')
  const ended = () => page.locator('[data-upload][aria-busy=false]').waitFor()
  await ended()
  await tabTo(page, 'County, if no column has it')
  await page.keyboard.type('Dane')
  await page.keyboard.press('Enter')
  await page.locator('[data-upload][aria-busy=true]').waitFor()
  await ended()
  // The focus stays where the person was, though buttons were off meanwhile.
  assert.equal((await lookAtFocus(page)).name, 'County, if no column has it')
  await tabTo(page, /^a part of the roll/)
  await page.keyboard.press('Space')
  await ended()
  await tabTo(page, 'Field of the column X1')
  await page.keyboard.type('neighborh')
  await page.keyboard.press('Tab')
  await page.getByText('X1 feeds neighborhood.').waitFor()
  await ended()
  assert.match(await page.locator('[data-preview]').innerText(), /neighborhood\s+Q1/i)
  await page.locator('h1').click()
  await tabTo(page, 'Dry run')
  await page.keyboard.press('Enter')
  await page.locator('[data-state]', { hasText: 'Nothing was changed yet' }).waitFor()
  await ended()
  assert.equal((await lookAtFocus(page)).name, 'Dry run')
  await page.keyboard.press('Shift+Tab')
  assert.equal((await lookAtFocus(page)).name, 'Import')
  await page.keyboard.press('Enter')
  await page.locator('a:focus', { hasText: 'See it on the map' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/map?in=55025**')
})

test('privacy: ask who saw a parcel, and go on to the account that did', {
  skip: NO_BROWSER,
}, async () => {
  const key = await console.service.keyFor()
  await console.service.get('/public/premium/owner/', { state: 'WI', lastName: 'garcia' }, { key })
  const { page } = await people.enterWithoutMap()
  await page.goto(`${console.address}/privacy`)
  await tabTo(page, /^Property ID/)
  await page.keyboard.type('55025-0709-123-0101-4')
  await page.keyboard.press('Enter')
  await page.getByText('1 answer showed').waitFor()
  await tabTo(page, /^acc_/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/accounts/acc_*')
})

test('a new key has its Copy button in focus; a session that ended goes on with Enter', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  const { id } = await console.context.accounts(({ admin }) =>
    createAccount(admin, 'Keyed', [], console.context.now()),
  )
  await page.goto(`${console.address}/accounts/${id}`)
  await tabTo(page, /^What it is for/)
  await page.keyboard.type('shop')
  await page.keyboard.press('Enter')
  await page.locator('.made button:focus').waitFor()
  await page.goto(`${console.address}/accounts`)
  await tabTo(page, 'Name')
  await page.keyboard.type('Late Title')
  console.passTime(12 * 3_600_000)
  await page.keyboard.press('Enter')
  await page.getByText('What you filled in is kept').waitFor()
  await console.makeOperator('otto', 'operator')
  await page.locator('input[name=name]:focus').waitFor()
  await page.keyboard.type('otto')
  await page.keyboard.press('Tab')
  await page.keyboard.type('twelve letters and more')
  await page.keyboard.press('Enter')
  await page.locator('button:focus', { hasText: 'Send it now' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Late Title' }).waitFor()
})

test('no page broke the policy, and none asked another machine', { skip: NO_BROWSER }, () => {
  people.checkVisits()
})
