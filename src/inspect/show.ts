/** Formats an inspection as lines for a person. */
import { describeOutside } from '../import/report/outside.ts'
import { describeUnplaced } from '../import/report/unplaced.ts'
import { describeFiles } from './combine/combine.ts'
import { describeUnused } from './compose/draft.ts'
import { percent } from './compose/draft-builder.ts'
import { FITS_FROM, type Fit } from './fit.ts'
import type { ColumnReport, Inspection } from './inspect.ts'
import { SURE } from './recognize/guess.ts'

/** Returns the output of `platbook inspect`; `table` aligns columns. */
export function describeInspection(
  inspection: Inspection,
  table: (head: string[], rows: string[][]) => string[],
): string[] {
  const { file, rows, blankRows, brokenRows, columns, shapes } = inspection
  const shaped = shapes === null ? '' : `, shapes with a point in ${percent(shapes)} of rows`
  const other = [
    blankRows === 0 ? '' : `${count(blankRows)} blank rows`,
    brokenRows === 0 ? '' : `${count(brokenRows)} rows that cannot be read`,
  ].filter((text) => text !== '')
  return [
    ...describeLayouts(inspection),
    `${file}: ${count(rows)} rows, ${columns.length} ` +
      `columns${shaped}${other.length === 0 ? '' : `; ${other.join(', ')}`}`,
    ...(inspection.headless
      ? [
          'No header line: the first line is a row like the others. The columns are ' +
            'called column1 and on, and the draft guesses them by their values alone.',
        ]
      : []),
    ...inspection.unplaced.map(describeUnplaced),
    ...inspection.outside.map((one) => `warning: ${describeOutside(one)}`),
    '',
    ...table(
      ['column', 'type', 'filled', 'distinct', 'field', 'samples'],
      columns.map((column) => [
        column.name,
        column.type,
        percent(column.fill),
        column.distinct === null ? '' : count(column.distinct),
        column.field ?? '',
        column.samples.join(' | '),
      ]),
    ),
    '',
    ...describeNulls(columns),
    ...describeFits(inspection.fits),
    ...describeDraft(inspection),
  ]
}

/** Describes what was done with several files, one line per layout. */
function describeLayouts({ layouts }: Inspection): string[] {
  if (layouts.length === 1 && layouts[0]?.files.length === 1) return []
  return [
    ...layouts.map(
      ({ files, rows, columns, use, why }) =>
        `${use}: ${describeFiles(files)} (${count(rows)} rows, ${columns} columns): ${why}`,
    ),
    '',
  ]
}

const count = (number: number) => number.toLocaleString('en-US')

/** Lists how often each kind of unknown occurs, and in which columns most. */
function describeNulls(columns: ColumnReport[]): string[] {
  const kinds = new Map<string, { column: string; count: number }[]>()
  for (const { name, nulls } of columns) {
    for (const [kind, number] of Object.entries(nulls)) {
      if (kind !== 'blank' && kind !== 'zero') {
        kinds.set(kind, [...(kinds.get(kind) ?? []), { column: name, count: number }])
      }
    }
  }
  if (kinds.size === 0) return []
  const lines = [...kinds].map(([kind, found]) => {
    const sorted = found.sort((a, b) => b.count - a.count)
    const shown = sorted
      .slice(0, 4)
      .map(({ column, count: number }) => `${column} ${count(number)}`)
    const more = sorted.length > 4 ? ` and ${sorted.length - 4} columns more` : ''
    return `  ${kind}: ${shown.join(', ')}${more}`
  })
  return ['Values that mean unknown:', ...lines, '']
}

function describeFits(fits: Fit[]): string[] {
  const [best] = fits
  if (best === undefined) return []
  if (best.score >= FITS_FROM) {
    return [
      `The mapping ${best.name} (${best.title}) fits: ${best.columns.found} of the ` +
        `${best.columns.asked} columns it needs are there, ${percent(best.usable)} of the ` +
        'rows that were tried make a parcel.',
    ]
  }
  const near =
    best.score >= 0.3
      ? `; the nearest is ${best.name} (${percent(best.score)}), which lacks ` +
        `${best.columns.missing.slice(0, 5).join(', ')}`
      : ''
  return [`No built-in mapping fits${near}.`]
}

function describeDraft({ draft, fits }: Inspection): string[] {
  if ((fits[0]?.score ?? 0) >= FITS_FROM) return []
  const sure = draft.entries.filter(({ certainty }) => certainty >= SURE)
  const doubtful = draft.entries.filter(({ certainty }) => certainty < SURE)
  const has = (name: string) =>
    sure.some((entry) => entry.name === name) ||
    draft.settings.some((setting) => setting.name === name && setting.certainty >= SURE)
  const missing = [
    has('parcelId') ? '' : 'no column looks like a parcel ID: name one before you load',
    has('state') ? '' : 'the state is not known: give --state',
    has('county') ? '' : 'the county is not known: give --county',
    has('sourceRollYear') || has('taxYear')
      ? ''
      : 'no column has the year of the roll: give --roll-year',
  ].filter((text) => text !== '')
  const verb = doubtful.length === 1 ? 'is' : 'are'
  const others =
    doubtful.length === 0
      ? 'doubts none'
      : `shows ${doubtful.length} more that ${verb} doubtful, commented out`
  return [
    `The draft takes ${sure.length} fields from its columns and ${others}. --out FILE writes it.`,
    ...doubtful.map(({ name, columns, why }) => `  ${columns.join(', ')} as ${name}: ${why}`),
    ...(draft.unused.length === 0 ? [] : [`  ${describeUnused(draft.unused)}`]),
    ...[...draft.warnings, ...missing].map((text) => `  ${text}`),
  ]
}
