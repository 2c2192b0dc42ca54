/** Streets, water and places under the parcels, and their names above them. */

import { ask } from './ask.js'
import { FONT } from './map-layers.js'

/**
 * `own`: address of the operator's map. `archives`: those that Platbook has made.
 * @typedef {{ own: string | null, archives: { state: string, mark: string, maxZoom: number,
 *   bounds: number[], fips: string, layers: string[] }[] }} Basemap
 */

/** @typedef {ReturnType<typeof import('./map-layers.js').readPalette>} Palette */

/** @returns {Promise<Basemap>} */
export const askBasemap = () => ask('/basemap.json')

/** Beginnings of the codes of counties whose outlines it has. @param {Basemap} basemap */
export const exactOf = ({ archives }) =>
  archives.filter(({ layers }) => layers.includes('boundaries')).map(({ fips }) => fips)

/**
 * Returns the style of the operator's own map; `undefined` without one. Its names are drawn with
 * fonts of this machine, so that ours need no server of letters.
 * @param {Basemap} basemap
 */
export async function readOwnStyle({ own }) {
  if (own === null) return undefined
  if (own.includes('{z}')) {
    const source = { type: 'raster', tiles: [own], tileSize: 256, maxzoom: 19 }
    const layer = { id: 'own', type: 'raster', source: 'own' }
    return { version: 8, sources: { own: source }, layers: [layer] }
  }
  const { glyphs: _, ...style } = await (await fetch(own)).json()
  return style
}

/** Pixels of a road's width by kind, at four zooms. */
const WIDTHS = {
  motorway: [1, 2.2, 5, 26],
  main: [0.6, 1.4, 3.6, 20],
  street: [0.2, 0.6, 1.8, 15],
  minor: [0.2, 0.4, 1, 6],
}
const ZOOMS = [6, 10, 14, 18]

/** Which width and colour a kind has. */
const RANKS = { motorway: 'motorway', ramp: 'main', main: 'main', street: 'street' }
const DASHED = ['path', 'track', 'rail']

/** @param {(rank: keyof typeof WIDTHS) => any} pick */
function byRank(pick) {
  const pairs = Object.entries(RANKS).flatMap(([kind, rank]) => [
    kind,
    pick(/** @type {keyof typeof WIDTHS} */ (rank)),
  ])
  return ['match', ['get', 'kind'], ...pairs, pick('minor')]
}

/** @param {number} more pixels on top of the width */
function widths(more) {
  const stops = ZOOMS.flatMap((zoom, at) => [
    zoom,
    byRank((rank) => (WIDTHS[rank][at] ?? 0) + more),
  ])
  return ['interpolate', ['exponential', 1.6], ['zoom'], ...stops]
}

/**
 * Adds the ground of each archive, below the outlines of counties.
 * @param {any} map @param {Basemap} basemap @param {Palette} palette
 */
export function addBasemap(map, { archives }, palette) {
  for (const { state, mark, maxZoom, bounds } of archives) {
    map.addSource(`base-${state}`, {
      type: 'vector',
      tiles: [`${location.origin}/basemap/${state}/${mark}/{z}/{x}/{y}`],
      ...{ minzoom: 0, maxzoom: maxZoom, bounds },
    })
  }
  const add = adder(map, archives, 'loaded-lines')
  const { park, cemetery, campus, other } = palette.cover
  add('cover', 'land', {
    type: 'fill',
    paint: {
      'fill-color': [
        ...['match', ['get', 'kind'], 'park', park, 'cemetery', cemetery, 'campus', campus, other],
      ],
    },
  })
  add('water', 'water', { type: 'fill', paint: { 'fill-color': palette.water } })
  const grow = ['interpolate', ['exponential', 1.5], ['zoom'], 10, 0.5, 14, 1.4, 18, 5]
  add('streams', 'streams', {
    type: 'line',
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': palette.water, 'line-width': grow },
  })
  addRoads(add, palette)
  add('outlines', 'boundaries', {
    type: 'line',
    paint: {
      'line-color': palette.boundary,
      'line-width': ['match', ['get', 'kind'], 'county', 1.2, 0.7],
      'line-opacity': ['match', ['get', 'kind'], 'county', 0.9, 0.6],
      'line-dasharray': [4, 2],
    },
  })
}

/** @typedef {(id: string, source: string, layer: any) => void} Add */

