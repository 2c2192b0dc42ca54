/**
 * How a parcel is stored: one text of field values, from which either layout is rendered by
 * copying.
 *
 * First stands the *shape*: which fields there are by their slots, four to a hex digit. Then those
 * fields in the order of their slots, each behind a U+001F, as its own JSON text (`"MAIN"`, `1990`,
 * `true`); `null` and empty lists are left out. Lists of objects separate items by U+001D and an
 * item's values by U+001E. None of the three occurs in JSON text, so nothing is escaped twice and
 * rendering parses nothing.
 *
 * A new field takes the next slot. Parcels that do not have it keep their text: zeros beyond the
 * first version's shape and empty values beyond the first version's items are left out. Figures:
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

/** Hex digits that a shape has at least: those of the form's first version. */
const SHAPE_MIN = 20
/** Values that an item has at least: those of the form's first version. */
const VALUES_MIN: Record<ListProperty, number> = { buildings: 16, transfers: 10, assessments: 6 }

const NAMES: readonly string[] = STORED_FIELDS.map(([name]) => name)
const TYPES: readonly FieldType[] = STORED_FIELDS.map(([, { type }]) => type)

/** The slot of a field. Throws for one that is not stored. */
export function slotOf(name: string): number {
  const slot = NAMES.indexOf(name)
  if (slot === -1) throw new Error(`${name} is not stored`)
  return slot
}

/**
 * Writes a parcel as the text that is stored. Equal parcels give equal texts. An import spends a
 * tenth of its time here: parcels whose properties stand in the order of their slots, as
 * `blankParcel` makes them, are read without looking up each name.
 */
export function encodeParcel(parcel: Parcel): string {
  let shape = ''
  let parts = ''
  let digit = 0
  let slot = 0
  const ordered = isOrdered(parcel) ? parcel : reorder(parcel)
  for (const name in ordered) {
    const value = ordered[name as keyof Parcel]
    // An empty text says no more than null does, and what is joined of texts takes each for one
    // that says something.
    if (value !== null && value !== '') {
      const text = typeof value === 'object' ? encodeObject(value, slot) : encodeScalar(value)
      if (text !== '') {
        digit |= 1 << (slot & 3)
        parts += FIELD + text
      }
    }
    slot += 1
    if ((slot & 3) === 0 || slot === NAMES.length) {
      shape += HEX[digit]
      digit = 0
    }
  }
  return trimShape(shape) + parts
}

const HEX = '0123456789abcdef'

function isOrdered(parcel: Parcel): boolean {
  let slot = 0
  for (const name in parcel) {
    if (name !== NAMES[slot]) return false
    slot += 1
  }
  return slot === NAMES.length
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

/** Reads a parcel back; the inverse of `encodeParcel`. */
export function decodeParcel(stored: string): Parcel {
  const texts = splitFields(stored)
  const entries = STORED_FIELDS.map(([name, { type }], slot) => [
    name,
    decodeField(texts[slot] ?? '', name, type),
  ])
  return Object.fromEntries(entries) as Parcel
}

/** Reads a few properties of a parcel: a whole one takes some 30 µs. */
export function openFields<Name extends keyof Parcel>(
  names: readonly Name[],
): (stored: string) => Pick<Parcel, Name> {
  const wanted = names.map((name) => {
    const slot = slotOf(name)
    return { name, slot, type: TYPES[slot] as FieldType }
  })
  return (stored) => {
    const read = partsOf(stored)
    const fields: Record<string, unknown> = {}
    for (const { name, slot, type } of wanted) fields[name] = decodeField(read(slot), name, type)
    return fields as Pick<Parcel, Name>
  }
}

/**
 * The `propertyId` of a stored text without taking it apart: FIPS code, municipality and parcel ID
 * are its first three slots. Under 1 µs.
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
  const municipality = (shape & 2) === 0 ? '' : `${readText(next())}-`
  return `${fips}-${municipality}${readText(next())}`
}

function readText(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1)
}

/** All fields of a stored text by their slots, each as JSON text or `''` for null. */
export function splitFields(stored: string): string[] {
  const parts = splitParts(stored)
  return positionsOf(parts[0] ?? '').map((position) => parts[position] ?? '')
}

/** The shape, then the fields that are there. */
function splitParts(stored: string): string[] {
  return stored.split(FIELD)
}

/** Reads single fields of a stored text by their slots, each as JSON text or `''` for null. */
export function partsOf(stored: string): (slot: number) => string {
  const parts = splitParts(stored)
  const positions = positionsOf(parts[0] ?? '')
  return (slot) => parts[positions[slot] ?? -1] ?? ''
}

/** For each slot the place of its field among the parts of a shape; -1: not there. */
export function positionsOf(shape: string): readonly number[] {
  const known = positionsByShape.get(shape)
  if (known !== undefined) return known
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

/** Parcels of a roll share few shapes: reading one anew took 20 µs a record. */
const positionsByShape = new Map<string, readonly number[]>()
const SHAPES_MAX = 2000

function joinFields(texts: readonly string[]): string {
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

/** The items of a stored list, each as its values in order. */
export function splitItems(text: string): string[][] {
  return text === '' ? [] : text.split(ITEM).map((item) => item.split(VALUE))
}

const [ASSESSMENTS, CALCULATED_ACRES] = [slotOf('assessments'), slotOf('calculatedAcres')]

/**
 * A new roll's record with what stays of the old one: the assessments of earlier roll years, newest
 * first, one for each roll year that was loaded; and, where `keepsPolygon`, the area of the polygon
 * that stays because the roll was loaded without polygons.
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

/** The stored list `after` with the items of other years of `before`, newest first. */
function joinAssessments(before: string, after: string): string {
  if (before === '') return after
  const items = splitItems(after)
  const years = new Set(items.map(([year]) => year))
  const kept = splitItems(before).filter(([year]) => year !== '' && !years.has(year))
  if (kept.length === 0) return after
  return [...items, ...kept]
    .sort((a, b) => Number(b[0]) - Number(a[0]))
    .map((item) => item.join(VALUE))
    .join(ITEM)
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
  }
  return text
}

/** Texts that JSON writes as they are, which nearly all are. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

function encodeScalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return JSON.stringify(value)
}

function decodeField(text: string, name: string, type: FieldType): unknown {
  if (type === 'items') {
    const names = ITEM_PROPERTIES[name as ListProperty]
    return splitItems(text).map((values) =>
      Object.fromEntries(names.map((property, slot) => [property, decodeScalar(values[slot])])),
    )
  }
  if (type === 'texts') return text === '' ? [] : JSON.parse(text)
  if (type === 'object') return text === '' ? {} : JSON.parse(text)
  return decodeScalar(text)
}

function decodeScalar(text: string | undefined): unknown {
  return text === undefined || text === '' ? null : JSON.parse(text)
}
