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

const LEAN_SCRIPTS = [
  ...['--no-maglev', '--no-turbofan', '--single-threaded-gc'],
  ...['--min-semi-space-size=32', '--max-semi-space-size=32'],
]

/** Starts Chromium without its own background traffic. WebGL is drawn by software. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(PROGRAM && { executablePath: PROGRAM }),
    args: [
      ...['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--use-gl=angle', '--process-per-site'],
      ...['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
      // A process for each page and one for drawing cost a fourth of a page's time.
      ...['--renderer-process-limit=1', '--in-process-gpu'],
      // Debian's settings draw whole pages as by a GPU, which is slow where there is none.
      ...['--disable-gpu-rasterization', '--disable-gpu-compositing'],
      // A page lives for a second: its scripts end before optimised code or a small heap pays.
      `--js-flags=${LEAN_SCRIPTS.join()}`,
    ],
  })
}

/**
 * Maps draw nothing, which is two fifths of their time, but load, place and find their features as
 * ever. A page that sets `isDrawn` draws, each pixel once.
 */
export const BLIND = `{
  const { getContext } = HTMLCanvasElement.prototype
  const answers = {
    getParameter: (name) => name === WebGL2RenderingContext.VIEWPORT ? [0, 0, 300, 150] : 4096,
    getShaderParameter: () => true,
    getProgramParameter: () => true,
    checkFramebufferStatus: () => WebGL2RenderingContext.FRAMEBUFFER_COMPLETE,
    isContextLost: () => false,
    getExtension: () => null,
    getAttribLocation: () => 0,
    getError: () => 0,
  }
  const blind = (canvas) => new Proxy(answers, {
    get(_, name) {
      if (name === 'canvas') return canvas
      if (name === 'drawingBufferWidth') return canvas.width
      if (name === 'drawingBufferHeight') return canvas.height
      return answers[name] ?? WebGL2RenderingContext[name] ?? (() => ({}))
    },
  })
  HTMLCanvasElement.prototype.getContext = function (kind, more) {
    if (kind === '2d' || window.isDrawn)
      return getContext.call(this, kind, { ...more, antialias: false })
    return kind === 'webgl2' ? (this.blind ??= blind(this)) : null
  }
}`

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
