/** Which fields of a mapping fill each property of a parcel, by `tables/value-origins.tsv`. */
import { readTable } from '../../base/tables.ts'
import { PARCEL_FIELDS } from '../../record/parcel.ts'
import { mappingName } from '../mapping/fields.ts'

/**
 * Fields of a mapping, by their names. A name with `@` is another part of the mapping: `@point`,
 * `@transfers.transferDate`, `@buildings`, `@alternateParcelIds`; `@shape` is the row's own shape.
 */
export type Inputs = readonly string[]

export type MadeOf = {
  /** Groups of fields; the first with a known value counts. */
  groups: readonly Inputs[]
  /** What we make of them; absent when the value is read as it is. */
  rule?: string
  /** The rule is only for values of the further groups. */
  isDefault?: true
  /** Of a group, only those texts count that have the value in them. */
  isCut?: true
  /** Further fields that merged rows of one parcel put into the value. */
  merged?: Inputs
}

type Row = MadeOf & { names: readonly string[]; isDerived: boolean }

/** Properties that are not read from their own field alone. */
const ROWS = readTable('value-origins.tsv').map((line): Row => {
  const [names = '', groups = '', flags = '', rule = ''] = line.split('\t')
  const merged = /merged=(\w+)/.exec(flags)?.[1]
  return {
    names: names.split(' '),
    isDerived: flags === 'derived',
    groups: groups.split(' | ').map((group) => group.split(' ')),
    ...(rule !== '' && { rule }),
    ...(flags.includes('default') && { isDefault: true }),
    ...(flags.includes('cut') && { isCut: true }),
    ...(merged !== undefined && { merged: [merged] }),
  }
})

export function madeOf(property: string): MadeOf {
  const field = PARCEL_FIELDS[property]
  if (field === undefined) return { groups: [] }
  const made = ROWS.find(({ names, isDerived }) => !isDerived && names.includes(property))
  return made ?? { groups: [[mappingName(property, field)]] }
}

/** Stored properties of which a derived value is made. */
export function derivedOf(name: string): Inputs {
  return ROWS.find(({ names, isDerived }) => isDerived && names.includes(name))?.groups[0] ?? []
}
