/**
 * The stored form of a parcel: one text of field values, from which both layouts are rendered by
 * copying.
 *
 * It begins with the *shape*: the present fields by slot, four per hex digit. Then come those
 * fields in the order of their slots, each after a U+001F, as its own JSON text (`"MAIN"`, `1990`,
 * `true`). `null` and empty lists are left out. Lists of objects separate items by U+001D and an
 * item's values by U+001E. None of the three characters occurs in JSON text, so nothing is escaped
 * twice and rendering parses nothing.
 *
 * A new field takes the next slot. Parcels without it keep their text: zeros after the first
 * version's shape and empty values after the first version's items are left out. Figures:
 * docs/decisions/record-and-rendering.md.
 */
import type { FieldType } from './fields.ts'
import { ITEM_PROPERTIES, type ListProperty, type Parcel, STORED_FIELDS } from './parcel.ts'

/** Before each field. */
export const FIELD = '\u001f'
/** Between items of a list. */
export const ITEM = '\u001d'
/** Between the values of an item. */
export const VALUE = '\u001e'

/** Fewest hex digits of a shape: those of the format's first version. */
const SHAPE_MIN = 20
/** Fewest values of an item: those of the format's first version. */
const VALUES_MIN: Record<ListProperty, number> = { buildings: 16, transfers: 10, assessments: 6 }

const NAMES: readonly string[] = STORED_FIELDS.map(([name]) => name)
const TYPES: readonly FieldType[] = STORED_FIELDS.map(([, { type }]) => type)

/** Returns the slot of a field. Throws for one that is not stored. */
export function slotOf(name: string): number {
  const slot = NAMES.indexOf(name)
  if (slot === -1) throw new Error(`${name} is not stored`)
  return slot
}

/**
 * Encodes a parcel as its stored text. Equal parcels give equal texts. An import spends a tenth of
 * its time here. Properties in the order of their slots, as `blankParcel` creates them, are read
 * without looking up names.
 */
export function encodeParcel(parcel: Parcel): string {
  let shape = ''
  // Joined once: text that grows by each part would be three objects a part.
  const parts = ['']
  let digit = 0
  let slot = 0
  for (const name in parcel) {
    if (name !== NAMES[slot]) return encodeParcel(reorder(parcel))
    const value = parcel[name as keyof Parcel]
    // An empty text means the same as null, and code that joins texts treats every text as known.
    if (value !== null && value !== '') {
      const text = typeof value === 'object' ? encodeObject(value, slot) : encodeAt(slot, value)
      if (text !== '') {
        digit |= 1 << (slot & 3)
        parts.push(text)
      }
    }
    slot += 1
    if ((slot & 3) === 0 || slot === NAMES.length) {
      shape += HEX[digit]
      digit = 0
    }
  }
  if (slot !== NAMES.length) return encodeParcel(reorder(parcel))
  parts[0] = trimShape(shape)
  return parts.join(FIELD)
}

const HEX = '0123456789abcdef'

/** The last text of each slot, and as JSON: a roll's neighbours share most of their texts. */
const lastTexts: string[] = NAMES.map(() => '')
const lastEncoded: string[] = NAMES.map(() => '""')

function encodeAt(slot: number, value: string | number | boolean): string {
  if (typeof value !== 'string') return encodeScalar(value)
  if (value === lastTexts[slot]) return lastEncoded[slot] as string
  const encoded = encodeScalar(value)
  lastTexts[slot] = value
  lastEncoded[slot] = encoded
  return encoded
}

function reorder(parcel: Parcel): Parcel {
  const values = parcel as Record<string, unknown>
  return Object.fromEntries(NAMES.map((name) => [name, values[name] ?? null])) as Parcel
}

function trimShape(shape: string): string {
  let end = shape.length
  while (end > SHAPE_MIN && shape[end - 1] === '0') end -= 1
  return end === shape.length ? shape : shape.slice(0, end)
}

/** Decodes a parcel; the inverse of `encodeParcel`. */
export function decodeParcel(stored: string): Parcel {
  const texts = splitFields(stored)
  const entries = STORED_FIELDS.map(([name, { type }], slot) => [
    name,
    decodeField(texts[slot] ?? '', name, type),
  ])
  return Object.fromEntries(entries) as Parcel
}

/** Decodes a few properties of a parcel; decoding all takes some 30 µs. */
export function openFields<Name extends keyof Parcel>(
  names: readonly Name[],
): (stored: string) => Pick<Parcel, Name> {
  const wanted = names.map((name) => ({ name, type: TYPES[slotOf(name)] as FieldType }))
  const readTexts = openTexts(names)
  const blank = makeBlank(names)
  return (stored) => {
    const texts = readTexts(stored)
    const fields = { ...blank }
    for (const { name, type } of wanted) fields[name] = decodeField(texts[name], name, type)
    return fields as Pick<Parcel, Name>
  }
}

