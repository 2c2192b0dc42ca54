/**
 * The map of parcels: county outlines at low zoom, then density, then parcels,
 * and a card for the clicked one.
 */

import { ask, showError } from './ask.js'
import { addBasemap, addNames, askBasemap, exactOf, readOwnStyle } from './basemap.js'
import { chooseColours, MODES, showLegend } from './colours.js'
import { showCard, showTable } from './map-card.js'
import {
  addOutlines,
  addParcelLayers,
  noteReady,
  PARCEL_LAYERS,
  readPalette,
  showWait,
  styleOf,
} from './map-layers.js'
import { readOutlines } from './topology.js'
import { hasWebGl } from './webgl.js'

const START_ZOOM = 16.5
/** First zoom with single parcels. */
const PARCEL_ZOOM = 14

const place = /** @type {HTMLElement} */ (document.querySelector('#map'))
const choice = /** @type {HTMLSelectElement} */ (document.querySelector('#colour'))
const [latitude, longitude] = (place.dataset.start ?? '').split(',').map(Number)
const hasStart = place.dataset.start !== ''
const hasTiles = place.dataset.tiles === 'yes'

for (const { name, title } of MODES) choice.append(new Option(title, name))

showWait(place)
await ((await hasWebGl()) ? openMap() : openTable()).catch(showFault)

/** Shows a fault as a line over the map. @param {unknown} error */
function showFault(error) {
  document.querySelector('.wait')?.remove()
  const line = document.querySelector('#map-fault') ?? document.createElement('p')
  line.id = 'map-fault'
  line.className = 'card'
  line.setAttribute('role', 'alert')
  document.querySelector('main')?.append(line)
  showError(line, error)
}

async function openMap() {
  const maplibre = await import('./maplibre-gl.mjs')
  const [outlines, coverage, classes, basemap] = await Promise.all([
    ask(new URL('./counties.json', import.meta.url)),
    ask('/coverage.json'),
    ask('/classes.json'),
    askBasemap(),
  ])
  const palette = readPalette()
  const own = await readOwnStyle(basemap)
  const map = createMap(maplibre, own ?? styleOf(palette), own !== undefined)
  // For scripts of the operator's own, and for tests.
  Object.assign(place, { map })
  await new Promise((resolve) => map.once('load', resolve))
  addOutlines(
    map,
    { counties: readOutlines(outlines, 'counties'), states: readOutlines(outlines, 'states') },
    coverage.counties,
    { palette, exact: exactOf(basemap), isOver: own !== undefined },
  )
  if (own === undefined) addBasemap(map, basemap, palette)
  addParcelLayers(map, hasTiles, palette)
  addNames(map, basemap, palette)
  noteReady(map)
  const colour = openColouring(map, classes, palette)
  const recolour = () => colour().catch(showFault)
  map.on('moveend', () => fillNear(map).catch(showFault))
  map.on('idle', recolour)
  choice.addEventListener('change', recolour)
  document.querySelector('#as-table')?.addEventListener('click', recolour)
  // If tiles fail, asks the console for the reason.
  map.on('error', () =>
    ask('/session.json').then(() => document.querySelector('#map-fault')?.remove(), showFault),
  )
  listenForParcels(map)
  await fillNear(map)
}

/** @param {any} maplibre @param {any} style @param {boolean} isOwn of the operator */
function createMap({ Map: LibreMap, NavigationControl, ScaleControl }, style, isOwn) {
  const map = new LibreMap({
    container: place,
    style,
    hash: true,
    attributionControl: isOwn ? { compact: true } : false,
    ...(hasStart
      ? { center: [longitude, latitude], zoom: START_ZOOM }
      : { bounds: [-125, 24, -66.5, 49.5] }),
    maxZoom: 20,
    canvasContextAttributes: { antialias: true },
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl({ unit: 'imperial' }), 'bottom-right')
  return map
}

/** Without tiles: reads the parcels near the middle of the map. @param {any} map */
async function fillNear(map) {
  if (hasTiles || map.getZoom() < PARCEL_ZOOM) return
  const { lng, lat } = map.getCenter()
  map.getSource('near').setData(await ask(`/near.json?latitude=${lat}&longitude=${lng}`))
}

/** @param {any} map */
const parcelLayersOf = (map) => PARCEL_LAYERS.filter((layer) => map.getLayer(layer) !== undefined)

/**
 * Returns the function that colours the parcels in view and fills the legend and the table.
 * @param {any} map
 * @param {Record<string, import('./colours.js').Classes>} classes
 * @param {ReturnType<typeof readPalette>} palette
 */
function openColouring(map, classes, palette) {
  const facts = describeFacts(map)
  /** Mode and parcels that are coloured. */
  let shown = ''
  return async () => {
    showFarNote(map.getZoom() < PARCEL_ZOOM)
    const mode = MODES.find(({ name }) => name === choice.value) ?? MODES[0]
    // Tiles contain the value and the roll's own code of the use; the table shows the use in words.
    const hasTable = document.querySelector('#in-view:not([hidden])') !== null
    if (hasTiles && (mode.name !== 'value' || hasTable)) await facts.fill()
    const layers = parcelLayersOf(map)
    const features = map.queryRenderedFeatures({ layers })
    const properties = [
      ...new Map(
        features.map(({ properties: own, state }) => [own.propertyId, { ...own, ...state }]),
      ).values(),
    ]
    const seen = [mode.name, hasTable, ...properties.map(({ propertyId }) => propertyId)].join(' ')
    // The map becomes idle again after new colours are drawn.
    if (seen === shown) return
    shown = seen
    const { expression, legend, note } = chooseColours(mode, properties, classes, palette)
    for (const layer of layers) {
      const isPoint = map.getLayer(layer).type === 'circle'
      map.setPaintProperty(layer, isPoint ? 'circle-color' : 'fill-color', expression)
    }
    showLegend(document.querySelector('#legend ul'), legend)
    const said = document.querySelector('#classes')
    if (said !== null) said.textContent = note
    showTable(properties)
  }
}

/** Opens parcels by pointer, by keyboard, and from the table. @param {any} map */
function listenForParcels(map) {
  map.on('click', ({ point }) => choose(map, point))
  const canvas = map.getCanvas()
  for (const layer of PARCEL_LAYERS) {
    map.on('mouseenter', layer, () => (canvas.style.cursor = 'pointer'))
    map.on('mouseleave', layer, () => (canvas.style.cursor = ''))
  }
  nameHovered(map)
  document.addEventListener('show-parcel', (event) =>
    select(map, /** @type {CustomEvent} */ (event).detail),
  )
  canvas.setAttribute(
    'aria-label',
    'Map of parcels: arrows move, plus and minus zoom, Enter opens the parcel in the middle',
  )
  canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') choose(map, map.project(map.getCenter()))
  })
}

