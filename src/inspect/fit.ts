/**
 * Tries mappings on the rows of a file: how well each built-in one reads it, which one knows the
 * positions of its columns, and whether a draft makes what looks like a roll.
 */
import { CommandError } from '../base/errors.ts'
import type { LineKind } from '../import/batch.ts'
import { findUnmet, readExpectations, warnOfShares } from '../import/expect.ts'
import { Columns, columnKey, columnsOf } from '../import/mapping/expression.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import { compilePlan, type Plan } from '../import/mapping/plan.ts'
import { isSaid, type Outside, OutsideCounter } from '../import/report/outside.ts'
import { ShareCounter } from '../import/report/shares.ts'
import { CityLearner } from '../import/rows/cities.ts'
import { isBlank, normalizeRow } from '../import/rows/normalize.ts'
import { readSource } from '../import/source.ts'
import { makeBatchReader, makeContext } from '../import/threads/batch.ts'
import type { Parcel } from '../record/parcel.ts'
import type { StagedParcel } from '../store/store.ts'
import { type Sample, type SampleOptions, sourceOf } from './sample/sample.ts'

export type Fit = {
  name: string
  title: string
  /**
   * 0 to 1: the share of the mapping's columns that are present, times the share of usable rows.
   */
  score: number
  /**
   * Number of columns that the mapping names and that the file has. Alternative names count as one.
   */
  columns: { asked: number; found: number; missing: string[] }
  /** Share of the kept rows that became parcels, or that the mapping skips as none. */
  usable: number
  /** Share of the file's columns that the mapping knows. */
  known: number
  /** Why the mapping cannot read the file at all. */
  refused: string | null
}

const ROWS = 300
/** A mapping for any county gets its place at the import; a fixed place serves here. */
const ANY_PLACE = { state: 'NE', county: '001' }
/** Smallest score at which a mapping is reported to fit. */
export const FITS_FROM = 0.8

/** A mapping that loads a file with this share of its columns, or of the file's, fits it. */
const LOADS_FROM = 0.7
const FOUND_MIN = 5

/** Tries every mapping and returns the best first. */
export function fitMappings(sample: Sample, mappings: MappingDocument[], today: string): Fit[] {
  return mappings
    .map((mapping) => fitMapping(sample, mapping, today))
    .sort((a, b) => b.score - a.score)
}

