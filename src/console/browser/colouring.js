/** Colours the parcels in view, and fills the legend and the table. */

import { ask } from './ask.js'
import { chooseColours, completeLegend, dotColours, hasMean, MODES, showLegend } from './colours.js'
import { showTable } from './map-card.js'
import { dotsAddress, PARCEL_LAYERS, PARCEL_ZOOM, SHOWN } from './map-layers.js'
import { yearQuery } from './years.js'

/** Modes whose values tiles have. */
const IN_TILES = ['value', 'use']
/** From here on the names of owners are there for the pointer. */
const OWNERS_ZOOM = 15.5
/** How parcels are drawn that do not meet the filters. */
const FADED = 0.1

/**
 * @param {any} map
 * @param {ReturnType<typeof import('./map-layers.js').readPalette>} palette
 * @param {string} filters as a query
 */
export function openColouring(map, palette, filters) {
  const facts = openFacts(map, filters)
  const choice = /** @type {HTMLSelectElement} */ (document.querySelector('#colour'))
  const askClasses = openClasses(map)
  if (filters !== '') fadeOthers(map)
  let dotsOf = 'value'
  /** What is drawn, and what the table shows. */
  let [drawn, listed] = ['', '']

  return { update }

  async function update() {
    const mode = MODES.find(({ name }) => name === choice.value) ?? MODES[0]
    if (mode === undefined) return
    const isFar = map.getZoom() < PARCEL_ZOOM
    const classes = await askClasses()
    if (classes.county === undefined) return
    // Colours of what tiles do not contain follow when it is there.
    const filled = isFar ? undefined : facts.fill(mode.name)
    const now = [mode.name, classes.county, isFar, yearQuery()].join()
    if (now !== drawn) {
      drawn = now
      const look = chooseColours(mode, classes, palette)
      draw(mode, look)
      // Only what is drawn has a line in the legend.
      const isColoured = !isFar || hasMean(mode.name)
      const lines = isColoured ? completeLegend(mode, look, palette.none) : []
      showLegend(document.querySelector('#legend ul'), lines)
      const [ofClasses, ofDots] =
        yearQuery() === ''
          ? ['', '']
          : [' They are of the present roll.', 'Dots are of the present. ']
      say('#classes', isColoured ? `${look.note}${ofClasses}` : '')
      const dots = isColoured
        ? 'A dot is one or more parcels, in the colour of their mean.'
        : `A dot is one or more parcels. Go nearer to see their colours by ${mode.title}.`
      say('#far-note', isFar ? `${ofDots}${dots}` : '')
    }
    await filled
    list(classes)
  }

  /** @param {import('./colours.js').Mode} mode @param {import('./colours.js').Look} look */
  function draw(mode, look) {
    for (const layer of PARCEL_LAYERS) {
      const isPoint = map.getLayer(layer).type === 'circle'
      map.setPaintProperty(layer, isPoint ? 'circle-color' : 'fill-color', look.expression)
    }
    const wanted = hasMean(mode.name) ? mode.name : dotsOf
    if (wanted !== dotsOf) map.getSource('dots').setTiles([dotsAddress(wanted, filters)])
    dotsOf = wanted
    map.setPaintProperty('dots', 'circle-color', dotColours(look, mode, palette.scale[4] ?? ''))
  }

  /** Lists the parcels in view while the table is open. @param {any} classes */
  function list({ kinds }) {
    if (document.querySelector('#in-view:not([hidden])') === null) {
      listed = ''
      return
    }
    const features = map.queryRenderedFeatures({ layers: PARCEL_LAYERS })
    const titles = new Map(
      (kinds.use ?? []).map((/** @type {any} */ one) => [one.value, one.title]),
    )
    const rows = new Map()
    for (const { properties, state } of features) {
      if (filters !== '' && state.match !== true) continue
      const use = titles.get(properties.useCode)
      rows.set(properties.propertyId, { ...properties, ...state, use })
    }
    const seen = [...rows.keys()].join(' ') || 'none'
    // The map becomes idle again after each drawing.
    if (seen === listed) return
    listed = seen
    showTable([...rows.values()])
  }
}

/** @param {string} place @param {string} text */
function say(place, text) {
  const line = document.querySelector(place)
  if (!(line instanceof HTMLElement)) return
  line.textContent = text
  line.hidden = text === ''
}

/**
 * Returns the classes of the county in the middle of the map, asked once for each.
 * @param {any} map
 */
function openClasses(map) {
  const known = new Map()
  let last = map.getContainer().dataset.county
  return async () => {
    const middle = map.project(map.getCenter())
    const [county] = map.queryRenderedFeatures(middle, { layers: ['loaded'] })
    const fips = county?.properties.fips ?? last
    last = fips
    if (!known.has(fips)) known.set(fips, ask(`/classes.json?county=${fips}`))
    try {
      return await known.get(fips)
    } catch (error) {
      known.delete(fips)
      throw error
    }
  }
}

/** Lets parcels that do not meet the filters fade. @param {any} map */
function fadeOthers(map) {
  const opacity = ['case', ['boolean', ['feature-state', 'match'], false], SHOWN, FADED]
  for (const layer of PARCEL_LAYERS) {
    const names =
      map.getLayer(layer).type === 'circle'
        ? ['circle-opacity', 'circle-stroke-opacity']
        : ['fill-opacity']
    for (const name of names) map.setPaintProperty(layer, name, opacity)
  }
}

/**
 * Gives the parcels of tiles what their colours, their names and the filters need: asked once for
 * each view.
 * @param {any} map @param {string} filters
 */
function openFacts(map, filters) {
  let known = ''
  /** @type {Promise<unknown>} */
  let filled = Promise.resolve()
  return {
    /** @param {string} mode */
    fill(mode) {
      const { _sw: low, _ne: high } = map.getBounds()
      const box = [low.lng, low.lat, high.lng, high.lat].map((side) => side.toFixed(5)).join(',')
      const isNear = map.getZoom() >= OWNERS_ZOOM
      const asked = `box=${box}&mode=${mode}&owner=${isNear ? 'yes' : ''}&${yearQuery()}`
      if (asked === known) return filled
      known = asked
      filled = Promise.all([
        isNear || !IN_TILES.includes(mode) ? fetchFacts(asked) : undefined,
        filters === '' ? undefined : fetchMatches(box),
      ])
      filled.catch(() => {
        known = ''
      })
      return filled
    },
  }

  /** @param {string} asked */
  async function fetchFacts(asked) {
    const { facts } = await ask(`/facts.json?${asked}`)
    // Another view or year has been asked for.
    if (asked !== known) return
    for (const { propertyId, ...state } of facts) setState(map, propertyId, state)
  }

  /** @param {string} box */
  async function fetchMatches(box) {
    const { ids } = await ask(`/matches.json?box=${box}&${filters}`)
    for (const id of ids) setState(map, id, { match: true })
  }
}

/** @param {any} map @param {string} id @param {any} state */
function setState(map, id, state) {
  map.setFeatureState({ source: 'tiles', sourceLayer: 'parcels', id }, state)
  map.setFeatureState({ source: 'lone', sourceLayer: 'labels', id }, state)
}
