/** Inspects an unknown file: its columns, the best mapping, and a draft of a new one. */
import { CommandError } from '../base/errors.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import type { EsriField } from '../import/readers/coded.ts'
import type { Outside } from '../import/report/outside.ts'
import type { Unplaced } from '../import/report/unplaced.ts'
import { combineFiles, type LayoutReport } from './combine/combine.ts'
import { type Draft, type DraftHints, makeDraft } from './compose/draft.ts'
import { draftDocument } from './compose/show-draft.ts'
import { type Fit, fitMappings } from './fit.ts'
import { findFixedLayout } from './fixed-layouts.ts'
import { makeSubject } from './recognize/subject.ts'
import { aliasOf, makeHints, readHints } from './sample/column-hints.ts'
import { type Contents, readContents } from './sample/contents.ts'
import type { NullKind } from './sample/nulls.ts'
import type { Sample, SampleOptions } from './sample/sample.ts'
import { tryDraft } from './try-draft.ts'

type ColumnType =
  | 'empty'
  | 'flag'
  | 'whole number'
  | 'number'
  | 'year'
  | 'date'
  | 'ZIP code'
  | 'state'
  | 'address'
  | 'name'
  | 'code'
  | 'text'

export type ColumnReport = {
  name: string
  type: ColumnType
  /** Share of rows with a value; zeros count. */
  fill: number
  /**
   * Estimated number of distinct values; `null` for few values in many rows, which are not counted.
   */
  distinct: number | null
  /** A few values from all parts of the file. */
  samples: string[]
  /**
   * Counts of each kind of unknown value in the whole file: blanks, words, zeros, prices and dates.
   */
  nulls: Partial<Record<NullKind, number>>
  /** The field that the draft assigns to it. */
  field: string | null
}

export type Inspection = {
  file: string
  /** What was done with the files, grouped by layout; the roll's come first. */
  layouts: LayoutReport[]
  rows: number
  blankRows: number
  brokenRows: number
  /** The file has no header line; columns are named `column1` and so on. */
  headless: boolean
  /** Number of rows examined in full. */
  kept: number
  /** Share of the kept rows with a point from their shape; `null` without shapes. */
  shapes: number | null
  /** Rows that had a shape and got none, by reason. */
  unplaced: Unplaced[]
  /** Kept rows whose point, ZIP code or city is outside the county. */
  outside: Outside[]
  columns: ColumnReport[]
  fits: Fit[]
  draft: Draft
}

type InspectOptions = SampleOptions &
  DraftHints & {
    mappings: MappingDocument[]
    /** A web layer's description of its columns. */
    fields?: EsriField[]
  }

/**
 * Reads a file once; files that are joined are read up to four times.
 *
 * Files of one layout form one roll, and others are joined to it when they have its keys. Throws
 * `CommandError` for a file that import cannot read.
 */
export async function inspectFile(
  paths: string | string[],
  given: InspectOptions,
): Promise<Inspection> {
  const { tables, fields } = readHints([paths].flat())
  if (tables.length === 0) {
    throw new CommandError(
      `${[paths].flat().join(', ')} describes a layer and holds no rows: name a file of ` +
        'its rows too',
    )
  }
  const options = { ...given, ...(await findFixedLayout(tables, given)) }
  const hints = makeHints([...fields, ...(options.fields ?? [])])
  const combined = await combineFiles(tables, { ...options, hints })
  const { sample, roll, joins, lacking, repeats } = combined
  refuseNoTable(sample)
  const subjects = sample.columns.map((column, index) =>
    makeSubject(
      index,
      column.name,
      readContents(sample, column, index, options.today),
      aliasOf(hints, column.name),
    ),
  )
  const made = makeDraft(sample, subjects, { ...options, hints, joins, lacking, repeats })
  const tried = tryDraft(sample, draftDocument(made), options.today)
  const draft: Draft = { ...made, warnings: [...made.warnings, ...tried.warnings] }
  const fieldOf = new Map(
    draft.entries
      .filter(({ certainty }) => certainty >= 0.6)
      .flatMap(({ section, name, columns }) =>
        columns.map(
          (column) =>
            [
              column,
              section === 'fields' || section === name ? name : `${section}.${name}`,
            ] as const,
        ),
      )
      .reverse(),
  )
  const withPoint = sample.points.filter((point) => point !== null).length
  return {
    file: sample.file,
    layouts: combined.layouts,
    rows: sample.rows,
    blankRows: sample.blankRows,
    brokenRows: sample.brokenRows,
    headless: sample.headless,
    kept: sample.kept.length,
    shapes: withPoint === 0 ? null : withPoint / sample.points.length,
    unplaced: roll.unplaced,
    outside: tried.outside,
    columns: subjects.map(({ index, name, contents }) => ({
      name,
      type: typeOf(contents),
      fill: contents.fill,
      distinct: sample.columns[index]?.distinct ?? null,
      samples: samplesOf(contents),
      nulls: nullsOf(sample, index, contents, fieldOf.get(name)),
      field: fieldOf.get(name) ?? null,
    })),
    fits: fitAll(sample, roll, options),
    draft,
  }
}

