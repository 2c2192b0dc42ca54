/**
 * How a parcel is kept: one text of leaf values, from which either layout is rendered by filling a fixed template.
 *
 * First stands the *shape*: which leaves of `LEAVES` there are, four to a hex digit. Then those leaves in order, each behind a U+001F, as
 * its own JSON text (`"MAIN"`, `1990`, `true`); `null` and empty lists are left out. Lists of objects separate items by U+001D and
 * an item's values by U+001E. None of the three occurs in JSON text, so no value is ever escaped twice and rendering parses
 * nothing. A shape that an older version wrote is simply shorter: new leaves are added at the end only. Decision 011 has the figures.
 */
import type { Assessment, Building, Parcel, Transfer } from '../model/parcel.ts'
import { leafValues } from './leaf-values.ts'

type LeafKind = 'string' | 'number' | 'boolean' | 'strings' | 'object' | 'items'

/** Name and kind of each leaf, in stored order. Only ever appended to. */
export const LEAVES = [
  ['fips', 'number'],
  ['municipality', 'string'],
  ['parcelId', 'string'],
  ['alternateParcelIds', 'strings'],
  ['taxAccountNumber', 'string'],
  ['jurisdiction', 'string'],
  ['ownerName', 'string'],
  ['ownerName2', 'string'],
  ['ownerType', 'string'],
  ['careOf', 'string'],
  ['ownerOccupied', 'boolean'],
  ['ownershipStartDate', 'string'],
  ['ownerStreet', 'string'],
  ['ownerCity', 'string'],
  ['ownerState', 'string'],
  ['ownerZipCode', 'string'],
  ['ownerZipCodePlusFour', 'string'],
  ['ownerCountry', 'string'],
  ['address', 'string'],
  ['addressRaw', 'string'],
  ['alternateAddresses', 'strings'],
  ['streetNumber', 'string'],
  ['streetNumberHigh', 'string'],
  ['streetDirectionPrefix', 'string'],
  ['streetName', 'string'],
  ['streetType', 'string'],
  ['streetDirectionSuffix', 'string'],
  ['unitType', 'string'],
  ['unitNumberStripped', 'string'],
  ['city', 'string'],
  ['zipCode', 'string'],
  ['zipCodePlusFour', 'string'],
  ['addressAssigned', 'boolean'],
  ['latitude', 'number'],
  ['longitude', 'number'],
  ['censusTract', 'string'],
  ['neighborhood', 'string'],
  ['propertyUseCode', 'string'],
  ['propertyUseDescription', 'string'],
  ['localUseCode', 'string'],
  ['residential', 'boolean'],
  ['buildingCount', 'number'],
  ['unitCount', 'number'],
  ['buildings', 'items'],
  ['acres', 'number'],
  ['landArea', 'number'],
  ['frontage', 'number'],
  ['depth', 'number'],
  ['legalDescription', 'string'],
  ['subdivision', 'string'],
  ['block', 'string'],
  ['lot', 'string'],
  ['section', 'string'],
  ['township', 'string'],
  ['range', 'string'],
  ['zoningCode', 'string'],
  ['zoningDescription', 'string'],
  ['assessedYear', 'number'],
  ['assessedLandValue', 'number'],
  ['assessedBuildingValue', 'number'],
  ['totalAssessedValue', 'number'],
  ['taxableValue', 'number'],
  ['exemptionAmount', 'number'],
  ['marketValueYear', 'number'],
  ['totalLandValue', 'number'],
  ['totalBuildingValue', 'number'],
  ['totalMarketValue', 'number'],
  ['valueType', 'string'],
  ['taxYear', 'number'],
  ['taxAmount', 'number'],
  ['taxRateCodeArea', 'string'],
  ['schoolDistrict', 'string'],
  ['transfers', 'items'],
  ['assessments', 'items'],
  ['sourceName', 'string'],
  ['sourceLicense', 'string'],
  ['rollYear', 'number'],
  ['extra', 'object'],
] as const satisfies readonly (readonly [keyof Parcel, LeafKind])[]

export type LeafName = (typeof LEAVES)[number][0]

export const BUILDING_LEAVES = [
  'buildingArea',
  'actualYearBuilt',
  'effectiveYearBuilt',
  'stories',
  'bedrooms',
  'bathrooms',
  'constructionType',
  'wallType',
  'roofType',
  'foundationType',
  'basementType',
  'heatingType',
  'coolingType',
  'garageCount',
  'fireplaceCount',
  'pool',
] as const satisfies readonly (keyof Building)[]

export const TRANSFER_LEAVES = [
  'transferDate',
  'transferPrice',
  'recordingDate',
  'documentType',
  'documentNumber',
  'book',
  'page',
  'grantor',
  'grantee',
  'saleCode',
] as const satisfies readonly (keyof Transfer)[]

export const ASSESSMENT_LEAVES = [
  'year',
  'totalAssessedValue',
  'assessedLandValue',
  'assessedBuildingValue',
  'totalMarketValue',
  'taxAmount',
] as const satisfies readonly (keyof Assessment)[]

export const LEAF = '\u001f'
export const ITEM = '\u001d'
export const VALUE = '\u001e'

const ITEM_LEAVES: Partial<Record<LeafName, readonly string[]>> = {
  buildings: BUILDING_LEAVES,
  transfers: TRANSFER_LEAVES,
  assessments: ASSESSMENT_LEAVES,
}

