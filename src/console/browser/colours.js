/**
 * Colours parcels by one of their properties: numbers by quantiles of the county, words by the
 * county's commonest, and changes by fixed shares.
 */

const CLASSES = 6

/**
 * Where the second and later classes begin, the least value, and the number of parcels with one.
 * @typedef {{ cuts: number[], least: number, parcels: number }} Classes
 */

/** Quantiles of numbers; `undefined` without any. @param {(number | null)[]} numbers */
export function classesOf(numbers) {
  const sorted = numbers.filter((one) => one != null).toSorted((one, other) => one - other)
  const [least] = sorted
  if (least === undefined) return undefined
  const cuts = Array.from(
    { length: CLASSES - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / CLASSES)],
  )
  return { cuts: [...new Set(cuts)].filter((cut) => cut > least), least, parcels: sorted.length }
}

/** The commonest first. @typedef {{ value: string, title: string, parcels: number }[]} Kinds */

/**
 * Of a county, by the name of a mode. `lastYear`: the roll to compare values with.
 * @typedef {{ county: string, numbers: Record<string, Classes | undefined>,
 *   kinds: Record<string, Kinds | undefined>, lastYear: string | null }} CountyClasses
 */

/**
 * `words`: of the first and the last class. `unknown`: what is said of parcels without a value.
 * `having`: what the others have, where it is not their title.
 * @typedef {{ name: string, title: string, show(value: number): string,
 *   words?: [before: string, after: string], unknown?: string, having?: string }} Mode
 */

/** @typedef {{ scale: string[], kinds: string[], change: string[], none: string }} Palette */

/** What a layer is coloured with, the lines of the legend, and what the colours mean. */
/** @typedef {{ expression: any, legend: { colour: string, text: string }[], note: string }} Look */

const dollars = (/** @type {number} */ value) => `$${Math.round(value).toLocaleString('en-US')}`
const percent = (/** @type {number} */ value) => `${value} %`

/** @type {[string, string]} */
const YEARS = ['before', 'and later']

/** @type {Mode[]} */
export const MODES = [
  { name: 'value', title: 'value', show: dollars },
  { name: 'use', title: 'use', show: String },
  { name: 'valuePerAcre', title: 'value per acre', show: dollars },
  { name: 'change', title: 'change since last year', show: String, unknown: 'not in both rolls' },
  {
    ...{ name: 'ratio', title: 'ratio of value to sale price', show: percent },
    unknown: 'no sale to compare',
  },
  { name: 'saleYear', title: 'year of the last sale', show: String, words: YEARS },
  { name: 'yearBuilt', title: 'year built', show: String, words: YEARS },
  { name: 'ownerKind', title: 'kind of owner', show: String },
  {
    ...{ name: 'absentee', title: 'where the owner lives', show: String },
    having: 'an owner whose address is known',
  },
]

/** Modes whose numbers dots have the mean of. @param {string} mode */
export const hasMean = (mode) => !['use', 'change', 'ownerKind', 'absentee'].includes(mode)

/** Shares of the value at which the classes of a change begin. */
const CHANGES = [-0.1, -0.005, 0.005, 0.05, 0.1]
const CHANGE_TEXTS = [
  ...['fell by 10 % or more', 'fell', 'as before', 'rose by less than 5 %'],
  ...['rose by 5 to 10 %', 'rose by 10 % or more'],
]

/**
 * Returns how parcels are coloured.
 * @param {Mode} mode @param {CountyClasses} classes @param {Palette} palette @returns {Look}
 */
export function chooseColours(mode, classes, palette) {
  const { name } = mode
  if (name === 'change') return colourChanges(classes, palette)
  const numbers = classes.numbers[name]
  if (numbers !== undefined) return colourNumbers(mode, numbers, classes.county, palette)
  const kinds = classes.kinds[name]
  if (kinds !== undefined) return colourKinds(mode, kinds, classes.county, palette)
  const note = `No parcel of ${classes.county} has ${nameHaving(mode)}.`
  return { expression: colourAll(name, palette.none), legend: [], note }
}

/**
 * The legend with a line for parcels without a value; `colour`: theirs.
 * @param {Mode} mode @param {Look} look @param {string} colour
 */
export function completeLegend({ unknown = 'not known' }, { legend }, colour) {
  const last = legend.at(-1)
  if (last === undefined) return []
  // Kinds that are not listed have the same colour.
  if (last.colour === colour)
    return [...legend.slice(0, -1), { colour, text: `other or ${unknown}` }]
  return [...legend, { colour, text: unknown }]
}