/** Throws for input that can be read but is not a table: a letter, a single object. */
function refuseNoTable({ file, columns, rows }: Sample): void {
  if (columns.length > 1 && (rows > 1 || columns.length > 2)) return
  const size = `${count(columns.length, 'column')} and ${count(rows, 'row')}`
  throw new CommandError(
    `${file} is not a table of parcels: it has ${size}. If a character separates its values, ` +
      `name it by --separator; else ask the publisher for the table as CSV, a shapefile or GeoJSON`,
  )
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`

/** Mappings with joins are tried on the joined rows, others on the roll's own rows. */
function fitAll(sample: Sample, roll: Sample, { mappings, today }: InspectOptions): Fit[] {
  if (sample === roll) return fitMappings(sample, mappings, today)
  const joining = mappings.filter(({ join }) => join !== undefined)
  const others = mappings.filter(({ join }) => join === undefined)
  const fits = [...fitMappings(sample, joining, today), ...fitMappings(roll, others, today)]
  return fits.sort((a, b) => b.score - a.score)
}

function typeOf(c: Contents): ColumnType {
  if (c.values.length === 0) return 'empty'
  if (c.flag > 0.98 && c.distinct <= 4) return 'flag'
  if (c.date > 0.8) return 'date'
  if (c.year > 0.9) return 'year'
  if (c.zip > 0.9 && c.distinct < c.texts.length * 0.6) return 'ZIP code'
  if (c.state > 0.9) return 'state'
  if (c.numeric > 0.98) return c.decimal > 0 ? 'number' : 'whole number'
  if (c.address > 0.6) return 'address'
  if (c.person + c.organization > 0.7) return 'name'
  return c.words < 1.3 && c.length < 25 ? 'code' : 'text'
}

function samplesOf({ texts }: Contents): string[] {
  const found = new Set<string>()
  const step = Math.max(1, Math.floor(texts.length / 40))
  for (let at = 0; at < texts.length && found.size < 4; at += step) found.add(texts[at] ?? '')
  return [...found].map((text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text))
}

/**
 * Counts zeros and ones as unknown prices only in price columns, and null dates only in date
 * columns.
 */
function nullsOf(
  sample: Sample,
  index: number,
  contents: Contents,
  field: string | undefined,
): ColumnReport['nulls'] {
  const column = sample.columns[index]
  const { zero, ...nulls } = { ...column?.nulls }
  const rare = { ...column?.rare }
  if (/transferPrice/.test(field ?? '')) {
    return {
      ...nulls,
      ...(zero === undefined ? {} : { 'price 0': zero }),
      ...(rare['price 1'] === undefined ? {} : { 'price 1': rare['price 1'] }),
    }
  }
  const rest: ColumnReport['nulls'] = zero === undefined ? nulls : { ...nulls, zero }
  if (contents.date < 0.5) return rest
  delete rare['price 1']
  for (const [kind, count] of Object.entries(rare) as [NullKind, number][]) {
    rest[kind] = (rest[kind] ?? 0) + count
  }
  return rest
}
