/** Commands: import list, unload; and the output of `import --undo`. Source: docs/import.md. */
import { CommandError } from '../../../base/errors.ts'
import { foldCity } from '../../../base/fold.ts'
import { pruneHistory, undoImport, unload } from '../../../import/undo.ts'
import { countyByFips, fipsCode } from '../../../regions/counties.ts'
import {
  type ImportEntry,
  isUndoable,
  isWithin,
  type RollScope,
  type ScopeFilter,
} from '../../../store/history.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { readDay } from '../../option-values.ts'
import { readPlace, withHistory } from '../../rolls.ts'
import { formatTable, formatTime, printResult } from '../../table.ts'

/** Most history entries shown to a person. */
const SHOWN_MAX = 50

export const importListCommand = command('import list', async ({ values }, io) => {
  const history = await withHistory(io, (reader) => reader.list(), [])
  const all = values.all === true || io.json
  const shown = (all ? history : history.slice(0, SHOWN_MAX)).map((entry) =>
    showEntry(entry, history),
  )
  const older = history.length - shown.length
  printResult(io, { imports: shown }, [
    ...(shown.length === 0
      ? ['nothing was imported yet; platbook import loads a roll']
      : describeHistory(shown)),
    ...(older > 0 ? [`${older} older ones; --all shows them`] : []),
  ])
})

export const unloadCommand = command('unload', async ({ values }, io) => {
  if (values.state === undefined || values.county === undefined) {
    throw new CommandError('unload needs --state and --county', 2)
  }
  const filter = readFilter(values)
  const job = makeJob(values, io)
  const loaded = await withHistory(io, (reader) => reader.scopes(), [])
  const scopes = await unload(job, loaded, filter)
  const parcels = scopes.reduce((sum, scope) => sum + scope.parcels, 0)
  const shown = scopes.map((scope) => ({ ...showScope(scope), parcels: scope.parcels }))
  const removed = job.confirmed ? parcels : 0
  printResult(io, { confirmed: job.confirmed, parcels, removed, scopes: shown }, [
    ...scopes.map((scope) => `${nameScope(scope)}: ${number(scope.parcels)} parcels`),
    job.confirmed
      ? `${number(parcels)} parcels removed`
      : `Nothing was changed. With --confirm, these ${number(parcels)} parcels are ` +
        'removed for good.',
  ])
})

export const historyPruneCommand = command('history prune', async ({ values }, io) => {
  const filter = readFilter(values)
  const day = readDay(values, 'before')
  if (day === undefined) throw new CommandError('history prune needs --before', 2)
  const scopes = await withHistory(io, (reader) => reader.scopes(), [])
  const own = scopes.filter((scope) => isWithin(scope, filter))
  const { data, databaseUrl } = io.config
  const forgotten = await pruneHistory({ dataDir: data, databaseUrl }, own, day)
  printResult(
    io,
    { before: values.before, forgotten },
    `${number(forgotten)} earlier versions forgotten`,
  )
})

export async function runUndo({ values, positionals }: CommandArgs, io: CommandIo): Promise<void> {
  if (positionals.length > 0 || values.mapping !== undefined) {
    throw new CommandError('import --undo takes no FILE and no --mapping', 2)
  }
  const filter = readFilter(values)
  const job = makeJob(values, io)
  const history = await withHistory(io, (reader) => reader.list(), [])
  const id = readId(values.id, history)
  const { entry, counts } = await undoImport(job, history, filter, id)
  const scopes = entry.scopes.map(showScope)
  const { removed, restored, returned } = counts
  const { confirmed } = job
  const loaded = formatTime(entry.loadedAt * 1000)
  printResult(io, { confirmed, import: entry.id, removed, restored, returned, scopes }, [
    `import ${entry.id} of ${loaded}: ${listNames(entry.scopes.map(nameScope))}`,
    entry.kind === 'past'
      ? 'its earlier roll leaves the history; no parcel changes'
      : `parcels: ${number(restored)} restored, ${number(returned)} back, ` +
        `${number(removed)} removed`,
    confirmed ? 'Undone.' : 'Nothing was changed. With --confirm, these changes are made.',
  ])
}

