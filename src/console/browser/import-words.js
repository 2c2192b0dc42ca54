/** Sentences of the page of a dropped file. */
import { addRow, element, makeTable, showField } from './import-elements.js'

/** Rewords a sentence of the command line for this page. @param {string} error */
export function wordForPage(error) {
  const text = error
    .replaceAll(/\S*\/console\/\w+\/file\//g, '')
    .replace(
      /^.* has no (county|state) for .*: give .*/,
      'No column has the $1 of these rows: fill it in below and press Read again',
    )
    .replace(/: give --(county|state) .*/, ': fill in the $1 below and press Read again')
    .replace(/^\S*mapping\.json is not a mapping:/, 'The mapping cannot be used yet:')
    .replace(/line \d+, fields: the property "(\w+)" is missing/, (_, name) => {
      return `no column feeds the ${showField(name)}, so choose one below`
    })
    .replace(/^this roll was not loaded: /, '')
    .replace(/the same command begins again$/, 'press Import to begin again')
    .replace(/If a character separates its values, .*; else ask/, 'Ask')
    .replace(/give --epsg CODE/, 'add its "epsg" to the mapping as text')
    .replace(/Give --epsg (\d+), or/, 'It is in the mapping as text, as "epsg"; mend it there to')
    .replace(/county, the projection or a sign is wrong/, '$&: mend it and press Read again')
    .replace(/load it with --force/, 'tick “load it in spite of the warning”')
    .replace(/with --partial/, 'tick “a part of the roll”')
    .replaceAll('--force', '“in spite of the warning”')
  // A sentence may begin with the name of a file.
  const first = /^[a-z]+:?\s/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** @param {number} number */
export function count(number) {
  return number.toLocaleString('en-US')
}

/** The share of `45 %` in a line of progress, from 0 to 1. @param {string} text */
export function readShare(text) {
  const found = /(\d{1,3})\s?%/.exec(text)
  return found === null ? undefined : Number(found[1]) / 100
}

/**
 * Where the rows of the file went: the lines of the table add up to its rows.
 * @param {HTMLElement} place @param {any} result of a dry run
 */
export function showAccount(place, result) {
  const { rows, loaded, updated, unchanged, removed, duplicates, skipped, rejected } = result
  const { skips, reasons, examples, warnings } = result
  const table = makeTable(['Rows of the file', ''])
  const add = (/** @type {string} */ name, /** @type {number} */ number, more = '') => {
    const row = addRow(table, name, [count(number)])
    row.cells[1].className = 'number'
    if (more !== '') row.cells[0].append(element('small', more))
  }
  const parcels = rows - duplicates - skipped - rejected
  const news = `${count(loaded)} new, ${count(updated)} changed, ${count(unchanged)} as they were`
  add('make a parcel', parcels, news)
  add('repeat another row', duplicates, showLines(examples.duplicates))
  for (const [why, number] of skips)
    add(`skipped: ${why}`, number, showLines(examples.skipped[why]))
  for (const [why, number] of reasons) add(`rejected: ${why}`, number)
  add('in all', rows)
  table.tBodies[0].rows[table.tBodies[0].rows.length - 1].className = 'total'
  place.replaceChildren(table)
  if (removed > 0)
    place.append(
      element('p', `${count(removed)} loaded parcels are not in the file and will be removed.`),
    )
  const rejects = Object.entries(examples.rejected)
  if (rejects.length > 0) place.append(showRejects(rejects))
  if (warnings.length === 0) return
  const list = document.createElement('ul')
  list.append(...warnings.map((/** @type {string} */ text) => element('li', wordForPage(text))))
  place.append(list)
}

/** @param {number[]} [lines] */
function showLines(lines = []) {
  return lines.length === 0 ? '' : `such as line ${lines.map(count).join(', ')}`
}

/** @param {[string, any][]} rejects */
function showRejects(rejects) {
  const details = document.createElement('details')
  details.append(element('summary', 'Rejected rows, the first of each reason'))
  const table = makeTable(['Line', 'Why', 'Row'])
  for (const [why, rows] of rejects) {
    for (const { line, row } of rows) addRow(table, count(line), [why, element('code', row)])
  }
  const box = element('div', '')
  box.className = 'scroll'
  box.tabIndex = 0
  box.append(table)
  details.append(box)
  return details
}

/** What a dry run would change. @param {any} result */
export function describeTry({
  rows,
  loaded,
  updated,
  unchanged,
  removed,
  rejected,
  skipped,
  duplicates,
  refused,
}) {
  const kept = `${count(unchanged)} as they were, ${count(removed)} removed`
  const parcels = `${count(loaded)} parcels new, ${count(updated)} changed, ${kept}`
  const left = `${count(rejected)} rows rejected, ${count(skipped)} skipped`
  const counts = `${count(rows)} rows: ${parcels}; ${left}, ${count(duplicates)} repeated.`
  return refused == null
    ? `${counts} Nothing was changed yet.`
    : `${counts} An import would be refused. ${wordForPage(refused)}`
}
