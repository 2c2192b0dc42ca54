/** The map beside a list of parcels: a numbered point each, over the parcels around it. */

import { ask, showError } from './ask.js'
import { addBasemap, addNames, askBasemap, exactOf, readOwnStyle } from './basemap.js'
import {
  addOutlines,
  addParcelLayers,
  FADE_MS,
  FONT,
  markChosen,
  noteReady,
  readPalette,
  styleOf,
} from './map-layers.js'
import { openOutlines } from './topology.js'
import { hasWebGl } from './webgl.js'

const ONE_ZOOM = 17

/**
 * @typedef {{ number: number, latitude: number, longitude: number, propertyId: string,
 *   title: string }} Place
 */

const pane = document.querySelector('.result-map')
if (pane instanceof HTMLElement) {
  if (hasWebGl()) {
    const places = JSON.parse(pane.dataset.places ?? '[]')
    await draw(pane, places).catch((error) => showError(pane, error))
  } else pane.remove()
}

/** @param {HTMLElement} pane @param {Place[]} places */
async function draw(pane, places) {
  const { Map: LibreMap, NavigationControl } = await import('./maplibre-gl.mjs')
  const palette = readPalette()
  const basemap = await askBasemap()
  const own = await readOwnStyle(basemap)
  const [longitudes, latitudes] = [
    places.map(({ longitude }) => longitude),
    places.map(({ latitude }) => latitude),
  ]
  const map = new LibreMap({
    container: pane,
    style: own ?? styleOf(palette),
    attributionControl: own === undefined ? false : { compact: true },
    bounds: [
      [Math.min(...longitudes), Math.min(...latitudes)],
      [Math.max(...longitudes), Math.max(...latitudes)],
    ],
    fitBoundsOptions: { padding: 40, maxZoom: ONE_ZOOM },
    maxZoom: 20,
    // Else a printed page has an empty frame.
    canvasContextAttributes: { preserveDrawingBuffer: true },
    fadeDuration: FADE_MS,
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.getCanvas().setAttribute('aria-label', 'Map of these parcels')
  await new Promise((resolve) => map.once('load', resolve))
  await addGround(map, { palette, exact: exactOf(basemap), isOver: own !== undefined })
  if (own === undefined) addBasemap(map, basemap, palette)
  addParcelLayers(map, palette)
  map.removeLayer('labels')
  map.setPaintProperty('dots', 'circle-opacity', 0.2)
  markChosen(
    map,
    places.map(({ propertyId }) => propertyId),
  )
  addNames(map, basemap, palette)
  addPlaces(map, places, palette)
  noteReady(map)
  const rows = document.querySelectorAll('.results > li')
  map.on('click', 'places', (/** @type {any} */ { features }) => {
    const row = rows[features[0].properties.number - 1]
    row?.scrollIntoView({ block: 'center' })
    row?.querySelector('a')?.focus()
  })
  const light = (/** @type {number} */ number) =>
    map.setFilter('place-chosen', ['==', ['get', 'number'], number])
  rows.forEach((row, at) => {
    for (const event of ['mouseenter', 'focusin']) row.addEventListener(event, () => light(at + 1))
  })
}

/**
 * Adds states and counties as background for distant points.
 * @param {any} map @param {Parameters<typeof addOutlines>[3]} look
 */
async function addGround(map, look) {
  const outlines = await ask(new URL('./counties.json', import.meta.url))
  addOutlines(map, openOutlines(outlines), [], look)
}

/** @param {any} map @param {Place[]} places @param {ReturnType<typeof readPalette>} palette */
function addPlaces(map, places, palette) {
  map.addSource('places', {
    type: 'geojson',
    data: {
      type: 'FeatureCollection',
      features: places.map(({ number, latitude, longitude }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: { number },
      })),
    },
  })
  const circle = { type: 'circle', source: 'places' }
  const ring = { 'circle-stroke-width': 1.5, 'circle-stroke-color': palette.halo }
  map.addLayer({
    ...circle,
    id: 'places',
    paint: { 'circle-radius': 9, 'circle-color': palette.marker, ...ring },
  })
  map.addLayer({
    ...circle,
    id: 'place-chosen',
    filter: ['==', ['get', 'number'], 0],
    paint: { 'circle-radius': 12, 'circle-color': palette.chosenMarker, ...ring },
  })
  map.addLayer({
    id: 'place-numbers',
    type: 'symbol',
    source: 'places',
    layout: {
      'text-field': ['to-string', ['get', 'number']],
      'text-font': FONT,
      'text-size': 11,
    },
    paint: { 'text-color': palette.onMarker },
  })
}
