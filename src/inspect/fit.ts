/**
 * Scores how well each built-in mapping reads a file: by its columns, and by the parcels made from
 * its rows.
 */
import { CommandError } from '../base/errors.ts'
import { Columns, columnKey } from '../import/mapping/expression.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import { compilePlan, type Plan } from '../import/mapping/plan.ts'
import { isBlank, normalizeRow, type RowContext } from '../import/rows/normalize.ts'
import type { Sample } from './sample/sample.ts'

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

/** Rows tried. */
const ROWS = 300
/** A mapping for any county gets its place at the import; a fixed place serves here. */
export const ANY_PLACE = { state: 'NE', county: '001' }
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
    const setup = {
      mapping,
      state: mapping.state ?? ANY_PLACE.state,
      county: mapping.county ?? ANY_PLACE.county,
      today,
    }
    const plan = compilePlan(setup, names, sample.file)
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
  const asked = new Map<string, string[]>()
  const note = (names: string[]) => asked.set(names.join('\n'), names)
  const walk = (value: unknown, isValue: boolean): void => {
    if (typeof value === 'string') {
      if (isValue) note([value])
    } else if (Array.isArray(value)) for (const one of value) walk(one, isValue)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) {
        if (name === 'column') note([one].flat() as string[])
        else if (name === 'join' || name === 'first' || name === 'sum') walk(one, true)
        else if (name === 'unit' && typeof one === 'object') walk(one, true)
      }
    }
  }
  const sets = [mapping.fields, ...(mapping.buildings ?? []), ...(mapping.transfers ?? [])]
  for (const set of sets) for (const value of Object.values(set)) walk(value, true)
  walk(mapping.alternateParcelIds ?? [], true)
  walk(mapping.furtherAddresses ?? [], true)
  if (mapping.point !== undefined) walk([mapping.point.x, mapping.point.y], true)
  const optional = new Set(Array.isArray(mapping.optional) ? mapping.optional.map(columnKey) : [])
  const needed = [...asked.values()].filter(
    (names) => !names.some((name) => optional.has(columnKey(name))),
  )
  return mapping.optional === '*' || needed.length === 0 ? [...asked.values()] : needed
}

function usableShare(sample: Sample, mapping: MappingDocument, plan: Plan): number {
  const context = contextOf(mapping, plan)
  const rows = sample.kept.slice(0, ROWS).filter((row) => !isBlank(row))
  const outcomes = rows.map((row) => normalizeRow(row, plan, context))
  // What the mapping skips as no parcel is read as it should be.
  const isSkip = (text: string) => text.startsWith('no parcel: ')
  const skipped = outcomes.filter((one) => 'skipped' in one && isSkip(one.skipped)).length
  const drafts = outcomes.filter((one) => 'draft' in one).length
  return drafts === 0 ? 0 : (drafts + skipped) / Math.max(1, rows.length)
}

/** What rows are read with when a mapping is tried. */
export function contextOf(mapping: MappingDocument, plan: Plan): RowContext {
  return {
    state: mapping.state ?? (plan.special.state === undefined ? ANY_PLACE.state : undefined),
    county: mapping.county ?? (plan.special.county === undefined ? ANY_PLACE.county : undefined),
    nameOrder: mapping.nameOrder ?? 'mixed',
    forcedOrder: undefined,
    municipal: mapping.scope === 'municipality',
    rollYear: null,
    mappingYear: null,
    sourceName: null,
    sourceLicense: null,
    unread: () => {},
  }
}
