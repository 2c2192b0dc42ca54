/** Which fields of a mapping a column feeds, in which step, and changes of that. Pure. */

/**
 * One place of a mapping that takes a value: `fields.city`, `buildings.0.yearBuilt`,
 * `alternateParcelIds.0`, `point.x`.
 *
 * @typedef {{ path: (string | number)[], target: string, value: any, columns: string[] }} Use
 *   `target`: what a person chooses: `city`, `buildings.yearBuilt`, `transfers2.transferDate`,
 *   `alternateParcelIds`; `''` for what is only changed in the mapping's text.
 */

const SETS = ['buildings', 'transfers']
const LISTS = ['alternateParcelIds', 'furtherAddresses']
const STEPS = ['join', 'first', 'sum']

/** Lists what takes a value in a mapping. @param {any} mapping @returns {Use[]} */
export function listUses(mapping) {
  /** @type {Use[]} */
  const uses = []
  const add = (/** @type {any[]} */ path, /** @type {string} */ target, /** @type {any} */ value) =>
    uses.push({ path, target, value, columns: columnsOf(value) })
  for (const [name, value] of entries(mapping.fields)) add(['fields', name], name, value)
  for (const set of SETS) {
    for (const [at, item] of (mapping[set] ?? []).entries()) {
      const section = at === 0 ? set : `${set}${at + 1}`
      for (const [name, value] of entries(item)) add([set, at, name], `${section}.${name}`, value)
    }
  }
  for (const list of LISTS) {
    for (const [at, value] of (mapping[list] ?? []).entries()) add([list, at], list, value)
  }
  for (const axis of ['x', 'y']) {
    if (mapping.point?.[axis] !== undefined) add(['point', axis], '', mapping.point[axis])
  }
  for (const [at, { value }] of (mapping.skip ?? []).entries()) add(['skip', at], '', value)
  for (const rule of [mapping.join ?? []].flat()) {
    add(['join'], '', { join: [rule.key, rule.to, ...rule.needs] })
  }
  const prefer = mapping.repeats?.prefer
  if (prefer !== undefined) add(['repeats', 'prefer'], '', prefer.column)
  return uses.filter(({ columns }) => columns.length > 0)
}

/** @param {string | null} section of a guess */
export function isList(section) {
  return LISTS.includes(section ?? '')
}

/** Names what only the text of the mapping can change. @param {Use} use */
export function nameTarget({ target, path }) {
  if (target !== '') return target
  const [first, second] = path
  if (first === 'point') return `${second} of the point`
  if (first === 'skip') return 'which rows are skipped'
  return first === 'join' ? 'the key of a joined file' : 'which row of a parcel comes first'
}

/**
 * How a column becomes a part of a value, in words: `joined with OWNER_LAST`, `× 0.5`; `''` for a
 * column that is taken as it is.
 *
 * @param {any} value @param {string} column @returns {string}
 */
export function describeStep(value, column) {
  if (typeof value === 'string') return ''
  const words = []
  for (const step of STEPS) {
    const parts = value[step]
    if (parts === undefined) continue
    const at = parts.findIndex((/** @type {any} */ part) => columnsOf(part).includes(column))
    if (at < 0) continue
    const others = columnsOf(parts.toSpliced(at, 1)).join(', ')
    if (others !== '') words.push(describeParts(step, at, others))
    words.push(describeStep(parts[at], column))
  }
  if (value.when !== undefined && columnsOf(value.when).includes(column)) {
    words.push('only where it is known')
  }
  if (typeof value.unit === 'object' && columnsOf(value.unit).includes(column)) {
    words.push(`the unit of ${columnsOf(value.column).join(', ')}`)
  } else words.push(...describeChange(value))
  return words.filter((word) => word !== '').join(', ')
}

/** @param {string} step @param {number} at @param {string} others */
function describeParts(step, at, others) {
  if (step === 'sum') return `added to ${others}`
  if (step === 'join') return `${at === 0 ? 'followed by' : 'after'} ${others}`
  return at === 0 ? `before ${others}` : `where ${others} is empty`
}

