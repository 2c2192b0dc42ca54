/**
 * The map of a county whose parcels have points alone, next to one whose roll has no coordinates.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { basemapCommand } from '../../src/cli/commands/rolls/basemap.ts'
import { writeTiger } from '../basemap/tiger.ts'
import { runCommand } from '../command.ts'
import { IS_LONG } from '../repetitions.ts'
import { NO_BROWSER } from './browser.ts'
import { checkBothThemes, DRAWN, openPeople, type People, waitUntil } from './people.ts'
import { type RunningConsole, startTestConsole } from './running-console.ts'

const HEADER =
  'state,county,parcelId,ownerName1,address,city,zipCode,latitude,longitude,useDescription,' +
  'totalMarketValue,yearBuilt,acres,sourceName,sourceLicense,sourceRollYear'

/** 60 parcels of Dane with points, worth $100,000 to $159,000; 45 of Rock without. */
const ROLL = [
  HEADER,
  ...Array.from({ length: 60 }, (_, at) => {
    const [latitude, longitude] = [43.07 + Math.floor(at / 10) / 500, -89.39 + (at % 10) / 500]
    const street = ['ASH', 'FIR', 'OAK', 'ELM', 'YEW', 'BOX'][Math.floor(at / 10)]
    const place = [
      `${100 + at} ${street} ST`,
      'MADISON',
      '53703',
      latitude,
      longitude,
      'RESIDENTIAL',
    ]
    const values = [100_000 + at * 1000, 1920 + at, 0.25]
    const row = ['WI', 'Dane', `D-${1000 + at}`, 'HOLLIN PETRA', ...place, ...values]
    return [...row, 'Invented', 'CC0-1.0', 2025].join()
  }),
  ...Array.from({ length: 45 }, (_, at) => {
    const row = ['WI', 'Rock', `R-${1000 + at}`, 'HOLLIN PETRA', `${at + 1} ELM ST`, 'JANESVILLE']
    return [...row, '53545', '', '', 'RESIDENTIAL', 90_000, 1950, 1, 'Invented', 'CC0-1.0', 2025]
  }),
].join('\n')

/** Where the parcels of Dane are. */
const PLACE = '43.075/-89.381'

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
})

/** Opens the map at a zoom over the parcels of Dane, or over another place. */
async function openMap(zoom: number, query = '', at = PLACE): Promise<Page> {
  const { page } = await people.enterWithoutMap()
  await openAt(page, zoom, query, at)
  return page
}

async function openAt(page: Page, zoom: number, query = '', at = PLACE): Promise<void> {
  // Maps are drawn by software, so that a large one takes seconds.
  await page.setViewportSize({ width: 760, height: 560 })
  await page.goto(`${console.address}/map${query}#${zoom}/${at}`)
  await page.locator('#map[data-ready]').waitFor()
}

