/**
 * Drafts the settings of a whole file: place, unknown words, name order, treatment of repeated
 * rows.
 */
import { wordSet } from '../../base/tables.ts'
import { readFlag } from '../../import/mapping/clean.ts'
import type { JoinRule } from '../../import/mapping/mapping.ts'
import { isDegrees } from '../../import/readers/shapefile.ts'
import { SURE } from '../recognize/guess.ts'
import type { Subject } from '../recognize/subject.ts'
import { shareOf } from '../sample/contents.ts'
import { type Found, findProjection } from '../sample/projections.ts'
import type { Sample, SampleOptions } from '../sample/sample.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'
import { findNameOrder } from './owner/name-order.ts'

/** A setting of the mapping: its property, value, certainty and reason. */
export type Setting = { name: string; value: unknown; certainty: number; why: string }

export function setting(name: string, value: unknown, certainty: number, why = ''): Setting {
  return { name, value, certainty, why }
}

/** The setting that was found; none without a finding. */
export function foundSetting(name: string, found: Omit<Setting, 'name'> | undefined): Setting[] {
  return found === undefined ? [] : [{ name, ...found }]
}

/** A file without a header line needs column names from the mapping. */
export function headerSetting({ columns, headless }: Sample): Setting[] {
  const names = columns.map(({ name }) => name)
  const why =
    'the first line is a row: no line names the columns, so this list does, from left to right'
  return headless ? [setting('columns', names, 1, why)] : []
}

export function textSettings(given: SampleOptions): Setting[] {
  const { encoding, separator, skip: skipLines, fixedWidth } = given
  const why =
    fixedWidth === undefined ? 'given on the command line' : 'positions of a layout that is known'
  return Object.entries({ encoding, separator, skipLines, fixedWidth })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => setting(name, value, 1, why))
}

/** Share of IDs with a digit from which a word is no ID. */
const NUMBERED = 0.85
const SKIPPED_MAX = 40

/** Leaves out rows of older years, of parcels that are no more, and polygons that are none. */
export function skipSetting(builder: DraftBuilder): Setting[] {
  const rules = [findYears(builder), findRetired(builder), findWords(builder)]
  const found = rules.filter((rule) => rule !== undefined)
  const why = found.map((rule) => rule.why).join('; ')
  const skip = found.map(({ value, is }) => ({ value, is }))
  return skip.length === 0 ? [] : [setting('skip', skip, 0.85, why)]
}

/** `ROW`, `WATER`: a word where the other rows have a number. */
function findWords(builder: DraftBuilder) {
  const id = builder.look('parcelId')?.subject
  if (id === undefined || id.contents.values.length < 20) return undefined
  const words = id.contents.values.filter((text) => !/\d/.test(text))
  const { length } = id.contents.values
  const is = [...new Set(words.map((text) => text.toUpperCase()))].sort()
  if (is.length === 0 || is.length > SKIPPED_MAX || words.length > length * (1 - NUMBERED))
    return undefined
  const why = `${percent(words.length / length)} of the rows have a word and no number as their ID`
  return { value: id.name, is, why }
}

/** `Status` is `Retired` in some rows, or `D` and `I` where the others have `A` for active. */
function findRetired({ subjects }: DraftBuilder) {
  for (const { name, meaning, alias = meaning, contents } of subjects) {
    if (!alias.words.includes('status') || !alias.words.every((w) => OF_ROW.has(w))) continue
    const texts = contents.values.map((text) => text.toUpperCase())
    const isMarked = shareOf(texts, (text) => text === 'A') > ACTIVE
    const gone = texts.filter((text) => GONE.test(text) || (isMarked && /^[DIR]$/.test(text)))
    if (gone.length === 0 || gone.length > texts.length * (1 - ACTIVE)) continue
    const is = [...new Set(gone)].sort()
    return { value: name, is, why: `${name} says which parcels are no more: ${is.join(', ')}` }
  }
  return undefined
}
const OF_ROW = wordSet('status parcel id account site row roll recording current description')
const GONE = /^(?:INACTIVE|RETIRED?|DELETED?|HISTORIC(?:AL)?|VOID(?:ED)?|CANCELL?ED|DEAD|KILLED)$/
/** Share of the rows that must stay. */
const ACTIVE = 0.6