/** Cuts a few fields out of a stored text, each as JSON text or `''` for null. */
export function openTexts<Name extends keyof Parcel>(
  names: readonly Name[],
): (stored: string) => Record<Name, string> {
  const wanted = names.map((name) => ({ name, slot: slotOf(name) }))
  wanted.sort((one, other) => one.slot - other.slot)
  const blank = JSON.parse(`{${names.map((name) => `"${name}":""`)}}`) as Record<Name, string>
  return (stored) => {
    const texts = { ...blank }
    let at = stored.indexOf(FIELD)
    if (at === -1) return texts
    const shapeEnd = at
    // Fields before `next`, and the one that begins after `at`.
    let [digit, next, before, reached] = [0, 0, 0, 0]
    for (const { name, slot } of wanted) {
      for (; next <= slot >> 2; next += 1) {
        before += BITS[digit] as number
        digit = next < shapeEnd ? hexAt(stored, next) : 0
      }
      const bit = 1 << (slot & 3)
      if ((digit & bit) === 0) continue
      const position = before + (BITS[digit & (bit - 1)] as number)
      for (; reached < position; reached += 1) at = stored.indexOf(FIELD, at + 1)
      const end = stored.indexOf(FIELD, at + 1)
      texts[name] = stored.slice(at + 1, end === -1 ? undefined : end)
    }
    return texts
  }
}

const BITS = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]

function hexAt(shape: string, at: number): number {
  const code = shape.charCodeAt(at)
  return code < 0x3a ? code - 0x30 : code - 0x57
}

/** Returns an object to copy. V8 keeps one that is built by single assignments in a slower form. */
export function makeBlank(names: readonly string[]): Record<string, unknown> {
  return JSON.parse(`{${names.map((name) => `"${name}":null`)}}`)
}

/**
 * Returns the `propertyId` of a stored text without decoding it: FIPS code, municipality and parcel
 * ID are its first three slots. Takes under 1 µs.
 */
export function propertyIdOf(stored: string): string {
  const shape = Number.parseInt(stored.charAt(0), 16)
  let from = stored.indexOf(FIELD) + 1
  const next = () => {
    const end = stored.indexOf(FIELD, from)
    const text = stored.slice(from, end === -1 ? undefined : end)
    from = end + 1
    return text
  }
  const fips = next().padStart(5, '0')
  const municipality = (shape & 2) === 0 ? '' : `${toText(next())}-`
  return `${fips}-${municipality}${toText(next())}`
}

/** Reads a JSON text; `''` for null. */
export function toText(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1)
}

/** Returns the value of a slot's text as it is in the decoded parcel. */
export function decodeSlot(slot: number, text: string): unknown {
  return decodeField(text, NAMES[slot] ?? '', TYPES[slot] as FieldType)
}

/** Returns all fields of a stored text by slot, each as JSON text or `''` for null. */
export function splitFields(stored: string): string[] {
  // The shape, then the present fields.
  const parts = stored.split(FIELD)
  // An index of -1 would be looked up as a name: four times as slow in all.
  return positionsOf(parts[0] ?? '').map((at) => (at === -1 ? '' : (parts[at] ?? '')))
}

/** Returns, for each slot, the index of its field among the parts of a shape; -1 when absent. */
export function positionsOf(shape: string): readonly number[] {
  if (shape === lastShape) return lastPositions
  const known = positionsByShape.get(shape) ?? readShape(shape)
  lastShape = shape
  lastPositions = known
  return known
}

let lastShape = ''
let lastPositions: readonly number[] = NAMES.map(() => -1)

function readShape(shape: string): readonly number[] {
  let position = 0
  const positions = NAMES.map((_, slot) => {
    const digit = Number.parseInt(shape.charAt(slot >> 2) || '0', 16)
    if (((digit >> (slot & 3)) & 1) === 0) return -1
    position += 1
    return position
  })
  if (positionsByShape.size >= SHAPES_MAX) positionsByShape.clear()
  positionsByShape.set(shape, positions)
  return positions
}

/** Cached by shape: a roll's parcels have few shapes, and reading one took 20 µs. */
const positionsByShape = new Map<string, readonly number[]>()
const SHAPES_MAX = 2000

/** Joins the fields of a stored text: the inverse of `splitFields`. */
export function joinFields(texts: readonly string[]): string {
  let shape = ''
  let parts = ''
  for (let start = 0; start < texts.length; start += 4) {
    let digit = 0
    for (let bit = 0; bit < 4; bit += 1) {
      const text = texts[start + bit] ?? ''
      if (text === '') continue
      digit |= 1 << bit
      parts += FIELD + text
    }
    shape += HEX[digit]
  }
  return trimShape(shape) + parts
}

/** Returns the items of a stored list, each as its values in order. */
export function splitItems(text: string): string[][] {
  return text === '' ? [] : text.split(ITEM).map((item) => item.split(VALUE))
}

