/** `platbook import`: loads a roll. */
import { dayOf } from '../../../base/days.ts'
import { CommandError } from '../../../base/errors.ts'
import type { NameOrder } from '../../../base/model/owner.ts'
import { listFiles } from '../../../import/list-files.ts'
import { loadMapping } from '../../../import/mapping/mapping.ts'
import { describeOutside, isSaid } from '../../../import/report/outside.ts'
import { describeUnplaced } from '../../../import/report/unplaced.ts'
import type { ImportReport } from '../../../import/run.ts'
import { findCounty } from '../../../regions/counties.ts'
import { findState } from '../../../regions/states.ts'
import type { Command, CommandArgs, CommandIo } from '../../command.ts'
import { describePreview } from '../../describe-preview.ts'
import { loadRoll, watchStop } from '../../load-roll.ts'
import { readWeb, WEB_ABOUT, WEB_OPTIONS } from '../../web-options.ts'
import { runUndo, showCounts } from './history.ts'

/** `import`: loads a roll completely or not at all; writes rejected rows to a file. */
export const importCommand: Command = {
  name: 'import',
  usage: 'SOURCE… --mapping NAME|PATH [options]',
  example:
    'platbook import roll.csv.gz --mapping ne-lancaster --dry-run\n' +
    'platbook import roll.csv.gz --mapping ne-lancaster\n' +
    'platbook import ' +
    'https://gis.example.gov/arcgis/rest/services/Parcels/FeatureServer/0 --mapping ' +
    'my-county.json',
  options: {
    mapping: { type: 'string', short: 'm' },
    state: { type: 'string' },
    county: { type: 'string' },
    'roll-year': { type: 'string' },
    vintage: { type: 'string' },
    'name-order': { type: 'string' },
    geometry: { type: 'boolean' },
    epsg: { type: 'string' },
    'keep-source': { type: 'boolean' },
    partial: { type: 'boolean' },
    renumbered: { type: 'string' },
    'dry-run': { type: 'boolean' },
    force: { type: 'boolean' },
    ...WEB_OPTIONS,
    undo: { type: 'boolean' },
    municipality: { type: 'string' },
    id: { type: 'string' },
    confirm: { type: 'boolean' },
  },
  about: {
    mapping:
      'a mapping that comes with Platbook (see platbook mappings), or the path of a document',
    state: 'two letters: the state of rows that do not name one',
    county: 'name or FIPS code: the county of rows that do not name one',
    'roll-year': 'the year of the roll, if its rows have none or a wrong one',
    vintage:
      'the day of the roll; one that is older than the loaded roll goes into the history alone',
    'name-order': 'last-first, first-last or mixed: how names without a comma are written',
    geometry: 'loads the polygons of parcels too',
    epsg: 'the projection of shapes without a .prj file, if the mapping has none',
    'keep-source': 'keeps the rows as recorded, so that explain=true shows the text of each cell',
    partial: 'the files are a part of the roll: nothing is removed',
    renumbered: 'no: parcels of a county that has renumbered are removed and added',
    'dry-run':
      'changes nothing: shows ten parcels before and after, the counts of a load, the ' +
      'fields that stay empty',
    force:
      'loads a roll even if it would remove much, lose many owners or addresses, lie outside ' +
      'its county, or miss what the mapping expects',
    ...WEB_ABOUT,
    undo:
      'undoes the last import, or the last of --state, --county, --municipality; ' +
      'counts only without --confirm',
    municipality: 'with --undo: only this municipality',
    id: 'with --undo: refused when another import than this one of the history would be undone',
    confirm: 'with --undo: does it',
  },
  more: `A SOURCE is a file, a folder of files, or a web address: of a file, of an ArcGIS layer,
or of a Socrata or CKAN data set (docs/sources.md). All SOURCEs of one import form one roll. The
service may be running: it answers from the old roll until the new one is complete. Rejected rows
are written to the folder rejects of the data folder, with file, line and reason. A refresh that
would remove more than a tenth of the parcels, or halve the share with an owner or an address, and
a roll with more than a fifth of its points outside the county are refused without --force.`,
  async run(args, io) {
    if (args.values.undo === true) return runUndo(args, io)
    for (const name of ['municipality', 'confirm', 'id']) {
      if (args.values[name] !== undefined) throw new CommandError(`--${name} needs --undo`, 2)
    }
    const job = readJob(args, io)
    const stop = watchStop(io)
    const web = readWeb(args.values, io, stop.isAsked)
    const report = await loadRoll(io, web, job).finally(stop.end)
    for (const warning of report.warnings) io.report(`warning: ${warning}`)
    if (io.json) io.print(JSON.stringify(showImport(report)))
    else for (const line of describe(report, job.dryRun)) io.print(line)
  },
}

