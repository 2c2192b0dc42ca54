/**
 * Invented values of fields, by how a mapping reads them: the text in a row of the plain layout,
 * and what both layouts show of it.
 */
import {
  BUILDING_FIELDS,
  type Field,
  type Fields,
  type Reading,
  TRANSFER_FIELDS,
} from '../../../src/record/fields.ts'
import {
  type Layout,
  listItemKeys,
  listShown,
  type ShownField,
} from '../../../src/record/layout.ts'
import { PARCEL_FIELDS } from '../../../src/record/parcel.ts'

type Invented = { text: string; nested: unknown; flat?: unknown }

/** `flat`: where it differs. Fields read as `special` have no entry: rows name them. */
const INVENTED: Partial<Record<Reading, Invented>> = {
  text: { text: 'Invented', nested: 'Invented' },
  upper: { text: 'Invented', nested: 'INVENTED' },
  integer: { text: '12', nested: 12 },
  number: { text: '1.25', nested: 1.25 },
  money: { text: '1200', nested: 1200 },
  cents: { text: '12.25', nested: 12.25 },
  area: { text: '1200', nested: 1200 },
  acres: { text: '1.25', nested: 1.25 },
  year: { text: '2020', nested: 2020 },
  date: { text: '2020-02-29', nested: '2020-02-29', flat: '20200229' },
  flag: { text: 'true', nested: true },
  list: { text: 'A 1; B 2', nested: ['A 1', 'B 2'] },
}

const LISTS: Record<string, Fields> = { buildings: BUILDING_FIELDS, transfers: TRANSFER_FIELDS }

/** Returns the columns of the plain layout that `named` lacks, each with an invented text. */
export function inventRow(named: object): Record<string, string> {
  const fields = [PARCEL_FIELDS, ...Object.values(LISTS)].flatMap((table) => Object.entries(table))
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const invented = inventFor(name, field, named)
      return invented === undefined ? [] : [[columnOf(name, field), invented.text]]
    }),
  )
}

/**
 * Returns `shown`, an expected record of a layout, with the values that the layout shows of the
 * columns of `inventRow(named)`.
 */
export function withInvented<Shown extends object>(
  layout: Layout,
  named: object,
  shown: Shown,
): Shown {
  const whole = structuredClone(shown)
  const fill = (record: object, fields: readonly ShownField[]) => {
    for (const { path, name, field } of fields) {
      const key = path.at(-1) as string
      const group = groupAt(record, path.slice(0, -1))
      const invented = inventFor(name, field, named)
      if (invented !== undefined) group[key] = invented[layout] ?? invented.nested
      const [first] = name in LISTS ? ((group[key] ?? []) as object[]) : []
      if (first !== undefined) fill(first, listItemKeys(layout, name))
    }
  }
  fill(whole, listShown(layout))
  return whole
}

/** Returns the group of a record at a path, made where it is missing. */
function groupAt(record: object, path: string[]): Record<string, unknown> {
  let group = record as Record<string, unknown>
  for (const key of path) {
    group[key] ??= {}
    group = group[key] as Record<string, unknown>
  }
  return group
}

function columnOf(name: string, { mapping, flat }: Field): string {
  return mapping ?? flat ?? name
}

function inventFor(name: string, field: Field, named: object): Invented | undefined {
  if (field.slot === undefined || columnOf(name, field) in named) return undefined
  const [value] = field.values ?? []
  if (value !== undefined && field.reads !== 'special') return { text: value, nested: value }
  return field.reads && INVENTED[field.reads]
}
