/** Draws an area on the map, by pointer or by keyboard. */

const EMPTY = { type: 'FeatureCollection', features: [] }
const PRECISION = 1e5
const CORNERS_MIN = 3
const CORNERS_MAX = 100

/** @typedef {{ lng: number, lat: number }} Corner */

/**
 * @param {any} map
 * @param {ReturnType<typeof import('./map-layers.js').readPalette>} palette
 * @param {(polygon: string) => void} onDone receives the area as an encoded polyline
 */
export function openDrawing(map, palette, onDone) {
  const opener = /** @type {HTMLElement} */ (document.querySelector('#draw'))
  const bar = /** @type {HTMLElement} */ (document.querySelector('#drawing'))
  const said = /** @type {HTMLElement} */ (bar.querySelector('span'))
  const [finish, undo, cancel] = [...bar.querySelectorAll('button')]
  /** @type {Corner[]} */
  let corners = []
  let isOpen = false
  addLayers(map, palette)
  opener.addEventListener('click', () => (isOpen ? stop() : start()))
  finish?.addEventListener('click', end)
  undo?.addEventListener('click', () => {
    corners.pop()
    show()
  })
  cancel?.addEventListener('click', stop)
  document.addEventListener('clear-area', clear)
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isOpen) stop()
  })
  map.on('dblclick', (/** @type {any} */ event) => {
    if (!isOpen) return
    event.preventDefault()
    // Both clicks of it have added a corner.
    corners.pop()
    end()
  })
  map.on('mousemove', (/** @type {any} */ { lngLat }) => {
    if (isOpen && corners.length > 0) draw([...corners, lngLat])
  })
  return { isOpen: () => isOpen, add }

  function start() {
    clear()
    isOpen = true
    map.getContainer().classList.add('drawing')
    show()
    map.getCanvas().focus()
  }

  function clear() {
    corners = []
    draw([])
  }

  function close() {
    isOpen = false
    map.getContainer().classList.remove('drawing')
    opener.setAttribute('aria-pressed', 'false')
    bar.hidden = true
  }

  function stop() {
    close()
    clear()
    opener.focus()
  }

  function end() {
    if (corners.length < CORNERS_MIN) return
    close()
    draw(corners)
    onDone(encode(corners))
    map.getCanvas().focus()
  }

  /** @param {Corner} corner */
  function add(corner) {
    const [first] = corners
    if (first !== undefined && corners.length >= CORNERS_MIN && isNear(map, first, corner)) end()
    else if (corners.length < CORNERS_MAX) {
      corners.push(corner)
      show()
    }
  }

  function show() {
    bar.hidden = false
    opener.setAttribute('aria-pressed', 'true')
    const left = CORNERS_MIN - corners.length
    said.textContent =
      corners.length === 0
        ? 'Click the corners of the area; Enter adds the middle of the map.'
        : left > 0
          ? `${corners.length} of at least ${CORNERS_MIN} corners.`
          : `${corners.length} corners. A double click ends it.`
    if (finish instanceof HTMLButtonElement) finish.disabled = left > 0
    if (undo instanceof HTMLButtonElement) undo.disabled = corners.length === 0
    draw(corners)
  }

  /** @param {Corner[]} shown */
  function draw(shown) {
    map.getSource('drawn').setData(shown.length === 0 ? EMPTY : shapesOf(shown))
  }
}

/**
 * Whether a click means the corner that began the area.
 * @param {any} map @param {Corner} a @param {Corner} b
 */
function isNear(map, a, b) {
  const [one, other] = [map.project(a), map.project(b)]
  return Math.hypot(one.x - other.x, one.y - other.y) < 10
}

/** @param {Corner[]} corners */
function shapesOf(corners) {
  const points = corners.map(({ lng, lat }) => [lng, lat])
  const ring = [...points, points[0]]
  const geometries = [
    ...(points.length < 3 ? [] : [{ type: 'Polygon', coordinates: [ring] }]),
    { type: 'LineString', coordinates: points.length < 3 ? points : ring },
    { type: 'MultiPoint', coordinates: points },
  ]
  return {
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  }
}

/** @param {any} map @param {{ chosen: string, halo: string }} palette */
function addLayers(map, { chosen, halo }) {
  map.addSource('drawn', { type: 'geojson', data: EMPTY })
  const is = (/** @type {string} */ kind) => ['==', ['geometry-type'], kind]
  map.addLayer({
    ...{ id: 'drawn-area', type: 'fill', source: 'drawn', filter: is('Polygon') },
    paint: { 'fill-color': chosen, 'fill-opacity': 0.1 },
  })
  map.addLayer({
    ...{ id: 'drawn-line', type: 'line', source: 'drawn', filter: is('LineString') },
    paint: { 'line-color': chosen, 'line-width': 2, 'line-dasharray': [3, 2] },
  })
  map.addLayer({
    ...{ id: 'drawn-corners', type: 'circle', source: 'drawn', filter: is('Point') },
    paint: {
      'circle-color': halo,
      'circle-radius': 4,
      'circle-stroke-color': chosen,
      'circle-stroke-width': 2,
    },
  })
}

/** Returns an encoded polyline of precision 5. @param {Corner[]} corners */
function encode(corners) {
  let [lat, lng] = [0, 0]
  return corners
    .map((corner) => {
      const [north, east] = [Math.round(corner.lat * PRECISION), Math.round(corner.lng * PRECISION)]
      const text = encodeNumber(north - lat) + encodeNumber(east - lng)
      ;[lat, lng] = [north, east]
      return text
    })
    .join('')
}

/** @param {number} number */
function encodeNumber(number) {
  let rest = number < 0 ? -number * 2 - 1 : number * 2
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 95)
  return text + String.fromCharCode(rest + 63)
}