const INDEX = Object.fromEntries(LEAVES.map(([name], index) => [name, index])) as Record<
  LeafName,
  number
>

/** Where a leaf stands in the split text. */
export function leafIndex(name: LeafName): number {
  return INDEX[name]
}

/** Writes a parcel as the text that is kept. Equal parcels give equal texts. An import spends a tenth of its time here: no lists between. */
export function encodeLeaves(parcel: Parcel): string {
  let shape = ''
  let parts = ''
  let digit = 0
  const values = leafValues(parcel)
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]
    // An empty text says no more than null does, and what is joined of texts takes each for one that says something.
    if (value !== null && value !== '') {
      const text = typeof value === 'object' ? encodeLeaf(value as object, at) : encodeScalar(value)
      if (text !== '') {
        digit |= 1 << (at & 3)
        parts += LEAF + text
      }
    }
    if ((at & 3) === 3 || at === values.length - 1) {
      shape += HEX[digit]
      digit = 0
    }
  }
  return shape + parts
}

const HEX = '0123456789abcdef'

/** Reads a parcel back; the inverse of `encodeLeaves`. */
export function decodeLeaves(leaves: string): Parcel {
  const texts = splitLeaves(leaves)
  const entries = LEAVES.map(([name, kind], index) => [
    name,
    decodeLeaf(texts[index] ?? '', kind, ITEM_LEAVES[name]),
  ])
  return Object.fromEntries(entries) as Parcel
}

/** All leaves of a kept text by `leafIndex`, each as JSON text or `''` for null. */
export function splitLeaves(leaves: string): string[] {
  const parts = splitParts(leaves)
  return positionsOf(parts[0] ?? '').map((position) => parts[position] ?? '')
}

/** The shape, then the leaves that are there. */
export function splitParts(leaves: string): string[] {
  return leaves.split(LEAF)
}

/** For each leaf of `LEAVES` its place among the parts of a shape; -1: not there. */
export function positionsOf(shape: string): number[] {
  let position = 0
  return LEAVES.map((_, index) => {
    const digit = Number.parseInt(shape.charAt(index >> 2) || '0', 16)
    if (((digit >> (index & 3)) & 1) === 0) return -1
    position += 1
    return position
  })
}

function joinLeaves(texts: readonly string[]): string {
  let shape = ''
  let parts = ''
  for (let start = 0; start < texts.length; start += 4) {
    let digit = 0
    for (let bit = 0; bit < 4; bit += 1) {
      const text = texts[start + bit] ?? ''
      if (text === '') continue
      digit |= 1 << bit
      parts += LEAF + text
    }
    shape += digit.toString(16)
  }
  return shape + parts
}

/** The items of a list leaf, each as its values in order. */
export function splitItems(leaf: string): string[][] {
  return leaf === '' ? [] : leaf.split(ITEM).map((item) => item.split(VALUE))
}

/**
 * A new roll's leaves with the assessments of earlier roll years that the old ones still hold, newest first.
 * Source: record.md, `assessments[]`: one per roll year loaded.
 */
export function carryAssessments(oldLeaves: string, newLeaves: string): string {
  const index = INDEX.assessments
  const oldItems = splitItems(splitLeaves(oldLeaves)[index] ?? '')
  if (oldItems.length === 0) return newLeaves
  const texts = splitLeaves(newLeaves)
  const items = splitItems(texts[index] ?? '')
  const years = new Set(items.map(([year]) => year))
  const kept = oldItems.filter(([year]) => year !== '' && !years.has(year))
  if (kept.length === 0) return newLeaves
  texts[index] = [...items, ...kept]
    .sort((a, b) => Number(b[0]) - Number(a[0]))
    .map((item) => item.join(VALUE))
    .join(ITEM)
  return joinLeaves(texts)
}

function encodeLeaf(value: object, at: number): string {
  const [name, kind] = LEAVES[at] as (typeof LEAVES)[number]
  if (kind === 'items') return encodeItems(value as Record<string, unknown>[], ITEM_LEAVES[name])
  const empty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
  return empty ? '' : JSON.stringify(value)
}

function encodeItems(items: Record<string, unknown>[], keys: readonly string[] = []): string {
  let text = ''
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ITEM
    const item = items[at] as Record<string, unknown>
    for (let key = 0; key < keys.length; key += 1) {
      if (key > 0) text += VALUE
      const value = item[keys[key] as string]
      if (value !== null) text += encodeScalar(value)
    }
  }
  return text
}

/** Texts that JSON writes as they are, which nearly all are. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

function encodeScalar(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return JSON.stringify(value)
}

function decodeLeaf(text: string, kind: LeafKind, itemLeaves?: readonly string[]): unknown {
  if (kind === 'items') {
    return splitItems(text).map((values) =>
      Object.fromEntries((itemLeaves ?? []).map((name, at) => [name, decodeScalar(values[at])])),
    )
  }
  if (kind === 'strings') return text === '' ? [] : JSON.parse(text)
  if (kind === 'object') return text === '' ? {} : JSON.parse(text)
  return decodeScalar(text)
}

function decodeScalar(text: string | undefined): unknown {
  return text === undefined || text === '' ? null : JSON.parse(text)
}
