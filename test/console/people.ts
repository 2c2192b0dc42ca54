/** Users of a test's console in a browser, and the checks that apply to every page they see. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { makeLinkToken } from '../../src/console/sign-in/sessions.ts'
import { IS_LONG } from '../repetitions.ts'
import { BLIND, openPage, shareBrowser, type Visit } from './browser.ts'
import { LOW_CONTRAST } from './contrast.ts'
import type { RunningConsole } from './running-console.ts'

const require = createRequire(import.meta.url)
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
/** What passes is not described: half of the time. */
const LEAN = "resultTypes: ['violations'], selectors: false"
/** Violations of these rules would be thrown away; contrast takes most of the time of all. */
const LESSER =
  'Object.fromEntries(axe._audit.rules' +
  `.filter(({ id, impact }) => impact === 'minor' || impact === 'moderate'${
    IS_LONG ? '' : " || id === 'color-contrast'"
  })` +
  '.map(({ id }) => [id, { enabled: false }]))'

type Violation = { id: string; impact: string; nodes: { html: string }[] }

/** For a page whose map is looked at. */
export const DRAWN = 'window.isDrawn = true'

/** A small roll of Dane County, invented. */
export const ROLL = readFileSync(new URL('../fixtures/example-roll.csv', import.meta.url), 'utf8')

export type People = {
  /** A user who is signed in by the link that `start` prints, and sees the map. */
  enter(): Promise<Visit>
  /** The same, on no page yet: a map costs seconds where it is drawn by software. */
  enterWithoutMap(): Promise<Visit>
  /** A user who is not signed in. */
  come(): Promise<Visit>
  /** Closes all pages. Those that update themselves would go on, beside the next test. */
  leave(): Promise<void>
  /** Asserts that no page violated the policy, had an error or sent a request to another host. */
  checkVisits(): void
  close(): Promise<void>
}

export async function openPeople(console: RunningConsole): Promise<People> {
  const { thing: browser, release } = await shareBrowser()
  // One for all, so that scripts are compiled once. Maps are drawn by software: few pixels.
  const context = await browser.newContext({ reducedMotion: 'reduce', deviceScaleFactor: 0.25 })
  await context.addInitScript(BLIND)
  if (IS_LONG) await context.addInitScript(DRAWN)
  // Chromium ends the process of a site, with its compiled scripts, when no page of it is open.
  const held = await context.newPage()
  await held.goto(`${console.address}/sign-in`)
  const visits: Visit[] = []

  async function come(): Promise<Visit> {
    const visit = await openPage(context, console.address)
    visits.push(visit)
    return visit
  }

  async function leave(): Promise<void> {
    const left = context.pages().filter((page) => page !== held)
    await Promise.all(left.map((page) => page.close()))
    await context.clearCookies()
  }

  const makeLink = () => {
    const token = makeLinkToken(console.context.store, console.context.now())
    return `${console.address}/enter?token=${token}`
  }

  return {
    come,
    async enter() {
      const visit = await come()
      await visit.page.goto(makeLink())
      return visit
    },
    async enterWithoutMap() {
      const visit = await come()
      await visit.page.context().request.get(makeLink())
      return visit
    },
    leave,
    checkVisits() {
      assert.ok(visits.length > 0, 'pages were visited')
      assert.deepEqual(
        visits.flatMap(({ strayed }) => strayed),
        [],
      )
      const broken = visits.flatMap(({ broken }) => broken)
      // Chromium reports refused requests as errors. Tests cause these refusals on purpose.
      assert.deepEqual(
        broken.filter((text) => !/status of 40[0134]/.test(text)),
        [],
      )
    },
    async close() {
      await context.close()
      await release()
    },
  }
}

/** Chooses in a box of the table of an import, which has its fields once it has the focus. */
export async function chooseField(box: Locator, field: string): Promise<void> {
  await box.focus()
  await box.selectOption(field)
}

/** Waits until an expression is true in the page; the policy forbids that the page evaluates it. */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if ((await page.evaluate(expression)) === true) return
    await page.waitForTimeout(100)
  }
  assert.fail(`not within 30 s: ${expression}`)
}

/**
 * Checks the contrast of texts in both themes, and axe's other rules in the dark one. The theme
 * that the page has comes first: each change styles and draws it anew.
 */
export async function checkBothThemes(page: Page, name: string): Promise<void> {
  const dark = "matchMedia('(prefers-color-scheme: dark)').matches"
  const [isDark, hasAxe] = await page.evaluate<boolean[]>(`[${dark}, 'axe' in window]`)
  const themes = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  if (!hasAxe) await page.evaluate(`${AXE}; 0`)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], `${name}, contrast, ${colorScheme}`)
    if (colorScheme === 'light' && !IS_LONG) continue
    const rules = colorScheme === 'dark' ? `rules: ${LESSER}` : "runOnly: ['color-contrast']"
    // Whole results would be taken apart and checked twice on their way here.
    const found = await page.evaluate<string>(
      `axe.run(document, { ${LEAN}, ${rules} }).then((all) => JSON.stringify(all.violations))`,
    )
    const violations: Violation[] = JSON.parse(found)
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const shown = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    assert.deepEqual(shown, [], `${name}, ${colorScheme}`)
  }
  const width = Number(
    await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
  )
  assert.ok(width <= 0, `${name} is ${width} pixels too wide`)
}
