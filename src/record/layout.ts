/** The fields, keys and order of each layout, derived from the table in `fields.ts`. */
import type { AccountFacts } from '../base/model/account.ts'
import {
  ALWAYS_NULL,
  ASSESSMENT_FIELDS,
  BUILDING_FIELDS,
  type Field,
  type Fields,
  GROUPS,
  TRANSFER_FIELDS,
  V2_KEYS,
} from './fields.ts'

/** The two shapes of a record in answers. */
export type Layout = 'nested' | 'flat'

/** Lists of which the flat layout shows one item next to the other fields. */
type JoinedList = 'buildings' | 'transfers' | 'before'

/** One field as a layout shows it. */
export type ShownField = {
  /** Its keys from the record down; a single key in the flat layout. */
  path: readonly string[]
  /** Property, or the name of the derived value. */
  name: string
  field: Field
  /** In the flat layout: the list whose item it shows. */
  of?: JoinedList | undefined
}

/** Returns the account's layout: nested only with the nested shape on v3 reads, else flat. */
export function layoutOf(facts: Pick<AccountFacts, 'dataReads' | 'responseShape'>): Layout {
  return facts.responseShape === 'nested' && facts.dataReads === 'v3' ? 'nested' : 'flat'
}

export function listShown(layout: Layout): ShownField[] {
  return layout === 'nested' ? listNested() : listFlat()
}

/** Returns the fields that the flat layout has on v2 reads only. */
export function listV2Keys(): ShownField[] {
  return Object.entries(V2_KEYS).map(([key, same]) => {
    const { name, field, of } = resolve(
      { path: [key], name: key, field: { type: 'text', same, about: '' } },
      ALL_FIELDS,
    )
    const about = { before: 'Of the transfer before the newest one.', transfers: OF_NEWEST }
    const owner = ALL_FIELDS[name]?.about ?? ''
    const words = of === 'before' || of === 'transfers' ? about[of] : owner
    return { path: [key], name, field: { ...field, about: `${words} On v2 reads only.` }, of }
  })
}

const OF_NEWEST = 'Of the newest transfer.'

const LISTS: Record<string, Fields> = {
  buildings: BUILDING_FIELDS,
  transfers: TRANSFER_FIELDS,
  assessments: ASSESSMENT_FIELDS,
}

/** Returns the properties of a list's items with their keys in a layout, in display order. */
export function listItemKeys(layout: Layout, list: string): ShownField[] {
  const fields = LISTS[list] ?? {}
  return Object.entries(fields).flatMap(([name, field]) => {
    const key = layout === 'nested' ? field.nested : field.flat
    return key === null ? [] : [resolve({ path: [key ?? name], name, field }, fields)]
  })
}

/** Resolves a field that shows another one's value; it keeps its own key and description. */
function resolve(shown: ShownField, fields: Fields): ShownField {
  const { same, about } = shown.field
  if (same === undefined) return shown
  const [list, item] = same.split('.') as [string, string | undefined]
  const [name, table] = item === undefined ? [list, fields] : [item, TRANSFER_FIELDS as Fields]
  const target = table[name]
  if (target === undefined) throw new Error(`there is no field ${same}`)
  const of = item === undefined ? {} : { of: list as JoinedList }
  return { ...shown, name, field: { ...target, about }, ...of }
}

const ALL_FIELDS: Fields = Object.assign({}, ...GROUPS.map(({ fields }) => fields))

function listNested(): ShownField[] {
  return GROUPS.flatMap(({ path, fields }) =>
    Object.entries<Field>(fields).flatMap(([name, field]) => {
      if (field.nested === null) return []
      const own = field.nested ?? (path === '' ? name : `${path}.${name}`)
      return [resolve({ path: own.split('.'), name, field }, ALL_FIELDS)]
    }),
  )
}

function listFlat(): ShownField[] {
  const fields = GROUPS.flatMap((group) => Object.entries<Field>(group.fields))
  const shown = fields.flatMap(([name, field]) => {
    const key = field.flat ?? name
    const own = field.flat === null ? [] : [resolve({ path: [key], name, field }, ALL_FIELDS)]
    return [...joinedFields(name), ...own]
  })
  const empty = Object.entries(ALWAYS_NULL).map(([name, about]) => ({
    path: [name],
    name,
    field: { type: 'null', about: `${about} ${NEVER_FILLED}` } satisfies Field,
  }))
  return [...shown, ...empty]
}

const NEVER_FILLED = "Always null: no assessor's roll holds it."

/** Returns the flat layout's fields of a list: the buildings combined, or the newest transfer. */
function joinedFields(list: string): ShownField[] {
  if (list !== 'buildings' && list !== 'transfers') return []
  return listItemKeys('flat', list).map((shown) => ({
    ...shown,
    field: {
      ...shown.field,
      about: `${shown.field.about} ${joinedAbout(list, shown.field)}`.trim(),
    },
    of: list,
  }))
}

const SEVERAL: Record<string, string> = {
  sum: 'The sum over all buildings.',
  largest: 'That of the largest building.',
  any: 'true if any building has it.',
}

function joinedAbout(list: string, field: Field & { several?: string }): string {
  if (list === 'transfers') return OF_NEWEST
  if (field.slot === undefined) return ''
  return SEVERAL[field.several ?? ''] ?? 'That of the first building for which it is known.'
}
