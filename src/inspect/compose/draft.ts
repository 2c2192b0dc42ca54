/** Drafts a mapping for an unknown layout. A person checks it before it is loaded. */
import { basename } from 'node:path'
import { wordSet } from '../../base/tables.ts'
import { MAPPED_PARCEL } from '../../import/mapping/fields.ts'
import type { JoinRule, MappingDocument } from '../../import/mapping/mapping.ts'
import { assign, guessAll, SURE } from '../recognize/guess.ts'
import { isPart, scoreAll } from '../recognize/score.ts'
import { settleMeanings } from '../recognize/settle.ts'
import { settleNameless } from '../recognize/settle-nameless.ts'
import { settleRivals } from '../recognize/settle-rivals.ts'
import { settleSums } from '../recognize/settle-sums.ts'
import { settleUses } from '../recognize/settle-uses.ts'
import { type Subject, withWords } from '../recognize/subject.ts'
import type { ColumnHints } from '../sample/column-hints.ts'
import type { Sample, SampleOptions } from '../sample/sample.ts'
import { addCodeTables, composeUse } from './code-tables.ts'
import { composeBuilding } from './compose-building.ts'
import {
  composeAddressId,
  composeIds,
  describeComposed,
  findComposedId,
  isAccount,
  warnOfIds,
} from './compose-ids.ts'
import { composeLand } from './compose-land.ts'
import { composeScope, composeSpread, settleIds, settleTown } from './compose-scope.ts'
import { composePoint, composeSite } from './compose-site.ts'
import { composeTransfers } from './compose-transfers.ts'
import { composeValues, composeYear } from './compose-values.ts'
import { DraftBuilder, type Entry, type Section } from './draft-builder.ts'
import { leaveOutDoubtful } from './leave-out.ts'
import { composeOwner } from './owner/compose-owner.ts'
import { findPlace } from './places.ts'
import { remarkPatterns } from './remarks.ts'
import {
  describeZone,
  epsgSetting,
  expectSetting,
  foundSetting,
  guessShapeZone,
  headerSetting,
  ignoreSetting,
  joinSettings,
  nullSetting,
  orderSetting,
  repeatSetting,
  type Setting,
  setting,
  skipSetting,
  textSettings,
} from './settings.ts'
import { composeStateCodes } from './state-codes.ts'
import { tidyLines } from './tidy-lines.ts'

/** A drafted mapping: its document, and points for a person to check. */
export type Draft = {
  name: string
  file: string
  settings: Setting[]
  /** In the order of the record's groups. */
  entries: Entry[]
  /** Filled columns that no field uses. */
  unused: string[]
  /** What a person should know before loading it. */
  warnings: string[]
}

/** Command-line settings that go with the file. */
export type DraftHints = SampleOptions & {
  state?: string | undefined
  county?: string | undefined
  /** Tables joined to the roll, and columns that some of its files lack. */
  joins?: JoinRule[]
  lacking?: string[]
  /** Whether a row of the roll has several partners. */
  repeats?: boolean
  /** A layer's description of its columns. */
  hints?: ColumnHints
  /** What publishes it, where its file has no name of its own. */
  publisher?: string | undefined
  /** Mappings whose tables of a state's use codes a draft may take. */
  mappings?: MappingDocument[]
  /** `YYYY-MM-DD`. */
  today: string
}

/** Resolves ambiguous names before any field is guessed. */
function settleSubjects(subjects: Subject[], sample: Sample, hints: DraftHints): Subject[] {
  const known = settleNameless(dropPartAmounts(subjects, sample), sample)
  const named = settleUses(settleRivals(known, sample, hints), sample)
  return settleIds(settleSums(settleMeanings(named), sample), sample)
}

/** One line of land has an amount of its own; an import would take the first for the parcel's. */
function dropPartAmounts(subjects: Subject[], { columns }: Sample): Subject[] {
  return subjects.map((subject) => {
    if (columns[subject.index]?.isOfSeveral !== true) return subject
    const [best] = [...scoreAll(subject)].sort((a, b) => b.byName - a.byName)
    const reading = best && best.byName > 0 ? MAPPED_PARCEL[best.field]?.reading : undefined
    return AMOUNTS.has(reading ?? '') ? withWords(subject, [], 0) : subject
  })
}
const AMOUNTS = wordSet('money cents area acres integer number')

/**
 * Makes a draft from a sample of a file. Never throws; the draft for a file without a parcel ID
 * says so.
 */
