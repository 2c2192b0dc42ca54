/** Layers of the map and their colours, light and dark. */

/** Layers whose features are single parcels. */
export const PARCEL_LAYERS = ['parcels', 'points', 'lone-points', 'near-fill', 'near-points']

export const FONT = ['Liberation Sans', 'Helvetica Neue', 'Arial', 'sans-serif']
const EMPTY = { type: 'FeatureCollection', features: [] }

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
        scale: ['#22483a', '#2f6650', '#428869', '#63aa86', '#93cba9', '#cdeccf'],
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
        scale: ['#e3f1e4', '#c0dfc6', '#93c6a3', '#63a781', '#3b8562', '#1f6346'],
        kinds: ['#93c6a3', '#9dbce6', '#efb48c', '#cfaee0', '#e3d07f', '#94d0d8'],
      }
}

/** @param {ReturnType<typeof readPalette>} palette */
export function styleOf({ ground }) {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': ground } }],
  }
}

/**
 * @param {any} map
 * @param {{ counties: any[], states: any[] }} outlines
 * @param {{ fips: string, parcels: number }[]} loaded
 * @param {{ palette: ReturnType<typeof readPalette>, exact: string[], isOver: boolean }} look
 *   `exact`: beginnings of the codes of counties whose exact outlines a basemap draws; `isOver`:
 *   over the operator's own map
 */
export function addOutlines(map, { counties, states }, loaded, { palette, exact, isOver }) {
  const count = new Map(loaded.map(({ fips, parcels }) => [fips, parcels]))
  for (const { properties } of counties) properties.parcels = count.get(properties.fips) ?? 0
  const own = counties.filter(({ properties }) => properties.parcels > 0)
  map.addSource('loaded', { type: 'geojson', data: { type: 'FeatureCollection', features: own } })
  map.addSource('states', {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: states },
  })
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
  // Cutting all counties into tiles takes a second, so loaded data is shown first.
  map.once('idle', () => {
    const data = { type: 'FeatureCollection', features: counties }
    map.addSource('counties', { type: 'geojson', data })
    const lines = { id: 'county-lines', type: 'line', source: 'counties', minzoom: 4.5 }
    const opacity = { 'line-opacity': fadeIn(exact) }
    const paint = { 'line-color': palette.line, 'line-width': 0.5, ...opacity }
    map.addLayer({ ...lines, paint }, 'state-lines')
  })
}

/**
 * Coarse outlines give way to the exact ones of a basemap. @param {string[]} exact
 */
function fadeIn(exact) {
  const isExact = ['in', ['slice', ['get', 'fips'], 0, 2], ['literal', exact]]
  return ['interpolate', ['linear'], ['zoom'], 8, 1, 9.5, ['case', isExact, 0, 1]]
}

/**
 * Adds the layers of parcels: from tiles, or without them from the parcels near the middle.
 * @param {any} map
 * @param {boolean} hasTiles
 * @param {ReturnType<typeof readPalette>} palette
 */
export function addParcelLayers(map, hasTiles, palette) {
  map.addSource('near', { type: 'geojson', data: EMPTY })
  const chosen = { 'line-color': palette.chosen, 'line-width': 3 }
  const edges = {
    'line-color': palette.edge,
    'line-width': ['interpolate', ['linear'], ['zoom'], 14, 0.2, 18, 1],
  }
  const label = {
    layout: {
      'text-field': ['get', 'address'],
      'text-font': FONT,
      'text-size': 11,
      'text-max-width': 8,
    },
    paint: { 'text-color': palette.text, 'text-halo-color': palette.halo, 'text-halo-width': 1.2 },
  }
  const paints = { chosen, edges, label }
  if (hasTiles) addTileLayers(map, palette, paints)
  else addNearLayers(map, palette, paints)
}

/** @typedef {{ chosen: object, edges: object, label: object }} Paints how both kinds look alike */