function readJob({ values, positionals }: CommandArgs, io: CommandIo) {
  if (positionals.length === 0)
    throw new CommandError('import needs at least one FILE or address', 2)
  if (values.mapping === undefined) {
    throw new CommandError('import needs --mapping NAME or PATH; platbook mappings lists them', 2)
  }
  const text = (name: string) => values[name] as string | undefined
  const state = text('state')
  const county = text('county')
  if (state !== undefined && findState(state) === undefined) {
    throw new CommandError(`--state: "${state}" is not a US state`, 2)
  }
  const epsg = text('epsg')
  if (epsg !== undefined && !/^\d{4,5}$/.test(epsg)) {
    throw new CommandError(`--epsg: "${epsg}" is not an EPSG code`, 2)
  }
  const own = loadMapping(String(values.mapping))
  const mapping = epsg === undefined ? own : { ...own, epsg: Number(epsg) }
  const within = state ?? mapping.state
  if (county !== undefined && within !== undefined && findCounty(within, county) === undefined) {
    throw new CommandError(`--county: "${county}" is not a county of ${within.toUpperCase()}`, 2)
  }
  return {
    sources: listFiles(positionals),
    dataDir: io.config.data,
    databaseUrl: io.config.databaseUrl,
    registryHash: io.config.registryHash,
    versions: { keep: io.config.history, vintage: readVintage(text('vintage')) },
    mapping,
    state,
    county,
    forcedOrder: readOrder(text('name-order')),
    rollYear: readRollYear(text('roll-year')),
    today: new Date(io.now()).toISOString().slice(0, 10),
    geometry: values.geometry === true,
    keepSource: values['keep-source'] === true,
    partial: values.partial === true,
    renumbered: readRenumbered(text('renumbered')),
    dryRun: values['dry-run'] === true,
    force: values.force === true,
  }
}

function readOrder(text: string | undefined): NameOrder | undefined {
  if (text === undefined || text === 'last-first' || text === 'first-last' || text === 'mixed') {
    return text
  }
  throw new CommandError(`--name-order: "${text}" is none of last-first, first-last, mixed`, 2)
}

/** Returns days since 1970-01-01. */
function readVintage(text: string | undefined): number | null {
  if (text === undefined) return null
  const day = dayOf(text)
  if (day !== undefined) return day
  throw new CommandError(`--vintage: "${text}" is not a day such as 2019-01-01`, 2)
}

function readRenumbered(text: string | undefined): boolean {
  if (text === undefined || text === 'yes' || text === 'no') return text !== 'no'
  throw new CommandError(`--renumbered: "${text}" is neither yes nor no`, 2)
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
    `parcels: ${n(report.loaded)} new, ${n(report.updated)} updated, ` +
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
    const shown = showTexts(samples[field])
    return `${field}: ${count.toLocaleString('en-US')} ${what} count as unknown: ${shown}`
  })
}

/** Shows the first texts of a field. */
function showTexts(texts: string[] = []): string {
  return texts.map((text) => JSON.stringify(text.slice(0, 40))).join(', ')
}