function readId(text: CommandArgs['values'][string], history: ImportEntry[]): number | undefined {
  if (text === undefined) return undefined
  if (history.some(({ id }) => String(id) === text)) return Number(text)
  throw new CommandError(`there is no import ${text}; platbook import list shows them`, 2)
}

function makeJob(values: CommandArgs['values'], io: CommandIo) {
  return {
    dataDir: io.config.data,
    databaseUrl: io.config.databaseUrl,
    confirmed: values.confirm === true && values['dry-run'] !== true,
    loadedAt: Math.floor(io.now() / 1000),
  }
}

function readFilter(values: CommandArgs['values']): ScopeFilter {
  const { county, municipality } = values
  if (values.state === undefined && (county ?? municipality) !== undefined) {
    throw new CommandError('--county and --municipality need --state', 2)
  }
  const { state, fips } = readPlace(values)
  if (municipality !== undefined && fips === undefined) {
    throw new CommandError('--municipality needs --county', 2)
  }
  return {
    ...(state !== undefined && { state }),
    ...(fips !== undefined && { fips }),
    ...(municipality !== undefined && { municipality: foldCity(String(municipality)) }),
  }
}

type Shown = ReturnType<typeof showEntry>

/** Returns the counts of an import, as the history and `import --json` show them. */
export function showCounts(counts: ImportCounts): ImportCounts {
  const { rows, loaded, updated, unchanged, removed, duplicates, skipped, rejected } = counts
  const { rejectsFile } = counts
  const changes = { rows, loaded, updated, unchanged, removed }
  return { ...changes, duplicates, skipped, rejected, rejectsFile }
}

type Changed = 'loaded' | 'updated' | 'unchanged' | 'removed'
type Count = 'rows' | Changed | 'duplicates' | 'skipped' | 'rejected'
type ImportCounts = Pick<ImportEntry, Count | 'rejectsFile'>

function showEntry(entry: ImportEntry, history: ImportEntry[]) {
  const { id, kind, mapping, files, undoes } = entry
  return {
    id,
    kind,
    loadedAt: new Date(entry.loadedAt * 1000).toISOString(),
    mapping: mapping === '' ? null : mapping,
    files,
    ...showCounts(entry),
    unplaced: entry.unplaced,
    undoes,
    undoable: isUndoable(entry, history),
    scopes: entry.scopes.map(showScope),
  }
}

function showScope({ state, fips, municipality }: RollScope) {
  return {
    state,
    county: countyByFips(fips)?.name ?? null,
    fips: fipsCode(fips),
    municipality: municipality === '' ? null : municipality,
  }
}

function describeHistory(shown: Shown[]): string[] {
  const counts = ['rows', 'loaded', 'updated', 'removed', 'rejected'] as const
  const table = formatTable(
    ['id', 'when', 'what', ...counts, 'where', 'mapping', 'files'],
    shown.map((entry) => [
      String(entry.id),
      `${entry.loadedAt.slice(0, 16).replace('T', ' ')}Z`,
      entry.undoes === null ? entry.kind : `undo of ${entry.undoes}`,
      ...counts.map((name) => number(entry[name])),
      listNames(entry.scopes.map(({ county, fips, state }) => `${county ?? fips}, ${state}`)),
      entry.mapping ?? '',
      listNames(entry.files),
    ]),
    ['id', ...counts],
  )
  const rejects = shown.flatMap(({ id, rejectsFile }) =>
    rejectsFile === null ? [] : [`rejected rows of import ${id} are in ${rejectsFile}`],
  )
  return [...table, ...rejects]
}

/** Lists the first names and the number of others. */
function listNames(names: string[]): string {
  const distinct = [...new Set(names)]
  const more = distinct.length > 2 ? ` and ${distinct.length - 2} more` : ''
  return `${distinct.slice(0, 2).join('; ')}${more}`
}

function nameScope({ state, fips, municipality }: RollScope): string {
  const county = `${countyByFips(fips)?.name ?? fips}, ${state}`
  return municipality === '' ? county : `${municipality}, ${county}`
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