/** @param {any} map @param {ReturnType<typeof readPalette>} palette @param {Paints} paints */
function addNearLayers(map, palette, { chosen, edges, label }) {
  const isPoint = ['==', ['geometry-type'], 'Point']
  map.addLayer({
    id: 'near-fill',
    type: 'fill',
    source: 'near',
    filter: ['!', isPoint],
    paint: { 'fill-color': palette.none },
  })
  map.addLayer({
    id: 'near-edges',
    type: 'line',
    source: 'near',
    filter: ['!', isPoint],
    paint: edges,
  })
  map.addLayer({
    id: 'near-points',
    type: 'circle',
    source: 'near',
    filter: isPoint,
    paint: {
      'circle-color': palette.none,
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 13, 2, 19, 14],
      'circle-stroke-color': palette.edge,
      'circle-stroke-width': 0.7,
    },
  })
  map.addLayer({
    id: 'chosen',
    type: 'line',
    source: 'near',
    filter: ['==', ['get', 'propertyId'], ''],
    paint: chosen,
  })
  map.addLayer({ id: 'near-labels', type: 'symbol', source: 'near', minzoom: 17, ...label })
}

/** @param {any} map @param {ReturnType<typeof readPalette>} palette @param {Paints} paints */
function addTileLayers(map, palette, { chosen, edges, label }) {
  map.addSource('tiles', {
    type: 'vector',
    tiles: [`${location.origin}/tiles/{z}/{x}/{y}`],
    minzoom: 0,
    maxzoom: 18,
    promoteId: { parcels: 'propertyId', labels: 'propertyId' },
  })
  const layer = { source: 'tiles', 'source-layer': 'parcels', minzoom: 14 }
  map.addLayer({
    id: 'density',
    type: 'circle',
    source: 'tiles',
    'source-layer': 'density',
    maxzoom: 14,
    paint: {
      'circle-color': palette.scale[4],
      'circle-opacity': 0.55,
      // The counted squares grow from zoom 8 on, and the circles with them.
      'circle-radius': [
        ...['interpolate', ['exponential', 2], ['zoom']],
        ...[8, radius(1), 14, radius(8)],
      ],
    },
  })
  // Tiles name single points from zoom 16 on; before it the console's own tiles do.
  map.addSource('lone', {
    type: 'vector',
    tiles: [`${location.origin}/points/{z}/{x}/{y}`],
    ...{ minzoom: 14, maxzoom: 14, promoteId: { labels: 'propertyId' } },
  })
  map.addLayer({
    id: 'lone-points',
    type: 'circle',
    source: 'lone',
    'source-layer': 'labels',
    ...{ minzoom: 14, maxzoom: 16 },
    paint: {
      'circle-color': palette.none,
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 14, 3, 16, 4],
      'circle-stroke-color': palette.edge,
      'circle-stroke-width': 0.5,
    },
  })
  // Parcels without a polygon; a polygon covers its parcel's point.
  map.addLayer({
    id: 'points',
    type: 'circle',
    source: 'tiles',
    'source-layer': 'labels',
    minzoom: 16,
    paint: {
      'circle-color': palette.none,
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 16, 4, 19, 14],
      'circle-stroke-color': palette.edge,
      'circle-stroke-width': 0.7,
    },
  })
  map.addLayer({ id: 'parcels', type: 'fill', ...layer, paint: { 'fill-color': palette.none } })
  map.addLayer({ id: 'edges', type: 'line', ...layer, paint: edges })
  map.addLayer({
    id: 'chosen',
    type: 'line',
    ...layer,
    filter: ['==', ['get', 'propertyId'], ''],
    paint: chosen,
  })
  if (map.getLayer('loaded-names') !== undefined) map.moveLayer('loaded-names')
  map.addLayer({
    id: 'labels',
    type: 'symbol',
    source: 'tiles',
    'source-layer': 'labels',
    minzoom: 17,
    ...label,
  })
}

/** Pixels by the number of parcels; the area grows with it. @param {number} times */
function radius(times) {
  const root = ['sqrt', ['to-number', ['get', 'parcels'], 1]]
  return ['interpolate', ['linear'], root, 1, 1.5 * times, 60, 14 * times]
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
