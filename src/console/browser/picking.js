/** The selection: chosen parcels, or those of a drawn area, with their table and their CSV. */

import { ask } from './ask.js'
import { markChosen } from './map-layers.js'

/** The address of a table names each parcel. */
const PICKED_MAX = 200

/** @param {any} map @param {string} filters as a query */
export function openPicking(map, filters) {
  const bar = /** @type {HTMLElement} */ (document.querySelector('#picked'))
  const said = /** @type {HTMLElement} */ (bar.querySelector('span'))
  const [table, csv] = [...bar.querySelectorAll('a')]
  /** @type {Set<string>} */
  let picked = new Set()
  let isArea = false
  bar.querySelector('button')?.addEventListener('click', () => {
    clear()
    map.getCanvas().focus()
  })
  return { pick, toggle, pickArea }

  function clear() {
    picked = new Set()
    isArea = false
    show('', new URLSearchParams())
    document.dispatchEvent(new CustomEvent('clear-area'))
  }

  /** Chooses one parcel instead of all others. @param {string} id */
  function pick(id) {
    clear()
    picked.add(id)
    markChosen(map, [id])
  }

  /** Adds a parcel, or takes it out. @param {string} id */
  function toggle(id) {
    if (isArea) clear()
    if (picked.has(id)) picked.delete(id)
    else if (picked.size < PICKED_MAX) picked.add(id)
    const count = picked.size
    const more = count === PICKED_MAX ? ' Draw an area for more.' : ''
    const text = count === 0 ? '' : `${count} ${count === 1 ? 'parcel' : 'parcels'} chosen.${more}`
    show(text, new URLSearchParams([...picked].map((one) => ['id', one])))
  }

  /** Chooses what lies in a drawn area. @param {string} polygon an encoded polyline */
  async function pickArea(polygon) {
    const query = new URLSearchParams(filters)
    query.set('polygon', polygon)
    const { ids, total, areaSqMiles } = await ask(`/area.json?${query}`)
    picked = new Set(ids)
    isArea = true
    const size =
      areaSqMiles < 0.1
        ? `${Math.round(areaSqMiles * 640)} acres`
        : `${areaSqMiles.toFixed(1)} sq mi`
    const kind = filters === '' ? 'in the area' : 'in the area meet the filters'
    show(
      `${total.toLocaleString('en-US')} ${total === 1 ? 'parcel' : 'parcels'} ${kind} (${size}).`,
      query,
    )
  }

  /** @param {string} text @param {URLSearchParams} query */
  function show(text, query) {
    markChosen(map, [...picked])
    bar.hidden = text === ''
    said.textContent = text
    if (table) table.href = `/selection?${query}`
    if (csv) csv.href = `/selection.csv?${query}`
    for (const link of [table, csv]) if (link) link.hidden = picked.size === 0
  }
}
