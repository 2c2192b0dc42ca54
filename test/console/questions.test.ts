/** Filters, orders and summaries in the console, over an invented roll. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, openPeople, type People } from './people.ts'
import { type Person, type RunningConsole, startTestConsole } from './running-console.ts'

const HEADER =
  'state,county,parcelId,ownerName1,address,city,zipCode,useDescription,totalMarketValue,' +
  'yearBuilt,acres,sourceName,sourceLicense,sourceRollYear'

/** 30 parcels in Madison worth $100,000 to $129,000, then those in Verona worth $500,000. */
const rollOf = (length: number) =>
  [
    HEADER,
    ...Array.from({ length }, (_, at) => {
      const [city, value] = at < 30 ? ['MADISON', 100_000 + at * 1000] : ['VERONA', 500_000]
      const owner = at % 2 === 0 ? 'HOLLIN PETRA' : 'GARCIA MARCOS'
      const row = ['WI', 'Dane', `D-${1000 + at}`, owner, `${100 + at} OAK ST`, city, '53703']
      return [...row, 'RESIDENTIAL', value, 1920 + at, 1, 'Invented', 'CC0-1.0', 2025].join()
    }),
  ].join('\n')

let console: RunningConsole
let people: People | undefined
let vera: Person
before(async () => {
  console = await startTestConsole(rollOf(40))
  await console.makeOperator('vera', 'viewer')
  vera = await console.signIn('vera')
  if (NO_BROWSER === false) people = await openPeople(console)
})
afterEach(() => people?.leave())
after(async () => {
  await people?.close()
  await console.close()
})

const textOf = async (path: string) => (await vera.get(path)).text()
const resultsOf = (page: string) => [...page.matchAll(/(\d+) OAK ST/g)].map(([, number]) => number)

test('filters find, alone and with a text, and are chips that can be removed', async () => {
  const alone = await textOf('/search?marketValueMin=128000&yearBuiltMax=1955')
  assert.match(alone, /market value at least \$128,000/)
  assert.match(alone, /year built at most 1955/)
  assert.match(alone, /href="\/search\?yearBuiltMax=1955"/)
  assert.match(alone, /href="\/search\?"[^>]*>Remove all/)
  assert.equal(new Set(resultsOf(alone)).size, 8)
  const both = await textOf('/search?q=garcia&marketValueMin=128000&yearBuiltMax=1955')
  assert.equal(new Set(resultsOf(both)).size, 4)
  assert.match(await textOf('/search?marketValueMin=600000'), /No parcel meets all filters/)
  assert.match(await textOf('/search?acresMin=many'), /acresMin/)
})

test('results are in the order asked for', async () => {
  for (const [query, first] of [
    ['sort=-marketValue&marketValueMax=200000', '129'],
    ['sort=yearBuilt&marketValueMin=110000', '110'],
    ['q=garcia&sort=-yearBuilt', '139'],
    ['q=garcia&sort=yearBuilt', '101'],
  ] as const) {
    assert.equal(resultsOf(await textOf(`/search?${query}`))[0], first, query)
  }
})

test('fields that were left empty are not in the address bar', async () => {
  const answer = await vera.get('/search?q=&in=&sort=&acresMin=&city=verona')
  assert.equal(answer.headers.get('location'), '/search?q=&city=verona')
})

test('a summary has bars, a table and a CSV of the same groups', async () => {
  const page = await textOf('/summary?groupBy=city&measure=medianMarketValue')
  assert.match(page, /40\s+parcels in 2\s+groups/)
  assert.match(page, /VERONA[\s\S]*width="100"[\s\S]*\$500,000[\s\S]*MADISON[\s\S]*\$114,500/)
  const csv = await textOf('/summary.csv?groupBy=city&measure=medianMarketValue')
  assert.equal(csv, 'city,count,medianMarketValue\r\nVERONA,10,500000\r\nMADISON,30,114500\r\n')
  const few = await textOf('/summary.csv?groupBy=yearBuiltDecade&city=verona')
  assert.equal(few, 'yearBuiltDecade,count\r\n1950,10\r\n')
  assert.match(await textOf('/summary?acresMin=9&acresMax=2'), /acresMin is above acresMax/)
})

test('suggestions are addresses and parcel IDs of the chosen place', async () => {
  const suggest = async (query: string) => JSON.parse(await textOf(`/suggest?${query}`)).suggestions
  assert.deepEqual(await suggest('q=139+oa'), ['139 OAK ST, Verona, WI'])
  assert.deepEqual(await suggest('q=D-1007&in=55025'), ['D-1007'])
  assert.deepEqual(await suggest('q=x'), [])
})

test('a person filters, sorts and sums up on both sizes of screen', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await (people as People).enterWithoutMap()
  await page.goto(`${console.address}/search`)
  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('market value, $ from').fill('120000')
  await page.getByLabel('Sorted by').selectOption('-marketValue')
  await page.locator('main').getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/search?q=&sort=-marketValue&marketValueMin=120000')
  assert.match(await page.locator('.results > li').first().innerText(), /VERONA/)
  await checkBothThemes(page, 'filtered results')
  await page.getByRole('link', { name: 'Sum them up' }).click()
  await page.locator('table.bars').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByText('Filters (1)').click()
  await checkBothThemes(page, 'the summary')
  await page.getByRole('link', { name: 'Remove market value' }).click()
  await page.getByText('40 parcels in 2 groups').waitFor()
  people?.checkVisits()
})

test('results beyond the first fifty are on further pages', async () => {
  await console.service.importRoll(rollOf(70))
  const first = await textOf('/search?sort=-yearBuilt&acresMin=1')
  assert.match(first, /The first 50\s+of 70 parcels/)
  assert.equal(new Set(resultsOf(first)).size, 50)
  const next = /href="([^"]+)" rel="next"/.exec(first)?.[1]?.replaceAll('&#38;', '&') ?? ''
  assert.match(next, /acresMin=1&sort=-yearBuilt&page=2$/)
  const second = await textOf(next)
  assert.deepEqual([...new Set(resultsOf(second))].slice(0, 1), ['119'])
  assert.equal(new Set([...resultsOf(first), ...resultsOf(second)]).size, 70)
  assert.match(second, /rel="prev"/)
  assert.doesNotMatch(second, /rel="next"/)
  // A watch is of all of them, not of a page.
  const watch = (text: string) => /href="\/watch\?([^"]*)"/.exec(text)?.[1]
  assert.match(watch(first) ?? '', /acresMin/)
  assert.equal(watch(second), watch(first))
})
