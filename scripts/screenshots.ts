/**
 * Writes pictures of the console's pages, light and dark, to `docs/console/`:
 * `npm run screenshots`.
 *
 * It starts Platbook with its sample on a folder of its own; Chromium has to be there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, openPage } from '../test/console/browser.ts'

const ROOT = new URL('..', import.meta.url).pathname
const FOLDER = join(ROOT, 'docs/console')
const SIZE = { width: 1180, height: 740 }
const NARROW_SIZE = { width: 390, height: 740 }

type Shot = { name: string; path: string; ready?: string; click?: string }

const SHOTS: Shot[] = [
  { name: 'map', path: '/map', ready: '#map[data-ready]' },
  { name: 'counties', path: '/map#4.2/36.2/-91', ready: '#map[data-ready]' },
  {
    name: 'search',
    path: '/search?q=smith+lisa',
    ready: '.result-map[data-ready]',
    click: 'text=Why this matched',
  },
  {
    name: 'parcel',
    path: '/parcel?county=55025&parcelId=0510-111-0000001-6',
    ready: '.result-map[data-ready]',
  },
  { name: 'coverage', path: '/coverage', ready: '#coverage-map[data-ready]' },
  { name: 'imports', path: '/imports' },
  { name: 'sources', path: '/sources?state=NE' },
  { name: 'accounts', path: '/accounts' },
  { name: 'account', path: '/accounts/acc_demo', ready: '.plot canvas' },
  { name: 'operation', path: '/operation', ready: '[data-numbers] dd' },
  { name: 'privacy', path: '/privacy' },
  { name: 'admin', path: '/admin' },
]

/** Also on a narrow screen, in the light alone. */
const NARROW = ['map', 'search', 'coverage', 'account']

const data = mkdtempSync(join(tmpdir(), 'platbook-pictures-'))
const words = ['src/cli/main.ts', 'start', '--port', '0', '--workers', '1', '--data', data]
const service = spawn(process.execPath, words, {
  cwd: ROOT,
  env: { ...process.env, PLATBOOK_CONSOLE_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const said = await readUntil('Ctrl-C')
  const link = /http:\S+\/enter\S+/.exec(said)?.[0] ?? ''
  await useDemo(said)
  const first = process.argv[2]
  mkdirSync(FOLDER, { recursive: true })
  await takeAll(
    link,
    SHOTS.filter(({ name }) => first === undefined || name === first),
  )
} finally {
  service.kill('SIGTERM')
  await once(service, 'exit')
  rmSync(data, { recursive: true, force: true })
}

async function takeAll(link: string, shots: Shot[]): Promise<void> {
  const { origin } = new URL(link)
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: SIZE })
  const { page } = await openPage(context, origin)
  await page.goto(link)
  const take = async ({ name, path, ready, click }: Shot, kind: string) => {
    // A change of the hash alone would not reload the page.
    await page.goto('about:blank')
    await page.goto(origin + path)
    if (ready !== undefined) await page.locator(ready).first().waitFor()
    if (click !== undefined) await page.locator(click).first().click()
    // Names fade in after the map is drawn.
    await page.waitForTimeout(3000)
    await page.screenshot({ path: join(FOLDER, `${name}-${kind}.png`) })
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const shot of shots) await take(shot, colorScheme)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(NARROW_SIZE)
  for (const shot of shots.filter(({ name }) => NARROW.includes(name))) await take(shot, 'narrow')
  await browser.close()
}

/** Asks with the demo key, so that there is use to show. */
async function useDemo(said: string): Promise<void> {
  const key = /pbk_\w+/.exec(said)?.[0] ?? ''
  const urls = [...said.matchAll(/'(http:\/\/\S+\/public\/[^']*)'/g)].map(([, url]) => url ?? '')
  for (let round = 0; round < 12; round += 1) {
    for (const url of urls) await fetch(url, { headers: { authorization: key } })
  }
}

async function readUntil(word: string): Promise<string> {
  let said = ''
  service.stdout.setEncoding('utf8')
  while (!said.includes(word)) said += String((await once(service.stdout, 'data'))[0])
  return said
}
