/**
 * The map of parcels: county outlines and dots at low zoom, then parcels, and a card for the
 * clicked one.
 */

import { ask, showError } from './ask.js'
import { addBasemap, addNames, askBasemap, exactOf, readOwnStyle } from './basemap.js'
import { openColouring } from './colouring.js'
import { MODES } from './colours.js'
import { openDrawing } from './drawing.js'
import { nameHovered } from './hover.js'
import { showCard, showTable } from './map-card.js'
import {
  addOutlines,
  addParcelLayers,
  FADE_MS,
  noteReady,
  PARCEL_LAYERS,
  readLoaded,
  readPalette,
  showWait,
  styleOf,
} from './map-layers.js'
import { openPicking } from './picking.js'
import { openPrinting } from './printing.js'
import { openOutlines } from './topology.js'
import { hasWebGl } from './webgl.js'
import { openYears } from './years.js'

const place = /** @type {HTMLElement} */ (document.querySelector('#map'))
const choice = /** @type {HTMLSelectElement} */ (document.querySelector('#colour'))
const [latitude, longitude] = (place.dataset.start ?? '').split(',').map(Number)
const hasStart = place.dataset.start !== ''
/** The filters of this page, as a query. */
const filters = place.dataset.filters ?? ''

for (const { name, title } of MODES) choice.append(new Option(title, name))

showWait(place)
await (hasWebGl() ? openMap() : openTable()).catch(showFault)

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
  const [outlines, coverage, basemap] = await Promise.all([
    ask(new URL('./counties.json', import.meta.url)),
    ask('/coverage.json'),
    askBasemap(),
  ])
  const palette = readPalette()
  const own = await readOwnStyle(basemap)
  const map = createMap(maplibre, own ?? styleOf(palette), own !== undefined)
  // For scripts of the operator's own, and for tests.
  Object.assign(place, { map })
  await new Promise((resolve) => map.once('load', resolve))
  const read = openOutlines(outlines)
  const look = { palette, exact: exactOf(basemap), isOver: own !== undefined }
  addOutlines(map, read, readLoaded(read, coverage.counties), look)
  if (own === undefined) addBasemap(map, basemap, palette)
  addParcelLayers(map, palette, filters)
  addNames(map, basemap, palette)
  noteReady(map)
  const colouring = openColouring(map, palette, filters)
  const recolour = () => colouring.update().catch(showFault)
  map.on('idle', recolour)
  recolour()
  choice.addEventListener('change', recolour)
  document.querySelector('#as-table')?.addEventListener('click', recolour)
  // If tiles fail, asks the console for the reason.
  map.on('error', () =>
    ask('/session.json').then(() => document.querySelector('#map-fault')?.remove(), showFault),
  )
  openYears(map, recolour)
  listenForParcels(map, palette)
  nameHovered(map, place)
  openPrinting(map, place)
}

/** @param {any} maplibre @param {any} style @param {boolean} isOwn of the operator */
function createMap({ Map: LibreMap, NavigationControl, ScaleControl }, style, isOwn) {
  const map = new LibreMap({
    container: place,
    style,
    hash: true,
    attributionControl: isOwn ? { compact: true } : false,
    ...(hasStart
      ? { center: [longitude, latitude], zoom: Number(place.dataset.zoom) }
      : { bounds: [-125, 24, -66.5, 49.5] }),
    maxZoom: 20,
    fadeDuration: FADE_MS,
    // A click with Shift adds to the selection.
    boxZoom: false,
    canvasContextAttributes: { antialias: true },
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl({ unit: 'imperial', maxWidth: 120 }), 'bottom-right')
  return map
}

/**
 * Opens parcels by pointer, by keyboard, and from the table; with Shift it adds them to the
 * selection.
 * @param {any} map @param {ReturnType<typeof readPalette>} palette
 */
function listenForParcels(map, palette) {
  const picking = openPicking(map, filters)
  const drawing = openDrawing(map, palette, (polygon) => picking.pickArea(polygon).catch(showFault))
  /** @param {any} point of the screen @param {boolean} isMore */
  const choose = (point, isMore) => {
    const [feature] = map.queryRenderedFeatures(point, { layers: PARCEL_LAYERS })
    if (feature !== undefined) {
      const { propertyId } = feature.properties
      if (isMore) picking.toggle(propertyId)
      else {
        picking.pick(propertyId)
        showCard(propertyId)
      }
      return
    }
    const [county] = map.queryRenderedFeatures(point, { layers: ['loaded'] })
    if (county !== undefined && map.getZoom() < 8) {
      map.flyTo({ center: map.unproject(point), zoom: 10 })
    }
  }
  map.on('click', (/** @type {any} */ { point, lngLat, originalEvent }) => {
    if (drawing.isOpen()) drawing.add(lngLat)
    else choose(point, originalEvent.shiftKey)
  })
  const canvas = map.getCanvas()
  for (const layer of PARCEL_LAYERS) {
    map.on('mouseenter', layer, () => (canvas.style.cursor = drawing.isOpen() ? '' : 'pointer'))
    map.on('mouseleave', layer, () => (canvas.style.cursor = ''))
  }
  document.addEventListener('show-parcel', (event) => {
    const propertyId = /** @type {CustomEvent} */ (event).detail
    picking.pick(propertyId)
    showCard(propertyId)
  })
  canvas.setAttribute(
    'aria-label',
    'Map of parcels: arrows move, plus and minus zoom, Enter opens the parcel in the middle, ' +
      'Shift and Enter add it to the selection',
  )
  canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter') return
    const middle = map.getCenter()
    if (drawing.isOpen()) drawing.add(middle)
    else choose(map.project(middle), event.shiftKey)
  })
}

/** Without WebGL: shows the parcels near the address bar's place, or near the start, as a table. */
async function openTable() {
  document.querySelector('.wait')?.remove()
  place.remove()
  const [, , lat, lng] = /^#([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)/.exec(location.hash) ?? []
  const at = lat === undefined ? [latitude, longitude] : [Number(lat), Number(lng)]
  for (const id of ['legend', 'tools']) document.querySelector(`#${id}`)?.remove()
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
