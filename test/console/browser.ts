/**
 * Chromium for tests of pages and for screenshots: Debian's, driven by playwright-core. Without its
 * windows a page costs a quarter of the processor time.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { shareable } from '../shared.ts'

const PROGRAM = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

/** Why tests of pages are skipped; `false`: they are not. */
export const NO_BROWSER = PROGRAM
  ? false
  : 'Chromium is not installed (apt-get install chromium-headless-shell)'

export type Visit = {
  page: Page
  /** Requests to other hosts than the console. */
  strayed: string[]
  /** Violations of the Content-Security-Policy, and errors of scripts. */
  broken: string[]
}

/** Starts Chromium without its own background traffic. WebGL is drawn by software. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(PROGRAM && { executablePath: PROGRAM }),
    args: [
      ...['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--use-gl=angle', '--process-per-site'],
      ...['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
      // Debian's settings draw whole pages as by a GPU, which is slow where there is none.
      ...['--disable-gpu-rasterization', '--disable-gpu-compositing'],
    ],
  })
}

/** The browser of this pool; whoever opens a page in it closes that. */
export const shareBrowser = shareable(openBrowser, (browser) => browser.close())

/** Opens a page and records requests to other hosts, violations of the policy and script errors. */
export async function openPage(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage()
  const visit: Visit = { page, strayed: [], broken: [] }
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(?:blob|data):/.test(url)) visit.strayed.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') visit.broken.push(message.text())
  })
  page.on('pageerror', (error) => visit.broken.push(String(error)))
  return visit
}
