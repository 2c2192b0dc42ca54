/** `platbook coverage`: the loaded counties and the share of parcels with each field. */
import { closing } from '../../../base/at-end.ts'
import type { UnreachedDatabase } from '../../../base/model/coverage.ts'
import { countyByFips, fipsCode } from '../../../regions/counties.ts'
import type { Config } from '../../../settings/config.ts'
import { checkFolder } from '../../../store/data-folder.ts'
import { hasData, openParcels } from '../../../store/open.ts'
import type { CountyCoverage } from '../../../store/store.ts'
import { showVintage, type Vintage } from '../../../store/versions/versions.ts'
import { command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

export const coverageCommand = command('coverage', async (_args, io) => {
  const { loaded, unreached, vintages } = await readCoverage(io.config)
  const counties = loaded.map((one) => showCounty(one, vintages))
  const unavailable = unreached.flatMap(({ states }) => states).sort()
  const isEmpty = counties.length === 0
  for (const { states, where } of unreached) {
    io.report(`platbook: ${where} cannot be reached: ${states.join(', ')} left out`)
  }
  const none = unreached.length > 0 ? [] : ['nothing is loaded yet; platbook import loads a roll']
  const value = { counties, ...(unreached.length > 0 && { unavailable }) }
  printResult(io, value, isEmpty ? none : describe(counties))
  return unreached.length === 0 ? 0 : 1
})

type CoverageReport = {
  loaded: CountyCoverage[]
  unreached: UnreachedDatabase[]
  /** Oldest first. */
  vintages: Vintage[]
}

async function readCoverage(config: Config): Promise<CoverageReport> {
  checkFolder(config)
  if (!(await hasData(config))) return { loaded: [], unreached: [], vintages: [] }
  await using store = closing(openParcels(config))
  const loaded = await store.parcels.coverage({ partial: true })
  const vintages: Vintage[] = []
  for (const state of new Set(loaded.map((one) => one.state))) {
    vintages.push(...(await store.parcels.vintages(state, undefined)))
  }
  return { loaded, unreached: store.parcels.unreached(), vintages }
}

type Shown = ReturnType<typeof showCounty>

function showCounty(county: CountyCoverage, vintages: Vintage[]) {
  const { state, fips, parcels, rollYear, loadedAt, filled } = county
  const share = Object.entries(filled).map(([name, count]) => [
    name,
    parcels === 0 ? 0 : Math.round((count / parcels) * 10_000) / 10_000,
  ])
  return {
    state,
    county: countyByFips(fips)?.name ?? null,
    fips: fipsCode(fips),
    parcels,
    rollYear,
    loadedAt: new Date(loadedAt * 1000).toISOString(),
    vintages: vintages
      .filter((one) => one.fips === fips)
      .map(showVintage)
      .toReversed(),
    share: Object.fromEntries(share) as Record<string, number>,
  }
}

/** Returns a table of the counties, followed by a table of the shares with one line per field. */
function describe(counties: Shown[]): string[] {
  const loaded = formatTable(
    ['county', 'fips', 'parcels', 'roll', 'loaded', 'vintages'],
    counties.map((one) => [
      `${one.county ?? ''}, ${one.state}`,
      one.fips,
      one.parcels.toLocaleString('en-US'),
      String(one.rollYear ?? '-'),
      one.loadedAt.slice(0, 10),
      listDays(one.vintages),
    ]),
    ['parcels'],
  )
  const fields = Object.keys(counties[0]?.share ?? {})
  const headings = ['field', ...counties.map(({ fips }) => fips)]
  const shares = formatTable(
    headings,
    fields.map((field) => [
      field,
      ...counties.map(({ share }) => `${(100 * (share[field] ?? 0)).toFixed(1)} %`),
    ]),
    headings.slice(1),
  )
  return [...loaded, '', ...shares]
}

/** Lists the newest days, which several municipalities may share. */
function listDays(vintages: Shown['vintages']): string {
  const days = [...new Set(vintages.map(({ date }) => date))]
  const more = days.length > DAYS_MAX ? ` and ${days.length - DAYS_MAX} more` : ''
  return `${days.slice(0, DAYS_MAX).join(', ')}${more}`
}

const DAYS_MAX = 3