const [ASSESSMENTS, CALCULATED_ACRES] = [slotOf('assessments'), slotOf('calculatedAcres')]
/** The value after an assessment's own that marks it as kept from an earlier roll. */
const CARRIED = ITEM_PROPERTIES.assessments.length
const IS_CARRIED = '1'

/** Returns a record as its own roll had it: without the assessments kept from earlier rolls. */
export function ownRecord(stored: string): string {
  if (!stored.includes(`${VALUE}${IS_CARRIED}`)) return stored
  const texts = splitFields(stored)
  const items = splitItems(texts[ASSESSMENTS] ?? '')
  const own = items.filter((item) => item[CARRIED] !== IS_CARRIED)
  if (own.length === items.length) return stored
  texts[ASSESSMENTS] = own.map((item) => item.join(VALUE)).join(ITEM)
  return joinFields(texts)
}

/**
 * Returns a new roll's record with the parts that are kept from the old one. They are the
 * assessments of earlier roll years, marked, newest first, one per roll year. With `keepsPolygon`,
 * so is the area of the kept polygon when the roll was loaded without polygons.
 */
export function carryOver(before: string, after: string, keepsPolygon: boolean): string {
  const old = splitFields(before)
  const texts = splitFields(after)
  const assessments = joinAssessments(old[ASSESSMENTS] ?? '', texts[ASSESSMENTS] ?? '')
  const acres = texts[CALCULATED_ACRES] || (keepsPolygon && old[CALCULATED_ACRES]) || ''
  if (assessments === texts[ASSESSMENTS] && acres === texts[CALCULATED_ACRES]) return after
  texts[ASSESSMENTS] = assessments
  texts[CALCULATED_ACRES] = acres
  return joinFields(texts)
}

/** Adds the items of other years in `before` to the stored list `after`, newest first. */
function joinAssessments(before: string, after: string): string {
  if (before === '') return after
  const items = splitItems(after)
  const years = new Set(items.map(([year]) => year))
  const kept = splitItems(before).filter(([year]) => year !== '' && !years.has(year))
  if (kept.length === 0) return after
  return [...items, ...kept.map(markCarried)]
    .sort((a, b) => Number(b[0]) - Number(a[0]))
    .map((item) => item.join(VALUE))
    .join(ITEM)
}

function markCarried(item: string[]): string[] {
  return Array.from({ length: CARRIED + 1 }, (_, at) =>
    at === CARRIED ? IS_CARRIED : (item[at] ?? ''),
  )
}

function encodeObject(value: object, slot: number): string {
  if (TYPES[slot] === 'items') {
    return encodeItems(value as Record<string, unknown>[], NAMES[slot] as ListProperty)
  }
  const empty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
  return empty ? '' : JSON.stringify(value)
}

function encodeItems(items: Record<string, unknown>[], list: ListProperty): string {
  const names = ITEM_PROPERTIES[list]
  const least = VALUES_MIN[list]
  let text = ''
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ITEM
    const item = items[at] as Record<string, unknown>
    let behind = ''
    for (let slot = 0; slot < names.length; slot += 1) {
      if (slot > 0) behind += VALUE
      const value = item[names[slot] as string] ?? null
      if (value === null && slot >= least) continue
      text += behind
      behind = ''
      if (value !== null) text += encodeScalar(value)
    }
    if (list === 'assessments' && item.carried === true) text += behind + VALUE + IS_CARRIED
  }
  return text
}

/** Texts that JSON does not escape, as nearly all. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

function encodeScalar(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return JSON.stringify(value)
}

function decodeField(text: string, name: string, type: FieldType): unknown {
  if (type === 'items') {
    return splitItems(text).map((values) => decodeItem(values, name as ListProperty))
  }
  if (type === 'texts') return text === '' ? [] : JSON.parse(text)
  if (type === 'object') return text === '' ? {} : JSON.parse(text)
  return decodeScalar(text)
}

function decodeItem(values: readonly string[], list: ListProperty): Record<string, unknown> {
  const names = ITEM_PROPERTIES[list]
  const item = { ...BLANK_ITEMS[list] }
  for (let slot = 0; slot < values.length && slot < names.length; slot += 1) {
    const text = values[slot] as string
    if (text !== '') item[names[slot] as string] = decodeScalar(text)
  }
  if (list === 'assessments' && values[CARRIED] === IS_CARRIED) item.carried = true
  return item
}

const BLANK_ITEMS = {
  buildings: makeBlank(ITEM_PROPERTIES.buildings),
  transfers: makeBlank(ITEM_PROPERTIES.transfers),
  assessments: makeBlank(ITEM_PROPERTIES.assessments),
}

/** Reads plain texts and numbers without the parser, which takes several times as long. */
function decodeScalar(text: string): unknown {
  if (text === '') return null
  if (text.charCodeAt(0) === QUOTE) return toText(text)
  const number = Number(text)
  return Number.isNaN(number) ? JSON.parse(text) : number
}

const QUOTE = 34