/** Shows address and value of the parcel under the pointer. @param {any} map */
function nameHovered(map) {
  const label = document.querySelector('#hover')
  if (!(label instanceof HTMLElement) || !matchMedia('(hover: hover)').matches) return
  map.on('mousemove', (/** @type {any} */ { point }) => {
    const [feature] = map.queryRenderedFeatures(point, { layers: parcelLayersOf(map) })
    label.hidden = feature === undefined
    if (feature === undefined) return
    const { propertyId, address, value } = feature.properties
    const name = document.createElement('b')
    name.textContent = address || propertyId
    const price = value == null ? 'no value' : `$${Number(value).toLocaleString('en-US')}`
    label.replaceChildren(name, document.createElement('br'), price)
    // To the left of the pointer at the right edge, and above it at the bottom.
    const { clientWidth, clientHeight } = place
    const left = point.x + 14 + label.offsetWidth > clientWidth ? -14 - label.offsetWidth : 14
    const top = point.y + 14 + label.offsetHeight > clientHeight ? -14 - label.offsetHeight : 14
    label.style.transform = `translate(${point.x + left}px, ${point.y + top}px)`
  })
  const hide = () => {
    label.hidden = true
  }
  map.on('mouseout', hide)
  map.on('movestart', hide)
}

/**
 * Opens the parcel at a point of the screen, or flies to the county there.
 * @param {any} map
 * @param {any} point
 */
function choose(map, point) {
  const [feature] = map.queryRenderedFeatures(point, { layers: parcelLayersOf(map) })
  if (feature !== undefined) {
    select(map, feature.properties.propertyId)
    return
  }
  const [county] = map.queryRenderedFeatures(point, { layers: ['loaded'] })
  if (county !== undefined && map.getZoom() < 8) {
    map.flyTo({ center: map.unproject(point), zoom: 10 })
  }
}

/**
 * Gives the parcels of tiles what their colours need: asked once for each view.
 * @param {any} map
 */
function describeFacts(map) {
  let known = ''
  /** @type {Promise<void>} */
  let filled = Promise.resolve()
  return {
    fill() {
      const { _sw: low, _ne: high } = map.getBounds()
      const box = [low.lng, low.lat, high.lng, high.lat].map((side) => side.toFixed(5)).join(',')
      if (map.getZoom() < PARCEL_ZOOM || box === known) return filled
      known = box
      filled = fetchFacts(box)
      return filled
    },
  }

  /** @param {string} box */
  async function fetchFacts(box) {
    const { facts } = await ask(`/facts.json?box=${box}`)
    for (const { propertyId: id, ...state } of facts) {
      for (const sourceLayer of ['parcels', 'labels']) {
        map.setFeatureState({ source: 'tiles', sourceLayer, id }, state)
      }
      map.setFeatureState({ source: 'lone', sourceLayer: 'labels', id }, state)
    }
  }
}

/** @param {any} map @param {string} propertyId */
async function select(map, propertyId) {
  map.setFilter('chosen', ['==', ['get', 'propertyId'], propertyId])
  await showCard(propertyId)
}

/** Without WebGL: shows the parcels near the address bar's place, or near the start, as a table. */
async function openTable() {
  document.querySelector('.wait')?.remove()
  place.remove()
  const [, , lat, lng] = /^#([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)/.exec(location.hash) ?? []
  const at = lat === undefined ? [latitude, longitude] : [Number(lat), Number(lng)]
  document.querySelector('#legend')?.remove()
  document.querySelector('main')?.classList.remove('wide')
  const list =
    hasStart || lat !== undefined
      ? await ask(`/near.json?latitude=${at[0]}&longitude=${at[1]}`)
      : { features: [] }
  showTable(
    list.features.map((/** @type {any} */ { properties }) => properties),
    true,
  )
  document.addEventListener('show-parcel', (event) =>
    showCard(/** @type {CustomEvent} */ (event).detail),
  )
}

/** At low zoom there are circles, and no colours to choose. @param {boolean} isFar */
function showFarNote(isFar) {
  for (const element of document.querySelectorAll('#legend > *')) {
    if (element.id === 'unplaced') continue
    if (element instanceof HTMLElement) element.hidden = isFar !== (element.id === 'far-note')
  }
}
