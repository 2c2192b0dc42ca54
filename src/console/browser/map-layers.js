/** Layers of the map and their colours, light and dark. */

/** Layers whose features are single parcels. */
export const PARCEL_LAYERS = ['parcels', 'points']
/** First zoom with single parcels; before it there are dots. */
export const PARCEL_ZOOM = 14

/** Nearer than this the outlines of us-atlas are wrong by more than a street's width. */
const COARSE_ZOOM = 11

/** How parcels are drawn; see also the filters of colouring.js. */
export const SHOWN = 0.86

/** Milliseconds in which names and colours change; 0 for people who ask for less motion. */
export const FADE_MS = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 300

export const FONT = ['Liberation Sans', 'Helvetica Neue', 'Arial', 'sans-serif']

export function readPalette() {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  return isDark
    ? {
        ground: '#16181a',
        land: '#1e2124',
        loaded: '#24362d',
        line: '#4a5256',
        edge: '#8b9598',
        text: '#c9cfce',
        halo: '#16181a',
        chosen: '#ffd166',
        marker: '#7cc5a0',
        chosenMarker: '#ffd166',
        onMarker: '#0f1d16',
        none: '#3a4145',
        water: '#1c3240',
        waterText: '#7fa9bd',
        streetText: '#a9b2af',
        place: '#dfe4e2',
        cover: { park: '#1d2c23', cemetery: '#222a24', campus: '#29262b', other: '#23262b' },
        boundary: '#5b5f73',
        case: '#0f1112',
        road: { motorway: '#6b5a2f', main: '#4a4536', street: '#33383b', minor: '#2a2e31' },
        change: ['#d0694f', '#8f5a4c', '#6e6a52', '#3f6b59', '#5d9c7d', '#a6dcb8'],
        scale: ['#2b5a48', '#37755c', '#489074', '#66ad8a', '#95cdaa', '#cfeed2'],
        kinds: ['#63aa86', '#8bb4ea', '#eba272', '#c79be0', '#dcc05a', '#76c8d3'],
      }
    : {
        ground: '#eef0ec',
        land: '#fbfbf9',
        loaded: '#dcebe1',
        line: '#bcc4bf',
        edge: '#6f7a75',
        text: '#3a4145',
        halo: '#ffffff',
        chosen: '#b3341e',
        marker: '#1f6346',
        chosenMarker: '#b3341e',
        onMarker: '#ffffff',
        none: '#dfe2df',
        water: '#c4dde8',
        waterText: '#48768c',
        streetText: '#59625e',
        place: '#2a302d',
        cover: { park: '#dfecd7', cemetery: '#e6e9dd', campus: '#f1ebe1', other: '#ecebee' },
        boundary: '#a58fb5',
        case: '#d3d7d0',
        road: { motorway: '#f3cf80', main: '#fbeebf', street: '#ffffff', minor: '#f4f5f1' },
        change: ['#b3503a', '#e3b3a3', '#f5edc8', '#bfdfc8', '#6fb08b', '#2a7350'],
        scale: ['#d5ead8', '#b2d6ba', '#86bd98', '#5aa079', '#377f5b', '#1b5b3f'],
        kinds: ['#93c6a3', '#9dbce6', '#efb48c', '#cfaee0', '#e3d07f', '#94d0d8'],
      }
}

/** @param {ReturnType<typeof readPalette>} palette */
export function styleOf({ ground }) {
  return {
    version: 8,
    transition: { duration: FADE_MS, delay: 0 },
    sources: {},
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': ground } }],
  }
}

/** @typedef {ReturnType<typeof import('./topology.js').openOutlines>} ReadOutlines */

/**
 * Outlines of the loaded counties, with what is known of each.
 * @param {ReadOutlines} read @param {{ fips: string, parcels: number }[]} loaded
 */
export function readLoaded(read, loaded) {
  const facts = new Map(loaded.map((county) => [county.fips, county]))
  return read('counties', (fips) => facts.has(fips)).map(({ properties, ...outline }) => ({
    ...outline,
    properties: { ...properties, ...facts.get(properties.fips) },
  }))
}

/**
 * @param {any} map
 * @param {ReadOutlines} read
 * @param {ReturnType<typeof readLoaded>} own
 * @param {{ palette: ReturnType<typeof readPalette>, exact: string[], isOver: boolean }} look
 *   `exact`: beginnings of the codes of counties whose exact outlines a basemap draws; `isOver`:
 *   over the operator's own map
 */
