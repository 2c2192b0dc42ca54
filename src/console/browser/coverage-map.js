/** The map of loaded counties, coloured by their parcels or by the age of what is loaded. */

import { ask, showError } from './ask.js'
import { chooseColours, classesOf, showLegend } from './colours.js'
import { addOutlines, noteReady, readLoaded, readPalette, showWait, styleOf } from './map-layers.js'
import { openOutlines } from './topology.js'
import { hasWebGl } from './webgl.js'

const count = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US')
const MODES = [
  { name: 'parcels', title: 'parcels', show: count },
  { name: 'ageDays', title: 'days since the load', show: count },
  { name: 'rollYear', title: 'year of the roll', show: String },
]

const pane = /** @type {HTMLElement} */ (document.querySelector('#coverage-map'))
const choice = /** @type {HTMLSelectElement} */ (document.querySelector('#coverage-colour'))

showWait(pane)
if (hasWebGl()) await draw().catch(showFault)
else pane.closest('section')?.remove()

/** @param {unknown} error */
function showFault(error) {
  document.querySelector('.wait')?.remove()
  showError(pane, error)
}

async function draw() {
  for (const { name, title } of MODES) choice.append(new Option(title, name))
  const { Map: LibreMap, NavigationControl } = await import('./maplibre-gl.mjs')
  const [outlines, { counties: loaded }] = await Promise.all([
    ask(new URL('./counties.json', import.meta.url)),
    ask('/coverage.json'),
  ])
  const read = openOutlines(outlines)
  const own = readLoaded(read, loaded)
  const palette = readPalette()
  const map = new LibreMap({
    container: pane,
    style: styleOf(palette),
    attributionControl: false,
    bounds: boundsOf(own),
    // Names stand beside the counties.
    fitBoundsOptions: { padding: { top: 30, bottom: 30, left: 50, right: 110 }, maxZoom: 7 },
    maxZoom: 10,
    scrollZoom: false,
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.getCanvas().setAttribute('aria-label', 'Map of the loaded counties')
  await new Promise((resolve) => map.once('load', resolve))
  addOutlines(map, read, own, { palette, exact: [], isOver: false })
  map.setPaintProperty('loaded', 'fill-opacity', 1)
  const colour = () => {
    const mode = MODES.find(({ name }) => name === choice.value) ?? MODES[0]
    const shown = own.map(({ properties }) => properties)
    const numbers = { [mode.name]: classesOf(shown.map((one) => one[mode.name])) }
    const classes = { county: '', numbers, kinds: {}, lastYear: null }
    const { expression, legend } = chooseColours(mode, classes, palette)
    map.setPaintProperty('loaded', 'fill-color', expression)
    showLegend(document.querySelector('#coverage-legend'), legend)
  }
  colour()
  noteReady(map)
  choice.addEventListener('change', colour)
  map.on('click', 'loaded', (/** @type {any} */ { features }) => {
    location.href = `/coverage/${features[0].properties.fips}`
  })
  map.on('mouseenter', 'loaded', () => (map.getCanvas().style.cursor = 'pointer'))
  map.on('mouseleave', 'loaded', () => (map.getCanvas().style.cursor = ''))
}

/** West, south, east and north of outlines. @param {any[]} features */
function boundsOf(features) {
  const points = features.flatMap(({ geometry: { type, coordinates } }) =>
    type === 'Polygon' ? coordinates[0] : coordinates.flatMap((/** @type {any} */ part) => part[0]),
  )
  const values = (/** @type {number} */ axis) =>
    points.map((/** @type {number[]} */ point) => point[axis])
  return [
    [Math.min(...values(0)), Math.min(...values(1))],
    [Math.max(...values(0)), Math.max(...values(1))],
  ]
}
