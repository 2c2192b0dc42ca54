/** The map's slider over the years of a county's rolls, in Chromium. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, openPeople, type People, waitUntil } from './people.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

const HEADER =
  'state,county,parcelId,ownerName1,nameOrder,address,city,latitude,longitude,totalMarketValue,' +
  'yearBuilt,sourceName,sourceLicense,sourceRollYear'

/** Six parcels, of which the first is gone in 2024; owners and values change every year. */
const rollOf = (year: number) =>
  [
    HEADER,
    ...Array.from({ length: 6 }, (_, at) => {
      const owner = `HOLLIN ${['PETRA', 'OTTO', 'IDA'][year - 2022]}`
      const place = [`${100 + at} ASH ST`, 'MADISON', 43.07, -89.39 + at / 2000]
      const values = [(year - 2000) * 1000 + at, 1950 + at, 'Invented', 'CC0-1.0', year]
      return ['WI', 'Dane', `D-${at}`, owner, 'last-first', ...place, ...values].join()
    }).slice(year === 2024 ? 1 : 0),
  ].join('\n')

let console: RunningConsole
let people: People
before(async () => {
  if (NO_BROWSER !== false) return
  console = await startTestConsole(rollOf(2024))
  for (const year of [2022, 2023]) {
    const vintage = Date.UTC(year, 0, 1) / 86_400_000
    await console.service.importRoll(rollOf(year), { versions: { keep: null, vintage } })
  }
  people = await openPeople(console)
})
afterEach(() => people?.leave())
after(async () => {
  await people?.close()
  await console?.close()
})

async function openMap(query = ''): Promise<Page> {
  const { page } = await people.enterWithoutMap()
  await page.setViewportSize({ width: 900, height: 700 })
  await page.goto(`${console.address}/map${query}#17.5/43.07/-89.3888`)
  await page.locator('#map[data-ready]').waitFor()
  return page
}

/** Waits until the points on the map have this value of the first and this owner. */
async function waitForParcels(page: Page, values: number[], owner: string): Promise<void> {
  const drawn = `document.querySelector('#map').map.queryRenderedFeatures({ layers: ['points'] })`
  await waitUntil(
    page,
    `JSON.stringify([...new Set(${drawn}.map((one) => one.properties.value))].sort()) ===
      ${JSON.stringify(JSON.stringify(values))} &&
      ${drawn}.every(({ state }) => state.owner === ${JSON.stringify(owner)})`,
  )
}

const valuesOf = (year: number) =>
  [0, 1, 2, 3, 4, 5].slice(year === 2024 ? 1 : 0).map((at) => (year - 2000) * 1000 + at)

test('the slider shows an earlier year by keyboard, in the address bar, and after a reload', {
  skip: NO_BROWSER,
}, async () => {
  const page = await openMap()
  const slider = page.getByRole('slider', { name: 'Rolls of' })
  await waitForParcels(page, valuesOf(2024), 'HOLLIN IDA')
  assert.equal(await slider.getAttribute('aria-valuetext'), '2024')
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  assert.equal(await slider.getAttribute('aria-valuetext'), '2023')
  await waitForParcels(page, valuesOf(2023), 'HOLLIN OTTO')
  assert.match(page.url(), /\/map\?year=2023#17\.5/)
  await page.keyboard.press('Home')
  await waitForParcels(page, valuesOf(2022), 'HOLLIN PETRA')
  assert.match(await page.locator('#classes').innerText(), /of the present roll\.$/)
  await page.reload()
  await page.locator('#map[data-ready]').waitFor()
  await waitForParcels(page, valuesOf(2022), 'HOLLIN PETRA')
  assert.equal(await page.locator('#years output').innerText(), '2022')
  await slider.focus()
  await page.keyboard.press('End')
  await waitForParcels(page, valuesOf(2024), 'HOLLIN IDA')
  assert.doesNotMatch(page.url(), /year=/)
})

test('the card and the table are of the chosen year, also of a parcel that is gone', {
  skip: NO_BROWSER,
}, async () => {
  const page = await openMap('?year=2022')
  await waitForParcels(page, valuesOf(2022), 'HOLLIN PETRA')
  await page.getByRole('button', { name: 'Parcels in view' }).click()
  await page.locator('#in-view button', { hasText: '100 ASH ST' }).click()
  await page.locator('#card').getByText('HOLLIN PETRA').waitFor()
  await checkBothThemes(page, 'the map of an earlier year')
})

test('there is no slider with filters, and a year that is no roll shows the one before', {
  skip: NO_BROWSER,
}, async () => {
  await console.makeOperator('vera', 'viewer')
  const vera = await console.signIn('vera')
  const years = async (query: string) => {
    const text = await (await vera.get(`/map${query}`)).text()
    return /<output for="year">(\d+)/.exec(text)?.[1]
  }
  assert.equal(await years(''), '2024')
  assert.equal(await years('?year=2023'), '2023')
  assert.equal(await years('?year=2030'), '2024')
  assert.equal(await years('?year=1999'), '2022')
  assert.equal(await years('?year=x'), '2024')
  assert.equal(await years('?city=MADISON'), undefined)
  people.checkVisits()
})
