/**
 * Colours parcels by one of their properties: numbers by quantiles of all that is loaded, words by
 * the commonest of those in view.
 */

const CLASSES = 6

/**
 * Where the second and later classes begin, the least value, and the number of parcels with one.
 * @typedef {{ cuts: number[], least: number, parcels: number }} Classes
 */

/** Quantiles of numbers; `undefined` without any. @param {(number | null)[]} numbers */
export function classesOf(numbers) {
  const sorted = numbers.filter((one) => one != null).toSorted((one, other) => one - other)
  if (sorted.length === 0) return undefined
  const [least] = sorted
  const cuts = Array.from(
    { length: CLASSES - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / CLASSES)],
  )
  return { cuts: [...new Set(cuts)].filter((cut) => cut > least), least, parcels: sorted.length }
}

/** @typedef {{ name: string, title: string, show(value: number): string }} Mode */

const dollars = (/** @type {number} */ value) => `$${Math.round(value).toLocaleString('en-US')}`

/** The use and the owner are texts; the others are numbers. */
export const MODES = [
  { name: 'value', title: 'value', show: dollars },
  { name: 'use', title: 'use', show: String },
  { name: 'valuePerAcre', title: 'value per acre', show: dollars },
  { name: 'saleYear', title: 'year of the last sale', show: String },
  { name: 'yearBuilt', title: 'year built', show: String },
  { name: 'ownerKind', title: 'kind of owner', show: String },
]

/**
 * A MapLibre expression and the lines of its legend.
 * @param {typeof MODES[number]} mode
 * @param {Record<string, any>[]} inView properties of features
 * @param {Record<string, Classes | undefined>} classes by the name of a mode
 * @param {{ scale: string[], kinds: string[], none: string }} palette
 */
export function chooseColours(mode, inView, classes, palette) {
  const own = classes[mode.name]
  if (own !== undefined) return colourNumbers(mode, own, palette)
  const values = inView.map((properties) => properties[mode.name]).filter((value) => value != null)
  if (values.length > 0) return colourKinds(mode.name, values.map(String), palette)
  return { expression: palette.none, legend: [], note: `No parcel in view has a ${mode.title}.` }
}

/**
 * @param {typeof MODES[number]} mode
 * @param {Classes} classes
 * @param {{ scale: string[], none: string }} palette
 */
function colourNumbers({ name, title, show }, { cuts: breaks, least, parcels }, { scale, none }) {
  const steps = breaks.flatMap((cut, at) => [cut, scale[at + 1]])
  const value = ['to-number', factOf(name)]
  const known = breaks.length === 0 ? scale[0] : ['step', value, scale[0], ...steps]
  const legend = [least, ...breaks].map((from, at) => ({
    colour: scale[at],
    text: describeClass(at === 0 ? undefined : show(from), breaks[at], show),
  }))
  const count = parcels.toLocaleString('en-US')
  return {
    expression: ['case', ['==', factOf(name), null], none, known],
    legend,
    note: `Classes are quantiles: sixths of the ${count} loaded parcels with a ${title}.`,
  }
}

/**
 * A line of a legend; `to`: where the next class begins.
 * @param {string | undefined} from
 * @param {number | undefined} to
 * @param {(value: number) => string} show
 */
function describeClass(from, to, show) {
  if (to === undefined) return from === undefined ? 'all' : `${from} and more`
  return from === undefined ? `below ${show(to)}` : `${from} to ${show(to)}`
}

/**
 * @param {string} name
 * @param {string[]} values
 * @param {{ kinds: string[], none: string }} palette
 */
function colourKinds(name, values, { kinds, none }) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const commonest = [...counts].sort((one, other) => other[1] - one[1]).slice(0, CLASSES)
  const pairs = commonest.flatMap(([value], at) => [value, kinds[at]])
  const legend = commonest.map(([text], at) => ({ colour: kinds[at], text }))
  if (counts.size > CLASSES) legend.push({ colour: none, text: 'other' })
  return {
    expression: ['match', ['to-string', factOf(name)], ...pairs, none],
    legend,
    note: 'The commonest in view.',
  }
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