export function makeDraft(sample: Sample, columns: Subject[], hints: DraftHints): Draft {
  const subjects = settleSubjects(columns, sample, hints)
  const guesses = guessAll(subjects)
  const parts = findComposedId(subjects, guesses, sample, hints.state)
  const ids = parts === undefined ? guesses : guesses.filter((guess) => !isAccount(guess))
  const found = assign(ids, parts === undefined)
  const builder = new DraftBuilder(sample, subjects, hints.today, found)
  const composed =
    builder.look('parcelId') === undefined ? (parts ?? composeAddressId(builder)) : undefined
  composeIds(builder, composed)
  composeOwner(builder)
  composeSite(builder)
  tidyLines(builder)
  const place = findPlace(builder, hints)
  const point = composePoint(builder, place)
  const zone = hints.epsg === undefined ? guessShapeZone(sample, place.state?.value) : undefined
  settleTown(builder)
  composeUse(builder)
  composeStateCodes(builder, place.state?.value, hints.mappings)
  composeBuilding(builder)
  composeLand(builder)
  composeValues(builder, place.state?.value, hints.mappings)
  const year = composeYear(builder, sample.file)
  composeTransfers(builder)
  const scope = composeScope(builder, place.state?.value)
  if (place.spread !== undefined) composeSpread(builder, place.spread)
  else if (place.countyColumn !== undefined) builder.take('county')
  addCodeTables(builder, hints.hints)
  leaveOutDoubtful(builder, place.state?.value, hints.mappings)
  addRest(builder)
  const unused = listUnused(builder, point?.value)
  const name = nameOf(sample.file, place.state?.value, place.county?.value)
  const settings = [
    ...headerSetting(sample),
    ...foundSetting('state', place.state),
    ...foundSetting('county', place.county),
    ...scope,
    setting('source', nameSource(hints, sample, year?.year), 0.7, year?.why),
    ...nullSetting(subjects),
    ...orderSetting(builder),
    ...foundSetting('point', point),
    ...textSettings(hints),
    ...epsgSetting(hints.epsg, zone),
    ...joinSettings(hints, builder),
    ...skipSetting(builder),
    ...repeatSetting(builder, composed?.uniqueness, hints.repeats),
    ...expectSetting(builder),
    setting('extra', 'unmapped', 1, describeUnused(unused)),
    ...ignoreSetting(subjects),
  ]
  const id = builder.look('parcelId')?.subject
  const warnings = [
    ...(id === undefined ? [] : warnOfIds(id.name, id.contents)),
    ...(composed === undefined ? [] : [describeComposed(composed)]),
    ...(zone === undefined ? [] : [describeZone(zone)]),
    ...scope.filter(({ certainty }) => certainty < SURE).map(({ why }) => why),
  ]
  const entries = builder.entries.map((entry) => remarkPatterns(entry, sample))
  return { name, file: sample.file, settings, entries, unused, warnings }
}

/**
 * Adds doubtful guesses, and reads further objects of a list as the first is read:
 * `buildings.2.sqft`, `sales.3.date`.
 */
function addRest(builder: DraftBuilder): void {
  builder.addDoubtful(sectionOf)
  const names = new Set(builder.subjects.map(({ name }) => name))
  for (const entry of builder.entries.filter(({ certainty }) => certainty >= SURE)) {
    const { section, name, columns } = entry
    const [, list] = /^(.+\.)1\./.exec(columns[0] ?? '') ?? []
    if ((section !== 'buildings' && section !== 'transfers') || list === undefined) continue
    for (const place of [2, 3, 4, 5, 6, 7, 8, 9] as const) {
      const shown = JSON.stringify(entry).replaceAll(`"${list}1.`, `"${list}${place}.`)
      const further: Entry = { ...JSON.parse(shown), section: `${section}${place}` }
      const isThere = further.columns.every((column) => names.has(column))
      if (isThere && builder.entry(`${further.section}.${name}`) === undefined)
        builder.entries.push(further)
    }
  }
}

function nameSource({ publisher }: DraftHints, { file }: Sample, rollYear: number | undefined) {
  return { name: publisher ?? basename(file), rollYear }
}

/** Lists the filled columns that no field uses. */
function listUnused({ subjects, entries }: DraftBuilder, point?: { x: string; y: string }) {
  const used = new Set([...entries.flatMap(({ columns }) => columns), point?.x, point?.y])
  return subjects
    .filter(({ name, contents }) => !used.has(name) && contents.texts.length > 0)
    .map(({ name }) => name)
}

/** Names unused columns, so that none is lost without a word. */
export function describeUnused(unused: readonly string[]): string {
  const named = unused.length === 0 ? '' : ` (${unused.join(', ')})`
  return `columns that no field uses are kept${named}; name the few that are worth it`
}

/** Returns a field's place in a mapping; `undefined` for parts of fields. */
function sectionOf(field: string): { section: Section; name: string } | undefined {
  if (field === 'alternateParcelIds') return { section: field, name: 'alternateParcelIds' }
  const [group, name] = field.split('.')
  if (name !== undefined && (group === 'buildings' || group === 'transfers'))
    return { section: group, name }
  return isPart(field) ? undefined : { section: 'fields', name: field }
}

function nameOf(file: string, state: string | undefined, county: string | undefined): string {
  const words = [state, county ?? basename(file).split('.')[0], 'draft'].filter(
    (word) => word !== undefined,
  )
  const name = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? 'draft' : name
}
