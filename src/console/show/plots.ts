/** Plots as SVG in the colours of the page, which also print. */
import { type Html, html } from './html.ts'
import { showBar } from './parts.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [560, 280, 64, 34]
/** Least distance of two labels of an axis, of which a narrow screen shows half. */
const TICK_GAP = 60

/** Points drawn at most; of more an even sample is. */
const POINTS_MAX = 2000

/** Draws ratios by price, prices on a logarithmic axis, with a line at the median. */
export function showScatter(
  points: readonly { x: number; y: number }[],
  median: number | undefined,
): Html {
  const step = Math.max(1, points.length / POINTS_MAX)
  const shown = Array.from(
    { length: Math.min(points.length, POINTS_MAX) },
    (_, at) => points[Math.floor(at * step)] as { x: number; y: number },
  )
  const logs = shown.map(({ x }) => Math.log10(x))
  const [least, most] = [Math.min(...logs), Math.max(...logs)]
  const top = Math.max(1.5, ...shown.map(({ y }) => y))
  const across = (log: number) =>
    Math.round(LEFT + ((log - least) / (most - least || 1)) * (WIDTH - LEFT - 24))
  const up = (ratio: number) => Math.round(HEIGHT - BOTTOM - (ratio / top) * (HEIGHT - BOTTOM - 8))
  const ticks = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
    .map((thousands) => ({ label: shorten(thousands * 1000), log: Math.log10(thousands * 1000) }))
    .filter(({ log }) => log >= least && log <= most)
  let labelled = Number.NEGATIVE_INFINITY
  const shownTicks = ticks.filter(({ log }) => {
    if (across(log) - labelled < TICK_GAP) return false
    labelled = across(log)
    return true
  })
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
aria-label="Ratio of value to price, by price: ${points.length} sales. The table has figures.">
${[0.5, 1, 1.5, 2]
  .filter((y) => y <= top)
  .map(
    (y) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${up(y)}" y2="${up(y)}"/>
<text x="${LEFT - 6}" y="${up(y) + 4}" text-anchor="end">${y}</text>`,
  )}
${shownTicks.map(
  ({ label, log }) =>
    html`<text x="${across(log)}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`,
)}
${shown.map(({ y }, at) => html`<circle cx="${across(logs[at] ?? 0)}" cy="${up(y)}" r="2.5"/>`)}
${
  median !== undefined &&
  html`<line class="median" x1="${LEFT}" x2="${WIDTH}" y1="${up(median)}" y2="${up(median)}"/>`
}</svg>`
}

export function showBars(bars: readonly { label: string; value: number; most: number }[]): Html {
  return html`<table class="fill"><tbody>${bars.map(
    ({ label, value, most }) =>
      html`<tr><th scope="row">${label}</th><td><span class="share">${showBar(
        value / most,
      )}<span>${value.toFixed(1)}</span></span></td></tr>`,
  )}</tbody></table>`
}

/** Draws values by year as a line that is level until the next one. */
export function showLine(points: readonly { x: number; y: number }[], label: string): Html {
  const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
  const top = Math.max(1, ...points.map(({ y }) => y))
  const across = (x: number) =>
    Math.round(LEFT + ((x - first) / (last - first || 1)) * (WIDTH - LEFT - 24))
  const up = (y: number) => Math.round(HEIGHT - BOTTOM - (y / top) * (HEIGHT - BOTTOM - 8))
  const corners = points.map(({ x, y }) => `${across(x)},${up(y)}`)
  const years = [...new Set([first, last])]
  const levels = [0, top]
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${years.map((x) => html`<text x="${across(x)}" y="${HEIGHT - 8}" text-anchor="middle">${x}</text>`)}
${levels.map(
  (y) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${up(y)}" y2="${up(y)}"/>
<text x="${LEFT - 6}" y="${up(y) + 4}" text-anchor="end">${shorten(y)}</text>`,
)}
<polyline class="median" fill="none" points="${corners.join(' ')}"/>
${points.map(({ x, y }) => html`<circle cx="${across(x)}" cy="${up(y)}" r="3"/>`)}</svg>`
}

/** `289602` → `$290k`, `1500000` → `$1.5M`. */
function shorten(dollars: number): string {
  if (dollars >= 1e6) return `$${Math.round(dollars / 1e5) / 10}M`
  return dollars >= 1000 ? `$${Math.round(dollars / 1000)}k` : `$${Math.round(dollars)}`
}
