/** Shows the service's live numbers, polled every two seconds. */
import { ask, showError } from './ask.js'
import { colourOf } from './colour-of.js'
import uPlot from './uplot.mjs'

const EVERY_MS = 2000
const KEPT = 300
/** What the plot shows. */
const WINDOW_SECONDS = 600

const state = /** @type {HTMLElement} */ (document.querySelector('[data-service]'))
const list = /** @type {HTMLElement} */ (document.querySelector('[data-numbers]'))
const statuses = /** @type {HTMLElement} */ (document.querySelector('[data-statuses]'))
const place = /** @type {HTMLElement} */ (document.querySelector('[data-plot]'))

state.textContent = 'Asking the service …'
/** @type {any} */
let last
let lastAt = 0
/** @type {[number[], number[]]} */
const series = [[], []]
const plot = makePlot()

for (;;) {
  if (!document.hidden) await look().catch((error) => showError(state, error))
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}

async function look() {
  const now = await ask('/operation.json')
  const at = performance.now()
  say(now)
  if (last === undefined && now.healthMs !== null) show(now, undefined)
  if (last !== undefined && now.healthMs !== null) {
    const seconds = (at - lastAt) / 1000
    const rate = Math.max(0, now.requests - last.requests) / seconds
    series[0].push(Date.now() / 1000)
    series[1].push(rate)
    for (const values of series) values.splice(0, values.length - KEPT)
    plot.setData(series)
    show(now, rate)
  }
  last = now
  lastAt = at
}

/** @param {any} now */
function say(now) {
  const answers = now.healthMs !== null
  const text = answers
    ? 'The service answers.'
    : 'The service does not answer. Is platbook serve running? Its log says why it stopped.'
  // An unchanged text must not be announced again by screen readers.
  if (state.textContent === text) return
  state.className = answers ? 'summary' : 'summary error'
  state.textContent = text
}

/** `rate`: known from the second answer on. @param {any} now @param {number | undefined} rate */
function show(now, rate) {
  const cells = [
    ['requests a second', rate?.toFixed(rate > 0 && rate < 10 ? 1 : 0) ?? '–'],
    ['median answer', quantile(now, 0.5)],
    ['99 of 100 answers', quantile(now, 0.99)],
    ['event loop delay', now.loopDelayMs === null ? '–' : `${now.loopDelayMs.toFixed(0)} ms`],
    ['tokens charged', now.tokens.toLocaleString('en-US')],
    ['memory', now.memory === null ? '–' : `${Math.round(now.memory / 1e6)} MB`],
  ]
  showStatuses(now.statuses)
  list.replaceChildren(
    ...cells.map(([term, text]) => {
      const block = document.createElement('div')
      const [dt, dd] = [document.createElement('dt'), document.createElement('dd')]
      dt.textContent = term
      dd.textContent = text
      block.append(dt, dd)
      return block
    }),
  )
}

/** Answers since the service started, the errors first. @param {Record<string, number>} counts */
function showStatuses(counts) {
  const sorted = Object.entries(counts).sort(([one], [other]) => Number(other) - Number(one))
  if (sorted.length === 0) {
    const nothing = document.createElement('li')
    nothing.textContent = 'no request yet'
    statuses.replaceChildren(nothing)
    return
  }
  statuses.replaceChildren(
    ...sorted.map(([status, count]) => {
      const item = document.createElement('li')
      const name = document.createElement('b')
      name.textContent = status
      if (status >= '500') name.className = 'bad'
      item.append(name, ` ${count.toLocaleString('en-US')}`)
      return item
    }),
  )
}

/** Over all requests since the service started. @param {any} now @param {number} share */
function quantile({ buckets }, share) {
  const total = buckets.at(-1)?.[1] ?? 0
  if (total === 0) return '–'
  const [bound] = buckets.find((/** @type {any} */ [, count]) => count >= share * total)
  return bound === '+Inf' ? 'over 5 s' : `≤ ${Number(bound) * 1000} ms`
}

function makePlot() {
  const axis = { stroke: colourOf('--muted'), grid: { stroke: colourOf('--line'), width: 1 } }
  return new uPlot(
    {
      width: place.clientWidth,
      height: 180,
      tzDate: (/** @type {number} */ at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
      axes: [
        { ...axis, values: '{HH}:{mm}' },
        { ...axis, size: 60 },
      ],
      scales: {
        x: { range: () => [Date.now() / 1000 - WINDOW_SECONDS, Date.now() / 1000] },
        y: {
          range: (
            /** @type {any} */ _plot,
            /** @type {number} */ _low,
            /** @type {number} */ high,
          ) => [0, Math.max(1, high ?? 0)],
        },
      },
      legend: { show: false },
      series: [
        {},
        {
          label: 'Requests a second',
          stroke: colourOf('--series-1'),
          fill: colourOf('--series-fill'),
          width: 1.5,
          points: { show: false },
        },
      ],
    },
    series,
    place,
  )
}
