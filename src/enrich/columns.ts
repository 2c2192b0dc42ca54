/** Recognizes the columns of a list that identify a property. */
import { CommandError } from '../base/errors.ts'
import { openLists } from '../base/tables.ts'
import { findState, findStateEnd } from '../regions/states.ts'

/** Meanings of a column; `line` is a whole address: street, city, state and ZIP. */
export const ROLES = [
  'address',
  'line',
  'unit',
  'city',
  'county',
  'state',
  'zip',
  'property-id',
  'parcel-id',
  'latitude',
  'longitude',
] as const
/** Meaning of a list's column for the lookups. */
export type Role = (typeof ROLES)[number]

/** Columns that a message names. */
const COLUMNS_SHOWN = 50

/** Source of a role's value: a column index, or a constant for every row. */
export type Origin = { at: number } | { text: string }
/** The column or constant of each role. */
export type Roles = Partial<Record<Role, Origin>>

/** Column names without case, blanks and punctuation. The first existing name of a role is used. */
const namesOf = openLists('list-columns.txt')

/** A street, a city, a state and perhaps a ZIP. A comma or the ZIP rules out a suffix. */
function isWholeLine(text: string): boolean {
  const { state, zip } = readLine(text)
  return state !== '' && (zip !== '' || text.includes(','))
}

/**
 * Finds the columns by the caller's options (`named`) and the first rows. For `state` and `county`
 * a name that is no column is the value of every row. An address column with whole addresses
 * becomes `line`. Throws `CommandError`.
 */
export function findRoles(
  columns: readonly string[],
  samples: readonly string[][],
  named: Partial<Record<Role, string>>,
): Roles {
  const bare = columns.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  const roles: Roles = {}
  for (const role of ROLES) {
    const name = named[role]
    const origin = name === undefined ? guess(role, bare) : readNamed(role, name, columns)
    if (origin !== undefined) roles[role] = origin
  }
  const { address, state } = roles
  if (named.address === undefined && address !== undefined && 'at' in address) {
    const texts = samples.map((row) => row[address.at] ?? '').filter((text) => text.trim() !== '')
    const whole = texts.filter(isWholeLine).length
    if (state === undefined && whole * 2 > texts.length) {
      roles.line ??= address
      delete roles.address
    }
  }
  refuseUseless(roles, columns)
  return roles
}

function guess(role: Role, bare: readonly string[]): Origin | undefined {
  const name = namesOf(role).find((one) => bare.includes(one))
  return name === undefined ? undefined : { at: bare.indexOf(name) }
}

function readNamed(role: Role, name: string, columns: readonly string[]): Origin {
  const at = columns.indexOf(name)
  if (at !== -1) return { at }
  const isValue = role === 'county' || (role === 'state' && findState(name) !== undefined)
  if (isValue) return { text: name }
  const or = role === 'state' ? ', and no state has these letters' : ''
  throw new CommandError(
    `--${role}: there is no column "${name}"${or}; the columns are ${showSome(columns)}`,
    2,
  )
}

/** A file of another kind may have a hundred thousand columns. */
function showSome(columns: readonly string[]): string {
  const more = columns.length - COLUMNS_SHOWN
  const shown = columns.slice(0, COLUMNS_SHOWN).join(', ')
  return more > 0 ? `${shown} and ${more.toLocaleString('en-US')} more` : shown
}

function refuseUseless(roles: Roles, columns: readonly string[]): void {
  const byPoint = roles.latitude !== undefined && roles.longitude !== undefined
  const byState = roles.state !== undefined && (roles.address ?? roles['parcel-id']) !== undefined
  if (byPoint || byState || (roles.line ?? roles['property-id']) !== undefined) return
  const missing =
    roles.address !== undefined || roles['parcel-id'] !== undefined
      ? 'no column for the state: name it, or the state of all rows, with --state'
      : 'no column for the address, the parcel ID or the coordinates: name one with --address, ' +
        '--line, --parcel-id or --latitude and --longitude'
  throw new CommandError(`${missing}; the columns are ${showSome(columns)}`, 2)
}

/** Splits `12 Oak St, Madison, WI 53703`; street and city stay together. */
export function readLine(line: string): { address: string; state: string; zip: string } {
  const bare = line.replace(/[\s,]+(?:USA|United States(?: of America)?)\.?\s*$/i, '')
  const [, before = bare, zip = ''] = /^(.*\S)[,\s]+(\d{5})(?:-\d{4})?\s*$/.exec(bare) ?? []
  const end = findStateEnd(before.toUpperCase())
  if (end === undefined) return { address: bare, state: '', zip: '' }
  return { address: before.slice(0, end.start).replace(/[,\s]+$/, ''), state: end.code, zip }
}
