/**
 * Earlier versions of parcels, which imports keep.
 *
 * A *version row* is a change at a vintage. Its difference makes the earlier version of the next
 * one, so that the present record is the base of all. Rows of a parcel are ordered by the day of
 * their vintage and then by import. Differences are between records as their own rolls had them
 * (`ownRecord`), so that the order in which rolls are loaded leaves no trace.
 */
import { DAY_MS } from '../../base/days.ts'
import { stripParcelId } from '../../base/fold.ts'
import { packDifference, unpackDifference } from '../../record/changes.ts'
import { NAMING_FIELDS } from '../../record/parcel.ts'
import { FIELD, openFields, ownRecord, slotOf } from '../../record/stored.ts'
import type { RollScope } from '../history.ts'
import type { Link } from '../lineage/link.ts'
import type { EncodedKeys } from '../parcel-keys.ts'
import { listCells } from './cells.ts'

/** What of a parcel has versions. `keys`: as in `parcel-keys.ts`; `geometry`: GeoJSON. */
export type VersionForm = { fieldValues: string; keys: string; geometry: string | null }

export type VersionRow = {
  id: number
  /** Days since 1970-01-01 of the vintage that made the change. */
  day: number
  import: number
  /** `added`: there was no parcel before; `removed`: there is none after. */
  what: (typeof VERSION_KINDS)[number]
  /** When the earlier version was loaded, epoch seconds. */
  loadedAt: number
  difference: string
}

/** A roll of a scope that has been loaded; the one with the greatest day and import is present. */
export type Vintage = RollScope & {
  day: number
  import: number
  rollYear: number | null
  /** The mapping's name; `''` when unknown. */
  source: string
  loadedAt: number
}

/** A place among the rolls of a scope. */
export type Place = Pick<Vintage, 'day' | 'import'>

/** Questions about earlier versions; each is about one state. */
export type VersionReader = {
  /** The version rows of parcels, by id, and of each the newest first. */
  versionsOf(state: string, ids: number[]): Promise<VersionRow[]>
  /** The vintages of a county, or of all counties of the state, oldest first. */
  vintages(state: string, fips: number | undefined): Promise<Vintage[]>
  /** Parcels of which an earlier version had one of these keys; see `listKeys`. Ascending. */
  pastIds(state: string, keys: string[]): Promise<number[]>
  /** Such keys that begin with a text, ascending, at most `limit`. */
  pastKeys(state: string, start: string, limit: number): Promise<string[]>
  /** Links of which one of these parcels is parent or child; of each parcel the newest first. */
  lineageOf(state: string, ids: number[]): Promise<LineageRow[]>
  /** The present records of parcels with their keys, in any order. */
  formsOf(state: string, ids: number[]): Promise<StoredForm[]>
}

/** A link, and the roll that made it. */
export type LineageRow = Link & Pick<VersionRow, 'day' | 'import'>

/** A present record. `loadedAt`: epoch seconds. */
type StoredForm = VersionForm & { id: number; loadedAt: number }

/** Kinds of version rows, by their number in both stores. */
export const VERSION_KINDS = ['added', 'changed', 'removed'] as const

const EMPTY: VersionForm = {
  fieldValues: '',
  keys: '{"i":[],"s":[],"a":[],"h":[],"w":[]}',
  geometry: null,
}
/** Between the three parts of a difference; no JSON text contains it. */
const PART = '\u001c'
const NO_GEOMETRY = '-'

/** Returns what makes `before` of `after`; `''` when they are equal. */
function diffVersion(before: VersionForm, after: VersionForm = EMPTY): string {
  const fields = packDifference(before.fieldValues, after.fieldValues)
  const keys = diffKeys(before.keys, after.keys)
  const geometry = before.geometry === after.geometry ? '' : (before.geometry ?? NO_GEOMETRY)
  if (geometry !== '') return [fields, keys, geometry].join(PART)
  return keys === '' ? fields : [fields, keys].join(PART)
}

/** The inverse of `diffVersion`: returns `before`. */
function undoVersion(difference: string, after: VersionForm = EMPTY): VersionForm {
  const [fields = '', keys = '', geometry = ''] = difference.split(PART)
  return {
    fieldValues: unpackDifference(fields, after.fieldValues),
    keys:
      keys === '' ? after.keys : JSON.stringify({ ...JSON.parse(after.keys), ...JSON.parse(keys) }),
    geometry: geometry === '' ? after.geometry : geometry === NO_GEOMETRY ? null : geometry,
  }
}

/** The lists of keys that differ, as they were. */
function diffKeys(before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[]
  const differing = Object.entries(old ?? {}).filter(
    ([list, own]) => JSON.stringify(own) !== JSON.stringify(now?.[list]),
  )
  return JSON.stringify(Object.fromEntries(differing))
}

const PLACED = ['fips', 'parcelId', 'longitude', 'latitude'] as const
const readPlace = openFields(PLACED)

/**
 * Lists what finds a version: `p` parcel ID, `i` alternate ID, both with the county; `s` strict
 * address key, its own or an alternate. `l` is a loose key, `h` head and `w` word of an owner, `c`
 * a square that it covers. `r`: the county of a parcel that was removed, see `removedKeyOf`.
 * Returns them by what they stand for: a head with its given names, a word with those of its slot.
 */