/** @param {any} value @returns {string[]} */
function describeChange({ cut, replace, codes, cases, times, date, unit }) {
  const size = codes === undefined ? 0 : entries(codes).length
  return [
    cut === undefined ? '' : 'a part of it',
    replace === undefined ? '' : 'with words replaced',
    size === 0 ? '' : `by a table of ${size} ${size === 1 ? 'code' : 'codes'}`,
    cases === undefined ? '' : `by ${cases.length === 1 ? 'a pattern' : 'patterns'}`,
    times === undefined ? '' : `× ${times}`,
    date === undefined || date === 'auto' ? '' : `a date as ${date}`,
    typeof unit === 'string' ? `in ${unit}` : '',
  ]
}

/**
 * The columns that a value reads, each once. `column` may be a list of names of one column, of
 * which the file has one.
 *
 * @param {any} value @returns {string[]}
 */
export function columnsOf(value) {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return [...new Set(value.flatMap(columnsOf))]
  if (value === null || typeof value !== 'object') return []
  const { column, when, unit } = value
  const inner = [...STEPS.map((step) => value[step]), when, typeof unit === 'object' ? unit : []]
  return [...new Set([column ?? [], ...inner].flat().flatMap(columnsOf))]
}

/**
 * A value without one of its columns; `undefined` when nothing is left of it. A rule that reads the
 * column by several names loses it.
 *
 * @param {any} value @param {string} column @returns {any}
 */
export function withoutColumn(value, column) {
  if (typeof value === 'string') return value === column ? undefined : value
  if ([value.column ?? []].flat().includes(column)) return undefined
  const left = { ...value }
  for (const step of STEPS) {
    if (value[step] === undefined) continue
    left[step] = value[step]
      .map((/** @type {any} */ part) => withoutColumn(part, column))
      .filter((/** @type {any} */ part) => part !== undefined)
    if (left[step].length === 0) return undefined
  }
  for (const name of ['when', 'unit']) {
    if (columnsOf(left[name] ?? []).includes(column)) delete left[name]
  }
  return left
}

/**
 * A mapping in which a column does not feed a place any more.
 *
 * @param {any} mapping @param {Use} use @param {string} column
 */
export function clear(mapping, { path, value }, column) {
  const left = withoutColumn(value, column)
  const [section, at, name] = path
  if (section === 'fields') return { ...mapping, fields: put(mapping.fields, at, left) }
  const list =
    name === undefined
      ? mapping[section].toSpliced(at, 1, ...(left === undefined ? [] : [left]))
      : mapping[section].map((/** @type {any} */ item, /** @type {number} */ place) =>
          place === at ? put(item, name, left) : item,
        )
  const filled = list.filter(
    (/** @type {any} */ item) => typeof item === 'string' || entries(item).length > 0,
  )
  return put(mapping, section, filled.length === 0 ? undefined : filled)
}

/**
 * A mapping in which a column feeds a target. `how`: beside what fills it now.
 *
 * @param {any} mapping @param {string} target @param {string} column
 * @param {'instead' | 'first' | 'join'} how
 */
export function feed(mapping, target, column, how) {
  const own = { column }
  if (LISTS.includes(target)) return { ...mapping, [target]: [...(mapping[target] ?? []), own] }
  const [section, name] = target.includes('.') ? target.split('.') : ['fields', target]
  const now = valueAt(mapping, target)
  const bare = withoutNotes(now)
  const value =
    now === undefined || how === 'instead'
      ? own
      : how === 'first'
        ? { first: [bare, own] }
        : { join: [bare, own] }
  if (section === 'fields') return { ...mapping, fields: { ...mapping.fields, [name]: value } }
  const [, set = '', number = '1'] = /^([a-z]+)(\d*)$/i.exec(section ?? '') ?? []
  const items = [...(mapping[set] ?? [])]
  const at = Math.min(Number(number || 1) - 1, items.length)
  items[at] = { ...items[at], [name]: value }
  return { ...mapping, [set]: items }
}

/**
 * What fills a target now; `undefined` for a list, which takes more.
 * @param {any} mapping @param {string} target
 */
export function valueAt(mapping, target) {
  if (LISTS.includes(target)) return undefined
  return listUses(mapping).find((use) => use.target === target)?.value
}

/** @param {any} value */
function withoutNotes(value) {
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(entries(value))
}

/** @param {any} set @param {any} name @param {any} value */
function put(set, name, value) {
  const { [name]: _, ...others } = set
  return value === undefined ? others : { ...set, [name]: value }
}

/** Without comments. @param {any} set @returns {[string, any][]} */
function entries(set) {
  return Object.entries(set ?? {}).filter(([name]) => !name.startsWith('//'))
}
