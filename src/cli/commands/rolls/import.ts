import { CommandError } from '../../../base/errors.ts'
import { describeShare } from '../../../import/expect.ts'
import { listFiles } from '../../../import/list-files.ts'
import { loadRoll } from '../../../import/load-roll.ts'
import { loadMapping } from '../../../import/mapping/mapping.ts'
import { type PreviewReport, showPreview } from '../../../import/preview.ts'
import type { ImportReport } from '../../../import/report/import-report.ts'
import { describeOutside, isSaid } from '../../../import/report/outside.ts'
import { describeUnplaced } from '../../../import/report/unplaced.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { openWorld } from '../../load-world.ts'
import { readDay, readEpsg, readOrder, readWord } from '../../option-values.ts'
import { readPlace } from '../../rolls.ts'
import { printResult } from '../../table.ts'
import { runUndo, showCounts } from './history.ts'

export const importCommand = command('import', async (args, io) => {
  if (args.values.undo === true) return runUndo(args, io)
  for (const name of ['municipality', 'confirm', 'id']) {
    if (args.values[name] !== undefined) throw new CommandError(`--${name} needs --undo`, 2)
  }
  const job = readJob(args, io)
  const world = openWorld(args.values, io)
  const report = await loadRoll(world, job).finally(world.end)
  for (const warning of report.warnings) io.report(`warning: ${warning}`)
  printResult(io, showImport(report), describe(report, job.dryRun))
})

function readJob({ values, positionals }: CommandArgs, io: CommandIo) {
  if (positionals.length === 0) {
    throw new CommandError('import needs at least one FILE or address', 2)
  }
  if (values.mapping === undefined) {
    throw new CommandError('import needs --mapping NAME or PATH; platbook mappings lists them', 2)
  }
  const text = (name: string) => values[name] as string | undefined
  const [state, county] = [text('state'), text('county')]
  const epsg = readEpsg(values)
  const own = loadMapping(String(values.mapping))
  const mapping = epsg === undefined ? own : { ...own, epsg }
  readPlace({ state })
  const within = state ?? mapping.state
  if (within !== undefined) readPlace({ state: within, county })
  return {
    sources: listFiles(positionals),
    versions: { keep: io.config.history, vintage: readDay(values, 'vintage') ?? null },
    mapping,
    state,
    county,
    forcedOrder: readOrder(values),
    rollYear: readRollYear(text('roll-year')),
    geometry: values.geometry === true,
    keepSource: values['keep-source'] === true,
    partial: values.partial === true,
    renumbered: readWord(values, 'renumbered', ['yes', 'no']) !== 'no',
    dryRun: values['dry-run'] === true,
    force: values.force === true,
  }
}

function readRollYear(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^(?:19|20|21)\d\d$/.test(text)) {
    throw new CommandError(`--roll-year: "${text}" is not a year`, 2)
  }
  return Number(text)
}

/** Returns the documented output of `import --json`. */
export function showImport(report: ImportReport) {
  const { seconds, counties, preview, reasons, skips, refused, unread, unreadSamples } = report
  const warnings = [
    ...[...report.warnings, ...report.doubts, ...report.unplaced.map(describeUnplaced)],
    ...report.outside.filter(isSaid).map(describeOutside),
    ...(preview?.warnings ?? []),
  ]
  const { placeholders, placeholderSamples } = report
  return {
    ...showCounts(report),
    seconds,
    counties,
    ...(report.unplaced.length > 0 && { unplaced: report.unplaced }),
    ...(report.outside.length > 0 && { outside: report.outside }),
    ...(preview === undefined
      ? {}
      : {
          ...{ skips, reasons, refused, unread, unreadSamples, placeholders, placeholderSamples },
          examples: {
            ...{ rejected: report.rejectedRows, skipped: report.skipLines },
            duplicates: report.equalLines,
          },
          ...preview,
        }),
    ...(warnings.length > 0 || preview !== undefined ? { warnings } : {}),
  }
}

