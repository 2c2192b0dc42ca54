/** Elements that the tables of an import are made of. */

/** `totalMarketValue` → `total market value`, as on the other pages. @param {string} name */
export function showField(name) {
  return name
    .replace(/([a-z])([A-Z\d])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(?:ids?|zip|fips)\b/g, (word) => word.toUpperCase().replace('IDS', 'IDs'))
}

/** @param {string[]} titles */
export function makeTable(titles) {
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const title of titles) {
    const cell = element(title === '' ? 'td' : 'th', title)
    if (title !== '') cell.setAttribute('scope', 'col')
    head.append(cell)
  }
  table.createTBody()
  return table
}

/** @param {HTMLTableElement} table @param {string} title @param {(string | HTMLElement)[]} cells */
export function addRow(table, title, cells) {
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

/** @param {string} name @param {string} text */
export function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
