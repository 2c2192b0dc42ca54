/** Draws usage by day, a line per operation. */
import { colourOf } from './colour-of.js'
import uPlot from './uplot.mjs'

const HEIGHT = 220

for (const place of document.querySelectorAll('[data-usage]')) {
  const response = await fetch(place.getAttribute('data-usage') ?? '', {
    headers: { accept: 'application/json' },
  })
  if (response.ok) draw(/** @type {HTMLElement} */ (place), await response.json())
}

/**
 * @param {HTMLElement} place
 * @param {{ days: string[], operations: { name: string, requests: number[] }[] }} usage
 */
function draw(place, { days, operations }) {
  const colors = [1, 2, 3, 4, 5, 6].map((number) => colourOf(`--series-${number}`))
  const axis = { stroke: colourOf('--muted'), grid: { stroke: colourOf('--line'), width: 1 } }
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      tzDate: (/** @type {number} */ at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
      axes: [axis, { ...axis, size: 60 }],
      series: [
        { label: 'Day', value: '{YYYY}-{MM}-{DD}' },
        ...operations.map(({ name }, at) => ({
          label: name,
          stroke: colors[at % colors.length],
          width: 1.5,
          points: { show: false },
          fill: colors[at % colors.length],
          paths: uPlot.paths.bars({ size: [0.8, 40], align: 0 }),
        })),
      ],
    },
    [days.map((day) => Date.parse(day) / 1000), ...operations.map(({ requests }) => requests)],
    place,
  )
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT })).observe(
    place,
  )
}
