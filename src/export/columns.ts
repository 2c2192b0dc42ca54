/** The columns of an exported file, and their values from a record. */
import { EXPORT_MARK, EXPORTED, EXPORTED_ITEMS } from '../record/exported.ts'
import type { FieldType } from '../record/fields.ts'
import { type Layout, listShown, type ShownField } from '../record/layout.ts'
import type { ListProperty } from '../record/parcel.ts'
import { slotOf, splitFields, splitItems } from '../record/stored.ts'
import { renderParcel } from '../render/render.ts'
import type { StoredParcel } from '../store/store.ts'

/** `json`: objects and lists of them. `date`: `YYYYMMDD` flat, `YYYY-MM-DD` nested. */
export type ColumnType =
  | Exclude<FieldType, 'object' | 'items' | 'point' | 'geometry' | 'empty' | 'null'>
  | 'json'

export type ExportColumn = { name: string; type: ColumnType }

/** A value. Lists and objects stay as they are; `null` when the record has none. */
export type ExportValue = unknown

export type RowMaker = {
  columns: readonly ExportColumn[]
  /** Returns the values of a record, one per column. */
  read(parcel: StoredParcel): ExportValue[]
}

/**
 * Returns the columns of a layout. Flat: each field once under its flat name, and the fields that
 * the flat layout does not show. A mark lets an import recognize the row. Nested: the paths with
 * dots. Polygons are separate.
 */
export function openRows(layout: Layout): RowMaker {
  return layout === 'flat' ? openFlat(() => true) : openNested()
}

/** As `openRows`, for files: without a store's own columns, so that copies write the same bytes. */
export function openFileRows(layout: Layout): RowMaker {
  return layout === 'flat' ? openFlat((name) => !STORE_OWN.has(name)) : openNested()
}

/** Numbers that a store gives its records, and the time of its import. */
const STORE_OWN = new Set(['_id', 'siteId', 'updatedAt'])

type Source = ExportColumn & { of: 'shown' | 'stored' | 'list' | 'mark'; path: readonly string[] }

function openFlat(isColumnOf: (name: string) => boolean): RowMaker {
  const shown: Source[] = listShown('flat')
    .filter((field) => isColumn(field) && !isAlias(field) && field.field.type !== 'items')
    .filter(({ path }) => isColumnOf(path[0] ?? ''))
    .map(({ path, field }) => ({
      name: path[0] ?? '',
      type: typeOf(field.type),
      of: 'shown' as const,
      path,
    }))
  const known = new Set(shown.map(({ name }) => name))
  const further = EXPORTED.filter(({ name }) => !known.has(name)).map(
    ({ property, name, type }): Source => ({
      name,
      type: typeOf(type),
      of: type === 'items' ? 'list' : 'stored',
      path: [property],
    }),
  )
  const mark: Source = { name: EXPORT_MARK.column, type: 'text', of: 'mark', path: [] }
  const columns = [...shown, ...further, mark]
  const slots = columns.map(({ of, path }) =>
    of === 'stored' || of === 'list' ? slotOf(path[0] ?? '') : -1,
  )
  return {
    columns,
    read(parcel) {
      const record = render(parcel, 'flat')
      const texts = splitFields(parcel.fieldValues)
      return columns.map(({ name, of, path }, at) => {
        if (of === 'shown') return record[name] ?? null
        if (of === 'mark') return EXPORT_MARK.value
        const text = texts[slots[at] ?? -1] ?? ''
        if (of === 'stored') return text === '' ? null : JSON.parse(text)
        return readList(text, path[0] as ListProperty)
      })
    },
  }
}

function openNested(): RowMaker {
  const columns: Source[] = listShown('nested')
    .filter(isColumn)
    .map(({ path, field }) => ({
      name: path.join('.'),
      type: typeOf(field.type),
      of: 'shown',
      path,
    }))
  return {
    columns,
    read(parcel) {
      const record = render(parcel, 'nested')
      return columns.map(({ path }) => valueAt(record, path))
    },
  }
}

export function render(parcel: StoredParcel, layout: Layout): Record<string, unknown> {
  return JSON.parse(renderParcel({ ...parcel, geometry: null }, layout))
}

/** Counts over the owner's other parcels: not part of a record, and not read by an export. */
const COUNTS = new Set(['ownerParcelCount', 'ownerResCount', 'ownerComCount'])

function isColumn({ path, field: { type } }: ShownField): boolean {
  if (COUNTS.has(path[0] ?? '')) return false
  return type !== 'null' && type !== 'empty' && type !== 'geometry' && type !== 'point'
}

/** Reports whether it repeats another column under a second key. */
function isAlias({ path, name, field }: ShownField): boolean {
  return path[0] !== (field.flat ?? name)
}

function typeOf(type: FieldType): ColumnType {
  if (type === 'items' || type === 'object') return 'json'
  return type as ColumnType
}

/** The items of a stored list under flat names, without unknown values. */
function readList(text: string, list: ListProperty): Record<string, unknown>[] | null {
  if (text === '') return null
  return splitItems(text).map((values) =>
    Object.fromEntries(
      EXPORTED_ITEMS[list].flatMap(({ name, type }, slot) => {
        const value = values[slot] ?? ''
        if (value === '') return []
        const parsed = JSON.parse(value)
        return [[name, type === 'date' ? String(parsed).replaceAll('-', '') : parsed]]
      }),
    ),
  )
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record
  for (const key of path) value = (value as Record<string, unknown> | null)?.[key]
  return value ?? null
}