function describe(report: ImportReport, dryRun: boolean): string[] {
  const n = (count: number) => count.toLocaleString('en-US')
  const rate = Math.round(report.rows / Math.max(report.seconds, 0.001))
  const merged = report.merged === 0 ? '' : ` (${n(report.merged)} of them merged)`
  return [
    ...(report.preview === undefined
      ? []
      : describePreview(report.preview, process.stdout.columns)),
    `${dryRun ? 'Dry run: nothing was changed. ' : ''}${n(report.rows)} rows read in ` +
      `${report.seconds.toFixed(1)} s, ${n(rate)} a second`,
    report.isPast
      ? 'parcels: none change; an earlier roll goes into the history alone, for asOf'
      : `parcels: ${n(report.loaded)} new, ${n(report.updated)} updated, ` +
        `${n(report.unchanged)} unchanged, ${n(report.removed)} removed`,
    `rows: ${n(report.skipped)} skipped, ${n(report.duplicates)} duplicates${merged}, ` +
      `${n(report.rejected)} rejected`,
    ...(report.shapeConflicts === 0
      ? []
      : [
          `${n(report.shapeConflicts)} parcels have several polygons: the one nearest to ` +
            'the recorded area is kept, else the largest',
        ]),
    ...(dryRun ? report.skips : [])
      .slice(0, 20)
      .map(([reason, count]) => `  ${n(count)} × skipped: ${reason}`),
    ...report.reasons.slice(0, 20).map(([reason, count]) => `  ${n(count)} × ${reason}`),
    ...(report.rejectsFile === null ? [] : [`rejected rows are in ${report.rejectsFile}`]),
    ...report.unplaced.slice(0, 20).map(describeUnplaced),
    ...report.outside.filter(isSaid).map((one) => `warning: ${describeOutside(one)}`),
    ...describeTexts(report.unread, report.unreadSamples, 'texts could not be read and'),
    ...describeTexts(report.placeholders, report.placeholderSamples, 'placeholders'),
    ...(report.refused == null ? [] : [`A load would be refused: ${report.refused}`]),
  ]
}

/** Describes texts that count as unknown, the fields with the most of them first. */
function describeTexts(
  counts: Record<string, number>,
  samples: Record<string, string[]>,
  what: string,
): string[] {
  const sorted = Object.entries(counts).sort((a, b) => b[1] - a[1])
  return sorted.slice(0, 10).map(([field, count]) => {
    const shown = (samples[field] ?? []).map((text) => JSON.stringify(text.slice(0, 40))).join(', ')
    return `${field}: ${count.toLocaleString('en-US')} ${what} count as unknown: ${shown}`
  })
}

/** Parcels shown; the report has twice as many. */
const PARCELS_SHOWN = 10
/** Values of a coded field on one line. */
const LINE_VALUES = 20

/** Lines have the terminal's width, or a readable width without a terminal. */
function describePreview(preview: PreviewReport, columns: number | undefined): string[] {
  const width = Math.min(160, Math.max(80, columns ?? 120))
  const { parcels, empty, served, shares, warnings, commonest, uncodedUses } = preview
  const step = Math.ceil(parcels.length / PARCELS_SHOWN)
  const some = parcels.filter((_, at) => at % step === 0)
  const shown = some.flatMap((parcel, at) => [
    `Parcel ${at + 1} of ${some.length}: the row, and the record that it makes`,
    ...showPreview(parcel, width),
    '',
  ])
  const list = (title: string, fields: string[]) =>
    fields.length === 0 ? [] : [`${title}: ${fields.join(', ')}`]
  return [
    ...shown,
    ...(served === null
      ? []
      : ['One parcel as it is served:', ...JSON.stringify(served, null, 2).split('\n'), '']),
    ...(commonest.length === 0 ? [] : ['Commonest values of coded fields:']),
    ...commonest.map(({ field, values, others }) => {
      const shown = values.slice(0, LINE_VALUES).map(([text, count]) => `${text} ${group(count)}`)
      return `  ${field}: ${shown.join(', ')}${others === 0 ? '' : `, others ${group(others)}`}`
    }),
    ...(uncodedUses.length === 0 ? [] : ['Uses without a use code (docs/use-codes.md):']),
    ...uncodedUses.map(([use, parcels]) => `  ${use}: ${group(parcels)}`),
    'Shares:',
    ...shares.filter(({ of }) => of > 0).map((share) => `  ${describeShare(share)}`),
    ...warnings.map((text) => `Warning: ${text}`),
    ...list('Fields that the mapping fills and no row does', empty.mapped),
    ...list('Fields that stay empty, as the mapping has no column for them', empty.unmapped),
  ]
}

const group = (count: number) => count.toLocaleString('en-US')