/** Finds a column of years where the file has a row of each year for a parcel. */
function findYears(builder: DraftBuilder) {
  const id = builder.look('parcelId')?.subject
  const year = (builder.look('assessedYear') ?? builder.look('taxYear'))?.subject
  if (id === undefined || year === undefined || year.contents.fill < 0.95) return undefined
  const { uniqueness } = id.contents
  const counts = Map.groupBy(year.contents.texts, (text) => text)
  const common = [...counts].filter(([, { length }]) => length > year.contents.texts.length * 0.02)
  const [newest, ...older] = common.map(([text]) => text).sort((a, b) => Number(b) - Number(a))
  if (newest === undefined || older.length === 0 || uniqueness > 0.9) return undefined
  const rows = builder.sample.kept.map((row) => [row[id.index], row[year.index]])
  const distinct = (texts: unknown[]) => new Set(texts).size
  const repeated = rows.length - distinct(rows.map(([own]) => own))
  // Rows of one parcel and one year are of its owners or buildings.
  const twice = rows.length - distinct(rows.map((pair) => pair.join(' ')))
  const isEven = Math.abs(uniqueness * common.length - 1) < 0.2
  const isStacked = repeated < 5 ? isEven : twice < repeated * 0.1
  const why = `the file has a row of each year for a parcel; only those of ${newest} are loaded`
  return isStacked ? { value: year.name, is: older, why } : undefined
}

/** Lists words for unknown in some column that import does not know. */
export function nullSetting(subjects: Subject[]): Setting[] {
  const words = new Map<string, number>()
  for (const { contents } of subjects) {
    for (const [word, count] of contents.nullWords) words.set(word, (words.get(word) ?? 0) + count)
  }
  const seen = [...words].filter(([, count]) => count > 2).sort((a, b) => b[1] - a[1])
  if (seen.length === 0) return []
  const found = seen.map(([word, count]) => `${JSON.stringify(word)} ${count} times`).join(', ')
  const nulls = seen.map(([word]) => word)
  return [setting('nulls', nulls, 0.85, `the rows that were kept have ${found}`)]
}

export function orderSetting(builder: DraftBuilder): Setting[] {
  const owner = builder.look('ownerName1')
  if (owner === undefined) {
    if (builder.look('ownerLast') === undefined) return []
    return [setting('nameOrder', 'last-first', 1, 'the draft joins surname and given names so')]
  }
  return [{ name: 'nameOrder', ...findNameOrder(owner.subject.contents.texts) }]
}

/** Lists the joins, and columns that some files or rows lack. */
export function joinSettings(
  given: { joins?: JoinRule[]; lacking?: string[] },
  builder: DraftBuilder,
): Setting[] {
  const { joins = [], lacking = [] } = given
  const used = builder.usedColumns()
  const late = builder.sample.columns.filter(({ isLate, name }) => isLate && used.has(name))
  const optional = [...new Set([...lacking, ...late.map(({ name }) => name)])]
  return [
    setting('join', joins, 0.8, 'files of other columns have the keys of the roll'),
    setting('optional', optional, 1, 'some files or rows of the roll lack these columns'),
  ].filter(({ value }) => (value as unknown[]).length > 0)
}

/**
 * Drafts how to merge rows of one ID. `composed`: uniqueness of an ID of several columns. `joined`:
 * whether several rows of another file belong to one parcel.
 */
export function repeatSetting(
  builder: DraftBuilder,
  composed: number | undefined,
  joined = false,
): Setting[] {
  const value = { merge: ['owners', 'buildings', 'transfers', 'addresses'], otherwise: 'first' }
  if (joined) return [setting('repeats', value, 0.7, 'several joined rows belong to one parcel')]
  const unique = composed ?? builder.look('parcelId')?.subject.contents.uniqueness
  if (unique === undefined || unique > 0.9995) return []
  const changed = findChanged(builder)
  if (changed !== undefined) {
    const why = `${changed.column} marks changes, which replace other rows; what it deletes stays`
    return [setting('repeats', { merge: [], otherwise: 'first', prefer: changed }, 0.7, why)]
  }
  const prefer = findPrimary(builder)
  const repeats = percent(1 - unique)
  const note = prefer === undefined ? '' : `; ${prefer.column} gives the first of them`
  const why = `about ${repeats} of the rows repeat an ID${note}`
  return [setting('repeats', prefer === undefined ? value : { ...value, prefer }, 0.7, why)]
}

/** Finds a column of what a file of updates does to its rows: `Action`, with `C` and `D`. */
function findChanged(builder: DraftBuilder): { column: string; value: string[] } | undefined {
  const { subjects, sample } = builder
  const id = builder.look('parcelId')?.subject.index ?? -1
  const found = subjects.find(({ index, name, meaning, contents: { texts, fill } }) => {
    const isNamed = NAMED.test(name) && !meaning.words.includes('sale')
    if (!isNamed || fill === 0 || fill >= 0.5 || !texts.every((text) => CHANGE.test(text)))
      return false
    if (sample.rows > sample.kept.length) return true
    // A flag of a row without another is no update.
    const others = new Set(sample.kept.filter((row) => row[index] === '').map((row) => row[id]))
    const changes = sample.kept.filter((row) => /^[CU]/i.test(row[index] ?? ''))
    return changes.length > 0 && changes.every((row) => others.has(row[id]))
  })
  const value = [...new Set(found?.contents.texts)].filter((text) => !/^D/i.test(text))
  return found === undefined || value.length === 0 ? undefined : { column: found.name, value }
}
const NAMED = /(?<!fr|trans)action|chang|chg|update|maint/i
const CHANGE = /^(?:[ACDINU]|ADD(?:ED)?|NEW|CHANGED?|UPDATED?|DELETED?|INSERT(?:ED)?)$/i

