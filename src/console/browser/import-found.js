/** What the inspection recognised in a file: its layout and county, and what speaks for them. */
import { ask, showError } from './ask.js'
import { element } from './import-elements.js'
import { count } from './import-words.js'
import { listUses } from './mapping-uses.js'

/** Layouts that are offered, and the least that speaks for one. */
const LAYOUTS = 3
const NEAR = 0.3
const SURE = 0.6
/** Counties that are named. */
const COUNTIES = 3

/**
 * @typedef {{ asked: number, found: number }} Counts
 * @typedef {{ name: string, title: string, score: number, usable: number, columns: Counts }} Fit
 */

/**
 * Fills in what was recognised, and lets a person choose another layout.
 * @param {import('./imports.js').View} view
 * @param {any} inspection
 * @param {() => void} changed
 */
export function showFound(view, inspection, changed) {
  const { find, mapping } = view
  const { mapping: known, fits, guesses } = inspection
  const near = fits.filter(({ score }) => score >= NEAR).slice(0, LAYOUTS)
  const current = readName(mapping.value)
  const fit = near.find((/** @type {Fit} */ { name }) => name === current)
  const lines = [
    fit === undefined ? describeDraft(guesses, known) : describeFit(fit),
    ...describePlace(guesses, mapping.value),
  ]
  find('found').replaceChildren(...lines)
  find('layouts').replaceChildren(showLayouts(view, inspection, near, changed))
  fillPlace(view, guesses)
}

/** @param {Fit} fit */
function describeFit({ title, name, columns, usable }) {
  const line = element('p', 'This is the layout ')
  const counts = `${columns.found} of the ${columns.asked} columns that it reads are here, and `
  line.append(
    element('b', title),
    ` (${name}): ${counts}${percent(usable)} of the rows tried make a parcel.`,
  )
  return line
}

/** @param {any[]} guesses @param {string | null} known */
function describeDraft(guesses, known) {
  const own = guesses.filter(({ section }) => section !== null)
  const sure = own.filter(({ certainty }) => certainty >= SURE).length
  const doubt = own.length - sure
  const start = known === null ? 'No layout is known for this file. ' : ''
  const more = doubt === 0 ? '' : `, ${doubt} more are in doubt`
  return element(
    'p',
    `${start}Its fields were drafted from names and values of its columns: ` +
      `${sure} are likely${more}.`,
  )
}

/** What speaks for state and county; the layout's own columns go before guesses. */
function describePlace(/** @type {any[]} */ guesses, /** @type {string} */ text) {
  const uses = listUses(parse(text))
  return ['state', 'county'].flatMap((place) => {
    const columns = uses.find(({ target }) => target === place)?.columns
    if (columns !== undefined) {
      return element('p', `The ${place} of each row is read from ${columns.join(', ')}.`)
    }
    const guess = guesses.find(({ section, name }) => section === null && name === place)
    if (guess === undefined || guess.why === '' || /command line/.test(guess.why)) return []
    const { value, why, certainty } = guess
    const start = certainty >= SURE ? `The ${place} is` : `Perhaps the ${place} is`
    return element('p', `${start} ${value}: ${why}.`)
  })
}

/**
 * Names the counties that the dry run found in the rows.
 * @param {HTMLElement} found @param {string[]} [counties]
 */
export function showCounties(found, counties = []) {
  found.querySelector('[data-counties]')?.remove()
  if (counties.length === 0) return
  const more = counties.length - COUNTIES
  const names = counties.slice(0, COUNTIES).join('; ')
  const line = element('p', 'Its parcels are in ')
  line.dataset.counties = ''
  line.append(element('b', names), more > 0 ? ` and ${count(more)} more counties.` : '.')
  found.append(line)
}

/** @param {import('./imports.js').View} view @param {any[]} guesses */
function fillPlace({ place }, guesses) {
  for (const { section, name, value, certainty } of guesses) {
    const input = section === null && place.querySelector(`[data-place] input[name="${name}"]`)
    if (input instanceof HTMLInputElement && input.value === '' && certainty >= SURE) {
      input.value = String(value)
    }
  }
}

/**
 * @param {import('./imports.js').View} view
 * @param {any} inspection
 * @param {Fit[]} near
 * @param {() => void} changed
 */
function showLayouts(view, inspection, near, changed) {
  const label = element('label', 'Layout ')
  const select = document.createElement('select')
  const options = near.map(
    ({ name, title, score }) => new Option(`${title} (${name}), ${percent(score)}`, name),
  )
  select.append(new Option('Drafted from this file', ''), ...options)
  const current = readName(view.mapping.value)
  select.value = near.some(({ name }) => name === current) ? current : ''
  select.addEventListener('change', async () => {
    try {
      const chosen =
        select.value === ''
          ? JSON.stringify(inspection.draft, null, 2)
          : (await ask(`/imports/layouts/${select.value}`)).mapping
      view.mapping.value = chosen
      showFound(view, inspection, changed)
      changed()
    } catch (error) {
      showError(view.state, error)
    }
  })
  label.append(select)
  return label
}

/** @param {string} text */
function readName(text) {
  return parse(text).name ?? ''
}

/** @param {string} text of a mapping @returns {any} */
function parse(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** @param {number} share */
function percent(share) {
  return `${Math.floor(share * 100)}\u00a0%`
}
