/** The 50 states, DC and the territories: `tables/states.tsv`. */
import type { State } from '../base/model/place.ts'
import { readTable } from '../base/tables.ts'

const ROWS = readTable('states.tsv').map((line) => line.split('\t'))

export const STATES: readonly State[] = ROWS.map(([fips, code = '', name = '']) => ({
  fips: Number(fips),
  code,
  name,
}))

const BY_CODE = new Map(STATES.map((state) => [state.code, state]))

/** Returns a state by its two letters in any case, ignoring outer blanks; names are not read. */
export function findState(text: string): State | undefined {
  return BY_CODE.get(text) ?? BY_CODE.get(text.trim().toUpperCase())
}

/**
 * Returns the state of a two-digit FIPS code, with or without its leading zero, as in rolls;
 * requests name states by letters.
 */
export function findStateByFips(text: string): State | undefined {
  return /^\d{1,2}$/.test(text) ? STATES.find(({ fips }) => fips === Number(text)) : undefined
}

/**
 * Reads a state as written in rolls and mailing lists: `NJ`, `N.J.`, `N. J.`, `New Jersey`,
 * `Calif.`; in any case. `undefined` for none.
 *
 * Requests name states by two letters only: see `findState`.
 */
export function readState(text: string): State | undefined {
  return findState(text) ?? BY_WRITTEN.get(foldState(text))
}

/**
 * The state at the end of a text, and where its words begin. `spelled`: by more than two letters.
 */
export type StateEnd = { code: string; start: number; spelled: boolean }

/**
 * Finds a state at the end of an upper-case text with more before it; `undefined` for none.
 *
 * `PORT WASHINGTON` and `WEST NEW YORK` are places: a spelled-out state does not count after a word
 * that cannot end a name.
 */
export function findStateEnd(text: string): StateEnd | undefined {
  const west = WEST_VIRGINIA.exec(text)
  if (west !== null) return { code: 'WV', start: west.index, spelled: true }
  const short = SHORT_END.exec(text)
  if (short !== null) {
    const state = BY_CODE.get(foldState(short[0]))
    if (state !== undefined) return { code: state.code, start: short.index, spelled: false }
  }
  for (const length of [3, 2, 1]) {
    const found = SPELLED_ENDS[length]?.exec(text)
    const state = found && BY_WRITTEN.get(foldState(found[1] ?? ''))
    if (!found || !state) continue
    const before = text.slice(0, found.index).replace(/[\s,.]+$/, '')
    // `KEY WEST, FLORIDA`: the comma ends the name.
    const isParted = found[0].includes(',')
    if (before === '' || (UNFINISHED.test(before) && !isParted)) return undefined
    return { code: state.code, start: found.index, spelled: true }
  }
  return undefined
}

const SHORT_END = /(?:^|[,\s]+)[A-Z](?:\.?\s?)[A-Z]\.?$/
/** `CHARLESTON, W. VA.` */
const WEST_VIRGINIA = /(?:^|[,\s]+)W\.?\s?VA\.?$/
const SPELLED_ENDS: Record<number, RegExp> = {
  3: /(?:^|[,\s]+)([A-Z.]+\s+[A-Z.]+\s+[A-Z.]+)$/,
  2: /(?:^|[,\s]+)([A-Z.]+\s+[A-Z.]+)$/,
  1: /(?:^|[,\s]+)([A-Z.]+)$/,
}
const UNFINISHED = new RegExp(
  String.raw`(?:^|[\s.])(?:PORT|PT|FORT|FT|MOUNT|MT|LAKE|NORTH|SOUTH|EAST|WEST|[NSEW]|NEW|OLD` +
    '|UPPER|LOWER|POINT|SAN|SANTA|SAINT|ST|CITY OF|TOWN OF|OF)$',
)

function foldState(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, '')
}

/** Abbreviations older than the two letters, `CALIF`, with these. */
export const OLDER_FORMS: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([, code = '', , forms = '']) =>
    forms.split(' ').flatMap((form) => (form === '' ? [] : [[form, code]])),
  ),
)
const BY_WRITTEN = new Map([
  ...BY_CODE,
  ...STATES.map((state) => [foldState(state.name), state] as const),
  ...[...OLDER_FORMS].map(([form, code]) => [form, BY_CODE.get(code) as State] as const),
])

/** States by the first three digits of ZIP codes. */
const ZIP_STATES = new Map<number, string>()
for (const [, code = '', , , ranges = ''] of ROWS) {
  for (const range of ranges.split(' ').filter(Boolean)) {
    const [low = '', high = low] = range.split('-')
    for (let prefix = Number(low); prefix <= Number(high); prefix++) ZIP_STATES.set(prefix, code)
  }
}

/**
 * Returns the two letters of the state of a ZIP, with or without ZIP+4; a few ZIPs on a border
 * belong to the neighbour. `undefined` for none.
 */
export function stateOfZip(zip: string): string | undefined {
  return /^\d{5}/.test(zip) ? ZIP_STATES.get(Number(zip.slice(0, 3))) : undefined
}