/** @param {Add} add @param {Palette} palette */
function addRoads(add, { road, case: edge, line }) {
  const round = { 'line-cap': 'round', 'line-join': 'round' }
  const isDashed = ['in', ['get', 'kind'], ['literal', DASHED]]
  const sort = { ...round, 'line-sort-key': byRank((rank) => -Object.keys(WIDTHS).indexOf(rank)) }
  add('paths', 'roads', {
    type: 'line',
    filter: isDashed,
    minzoom: 12,
    paint: { 'line-color': line, 'line-width': 1.2, 'line-dasharray': [2, 1.5] },
  })
  add('road-edges', 'roads', {
    type: 'line',
    filter: ['!', isDashed],
    minzoom: 11,
    layout: sort,
    paint: { 'line-color': edge, 'line-width': widths(1.6) },
  })
  add('roads', 'roads', {
    type: 'line',
    filter: ['!', isDashed],
    layout: sort,
    paint: { 'line-color': byRank((rank) => road[rank]), 'line-width': widths(0) },
  })
}

/**
 * Adds the names above all other layers: those of the archives, and those of streets that the
 * addresses of parcels have.
 * @param {any} map @param {Basemap} basemap @param {Palette} palette
 */
export function addNames(map, { own, archives }, palette) {
  const drawn = own === null ? archives : []
  const paint = (/** @type {string} */ colour) => ({
    'text-color': colour,
    'text-halo-color': palette.halo,
    'text-halo-width': 1.4,
  })
  const text = { 'text-field': ['get', 'name'], 'text-font': FONT }
  const street = {
    type: 'symbol',
    layout: {
      ...text,
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-size': ['interpolate', ['linear'], ['zoom'], 12, 10, 16, 11.5, 19, 14],
      'text-letter-spacing': 0.03,
      'text-max-angle': 35,
    },
    paint: paint(palette.streetText),
  }
  const add = adder(map, drawn)
  const isNamed = ['!=', ['coalesce', ['get', 'name'], ''], '']
  const from = ['match', ['get', 'kind'], 'motorway', 9, 'main', 12, 14]
  add('road-names', 'roads', {
    ...{ ...street, minzoom: 10 },
    filter: ['all', isNamed, ['!=', ['get', 'kind'], 'ramp'], ['>=', ['zoom'], from]],
  })
  const small = { ...text, 'text-size': 11, 'text-max-width': 7 }
  add('stream-names', 'streams', {
    ...{ type: 'symbol', minzoom: 13, filter: isNamed, paint: paint(palette.waterText) },
    layout: { ...small, 'symbol-placement': 'line', 'symbol-spacing': 500 },
  })
  const isArea = ['in', ['get', 'kind'], ['literal', ['water', 'land']]]
  add('area-names', 'places', {
    ...{ type: 'symbol', filter: isArea, layout: small },
    paint: {
      ...paint(palette.streetText),
      'text-color': ['match', ['get', 'kind'], 'water', palette.waterText, palette.streetText],
    },
  })
  add('place-names', 'places', {
    ...{ type: 'symbol', maxzoom: 15, filter: ['!', isArea] },
    layout: {
      ...text,
      'text-size': ['match', ['get', 'kind'], 'city', 16, 'town', 13, 11.5],
      'text-max-width': 8,
      'symbol-sort-key': ['match', ['get', 'kind'], 'city', 0, 'town', 1, 2],
    },
    paint: paint(palette.place),
  })
  if (own !== null) return
  map.addSource('streets', {
    type: 'vector',
    tiles: [`${location.origin}/streets/{z}/{x}/{y}`],
    ...{ minzoom: 15, maxzoom: 15 },
  })
  // An archive has the names of its streets itself.
  const drawnBoxes = archives.filter(({ layers }) => layers.includes('roads')).map(boxOf)
  map.addLayer({
    ...{ ...street, id: 'streets', source: 'streets', 'source-layer': 'streets', minzoom: 15 },
    layout: { ...street.layout, 'symbol-placement': 'line-center' },
    ...(drawnBoxes.length > 0 && {
      filter: ['!', ['within', { type: 'MultiPolygon', coordinates: drawnBoxes }]],
    }),
  })
}

/** The polygon of an archive's bounds. @param {Basemap['archives'][number]} archive */
function boxOf({ bounds: [west = 0, south = 0, east = 0, north = 0] }) {
  const [low, high] = [
    [west, south],
    [east, north],
  ]
  return [[low, [east, south], high, [west, north], low]]
}

/**
 * Returns a function that adds a layer for each archive.
 * @param {any} map @param {Basemap['archives']} archives @param {string} [before] @returns {Add}
 */
function adder(map, archives, before) {
  return (id, layer, look) => {
    for (const { state, layers } of archives) {
      if (!layers.includes(layer)) continue
      const from = { source: `base-${state}`, 'source-layer': layer }
      map.addLayer({ ...look, ...from, id: `${id}-${state}` }, before)
    }
  }
}