function fitMapping(sample: Sample, mapping: MappingDocument, today: string): Fit {
  const names = sample.columns.map(({ name }) => name)
  const columns = new Columns(names, mapping)
  const asked = askedColumns(mapping)
  const missing = asked
    .filter((some) => columns.find(some) === undefined)
    .map((some) => some[0] ?? '')
  const found = asked.length - missing.length
  const named = new Set(
    asked
      .flat()
      .concat(mapping.ignore ?? [])
      .map(columnKey),
  )
  const known =
    names.filter((name) => named.has(columnKey(name))).length / Math.max(1, names.length)
  const base = { name: mapping.name, title: mapping.title, known }
  const columnCounts = { asked: asked.length, found, missing }
  try {
    const plan = compilePlan({ mapping, ...placeOf(mapping), today }, names, sample.file)
    const usable = usableShare(sample, mapping, plan)
    // All columns of this mapping are optional, so a matching file may have only some of them.
    const share = found / Math.max(1, asked.length)
    const there = mapping.optional === '*' ? Math.max(known, share * 0.95) : share
    const score = Math.max(there, known) ** 0.5 * there ** 0.5 * usable
    const isWhole = Math.max(known, share) >= 0.9 && usable >= 0.5
    const isMost = Math.max(known, share) >= LOADS_FROM && usable >= FITS_FROM
    const loads = found >= FOUND_MIN && (isWhole || isMost)
    return {
      ...base,
      columns: columnCounts,
      usable,
      refused: null,
      score: loads ? Math.max(score, FITS_FROM) : score,
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const score = Math.min(0.5, (found / Math.max(1, asked.length)) * known)
    return { ...base, columns: columnCounts, usable: 0, refused: error.message, score }
  }
}

/** Lists every column that some value names, with its alternative names. */
function askedColumns(mapping: MappingDocument): string[][] {
  const sets = [mapping.fields, ...(mapping.buildings ?? []), ...(mapping.transfers ?? [])]
  const values = [
    ...sets.flatMap((set) => Object.values(set)),
    ...(mapping.alternateParcelIds ?? []),
    ...(mapping.furtherAddresses ?? []),
    ...(mapping.point === undefined ? [] : [mapping.point.x, mapping.point.y]),
  ]
  const listed = values.flatMap((value) => columnsOf(value, { unit: true }))
  const asked = [...new Map(listed.map((names) => [names.join('\n'), names])).values()]
  const optional = new Set(Array.isArray(mapping.optional) ? mapping.optional.map(columnKey) : [])
  const needed = asked.filter((names) => !names.some((name) => optional.has(columnKey(name))))
  return mapping.optional === '*' || needed.length === 0 ? asked : needed
}

const placeOf = ({ state, county }: MappingDocument) => ({
  state: state ?? ANY_PLACE.state,
  county: county ?? ANY_PLACE.county,
})

function usableShare(sample: Sample, mapping: MappingDocument, plan: Plan): number {
  const rows = sample.kept.slice(0, ROWS)
  const outcomes = normalizeRows(rows, mapping, plan)
  // What the mapping skips as no parcel is read as it should be.
  const isSkip = (text: string) => text.startsWith('no parcel: ')
  const skipped = outcomes.filter((one) => 'skipped' in one && isSkip(one.skipped)).length
  const drafts = outcomes.filter((one) => 'draft' in one).length
  return drafts === 0 ? 0 : (drafts + skipped) / outcomes.length
}

/** What becomes of the rows that are not blank. */
function normalizeRows(rows: string[][], mapping: MappingDocument, plan: Plan) {
  const { state, county } = plan.special
  const setup = {
    ...{ mapping, today: '', ...UNTOLD },
    state: mapping.state ?? (state === undefined ? ANY_PLACE.state : undefined),
    county: mapping.county ?? (county === undefined ? ANY_PLACE.county : undefined),
  }
  const context = makeContext(setup, () => {})
  return rows.filter((row) => !isBlank(row)).map((row) => normalizeRow(row, plan, context))
}

const UNTOLD = { forcedOrder: undefined, rollYear: undefined, evidence: undefined }

type LayoutOptions = SampleOptions & { mappings: MappingDocument[]; today: string }

const LAYOUT_ROWS = 200
/** Share of parcels with a readable ZIP code. Text that is cut elsewhere has few. */
const READABLE = 0.6

/** Returns how to read some files if a mapping knows their positions; else nothing. */
export async function findFixedLayout(
  paths: string[],
  options: LayoutOptions,
): Promise<Pick<SampleOptions, 'fixedWidth' | 'encoding'>> {
  const [path] = paths
  if (path === undefined || paths.length > 1 || options.separator !== undefined) return {}
  for (const mapping of options.mappings) {
    if (mapping.fixedWidth === undefined) continue
    const encoding = options.encoding ?? mapping.encoding
    if ((await readableShare(path, mapping, { ...options, encoding })) >= READABLE)
      return { fixedWidth: mapping.fixedWidth, encoding }
  }
  return {}
}

async function readableShare(path: string, mapping: MappingDocument, options: LayoutOptions) {
  const source = sourceOf({ ...options, fixedWidth: mapping.fixedWidth })
  const setup = { mapping, ...placeOf(mapping), today: options.today }
  let [asked, readable] = [0, 0]
  for await (const { columns, rows } of readSource([path], source)) {
    // JSON, dBASE and the like name their own columns, which may be those of the layout.
    if (!mapping.fixedWidth?.some((kind) => isOfKind(columns, kind))) return 0
    const plan = unlessRefused(() => compilePlan(setup, columns, path))
    const outcomes =
      plan === undefined ? [] : normalizeRows(rows.slice(0, LAYOUT_ROWS), mapping, plan)
    asked += outcomes.filter((one) => !('skipped' in one)).length
    readable += outcomes.filter((one) => 'draft' in one && hasZip(one.draft.parcel)).length
    if (plan === undefined ? rows.length > 1 : asked > 0) break
  }
  return asked === 0 ? 0 : readable / asked
}

const isOfKind = (names: readonly string[], kind: LineKind) =>
  kind.columns.length === names.length && kind.columns.every(({ name }, at) => name === names[at])

const hasZip = ({ zipCode, ownerZipCode }: Pick<Parcel, 'zipCode' | 'ownerZipCode'>) =>
  zipCode !== null || ownerZipCode !== null

/** `undefined` where a mapping cannot be applied: other columns, or none for the parcel ID. */
function unlessRefused<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return undefined
  }
}

const COUNTED = ['ownerState', 'ownerOccupied', 'residential']

/**
 * Returns warnings about shares below the draft's expectations or unlikely in any roll, and about
 * parcels outside their county, if the draft knows it. None when the draft cannot be applied.
 */
export function tryDraft(
  sample: Sample,
  mapping: MappingDocument,
  today: string,
): { warnings: string[]; outside: Outside[] } {
  const expectations = readExpectations(mapping.expect)
  const fields = new Set([...COUNTED, ...expectations.map(({ field }) => field)])
  const parcels = unlessRefused(() => makeParcels(sample, mapping, today)) ?? []
  const counter = new ShareCounter([...fields])
  counter.see(parcels)
  const shares = counter.finish()
  const outside = new OutsideCounter()
  // Without a county the parcels are of a place that was made up.
  if ((mapping.county ?? mapping.fields.county) !== undefined) outside.see(parcels)
  const warnings = [...new Set([...findUnmet(expectations, shares), ...warnOfShares(shares)])]
  return { warnings, outside: outside.list().filter(isSaid) }
}

function makeParcels(sample: Sample, mapping: MappingDocument, today: string): StagedParcel[] {
  const { fields } = mapping
  const place = {
    state: mapping.state ?? (fields.state === undefined ? ANY_PLACE.state : undefined),
    county: mapping.county ?? (fields.county === undefined ? ANY_PLACE.county : undefined),
  }
  const columns = sample.columns.map(({ name }) => name)
  const learner = new CityLearner(mapping)
  for (const row of sample.kept) learner.add(row, columns)
  const setup = { mapping, ...place, today, ...UNTOLD, cities: learner.finish() }
  const batch = { file: sample.file, columns, rows: sample.kept, points: sample.points }
  return [...makeBatchReader(setup).read(batch, 1)]
}
