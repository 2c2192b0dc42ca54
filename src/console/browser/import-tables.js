/** Tables of an import: columns with the field that each fills, and parcels before and after. */

const SHOWN_PARCELS = 3

/**
 * @param {HTMLElement} place
 * @param {{ name: string, type: string, fill: number, samples: string[] }[]} columns
 * @param {string[]} fields
 * @param {HTMLTextAreaElement} mapping
 * @param {() => void} changed
 */
export function showColumns(place, columns, fields, mapping, changed) {
  const table = makeTable(['Column', 'Kind', 'Filled', 'Such as', 'Field'])
  for (const { name, type, fill, samples } of columns) {
    const select = document.createElement('select')
    select.setAttribute('aria-label', `Field of the column ${name}`)
    select.append(new Option('–', ''), ...fields.map((field) => new Option(field, field)))
    select.value = fieldOf(mapping, name)
    select.addEventListener('change', () => {
      assign(mapping, name, select.value)
      changed()
    })
    const cells = [type, `${Math.round(fill * 100)}\u00a0%`, samples.slice(0, 2).join(' · ')]
    addRow(table, name, [...cells, select])
  }
  place.replaceChildren(scroll(table))
}

/** @param {HTMLElement} place @param {any} result of a dry run */
export function showPreview(place, { parcels, warnings, reasons, rejected }) {
  const blocks = parcels.slice(0, SHOWN_PARCELS).map((/** @type {any} */ { before, after }) => {
    const table = makeTable(['Field', 'Value'])
    for (const [name, value] of after) addRow(table, name, [String(value)])
    const details = document.createElement('details')
    const row = makeTable(['Column', 'Value'])
    for (const [name, value] of before) addRow(row, name, [String(value)])
    details.append(element('summary', 'The row it comes from'), row)
    const block = document.createElement('div')
    block.className = 'card'
    block.append(table, details)
    return block
  })
  const notes = [
    ...warnings,
    ...reasons.map((/** @type {any} */ [why, count]) => `${count} × rejected: ${why}`),
  ]
  const list = document.createElement('ul')
  list.append(...notes.map((text) => element('li', text)))
  if (rejected === 0 && notes.length === 0) list.append(element('li', 'No row was rejected.'))
  place.replaceChildren(list, ...blocks)
}

/** @param {HTMLTextAreaElement} mapping @param {string} column */
function fieldOf(mapping, column) {
  const { fields = {}, county } = JSON.parse(mapping.value)
  if (county?.column === column) return 'county'
  return (
    Object.keys(fields).find((name) => !name.startsWith('//') && fields[name]?.column === column) ??
    ''
  )
}

/**
 * The column fills this field and no other; a field has one column.
 * @param {HTMLTextAreaElement} mapping @param {string} column @param {string} field
 */
function assign(mapping, column, field) {
  const document = JSON.parse(mapping.value)
  const fields = { ...document.fields }
  for (const name of Object.keys(fields)) {
    if (!name.startsWith('//') && fields[name]?.column === column) delete fields[name]
  }
  if (field !== '') fields[field] = { column }
  mapping.value = JSON.stringify({ ...document, fields }, null, 2)
}

/** @param {string[]} titles */
function makeTable(titles) {
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const title of titles) {
    const cell = element('th', title)
    cell.setAttribute('scope', 'col')
    head.append(cell)
  }
  table.createTBody()
  return table
}

/** @param {HTMLTableElement} table @param {string} title @param {(string | HTMLElement)[]} cells */
function addRow(table, title, cells) {
  const row = table.tBodies[0].insertRow()
  const head = element('th', title)
  head.setAttribute('scope', 'row')
  row.append(head)
  for (const cell of cells) {
    const place = document.createElement('td')
    place.append(cell)
    row.append(place)
  }
}

/** @param {HTMLElement} content */
function scroll(content) {
  const box = document.createElement('div')
  box.className = 'scroll'
  box.tabIndex = 0
  box.append(content)
  return box
}

/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