function listKeys({ fieldValues, keys, geometry }: VersionForm): Map<string, string> {
  const { fips, parcelId, longitude, latitude } = readPlace(fieldValues)
  const { i, s, a, h, w } = JSON.parse(keys) as EncodedKeys
  const point =
    longitude === null || latitude === null ? undefined : ([longitude, latitude] as const)
  const plain = [
    parcelKeyOf(fips, stripParcelId(parcelId ?? '')),
    ...i.map((key) => `i${fips}:${key}`),
    ...s.flatMap(([key, loose]) => [`s${key}`, `l${loose}`]),
    ...a.map(([key]) => `s${key}`),
    ...listCells(geometry, point),
  ]
  const slots = Map.groupBy(w, ([slot]) => slot)
  const wordsIn = (slot: number) => (slots.get(slot) ?? []).map(([, word]) => word).join(' ')
  return new Map([
    ...plain.map((key) => [key, key] as const),
    ...h.map(([, kind, head, rest]) => [`h${head} ${kind} ${rest}`, headKeyOf(head)] as const),
    ...w.map(([slot, word]) => [`w${word} ${wordsIn(slot)}`, wordKeyOf(word)] as const),
  ])
}

/** Returns the key of an owner's surname, or of an organization's first word. */
export function headKeyOf(head: string): string {
  return `h${head}`
}

export function wordKeyOf(word: string): string {
  return `w${word}`
}

/** Returns the key under which the removed parcels of a county are listed. */
export function removedKeyOf(fips: number): string {
  return `r${fips}`
}

/** Returns the key of a parcel ID without punctuation. */
export function parcelKeyOf(fips: number, strippedKey: string): string {
  return `p${fips}:${strippedKey}`
}

/** The day of a year's first, since 1970-01-01. */
function firstOfYear(year: number): number {
  return Date.UTC(year, 0, 1) / DAY_MS
}

/** Shows a day as `YYYY-MM-DD`. */
export function showDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Shows a roll as `coverage` lists it. */
export function showVintage({ day, rollYear, municipality, source, loadedAt }: Vintage) {
  return {
    ...{ date: showDay(day), rollYear, municipality: municipality || null },
    ...{ source: source || null, loadedAt: new Date(loadedAt * 1000).toISOString() },
  }
}

/** Returns the day of a roll: given, January 1 of its year, or of loading; not before `newest`. */
export function dayOfRoll(
  given: number | null,
  rollYear: number | null,
  loadedAt: number,
  newest: number | null,
): number {
  const own = rollYear === null ? Math.floor((loadedAt * 1000) / DAY_MS) : firstOfYear(rollYear)
  return Math.max(given ?? own, newest ?? Number.NEGATIVE_INFINITY)
}

/** The keys that find an earlier version and not the next one. */
function listLostKeys(before: VersionForm, after: VersionForm | undefined): string[] {
  const own = listKeys(before)
  const kept = after === undefined ? new Map<string, string>() : listKeys(after)
  const lost = [...own].filter(([what]) => !kept.has(what)).map(([, key]) => key)
  if (after === undefined) lost.push(removedKeyOf(readPlace(before.fieldValues).fips))
  return [...new Set(lost)]
}

/** A parcel before and after a change; both are as stored. */
export type VersionPair = {
  id: number
  loadedAt: number
  before: VersionForm | undefined
  after: VersionForm | undefined
}

/** Makes the row and keys of a change; `undefined` when nothing of the parcel has changed. */
export function makeVersion(
  { id, loadedAt, before, after }: VersionPair,
  at: Pick<VersionRow, 'day' | 'import'>,
): { row: VersionRow; keys: string[] } | undefined {
  const what = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const row = { id, ...at, what, loadedAt } as const
  if (before === undefined) return { row: { ...row, loadedAt: 0, difference: '' }, keys: [] }
  const [old, now] = [asOwn(before), after && asOwn(after)]
  const difference = diffVersion(old, now)
  if (difference === '') return undefined
  const isElsewhere = now === undefined || difference.includes(PART) || MOVES.test(difference)
  return { row: { ...row, difference }, keys: isElsewhere ? listLostKeys(old, now) : [] }
}

/** Matches a difference of fields that `listKeys` reads. */
const MOVES = new RegExp(patternOf(PLACED))

/**
 * A regular expression of differences that suppressions read. Without such a difference, a
 * suppression matches all versions of a parcel or none.
 */
export const NAMES_PATTERN = `${patternOf([...PLACED, 'municipality', ...NAMING_FIELDS])}|${PART}`

function patternOf(names: readonly string[]): string {
  return `(^|${FIELD})(${names.map((name) => slotOf(name).toString(36)).join('|')}):`
}

function asOwn(form: VersionForm): VersionForm {
  return { ...form, fieldValues: ownRecord(form.fieldValues) }
}

/** The versions of one id: before its change rows, oldest last; the first is the present one. */
export type Chain = { form: VersionForm | undefined; row: VersionRow | undefined }[]

/** Undoes the change rows of one id, newest first. Each item has the row that ended it. */
export function readChain(present: VersionForm | undefined, rows: readonly VersionRow[]): Chain {
  const chain: Chain = [{ form: present && asOwn(present), row: undefined }]
  for (const row of rows) {
    const next = chain.at(-1)?.form
    const form = row.what === 'added' ? undefined : undoVersion(row.difference, next)
    chain.push({ form, row })
  }
  return chain
}

/** Makes the rows of a chain whose versions were changed; equal neighbours need none. */
export function makeChain(chain: Chain): { row: VersionRow; keys: string[] }[] {
  return chain.slice(1).flatMap(({ form: before, row }, at) => {
    const after = chain[at]?.form
    if (row === undefined || (before === undefined && after === undefined)) return []
    const { id, loadedAt } = row
    const made = makeVersion({ id, loadedAt, before, after }, row)
    return made === undefined ? [] : made
  })
}