/** How many colours the pixels of the map have; they can be read while it is drawn. */
function countColours(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const { map } = document.querySelector('#map')
    map.once('render', () => {
      const { width, height } = map.getCanvas()
      const copy = new OffscreenCanvas(width, height).getContext('2d')
      copy.drawImage(map.getCanvas(), 0, 0)
      const { buffer } = copy.getImageData(0, 0, width, height).data
      resolve(new Set(new Uint32Array(buffer)).size)
    })
    map.triggerRepaint()
  })`)
}

test('parcels without polygons are on the map at every zoom from 14 on, with their streets', {
  skip: NO_BROWSER,
}, async () => {
  for (const zoom of IS_LONG ? [14, 14.9, 15.9, 16] : [14, 15.9]) {
    const page = await openMap(zoom)
    await page.getByRole('button', { name: 'Parcels in view' }).click()
    await page.locator('#in-view button', { hasText: 'OAK ST' }).first().waitFor()
    if (zoom > 15) {
      // Streets without a basemap have the names that addresses say.
      await page.evaluate("document.querySelector('#map').map.jumpTo({ zoom: 16 })")
      await waitForLayers(page, 'streets')
    }
    await people.leave()
  }
})

test('a tile of points has the parcels without polygons at zoom 14 alone', {
  skip: NO_BROWSER,
}, async () => {
  await console.makeOperator('tilda', 'viewer')
  const tilda = await console.signIn('tilda')
  const [x, y] = [4124, 6015]
  const found = await tilda.get(`/points/14/${x}/${y}`)
  assert.equal(found.status, 200)
  assert.match(Buffer.from(await found.arrayBuffer()).toString('latin1'), /55025-D-1003/)
  for (const path of ['15/8248/12030', '14/99999/1', '14/-1/1', '14/x/1', '14/1/1']) {
    assert.equal((await tilda.get(`/points/${path}`)).status, 204, path)
  }
})

test('a parcel is named under the pointer, classes are of its county, and another has no points', {
  skip: NO_BROWSER,
}, async () => {
  // 125 Oak St is in the middle of this view.
  const page = await openMap(18, '', '43.074/-89.38')
  const box = await page.locator('#map').boundingBox()
  assert.ok(box !== null)
  // Owners are there once the view has been read.
  await waitUntil(
    page,
    `document.querySelector('#map').map
    .queryRenderedFeatures({ layers: ['points'] }).some(({ state }) => state.owner)`,
  )
  await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2 + 2)
  const hover = page.locator('#hover')
  await hover.waitFor()
  await hover.getByText('HOLLIN').waitFor()
  assert.equal(await hover.innerText(), '125 OAK ST\nHOLLIN PETRA\n$125,000')
  await page.mouse.move(box.x + box.width / 2 + 200, box.y + box.height / 2 - 150)
  await hover.waitFor({ state: 'hidden' })
  await page.locator('#legend li').first().waitFor()
  const legend = await page.locator('#legend ul').innerText()
  assert.match(
    await page.locator('#classes').innerText(),
    /^Classes are quantiles: sixths of the 60 parcels of Dane with a value\.$/,
  )
  assert.match(legend, /\$150,000 and more\nnot known$/)
  await page.goto(`${console.address}/map?wide#15/43.075/-89.381`)
  await page.locator('#legend li').first().waitFor()
  assert.equal(await page.locator('#legend ul').innerText(), legend)
  await page.locator('#unplaced a', { hasText: 'Rock, WI (45)' }).click()
  await page.getByText('45 parcels of Rock, WI are loaded, but the roll').waitFor()
  assert.equal(await page.locator('#map').count(), 0)
  assert.equal(await page.locator('tbody tr').count(), 40)
  await page.setViewportSize({ width: 390, height: 800 })
  await checkBothThemes(page, 'a county without coordinates')
  assert.equal(await page.getByRole('link', { name: 'Map of Dane, WI' }).count(), 1)
  await page.getByRole('link', { name: 'Search this county' }).click()
  assert.equal(await page.locator('main select[name=in]').inputValue(), '55105')
})

/** Waits until the map has drawn something of some layers, and returns all that it drew. */
async function waitForLayers(page: Page, ...layers: string[]): Promise<string[]> {
  const drawn = `[...new Set(document.querySelector('#map').map.queryRenderedFeatures()
    .map(({ layer }) => layer.id))]`
  await waitUntil(page, `${JSON.stringify(layers)}.every((one) => ${drawn}.includes(one))`)
  return page.evaluate(drawn)
}

test('a basemap is drawn under the parcels, and the coarse outline gives way to its own', {
  skip: NO_BROWSER,
}, async () => {
  const { data } = console.context.config
  const tiger = mkdtempSync(join(tmpdir(), 'platbook-tiger-'))
  writeTiger(tiger, { fips: '55025', at: [-89.42, 43.05], blocks: 30, width: 0.0025 })
  await runCommand(basemapCommand, [tiger, '--state', 'WI'], { data })
  rmSync(tiger, { recursive: true })
  await people.enterWithoutMap()
  const { page } = await people.come()
  await page.addInitScript(DRAWN)
  await openAt(page, 16)
  const drawn = await waitForLayers(page, 'roads-WI', 'road-names-WI', 'points')
  assert.ok(!drawn.includes('streets'))
  await checkBothThemes(page, 'a map with a basemap')
  const colours = await countColours(page)
  assert.ok(colours > 20, `${colours} colours`)
})

