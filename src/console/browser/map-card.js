/** The card of a parcel, and the table of those in view. */

const ROWS_MAX = 200

const card = /** @type {HTMLElement} */ (document.querySelector('#card'))
const inView = /** @type {HTMLElement} */ (document.querySelector('#in-view'))
const opener = /** @type {HTMLElement | null} */ (document.querySelector('#as-table'))

opener?.addEventListener('click', () => {
  inView.hidden = !inView.hidden
  opener.setAttribute('aria-expanded', String(!inView.hidden))
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') card.hidden = true
})

/** Shows the record of a parcel in words. @param {string} propertyId */
export async function showCard(propertyId) {
  const response = await fetch(`/card.json?${new URLSearchParams({ id: propertyId })}`, {
    headers: { accept: 'application/json' },
  })
  const { title, facts = [], source = '', path = '/', error } = await response.json()
  const list = make('dl', '')
  for (const [term, text] of facts) {
    const line = document.createElement('div')
    line.append(make('dt', term), make('dd', text))
    list.append(line)
  }
  const link = /** @type {HTMLAnchorElement} */ (make('a', 'All of it'))
  link.href = path
  const close = make('button', 'Close')
  close.className = 'quiet'
  close.addEventListener('click', () => {
    card.hidden = true
  })
  const note = make('p', source)
  note.className = 'note'
  card.replaceChildren(make('h2', title ?? error), list, note, link, close)
  card.hidden = false
}

/** @param {Record<string, any>[]} properties @param {boolean} [open] */
export function showTable(properties, open = false) {
  if (open) inView.hidden = false
  const table = document.createElement('table')
  const head = document.createElement('tr')
  for (const title of ['Parcel', 'Use', 'Value']) {
    const cell = make('th', title)
    cell.setAttribute('scope', 'col')
    head.append(cell)
  }
  table.append(head)
  for (const { propertyId, address, use, useCode, value } of properties.slice(0, ROWS_MAX)) {
    const row = document.createElement('tr')
    const chooser = make('button', address ?? propertyId)
    chooser.className = 'quiet'
    chooser.addEventListener('click', () =>
      document.dispatchEvent(new CustomEvent('show-parcel', { detail: propertyId })),
    )
    const name = make('th', '')
    name.setAttribute('scope', 'row')
    name.append(chooser)
    const price = value == null ? '–' : `$${Number(value).toLocaleString('en-US')}`
    row.append(name, make('td', use ?? useCode ?? '–'), make('td', price))
    table.append(row)
  }
  const summary =
    properties.length === 0
      ? 'No parcel is in view; go nearer or elsewhere.'
      : `${properties.length} parcels in view`
  inView.replaceChildren(make('p', summary), ...(properties.length === 0 ? [] : [table]))
}

/** @param {string} name @param {string} text */
function make(name, text) {
  const element = document.createElement(name)
  element.textContent = text
  return element
}
