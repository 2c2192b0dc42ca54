/**
 * The form of a record in an exported file of the flat layout: one value per column. An import with
 * the mapping `platbook` restores the same record, because it takes the values unchanged.
 */
import {
  ASSESSMENT_FIELDS,
  BUILDING_FIELDS,
  type Field,
  type Fields,
  type FieldType,
  TRANSFER_FIELDS,
} from './fields.ts'
import { type ListProperty, type Parcel, STORED_FIELDS } from './parcel.ts'

/** The column that marks an exported row; its value is the version of the form. */
export const EXPORT_MARK = { column: 'platbookExport', value: '1' } as const

/** The column of polygons, for file formats without shapes. */
export const EXPORTED_SHAPE = 'geometry'

type Exported = {
  property: string
  name: string
  type: FieldType
  /** The only allowed texts. */
  values: readonly string[] | undefined
}

/** Stored fields by column; state and county replace `fips`. */
export const EXPORTED: readonly Exported[] = listExported(
  STORED_FIELDS.filter(([property]) => property !== 'fips'),
)

/** The stored values of each list's items by key. */
export const EXPORTED_ITEMS: Record<ListProperty, readonly Exported[]> = {
  buildings: listExported(storedOf(BUILDING_FIELDS)),
  transfers: listExported(storedOf(TRANSFER_FIELDS)),
  assessments: listExported(storedOf(ASSESSMENT_FIELDS)),
}

/** Returns the reader of exported rows with these columns; `undefined` for other files. */
export function openExported(columns: readonly string[]) {
  const mark = columns.indexOf(EXPORT_MARK.column)
  if (mark < 0) return undefined
  // The ID is read as in any roll, because it identifies the parcel.
  const found = EXPORTED.filter(({ property }) => property !== 'parcelId').map((field) => {
    return { ...field, at: columns.indexOf(field.name) }
  })
  const extras = columns.flatMap((name, at) =>
    name.startsWith('extra.') ? [{ name: name.slice('extra.'.length), at }] : [],
  )
  return {
    isExported: (row: readonly string[]) => row[mark] === EXPORT_MARK.value,
    /**
     * Returns the stored values, without fields whose column is missing. Throws `SyntaxError` for a
     * text that no export writes.
     */
    read(row: readonly string[]): Partial<Parcel> {
      const values: Record<string, unknown> = {}
      for (const field of found) {
        if (field.at >= 0) values[field.property] = readValue(row[field.at] ?? '', field)
      }
      if (!columns.includes('extra')) values.extra = gather(extras, row)
      return values as Partial<Parcel>
    },
  }
}

/**
 * Returns the reader of a row's polygon as GeoJSON text, or `undefined` without a column of
 * polygons. The reader returns `null` without a polygon and throws `SyntaxError` for anything that
 * is not a polygon in degrees.
 */
export function openShapes(columns: readonly string[]) {
  const at = columns.indexOf(EXPORTED_SHAPE)
  return at < 0 ? undefined : (row: readonly string[]) => readPolygon(row[at] ?? '')
}

export type ExportedReader = NonNullable<ReturnType<typeof openExported>>

function listExported(fields: readonly (readonly [string, Field])[]): Exported[] {
  return fields.map(([property, { flat, mapping, type, values }]) => {
    return { property, name: flat ?? mapping ?? property, type, values }
  })
}

function storedOf(fields: Fields): [string, Field][] {
  return Object.entries(fields).filter(([, { slot }]) => slot !== undefined)
}

/** Objects of JSON lines are columns with dotted names. */
function gather(extras: { name: string; at: number }[], row: readonly string[]) {
  const filled = extras.filter(({ at }) => (row[at] ?? '') !== '')
  return Object.fromEntries(filled.map(({ name, at }) => [name, row[at]]))
}

function readValue(text: string, field: Exported): unknown {
  switch (field.type) {
    case 'items':
      return text === '' ? [] : readItems(text, field.property as ListProperty)
    case 'texts':
      return text === '' ? [] : text.split(/\s*;\s*/)
    case 'object':
      return text === '' ? {} : readTexts(text, field)
    default:
      return text === '' ? null : readScalar(text, field)
  }
}

function refuse({ name }: Pick<Exported, 'name'>, text: string): SyntaxError {
  return new SyntaxError(`${name} of an exported row is "${text.slice(0, 60)}"`)
}

/** Larger values are not degrees. */
const LARGEST: Record<string, number> = { latitude: 90, longitude: 180 }

function readScalar(text: string, field: Exported): unknown {
  const { name, type, values } = field
  if (type === 'integer' || type === 'number') {
    const number = Number(text)
    const isRead = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
    if (!isRead || Math.abs(number) > (LARGEST[name] ?? Number.MAX_VALUE)) throw refuse(field, text)
    return number
  }
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw refuse(field, text)
    return text === 'true'
  }
  if (type === 'date') return readDay(text, field)
  if (values !== undefined && !values.includes(text)) throw refuse(field, text)
  return text
}

/** Reads `YYYYMMDD` or `YYYY-MM-DD`, and ignores the rest. */
function readDay(text: string, field: Exported): string {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:T|$)/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  if (year === undefined || Number.isNaN(Date.parse(date))) throw refuse(field, text)
  return date
}

function readItems(text: string, list: ListProperty): Record<string, unknown>[] {
  const items = readJson(text, { name: list })
  if (!Array.isArray(items)) throw refuse({ name: list }, text)
  return items.map((item: Record<string, unknown> | null) =>
    Object.fromEntries(
      EXPORTED_ITEMS[list].map((field) => {
        const value = item?.[field.name] ?? null
        if (typeof value === 'object' && value !== null) throw refuse(field, text)
        return [field.property, value === null ? null : readScalar(String(value), field)]
      }),
    ),
  )
}

function readJson(text: string, field: Pick<Exported, 'name'>): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse(field, text)
  }
}

function readTexts(text: string, field: Exported): Record<string, string> {
  const object = readJson(text, field)
  const isRecord = typeof object === 'object' && object !== null && !Array.isArray(object)
  if (!isRecord || Object.values(object).some((value) => typeof value !== 'string')) {
    throw refuse(field, text)
  }
  return object as Record<string, string>
}

const WELL_KNOWN = /^\s*(?:SRID\s*=|[A-Z]+\s*(?:ZM?|M)?\s*(?:\(|EMPTY)|(?:\\x)?0[01][\dA-F]{8})/i

function readPolygon(text: string): string | null {
  // Well-known text and binary are read with the file.
  if (text === '' || WELL_KNOWN.test(text)) return null
  const shape = readJson(text, { name: EXPORTED_SHAPE }) as {
    type?: unknown
    coordinates?: unknown
  } | null
  const parts = shape?.type === 'Polygon' ? [shape.coordinates] : shape?.coordinates
  const isKnown = shape?.type === 'Polygon' || shape?.type === 'MultiPolygon'
  if (shape?.type === 'Point') return null
  const holds = isListOf(parts, (rings) =>
    isListOf(rings, (ring) => isListOf(ring, isDegrees) && (ring as unknown[]).length >= 4),
  )
  if (!isKnown || !holds) throw refuse({ name: EXPORTED_SHAPE }, text)
  return JSON.stringify({ type: shape.type, coordinates: shape.coordinates })
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(is)
}

function isDegrees(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [x, y] = value as [unknown, unknown]
  return typeof x === 'number' && typeof y === 'number' && Math.abs(x) <= 180 && Math.abs(y) <= 90
}
