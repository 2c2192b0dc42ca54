/** What commands read of the loaded rolls, and the place that options name. */
import { closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import { openGuardedParcels } from '../privacy/guarded-parcels.ts'
import { findCounty } from '../regions/counties.ts'
import { findState } from '../regions/states.ts'
import type { Config } from '../settings/config.ts'
import { checkFolder } from '../store/data-folder.ts'
import { findLoads } from '../store/history.ts'
import { hasData } from '../store/open.ts'
import { openHistory } from '../store/open-rolls.ts'
import type { HistoryReader } from '../store/rolls/history-reader.ts'
import type { ParcelReader } from '../store/store.ts'
import type { CommandArgs, CommandIo } from './command.ts'

type OptionValues = CommandArgs['values']

/** Returns the text of an option; `undefined` when it is absent or blank. */
export function textOf(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

type Place = { state: string | undefined; fips: number | undefined }

/** Reads `--state` and `--county`, a name or FIPS code. Throws `CommandError` for unknown ones. */
export function readPlace(values: OptionValues): Place {
  const [asked, county] = [values.state, values.county]
  if (asked === undefined) {
    if (county === undefined) return { state: undefined, fips: undefined }
    throw new CommandError('--county needs --state', 2)
  }
  const state = findState(String(asked))?.code
  if (state === undefined)
    throw new CommandError(`--state: "${asked}" is not a US state: give two letters`, 2)
  if (county === undefined) return { state, fips: undefined }
  const fips = findCounty(state, String(county))?.fips
  if (fips !== undefined) return { state, fips }
  throw new CommandError(`--county: "${county}" is not a county of ${state}`, 2)
}

/** As `readPlace`, with `--state` required. `command`: its name, for the sentence. */
export function needPlace(values: OptionValues, command: string): Place & { state: string } {
  const { state, ...place } = readPlace(values)
  if (state === undefined) throw new CommandError(`${command} needs --state`, 2)
  return { state, ...place }
}

/** Throws `CommandError` when nothing is loaded. */
export async function needRolls(config: Config): Promise<void> {
  checkFolder(config)
  if (!(await hasData(config))) throw new CommandError('nothing is loaded yet')
}

/** Runs `work` with the parcels, without what is suppressed. Throws `CommandError` for none. */
export async function withParcels<Result>(
  { config }: CommandIo,
  work: (parcels: ParcelReader) => Promise<Result>,
): Promise<Result> {
  await needRolls(config)
  await using store = closing(await openGuardedParcels(config))
  return await work(await store.parcels())
}

/** Runs `work` with the history; returns `none` when nothing was ever loaded. */
export async function withHistory<Result>(
  { config }: CommandIo,
  work: (reader: HistoryReader) => Promise<Result>,
  none: Result,
): Promise<Result> {
  checkFolder(config)
  if (!(await hasData(config))) return none
  await using reader = closing(await openHistory(config))
  return await work(reader)
}

/** Returns when each file or address that is loaded was last loaded, epoch milliseconds. */
export async function readLoads(io: CommandIo): Promise<Map<string, number>> {
  return findLoads(await withHistory(io, (reader) => reader.list(), []))
}