test('filters are chips, fade what does not meet them, and count at every zoom', {
  skip: NO_BROWSER,
}, async () => {
  const page = await openMap(14.2, '?marketValueMin=150000')
  await page.getByText('10 parcels meet the filters').waitFor()
  const met = `document.querySelector('#map').map.queryRenderedFeatures()
    .filter(({ state }) => state.match).map(({ properties }) => properties.value)`
  await waitUntil(page, `new Set(${met}).size > 2`)
  assert.ok((await page.evaluate<number[]>(met)).every((value) => value >= 150_000))
  await page.evaluate(`document.querySelector('#map').map.jumpTo({ zoom: 11 })`)
  const dots = `document.querySelector('#map').map.queryRenderedFeatures({ layers: ['dots'] })
    .reduce((sum, { properties }) => sum + properties.parcels, 0)`
  await waitUntil(page, `${dots} === 10`)
  await page.locator('.chips a', { hasText: 'market value' }).click()
  await page.waitForURL(/\/map\?#11/)
  await page.locator('#map[data-ready]').waitFor()
  await waitUntil(page, `${dots} === 60`)
  await page.goto(`${console.address}/map?yearBuiltMin=old`)
  await page.locator('#tools [role=alert]', { hasText: 'yearBuiltMin' }).waitFor()
})

test('a button that is pressed before its script is there works once it is', {
  skip: NO_BROWSER,
}, async () => {
  const { page } = await people.enterWithoutMap()
  const pressed = Promise.withResolvers<void>()
  await page.route(/\/map\.js$/, async (route) => {
    await pressed.promise
    await route.continue()
  })
  await page.goto(`${console.address}/map#14/43.075/-89.381`)
  await page.getByRole('button', { name: 'Draw an area' }).click()
  pressed.resolve()
  await page.locator('#drawing', { hasText: 'Click the corners' }).waitFor()
})

test('far out the legend has no colours that dots do not have', { skip: NO_BROWSER }, async () => {
  const page = await openMap(12)
  const colours = page.locator('#legend li')
  await colours.first().waitFor()
  await page.locator('#colour').selectOption('change')
  await page.getByText('Go nearer to see their colours by change since last year').waitFor()
  assert.equal(await colours.count(), 0)
  await page.locator('#colour').selectOption('yearBuilt')
  await colours.first().waitFor()
})

test('parcels are chosen by the keyboard, one by one and by an area, for a table and a CSV', {
  skip: NO_BROWSER,
}, async () => {
  const page = await openMap(17, '?in=55025')
  // One turn of the page for all: a frame takes seconds where maps are drawn by software.
  const enterAt = (points: [number, number][], shiftKey: boolean) =>
    page.evaluate(`for (const center of ${JSON.stringify(points)}) {
      const { map } = document.querySelector('#map')
      map.jumpTo({ center })
      const more = { key: 'Enter', shiftKey: ${shiftKey} }
      map.getCanvas().dispatchEvent(new KeyboardEvent('keydown', more))
    }`)
  const read = async (name: string) => {
    const path = await page.locator('#picked a', { hasText: name }).getAttribute('href')
    return (await page.context().request.get(console.address + path)).text()
  }
  await enterAt(
    [
      [-89.38, 43.074],
      [-89.378, 43.074],
    ],
    true,
  )
  await page.locator('#picked', { hasText: '2 parcels chosen' }).waitFor()
  const table = await read('Table')
  assert.match(table, /2 parcels · 0\.5 acres · \$251,000 in all/)
  assert.equal(table.match(/<th scope="row">/g)?.length, 2)
  await page.getByRole('button', { name: 'Draw an area' }).click()
  await enterAt(
    [
      [-89.381, 43.073],
      [-89.375, 43.073],
      [-89.375, 43.077],
      [-89.381, 43.077],
    ],
    false,
  )
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.locator('#picked', { hasText: '6 parcels in the area' }).waitFor()
  assert.equal((await read('CSV')).trim().split('\r\n').length, 7)
  await page.getByRole('button', { name: 'Clear' }).click()
  assert.equal(await page.locator('#picked').isVisible(), false)
})

test('no page broke the policy, and none asked another machine', { skip: NO_BROWSER }, () => {
  people.checkVisits()
})