export function addOutlines(map, read, own, { palette, exact, isOver }) {
  addShapes(map, 'loaded', own)
  addShapes(map, 'states', read('states'))
  map.addSource('loaded-names', {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: own.map(nameOf) },
  })
  const land = { id: 'land', type: 'fill', source: 'states' }
  if (!isOver) map.addLayer({ ...land, paint: { 'fill-color': palette.land } })
  map.addLayer({
    id: 'loaded',
    type: 'fill',
    source: 'loaded',
    paint: {
      'fill-color': palette.loaded,
      'fill-opacity': ['interpolate', ['linear'], ['zoom'], 9, 1, 13, 0],
    },
  })
  map.addLayer({
    id: 'loaded-lines',
    type: 'line',
    source: 'loaded',
    paint: { 'line-color': palette.edge, 'line-width': 0.8, 'line-opacity': fadeIn(exact) },
  })
  map.addLayer({
    id: 'state-lines',
    type: 'line',
    source: 'states',
    paint: {
      'line-color': palette.line,
      'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 10, 2],
    },
  })
  map.addLayer({
    id: 'loaded-names',
    type: 'symbol',
    source: 'loaded-names',
    maxzoom: 13,
    layout: {
      'text-field': ['get', 'label'],
      'text-font': FONT,
      'text-size': 13,
      // Beside the county, which is small far out, on the side that is free.
      'text-variable-anchor': ['left', 'right', 'bottom', 'top'],
      'text-radial-offset': 1.4,
      'text-justify': 'auto',
    },
    paint: { 'text-color': palette.text, 'text-halo-color': palette.halo, 'text-halo-width': 1.5 },
  })
  // Cutting all counties into tiles takes a second: they come after the rest, and only far out.
  map.on('idle', () => {
    if (map.getZoom() > COARSE_ZOOM || map.getSource('counties') !== undefined) return
    addShapes(map, 'counties', read('counties'))
    const lines = { id: 'county-lines', type: 'line', source: 'counties', minzoom: 4.5 }
    const opacity = { 'line-opacity': fadeIn(exact) }
    const paint = { 'line-color': palette.line, 'line-width': 0.5, ...opacity }
    map.addLayer({ ...lines, maxzoom: COARSE_ZOOM, paint }, 'state-lines')
  })
}

/** @param {any} map @param {string} name @param {any[]} features */
function addShapes(map, name, features) {
  const data = { type: 'FeatureCollection', features }
  map.addSource(name, { type: 'geojson', data, maxzoom: COARSE_ZOOM })
}

/**
 * Coarse outlines give way to the exact ones of a basemap. @param {string[]} exact
 */
function fadeIn(exact) {
  const isExact = ['in', ['slice', ['get', 'fips'], 0, 2], ['literal', exact]]
  return ['interpolate', ['linear'], ['zoom'], 8, 1, 9.5, ['case', isExact, 0, 1]]
}

/**
 * Adds the layers of parcels: polygons, points of those without one, dots at low zoom, and an edge
 * around those that are chosen.
 * @param {any} map
 * @param {ReturnType<typeof readPalette>} palette
 * @param {string} [filters] as a query
 */