/** Finds a flag for the first row of a parcel: `is_primary`, `PRIMARY_OWNER`. */
function findPrimary({ subjects }: DraftBuilder): { column: string; value: string } | undefined {
  const flag = subjects.find(
    ({ meaning, contents }) => meaning.words.includes('primary') && contents.flag > 0.95,
  )
  const value = flag?.contents.texts.find((text) => readFlag(text) === true)
  return flag === undefined || value === undefined ? undefined : { column: flag.name, value }
}

/** Ignores keys of databases and shapes, which contain nothing about a parcel. */
export function ignoreSetting(subjects: Subject[]): Setting[] {
  const keys = subjects.filter(
    ({ name, meaning: { words } }) => name && (words.includes('row') || words.includes('geometry')),
  )
  const names = keys.map(({ name }) => name)
  return names.length === 0 ? [] : [setting('ignore', names, 0.9, 'keys of a database and shapes')]
}

/** In most rolls many owners live at the site, and never all of them. */
const OCCUPIED = '20..95 %'
const MAIL_STATES = '>= 95 %'
/** Every roll must reach this part of a share that the kept rows have. */
const KEPT = 0.9
/** Half of the parcels of a roll with owners have one. */
const OWNED = 0.5
/** A part of a county with so few rows may have homes alone. */
const SMALL = 200
const FULL: readonly string[] = ['ownerName1', 'address', 'totalAssessedValue', 'totalMarketValue']

/**
 * Builds the setting `expect` for the fields that the draft fills; nothing when it fills none of
 * them.
 */
export function expectSetting(builder: DraftBuilder): Setting[] {
  const { entries, subjects, sample } = builder
  const sure = entries.filter(({ section, certainty }) => section === 'fields' && certainty >= SURE)
  const has = (...names: string[]) => sure.some(({ name }) => names.includes(name))
  const expect: Record<string, string> = {}
  for (const { name, columns } of sure) {
    if (!FULL.includes(name) || columns.length !== 1) continue
    const fill = subjects.find((one) => one.name === columns[0])?.contents.fill ?? 0
    if (name === 'ownerName1' && fill > 0 && KEPT * fill < OWNED)
      expect[name] = `>= ${100 * OWNED} %`
    else if (fill > 0.1) expect[name] = `>= ${Math.floor(100 * KEPT * fill)} %`
  }
  if (has('addressFull', 'streetName')) expect.address = '>= 50 %'
  const hasPlace = has('ownerCityStateZip', 'ownerAddressFull')
  if (hasPlace || has('ownerState')) expect.ownerState = MAIL_STATES
  const hasMail = has('ownerAddressLine1', 'ownerAddressFull')
  const hasSite = has('address', 'addressFull', 'streetName')
  if (hasMail && hasSite) expect.ownerOccupied = OCCUPIED
  if (has('residential') && sample.kept.length > SMALL) expect.residential = '1..99 %'
  if (Object.keys(expect).length === 0) return []
  const why =
    `shares that most rolls have, and ${percent(KEPT)} of those in this file; an ` +
    'import that misses one is refused'
  return [setting('expect', expect, 0.9, why)]
}

/**
 * Guesses the zone of a shapefile without a .prj file from its extent; `undefined` when the sample
 * has none.
 *
 * `state`: two letters; excludes the zones of other states.
 */
export function guessShapeZone(
  { bareExtent }: Sample,
  state: string | undefined,
): Found | undefined {
  if (bareExtent === undefined) return undefined
  if (isDegrees(bareExtent)) {
    return { epsg: 4326, name: 'WGS84', certainty: 0.8, why: 'the extent can only be degrees' }
  }
  const { west, south, east, north } = bareExtent
  const across = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => [west + (east - west) * share, south + (north - south) * share] as const,
  )
  return findProjection([...across, [west, north], [east, south]], state)
}

/** Returns the sentence that reports the guess. */
export function describeZone({ epsg, name, why }: Found): string {
  return (
    `there is no .prj file; the most likely projection is EPSG:${epsg}, ` +
    `${name}: ${why}. Give --epsg ${epsg}, or the right one`
  )
}

/** Returns the projection of the shapes: from the command line, or guessed from their extent. */
export function epsgSetting(given: number | undefined, zone: Found | undefined): Setting[] {
  if (given !== undefined) return [setting('epsg', given, 1, 'given on the command line')]
  return zone === undefined ? [] : [setting('epsg', zone.epsg, zone.certainty, zone.why)]
}
