/**
 * The parcel: one record, from which both layouts are rendered. Every property is always present;
 * `null` means unknown. Its properties are derived from the table in `fields.ts`.
 */
import {
  ASSESSMENT_FIELDS,
  BUILDING_FIELDS,
  type Field,
  GROUPS,
  TRANSFER_FIELDS,
} from './fields.ts'

/** One building. Areas in square feet; half baths count 0.5. */
export type Building = Stored<typeof BUILDING_FIELDS>
/** One change of ownership. Dates are `YYYY-MM-DD`; prices US dollars. */
export type Transfer = Stored<typeof TRANSFER_FIELDS>
/** The values of one roll year, in US dollars. */
type Assessment = Stored<typeof ASSESSMENT_FIELDS>

type Lists = { buildings: Building[]; transfers: Transfer[]; assessments: Assessment[] }
type Grouped = Stored<Intersection<(typeof GROUPS)[number]['fields']>>

/** A parcel as imports make it. Its type is derived from `fields.ts`. */
export type Parcel = {
  [Name in keyof Grouped]: Name extends keyof Lists ? Lists[Name] : Grouped[Name]
}

type Stored<Table> = {
  -readonly [Name in keyof Table as Table[Name] extends { slot: number } ? Name : never]: ValueOf<
    Table[Name]
  >
}

type ValueOf<Spec> = Spec extends { type: infer Type }
  ? Type extends keyof Lasting
    ? Lasting[Type]
    : Type extends keyof Values
      ? Spec extends { values: readonly (infer Value)[] }
        ? Value | null
        : Spec extends { required: true }
          ? Values[Type]
          : Values[Type] | null
      : never
  : never

/** Types that are null when unknown. */
type Values = { text: string; date: string; integer: number; number: number; boolean: boolean }
/** Types that are empty when unknown. */
type Lasting = { texts: string[]; object: Record<string, string>; items: never[] }

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type ParcelProperty = keyof Parcel
export type ListProperty = keyof Lists

type GroupedField = Field & Required<Pick<Field, 'changes' | 'hiddenWith'>>

/** All fields of a parcel by their properties, in the order of the table. */
export const PARCEL_FIELDS = Object.fromEntries(
  GROUPS.flatMap(({ path: _, fields, ...defaults }) =>
    Object.entries<Field>(fields).map(([name, field]) => [
      name,
      { hiddenWith: [], ...defaults, ...field },
    ]),
  ),
) as Record<ParcelProperty, GroupedField> & Record<string, GroupedField>

/** Returns the stored fields of a table by slot. Throws when a slot is missing or used twice. */
function bySlot<Name extends string, Kind extends Field = Field>(
  table: Record<string, Kind>,
): (readonly [Name, Kind])[] {
  const stored = Object.entries(table)
    .filter(([, { slot }]) => slot !== undefined)
    .sort(([, a], [, b]) => (a.slot ?? 0) - (b.slot ?? 0)) as [Name, Kind][]
  const wrong = stored.find(([, { slot }], at) => slot !== at)
  if (wrong !== undefined) throw new Error(`the slot of ${wrong[0]} is ${wrong[1].slot}`)
  return stored
}

export const STORED_FIELDS = bySlot<ParcelProperty, GroupedField>(PARCEL_FIELDS)

/** The stored values of the items of each list, in the order of their slots. */
export const ITEM_PROPERTIES = {
  buildings: bySlot<keyof Building>(BUILDING_FIELDS).map(([name]) => name),
  transfers: bySlot<keyof Transfer>(TRANSFER_FIELDS).map(([name]) => name),
  assessments: bySlot<keyof Assessment>(ASSESSMENT_FIELDS).map(([name]) => name),
}

/**
 * Parses JSON, because V8 keeps an object built by many single assignments in a slower form. Copies
 * of a parsed one by `...` are as fast as object literals.
 */
function makeBlank<Owner>(fields: readonly (readonly [string, Field])[]): Owner {
  const texts = fields.map(
    ([name, { type }]) => `"${name}":${type === 'boolean' ? 'false' : 'null'}`,
  )
  const blank = JSON.parse(`{${texts}}`) as Record<string, unknown>
  for (const [name] of fields) blank[name] = null
  return blank as Owner
}

const BLANK_BUILDING = makeBlank<Building>(bySlot(BUILDING_FIELDS))
const BLANK_TRANSFER = makeBlank<Transfer>(bySlot(TRANSFER_FIELDS))
const BLANK_PARCEL = makeBlank<Parcel>(STORED_FIELDS)

/** Returns a building with all values unknown. */
export function blankBuilding(): Building {
  return { ...BLANK_BUILDING }
}

/** Returns a transfer with all values unknown. */
export function blankTransfer(): Transfer {
  return { ...BLANK_TRANSFER }
}

const TEXT_LISTS = STORED_FIELDS.flatMap(([name, { type }]) =>
  type === 'texts' ? [name as 'alternateParcelIds'] : [],
)

/** Returns a parcel with only its identity. `fips`: five-digit county FIPS code. */
export function blankParcel(parcelId: string, fips: number): Parcel {
  const parcel = { ...BLANK_PARCEL }
  parcel.parcelId = parcelId
  parcel.fips = fips
  parcel.addressAssigned = false
  for (const name of TEXT_LISTS) parcel[name] = []
  parcel.buildings = []
  parcel.transfers = []
  parcel.assessments = []
  parcel.extra = {}
  return parcel
}

/** Fields in which a parcel may name other people and their homes. */
export const NAMING_FIELDS = [
  ...(['ownerName', 'ownerName2', 'careOf', 'transfers', 'zipCode'] as const),
  ...(['ownerStreet', 'ownerCity', 'ownerState', 'ownerZipCode'] as const),
] as const