export function addParcelLayers(map, palette, filters = '') {
  map.addSource('tiles', {
    type: 'vector',
    tiles: [`${location.origin}/tiles/{z}/{x}/{y}`],
    ...{ minzoom: PARCEL_ZOOM, maxzoom: 18 },
    promoteId: { parcels: 'propertyId', labels: 'propertyId' },
  })
  map.addSource('dots', {
    type: 'vector',
    tiles: [dotsAddress('value', filters)],
    ...{ minzoom: 0, maxzoom: PARCEL_ZOOM - 1 },
  })
  map.addLayer({
    ...{ id: 'dots', type: 'circle', source: 'dots', 'source-layer': 'dots' },
    maxzoom: PARCEL_ZOOM,
    layout: { 'circle-sort-key': ['get', 'parcels'] },
    paint: {
      'circle-color': palette.scale[4],
      'circle-opacity': 0.9,
      'circle-radius': dotRadius(),
      'circle-stroke-color': palette.edge,
      'circle-stroke-width': 0.4,
      'circle-stroke-opacity': 0.6,
    },
  })
  // Parcels without a polygon.
  map.addSource('lone', {
    type: 'vector',
    tiles: [`${location.origin}/points/{z}/{x}/{y}`],
    ...{ minzoom: 14, maxzoom: 14, promoteId: { labels: 'propertyId' } },
  })
  const lone = { type: 'circle', source: 'lone', 'source-layer': 'labels', minzoom: PARCEL_ZOOM }
  map.addLayer({
    ...{ ...lone, id: 'points' },
    paint: {
      'circle-color': palette.none,
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 14, 3, 16, 4, 19, 14],
      'circle-stroke-color': palette.edge,
      'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 14, 0.3, 17, 0.8],
    },
  })
  const layer = { source: 'tiles', 'source-layer': 'parcels', minzoom: PARCEL_ZOOM }
  // The ground shows through a little.
  const fill = { 'fill-color': palette.none, 'fill-opacity': SHOWN }
  map.addLayer({ ...layer, id: 'parcels', type: 'fill', paint: fill })
  const edges = {
    'line-color': palette.edge,
    'line-width': ['interpolate', ['linear'], ['zoom'], 14, 0.2, 18, 1],
  }
  map.addLayer({ ...layer, id: 'edges', type: 'line', paint: edges })
  const filter = ['==', ['get', 'propertyId'], '']
  const ring = {
    'circle-opacity': 0,
    'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 14, 5, 16, 7, 19, 17],
    'circle-stroke-color': palette.chosen,
    'circle-stroke-width': 3,
  }
  map.addLayer({ ...lone, id: 'chosen-points', filter, paint: ring })
  const line = { 'line-color': palette.chosen, 'line-width': 3 }
  map.addLayer({ ...layer, id: 'chosen', type: 'line', filter, paint: line })
  if (map.getLayer('loaded-names') !== undefined) map.moveLayer('loaded-names')
  map.addLayer({
    id: 'labels',
    type: 'symbol',
    ...{ source: 'tiles', 'source-layer': 'labels', minzoom: 17 },
    layout: {
      'text-field': ['get', 'address'],
      'text-font': FONT,
      'text-size': 11,
      'text-max-width': 8,
      // A point is above its name.
      'text-anchor': 'top',
      'text-offset': [0, 0.6],
    },
    paint: { 'text-color': palette.text, 'text-halo-color': palette.halo, 'text-halo-width': 1.2 },
  })
}

/** Puts an edge around some parcels. @param {any} map @param {string[]} ids */
export function markChosen(map, ids) {
  const filter = ['in', ['get', 'propertyId'], ['literal', ids]]
  for (const layer of ['chosen', 'chosen-points']) map.setFilter(layer, filter)
}

/** @param {string} mode @param {string} filters */
export const dotsAddress = (mode, filters) =>
  `${location.origin}/dots/${mode}/{z}/{x}/{y}${filters === '' ? '' : `?${filters}`}`

/** Pixels by the number of parcels. */
function dotRadius() {
  const root = ['sqrt', ['get', 'parcels']]
  const at = (/** @type {number} */ one, /** @type {number} */ many) => [
    ...['interpolate', ['linear'], root, 1, one, 12, many],
  ]
  return ['interpolate', ['linear'], ['zoom'], 4, at(1.4, 3.4), 11, at(1.6, 4), 14, at(2.5, 5)]
}

/** Words in an empty pane until its map is drawn. @param {HTMLElement} pane */
export function showWait(pane) {
  const wait = document.createElement('p')
  wait.className = 'wait note'
  wait.textContent = 'The map is being drawn …'
  pane.before(wait)
}

/** Tells that all of a map is drawn; tests and screenshots wait for it. @param {any} map */
export function noteReady(map) {
  map.once('idle', () => {
    document.querySelector('.wait')?.remove()
    map.getContainer().dataset.ready = 'yes'
  })
}

/** A county's name at the middle of its box. @param {any} county */
function nameOf({ properties, geometry }) {
  const points =
    geometry.type === 'Polygon'
      ? geometry.coordinates[0]
      : geometry.coordinates.flatMap((/** @type {any} */ part) => part[0])
  const range = (/** @type {number} */ axis) => {
    const values = points.map((/** @type {number[]} */ point) => point[axis])
    return (Math.min(...values) + Math.max(...values)) / 2
  }
  const label = `${properties.name} ${properties.parcels.toLocaleString('en-US')}`
  return {
    type: 'Feature',
    properties: { label },
    geometry: { type: 'Point', coordinates: [range(0), range(1)] },
  }
}
