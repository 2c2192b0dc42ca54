/** Draws usage by day: a bar a day, of one part for each operation. */
import { ask, showError } from './ask.js'
import { colourOf } from './colour-of.js'
import uPlot from './uplot.mjs'

const HEIGHT = 220

for (const place of document.querySelectorAll('[data-usage]')) {
  try {
    const usage = await ask(place.getAttribute('data-usage') ?? '')
    draw(/** @type {HTMLElement} */ (place), usage)
  } catch (error) {
    showError(place, error)
  }
}

/** @typedef {{ title: string, requests: number[] }} Operation */

/**
 * @param {HTMLElement} place
 * @param {{ days: string[], operations: Operation[] }} usage
 */
function draw(place, { days, operations }) {
  const colors = [1, 2, 3, 4, 5, 6].map((number) => colourOf(`--series-${number}`))
  const axis = { stroke: colourOf('--muted'), grid: { stroke: colourOf('--line'), width: 1 } }
  const heights = stack(operations)
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      tzDate: (/** @type {number} */ at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
      axes: [
        { ...axis, grid: { show: false }, values: '{D} {MMM}' },
        { ...axis, size: 60 },
      ],
      scales: {
        y: {
          range: (/** @type {any[]} */ ...[, , high]) => [0, Math.max(1, (high ?? 0) * 1.1)],
        },
      },
      series: [
        {
          label: 'Day',
          value: (/** @type {any} */ _plot, /** @type {any} */ _at, _series, day) =>
            days[day] ?? `${days.length} days`,
        },
        ...operations.map(({ title, requests }, at) => ({
          label: title,
          stroke: colors[at % colors.length],
          width: 0,
          points: { show: false },
          fill: colors[at % colors.length],
          paths: uPlot.paths.bars({ size: [0.8, 40], align: 0 }),
          // A bar's height includes the parts below it. Without a pointer the sum of all days is
          // shown.
          value: (/** @type {any} */ _plot, /** @type {any} */ _height, _series, day) =>
            (requests[day] ?? requests.reduce((sum, one) => sum + one, 0)).toLocaleString('en-US'),
        })),
      ],
    },
    [days.map((day) => Date.parse(day) / 1000), ...heights],
    place,
  )
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT })).observe(
    place,
  )
}

/**
 * How high the bar of each operation reaches, with those below it. Later ones are drawn over
 * earlier ones. A day without requests has no bar.
 * @param {Operation[]} operations
 */
function stack(operations) {
  return operations.map(({ requests }, at) =>
    requests.map((_, day) => {
      const height = operations.slice(at).reduce((sum, one) => sum + (one.requests[day] ?? 0), 0)
      return height === 0 ? null : height
    }),
  )
}
