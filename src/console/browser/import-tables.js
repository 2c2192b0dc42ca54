/** Tables of an import: columns with the field that each fills, and parcels before and after. */

const SHOWN_PARCELS = 3

/** @typedef {{ name: string, type: string, fill: number, samples: string[] }} Column */

/**
 * @param {HTMLElement} place
 * @param {{ rows: number, columns: Column[], warnings: string[] }} inspection
 * @param {string[]} fields
 * @param {HTMLTextAreaElement} mapping
 * @param {() => void} changed
 */
export function showColumns(place, { rows, columns, warnings }, fields, mapping, changed) {
  const table = makeTable(['Column', 'Kind', 'Such as', 'Filled', 'Field'])
  for (const { name, type, fill, samples } of columns) {
    const select = document.createElement('select')
    select.setAttribute('aria-label', `Field of the column ${name}`)
    const { field, otherwise } = useOf(mapping, name)
    const choices = fields.map((one) => new Option(showField(one), one))
    select.append(new Option(otherwise, ''), ...choices)
    select.value = field
    select.addEventListener('change', () => {
      if (assign(mapping, name, select.value)) changed()
      else select.value = field
    })
    const cells = [type, samples.slice(0, 2).join(' · '), `${Math.round(fill * 100)}\u00a0%`]
    const row = addRow(table, name, [...cells, select])
    row.cells[3].className = 'number'
  }
  const counts = `${rows.toLocaleString('en-US')} rows, ${columns.length} columns.`
  const note = element('p', `${counts} Check which field each column fills.`)
  note.className = 'note'
  table.tHead?.rows[0].cells[3].classList.add('number')
  place.replaceChildren(note, ...warnings.map((text) => element('p', text)), scroll(table))
}

/** `totalMarketValue` → `total market value`, as on the other pages. @param {string} name */
function showField(name) {
  return name
    .replace(/([a-z])([A-Z\d])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(?:id|zip|fips)\b/g, (word) => word.toUpperCase())
}

/** @param {HTMLElement} place @param {any} result of a dry run */
export function showPreview(place, { parcels, warnings, reasons, rejected }) {
  const shown = parcels.slice(0, SHOWN_PARCELS)
  const blocks = shown.map((/** @type {any} */ { before, after }, /** @type {number} */ at) => {
    const table = makeTable(['Field', 'Value'])
    for (const [name, value] of after) addRow(table, showField(name), [String(value)])
    const details = document.createElement('details')
    const row = makeTable(['Column', 'Value'])
    for (const [name, value] of before) addRow(row, name, [String(value)])
    details.append(element('summary', 'The row it comes from'), row)
    // The first one open, so that what follows is not far below.
    const block = document.createElement('details')
    block.className = 'card'
    block.open = at === 0
    block.append(element('summary', `Parcel ${at + 1} of ${shown.length}`), table, details)
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

/**
 * The field that a column fills alone, and what stands where it fills none: that it is a part of a
 * field, or that all rows have the one state or county of the mapping.
 * @param {HTMLTextAreaElement} mapping
 * @param {string} column
 */
function useOf(mapping, column) {
  const { fields = {}, state, county } = readMapping(mapping)
  const used = Object.entries(fields).filter(([name]) => !name.startsWith('//'))
  const field = used.find(([, value]) => value?.column === column)?.[0] ?? ''
  const part = used.find(([, value]) => mentions(value, column))?.[0]
  const place = { state, county }[column.toLowerCase()]
  if (part !== undefined) return { field, otherwise: `part of ${showField(part)}` }
  return { field, otherwise: place === undefined ? '–' : `${place} in all rows` }
}

/** @param {any} value @param {string} column @returns {boolean} */
function mentions(value, column) {
  if (value === column) return true
  return value !== null && typeof value === 'object'
    ? Object.values(value).some((inner) => mentions(inner, column))
    : false
}

/**
 * The column fills this field and no other; a field has one column. Gives whether the mapping could
 * be read.
 * @param {HTMLTextAreaElement} mapping @param {string} column @param {string} field
 */
function assign(mapping, column, field) {
  const document = readMapping(mapping)
  if (document.fields === undefined) return false
  const fields = { ...document.fields }
  for (const name of Object.keys(fields)) {
    if (!name.startsWith('//') && fields[name]?.column === column) delete fields[name]
  }
  if (field !== '') fields[field] = { column }
  mapping.value = JSON.stringify({ ...document, fields }, null, 2)
  return true
}

/**
 * Reads the mapping; an object without fields while the edited text is not JSON.
 * @param {HTMLTextAreaElement} mapping
 */
function readMapping({ value }) {
  try {
    return JSON.parse(value) ?? {}
  } catch {
    return {}
  }
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
  return row
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
