/** Shows the card of a parcel, and the table of those in view. */

import { ask, showError } from './ask.js'
import { yearQuery } from './years.js'

const ROWS_MAX = 200

const card = /** @type {HTMLElement} */ (document.querySelector('#card'))
const inView = /** @type {HTMLElement} */ (document.querySelector('#in-view'))
const opener = /** @type {HTMLElement | null} */ (document.querySelector('#as-table'))

/** Where the focus was when the card opened. @type {Element | null} */
let cameFrom = null

/** @param {boolean} isOpen */
function openTable(isOpen) {
  inView.hidden = !isOpen
  opener?.setAttribute('aria-expanded', String(isOpen))
}

opener?.addEventListener('click', () => openTable(inView.hidden))

// Escape closes what was opened last and restores the focus.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  if (!card.hidden) closeCard()
  else if (!inView.hidden && opener !== null) {
    openTable(false)
    opener.focus()
  }
})

function closeCard() {
  card.hidden = true
  if (!(cameFrom instanceof HTMLElement)) return
  // The table may have been rebuilt while the card was open.
  const place = cameFrom.isConnected ? cameFrom : chooserOf(cameFrom.dataset.id)
  ;(place ?? opener)?.focus()
}

/** The table's button for a parcel. @param {string | undefined} propertyId */
function chooserOf(propertyId) {
  const choosers = /** @type {NodeListOf<HTMLElement>} */ (inView.querySelectorAll('[data-id]'))
  return [...choosers].find(({ dataset }) => dataset.id === propertyId)
}

/** Shows the record of a parcel in words. @param {string} propertyId */
export async function showCard(propertyId) {
  if (!card.contains(document.activeElement)) cameFrom = document.activeElement
  try {
    fillCard(await ask(`/card.json?${new URLSearchParams({ id: propertyId })}&${yearQuery()}`))
  } catch (error) {
    const line = make('p', '')
    card.replaceChildren(line, closer())
    showError(line, error)
  }
  card.hidden = false
  card.focus()
}

function closer() {
  const close = make('button', 'Close')
  close.className = 'quiet'
  close.addEventListener('click', closeCard)
  return close
}

/** @param {{ title: string, facts: [string, string][], source: string, path: string }} record */
function fillCard({ title, facts, source, path }) {
  const list = make('dl', '')
  for (const [term, text] of facts) {
    const line = document.createElement('div')
    line.append(make('dt', term), make('dd', text))
    list.append(line)
  }
  const link = /** @type {HTMLAnchorElement} */ (make('a', 'The whole record'))
  link.href = path
  const note = make('p', source)
  note.className = 'note'
  const ways = document.createElement('p')
  ways.className = 'ways'
  link.className = 'button'
  ways.append(link, closer())
  card.replaceChildren(make('h2', title), list, note, ways)
}

/** @param {Record<string, any>[]} properties @param {boolean} [open] */
export function showTable(properties, open = false) {
  if (open) openTable(true)
  const table = document.createElement('table')
  const head = document.createElement('tr')
  for (const title of ['Parcel', 'Use', 'Value']) {
    const cell = make('th', title)
    cell.setAttribute('scope', 'col')
    if (title === 'Value') cell.className = 'number'
    head.append(cell)
  }
  table.append(head)
  for (const { propertyId, address, use, useCode, value } of properties.slice(0, ROWS_MAX)) {
    const row = document.createElement('tr')
    const chooser = make('button', address ?? propertyId)
    chooser.className = 'quiet'
    chooser.dataset.id = propertyId
    chooser.addEventListener('click', () =>
      document.dispatchEvent(new CustomEvent('show-parcel', { detail: propertyId })),
    )
    const name = make('th', '')
    name.setAttribute('scope', 'row')
    name.append(chooser)
    const price = value == null ? '–' : `$${Number(value).toLocaleString('en-US')}`
    const cell = make('td', price)
    cell.className = 'number'
    row.append(name, make('td', use ?? useCode ?? '–'), cell)
    table.append(row)
  }
  const summary =
    properties.length === 0
      ? 'No parcel is in view; go nearer or elsewhere.'
      : `${properties.length.toLocaleString('en-US')} parcels in view${
          properties.length > ROWS_MAX ? `, the first ${ROWS_MAX} of them here` : ''
        }`
  const focused = /** @type {HTMLElement | null} */ (inView.querySelector(':focus'))
  inView.replaceChildren(make('p', summary), ...(properties.length === 0 ? [] : [table]))
  if (focused !== null) (chooserOf(focused.dataset.id) ?? opener)?.focus()
}

/** @param {string} name @param {string} text */
function make(name, text) {
  const element = document.createElement(name)
  element.textContent = text
  return element
}
