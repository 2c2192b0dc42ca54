/** `platbook basemap`: the ground of the console's map. Source: docs/console.md. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { makeArchive } from '../../../basemap/build.ts'
import { listFiles } from '../../../basemap/census-files.ts'
import type { FeatureStore } from '../../../basemap/feature-store.ts'
import { readFeatures } from '../../../basemap/features.ts'
import { isWebAddress, showAddress, type Web } from '../../../import/sources/web.ts'
import { downloadFile } from '../../../import/sources/web-file.ts'
import { findState } from '../../../regions/states.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { openWorld } from '../../load-world.ts'
import { needPlace, readPlace } from '../../rolls.ts'
import { printResult } from '../../table.ts'

/** The newest that the Census has published. */
const YEAR = '2025'

type Asked = { state: string; fips: string; counties: number[]; year: string; sources: string[] }

export const basemapCommand = command('basemap', async ({ values, positionals }, io) => {
  const asked = readAsked(values, positionals)
  makePrivateFolder(io.config.data)
  const { web, end } = openWorld(values, io)
  using _end = atEnd(end)
  await make(asked, io, web)
})

function readAsked(values: CommandArgs['values'], sources: string[]): Asked {
  const code = needPlace({ state: values.state }, 'basemap').state
  const year = String(values.year ?? YEAR)
  if (!/^20\d\d$/.test(year)) throw new CommandError(`--year: "${year}" is not a year`, 2)
  const counties = [values.county ?? []].flat().map((county) => {
    return Number(readPlace({ state: code, county }).fips)
  })
  const fips = String(findState(code)?.fips).padStart(2, '0')
  return { state: code, fips, counties, year, sources }
}

async function make(asked: Asked, io: CommandIo, web: Web): Promise<void> {
  const { state } = asked
  let files = 0
  const made = await makeArchive(state, io.config.data, {
    attribution: 'U.S. Census Bureau, TIGER/Line',
    async fill(features) {
      files = await readFiles(asked, io, web, features)
    },
    onZoom(zoom) {
      refuseStopped(web)
      io.report(`drawing zoom ${zoom}`)
    },
  })
  if (made === undefined) {
    throw new CommandError(`none of the ${files} files has streets, water or places of ${state}`)
  }
  const { counts, tiles, bytes } = made
  const n = (count: number) => count.toLocaleString('en-US')
  const shown = Object.entries(counts).map(([layer, count]) => `${n(count)} ${layer}`)
  const line = `${state}: ${shown.join(', ')}; ${n(tiles)} tiles, ${n(bytes)} bytes`
  printResult(io, { state, files, features: counts, tiles, bytes }, line)
}

/** Reads all files. Returns how many were there; the Census has none for a few former counties. */
async function readFiles(
  asked: Asked,
  io: CommandIo,
  web: Web,
  features: FeatureStore,
): Promise<number> {
  const paths = listFiles(asked.sources, asked)
  const missing: string[] = []
  for (const [at, path] of paths.entries()) {
    refuseStopped(web)
    io.report(`${at + 1} of ${paths.length}: ${basename(path)}`)
    const local = await reachFile(path, io, web)
    if (local === undefined) {
      missing.push(showAddress(path))
      continue
    }
    for await (const feature of readFeatures(local.path, asked.fips)) features.add(feature)
    local.release()
  }
  const [first] = missing
  if (first !== undefined) io.report(`${missing.length} files are not there, such as ${first}`)
  return paths.length - missing.length
}

/** Downloads an address; `undefined` when the server has no such file. */
async function reachFile(path: string, { config }: CommandIo, web: Web) {
  if (!isWebAddress(path)) return { path, release() {} }
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  const folder = join(config.data, 'downloads', `basemap-${name}`)
  try {
    const local = await downloadFile(web, path, folder)
    return { path: local, release: () => rmSync(folder, { recursive: true, force: true }) }
  } catch (error) {
    if (!(error instanceof CommandError) || !/answers 404$/.test(error.message)) throw error
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

function refuseStopped({ isStopped }: Web): void {
  if (isStopped?.()) throw new CommandError('stopped: the basemap is as it was')
}
