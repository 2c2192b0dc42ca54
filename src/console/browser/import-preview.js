/** Parcels of a dry run. */
import { addRow, element, makeTable, showField } from './import-elements.js'

/** Fields of a served parcel that only the load sets. */
const UNSET = new Set(['_id', 'siteId', 'lastUpdated', 'updatedAt', 'createdAt'])

/**
 * Parcels as the service will answer them, each next to the row that it comes from.
 * @param {HTMLElement} place @param {any} result of a dry run
 */
export function showPreview(place, { parcels }) {
  if (parcels.length === 0) {
    place.replaceChildren(element('p', 'No row makes a parcel yet.'))
    return
  }
  let at = 0
  const count = element('b', '')
  const body = document.createElement('div')
  body.className = 'pair'
  const show = () => {
    count.textContent = `Parcel ${at + 1} of ${parcels.length}`
    const { before, served } = parcels[at]
    const answer = makeTable(['As it is served', ''])
    const filled = Object.entries(served).filter(
      ([name, value]) => !UNSET.has(name) && !isEmpty(value),
    )
    for (const [name, value] of filled) addRow(answer, showField(name), [showValue(value)])
    const row = makeTable(['Its row', ''])
    for (const [name, value] of before) addRow(row, name, [String(value)])
    body.replaceChildren(answer, row)
  }
  const step = (/** @type {string} */ text, /** @type {number} */ by) => {
    const button = element('button', text)
    button.className = 'quiet'
    button.addEventListener('click', () => {
      at = (at + by + parcels.length) % parcels.length
      show()
    })
    return button
  }
  const bar = document.createElement('p')
  bar.className = 'actions'
  bar.append(step('Previous', -1), count, step('Next', 1))
  show()
  place.replaceChildren(bar, body)
}

/** @param {any} value */
function isEmpty(value) {
  return value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}

/** A list of objects has a line for each. @param {any} value @returns {string} */
function showValue(value) {
  if (value === null || typeof value !== 'object') return String(value)
  if (Array.isArray(value)) {
    return value.map(showValue).join(value.some((one) => typeof one === 'object') ? '\n' : ', ')
  }
  return Object.entries(value)
    .filter(([, inner]) => !isEmpty(inner))
    .map(([name, inner]) => `${showField(name)} ${showValue(inner)}`)
    .join(', ')
}
