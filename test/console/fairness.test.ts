/** The pages on a county's quality and its ratio study. A console of its own, for its roll. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SOLD } from '../contract/ratio-study/roll.ts'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, openPeople, type People } from './people.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

let console: RunningConsole
let people: People
let read: (path: string) => Promise<{ status: number; text: string; type: string }>
before(async () => {
  console = await startTestConsole(SOLD)
  if (NO_BROWSER === false) people = await openPeople(console)
  await console.makeOperator('vera', 'viewer')
  const vera = await console.signIn('vera')
  read = async (path) => {
    const answer = await vera.get(path)
    const type = answer.headers.get('content-type') ?? ''
    return { status: answer.status, text: await answer.text(), type }
  }
})
after(async () => {
  await people?.close()
  await console.close()
})

test('the page of a county leads to both, and the quality names faults with examples', async () => {
  const { text } = await read('/coverage/55025')
  assert.match(text, /href="\/coverage\/55025\/quality"/)
  assert.match(text, /href="\/coverage\/55025\/ratios"/)
  const quality = await read('/coverage/55025/quality')
  assert.equal(quality.status, 200)
  assert.match(quality.text, /of 100 points for 45 parcels/)
  assert.match(quality.text, /parcels without a mailing address/)
  assert.match(quality.text, /55025-H1</)
})

test('the page of a parcel shows from which row and columns each value comes', async () => {
  const { status, text } = await read('/parcel?county=55025&parcelId=H1')
  assert.equal(status, 200)
  assert.match(text, /Where each value comes from/)
  assert.match(text, /roll\.csv, row 2<\/td>\s*<td>totalMarketValue/)
})

test('the study is a judgement, a scatter with the median, a table, and groups', async () => {
  const { status, text } = await read('/coverage/55025/ratios')
  assert.equal(status, 200)
  assert.match(text, /Values are at 100\.0 % of prices \(within 90 to 110 %\)/)
  assert.equal(text.match(/<circle /g)?.length, 40)
  assert.match(text, /class="median"/)
  assert.match(text, /0\.98 to 1\.03: holds/)
  assert.match(text, /Left out: [^.]*1 by a deed that is no sale/)
  assert.match(text, /<option value="priceQuartile">price quartile</)
  const grouped = await read('/coverage/55025/ratios?groupBy=municipality')
  assert.match(grouped.text, /COD by municipality[\s\S]*Evenham[\s\S]*Oddville/)
})

test('the CSV lists every sale, with the reason of each that was left out', async () => {
  const { text, type } = await read('/coverage/55025/ratios.csv?basis=market')
  assert.match(type, /text\/csv/)
  const lines = text.trimEnd().split('\r\n')
  assert.equal(lines.length, 1 + 43)
  assert.match(text, /^55025-GIFT,.*,deed\r$/m)
  assert.match(text, /^55025-NOVALUE,.*,noValue\r$/m)
  assert.match(text, /^55025-WILD,.*,trimmed\r$/m)
})

test('wrong values of the form are ignored, and an unknown county is 404', async () => {
  const odd = '/coverage/55025/ratios?groupBy=%3Cb%3E&basis=x&from=1&to=2025-13-45'
  assert.equal((await read(odd)).status, 200)
  assert.doesNotMatch((await read(odd)).text, /<b>/)
  assert.equal((await read('/coverage/99999/ratios')).status, 404)
  assert.equal((await read('/coverage/17031/quality')).status, 404)
  assert.equal((await read('/coverage/17031/ratios')).status, 404)
})

test('an assessment next to others is a sentence, a plan, a table and the rule', async () => {
  assert.match((await read('/parcel?county=55025&parcelId=H20')).text, /href="\/parcel\/assessment/)
  const { status, text } = await read('/parcel/assessment?propertyId=55025-H20')
  assert.equal(status, 200)
  assert.match(text, /Assessed at \$66\.67 a square foot of building\. The median\s+of 25 parcels/)
  assert.equal(text.match(/text-anchor="middle"/g)?.length, 25)
  assert.equal(text.match(/<th scope="row"/g)?.length, 25)
  assert.match(text, /weighted sum of distance 0\.2 \(half at 0\.5 miles\)/)
  const none = await read('/parcel/assessment?propertyId=55025-NOBODY')
  assert.deepEqual([none.status, /There is no such parcel/.test(none.text)], [404, true])
})

test('a study fits a narrow screen and prints on a page', { skip: NO_BROWSER }, async () => {
  const { page } = await people.enterWithoutMap()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${console.address}/coverage/55025/ratios`)
  await checkBothThemes(page, 'a ratio study')
  const printed = (await page.pdf({ format: 'Letter' })).toString('latin1')
  assert.equal(printed.match(/\/Type\s*\/Page\b/g)?.length, 1)
})

test('an assessment prints on two pages', { skip: NO_BROWSER }, async () => {
  const { page } = await people.enterWithoutMap()
  await page.goto(`${console.address}/parcel/assessment?propertyId=55025-H20`)
  await checkBothThemes(page, 'an assessment')
  const printed = (await page.pdf({ format: 'Letter' })).toString('latin1')
  assert.equal(printed.match(/\/Type\s*\/Page\b/g)?.length, 2)
})
