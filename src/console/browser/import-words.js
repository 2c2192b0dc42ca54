/** Sentences of the page of a dropped file. */

/** Rewords a sentence of the command line for this page. @param {string} error */
export function wordForPage(error) {
  const text = error
    .replaceAll(/\S*\/console\/\w+\/file\//g, '')
    .replace(/: give --(county|state) .*/, ': fill in the $1 below and press Read again')
    .replace(/^this roll was not loaded: /, '')
    .replace(/give --epsg CODE/, 'add its "epsg" to the mapping as text')
    .replace(/load it with --force/, 'tick “load it in spite of the warning”')
    .replace(/with --partial/, 'tick “a part of the roll”')
    .replaceAll('--force', '“in spite of the warning”')
  // A sentence may begin with the name of a file.
  const first = /^[a-z]+\s/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** @param {number} number */
export function count(number) {
  return number.toLocaleString('en-US')
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
  refused,
}) {
  const kept = `${count(unchanged)} as they were, ${count(removed)} removed`
  const parcels = `${count(loaded)} parcels new, ${count(updated)} changed, ${kept}`
  const left = `${count(rejected)} rows rejected, ${count(skipped)} skipped`
  const counts = `${count(rows)} rows: ${parcels}; ${left}.`
  return refused == null
    ? `${counts} Nothing was changed yet.`
    : `${counts} An import would be refused: ${wordForPage(refused)}`
}
