/** Inspects an unknown file: its columns, the best mapping, and a draft of a new one. */
import { CommandError } from '../base/errors.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import type { EsriField } from '../import/readers/coded.ts'
import { combineFiles } from './combine/combine.ts'
import { type Draft, type DraftHints, makeDraft } from './compose/draft.ts'
import { draftDocument } from './compose/show-draft.ts'
import { type Fit, findFixedLayout, fitMappings, tryDraft } from './fit.ts'
import { SURE } from './recognize/guess.ts'
import { makeSubjects } from './recognize/subject.ts'
import { makeHints, readHints } from './sample/column-hints.ts'
import type { Contents } from './sample/contents.ts'
import type { NullKind } from './sample/nulls.ts'
import type { Sample } from './sample/sample.ts'

export type Inspection = Awaited<ReturnType<typeof inspectFile>>
export type ColumnReport = Inspection['columns'][number]

type InspectOptions = DraftHints & {
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
export async function inspectFile(paths: string | string[], given: InspectOptions) {
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
  const subjects = makeSubjects(sample, options.today, hints)
  const made = makeDraft(sample, subjects, { ...options, hints, joins, lacking, repeats })
  const tried = tryDraft(sample, draftDocument(made), options.today)
  const draft: Draft = { ...made, warnings: [...made.warnings, ...tried.warnings] }
  const fieldOf = new Map<string, string>()
  for (const { section, name, columns, certainty } of draft.entries.toReversed()) {
    const field = section === 'fields' || section === name ? name : `${section}.${name}`
    for (const column of columns.toReversed()) if (certainty >= SURE) fieldOf.set(column, field)
  }
  const withPoint = sample.points.filter((point) => point !== null).length
  return {
    file: sample.file,
    /** What was done with the files, grouped by layout; the roll's come first. */
    layouts: combined.layouts,
    rows: sample.rows,
    blankRows: sample.blankRows,
    brokenRows: sample.brokenRows,
    /** The file has no header line; columns are named `column1` and so on. */
    headless: sample.headless,
    /** Number of rows examined in full. */
    kept: sample.kept.length,
    /** Share of the kept rows with a point from their shape; `null` without shapes. */
    shapes: withPoint === 0 ? null : withPoint / sample.points.length,
    /** Rows that had a shape and got none, by reason. */
    unplaced: roll.unplaced,
    /** Kept rows whose point, ZIP code or city is outside the county. */
    outside: tried.outside,
    columns: subjects.map(({ index, name, contents }) => ({
      name,
      type: typeOf(contents),
      fill: contents.fill,
      /** An estimate; `null` for few values in many rows, which are not counted. */
      distinct: sample.columns[index]?.distinct ?? null,
      /** A few values from all parts of the file. */
      samples: samplesOf(contents),
      /** Counts of each kind of unknown value in the whole file. */
      nulls: nullsOf(sample, index, contents, fieldOf.get(name)),
      /** The field that the draft assigns to it. */
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

function typeOf(c: Contents) {
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
): Partial<Record<NullKind, number>> {
  const column = sample.columns[index]
  const { zero, ...nulls } = { ...column?.nulls }
  const rare = { ...column?.rare }
  if (/transferPrice/.test(field ?? '')) {
    const one = rare['price 1']
    return { ...nulls, ...(zero && { 'price 0': zero }), ...(one && { 'price 1': one }) }
  }
  const rest: Partial<Record<NullKind, number>> = zero === undefined ? nulls : { ...nulls, zero }
  if (contents.date < 0.5) return rest
  delete rare['price 1']
  for (const [kind, count] of Object.entries(rare) as [NullKind, number][]) {
    rest[kind] = (rest[kind] ?? 0) + count
  }
  return rest
}