/** Returns how dots are coloured. @param {Look} look @param {Mode} mode @param {string} plain */
export function dotColours({ expression, legend }, { name }, plain) {
  if (!hasMean(name) || legend.length === 0) return plain
  const [, , none, known] = expression
  const steps = Array.isArray(known) ? ['step', ['get', 'mean'], ...known.slice(2)] : known
  return ['case', ['has', 'mean'], steps, none]
}

/** @param {Mode} mode */
const nameHaving = ({ title, having = `a ${title}` }) => having
const nameThose = (/** @type {Mode} */ mode, /** @type {string} */ county) =>
  `parcels of ${county} with ${nameHaving(mode)}`

/** @param {Mode} mode @param {Classes} classes @param {string} county @param {Palette} palette */
function colourNumbers(mode, classes, county, { scale, none }) {
  const { name, show, words } = mode
  const { cuts, least, parcels } = classes
  const steps = cuts.flatMap((cut, at) => [cut, scale[at + 1]])
  const value = ['to-number', factOf(name)]
  const known = cuts.length === 0 ? scale[0] : ['step', value, scale[0], ...steps]
  const legend = [least, ...cuts].map((from, at) => ({
    colour: scale[at] ?? none,
    text: describeClass(at === 0 ? undefined : from, cuts[at], show, words),
  }))
  const count = parcels.toLocaleString('en-US')
  return {
    expression: ['case', ['==', factOf(name), null], none, known],
    legend,
    note: `Classes are quantiles: sixths of the ${count} ${nameThose(mode, county)}.`,
  }
}

/**
 * A line of a legend; `to`: where the next class begins.
 * @param {number | undefined} from
 * @param {number | undefined} to
 * @param {(value: number) => string} show
 * @param {[string, string]} [words]
 */
function describeClass(from, to, show, [below, above] = ['below', 'and more']) {
  if (to === undefined) return from === undefined ? 'all' : `${show(from)} ${above}`
  return from === undefined ? `${below} ${show(to)}` : `${show(from)} to ${show(to)}`
}

/** @param {Mode} mode @param {Kinds} kinds @param {string} county @param {Palette} palette */
function colourKinds(mode, kinds, county, { kinds: colours, none }) {
  const { name } = mode
  const commonest = kinds.slice(0, CLASSES)
  const pairs = commonest.flatMap(({ value }, at) => [value, colours[at]])
  const all = kinds.reduce((sum, { parcels }) => sum + parcels, 0)
  const share = (/** @type {number} */ parcels) => {
    const rounded = Math.round((100 * parcels) / all)
    return rounded === 0 ? 'under 1 %' : `${rounded} %`
  }
  const legend = commonest.map(({ title: text, parcels }, at) => ({
    colour: colours[at] ?? none,
    text: `${text}, ${share(parcels)}`,
  }))
  if (kinds.length > CLASSES) legend.push({ colour: none, text: 'other' })
  const value = ['to-string', factOf(name === 'use' ? 'useCode' : name)]
  return {
    expression: ['match', value, ...pairs, none],
    legend,
    note: `Shares of the ${all.toLocaleString('en-US')} ${nameThose(mode, county)}.`,
  }
}

/** @param {CountyClasses} classes @param {Palette} palette */
function colourChanges({ county, lastYear }, { change, none }) {
  if (lastYear === null) {
    const note = `Only one roll of ${county} is loaded, so nothing can be compared.`
    return { expression: colourAll('change', none), legend: [], note }
  }
  const steps = CHANGES.flatMap((from, at) => [from, change[at + 1]])
  const known = ['step', ['to-number', factOf('change')], change[0], ...steps]
  return {
    expression: ['case', ['==', factOf('change'), null], none, known],
    legend: CHANGE_TEXTS.map((text, at) => ({ colour: change[at] ?? none, text })),
    note: `The value, compared with ${county}'s roll of ${lastYear}. The classes are fixed.`,
  }
}

/**
 * One colour for all parcels, in the form of an expression: MapLibre fails when a fact of a parcel
 * comes after the colour of its layer became a plain one.
 * @param {string} name @param {string} colour
 */
function colourAll(name, colour) {
  return ['case', ['==', factOf(name), null], colour, colour]
}

/**
 * Reads a fact fetched for a tile's feature, or the feature's own property. @param {string} name
 */
function factOf(name) {
  return ['coalesce', ['feature-state', name], ['get', name]]
}

/**
 * Shows each colour of a map with its meaning.
 * @param {Element | null} list
 * @param {{ colour: string, text: string }[]} legend
 */
export function showLegend(list, legend) {
  list?.replaceChildren(
    ...legend.map(({ colour, text }) => {
      const item = document.createElement('li')
      const swatch = document.createElement('i')
      swatch.style.backgroundColor = colour
      item.append(swatch, text)
      return item
    }),
  )
}
