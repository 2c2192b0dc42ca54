/** `platbook sources`: the catalogue of published rolls. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { replaceFile } from '../../../base/safe-files.ts'
import { listMappingNames } from '../../../import/mapping/mapping.ts'
import {
  loadCatalogue,
  readSources,
  type Source,
  saveSources,
} from '../../../import/sources/catalogue.ts'
import { readOpenAddresses } from '../../../import/sources/openaddresses.ts'
import { showAddress } from '../../../import/sources/web.ts'
import { checkSourceColumns, type SourceCheck } from '../../../import/sync/check.ts'
import { findFollowed, findSources, removeSource, stopSource } from '../../../import/sync/choose.ts'
import { findState } from '../../../regions/states.ts'
import { command } from '../../command.ts'
import { openWorld } from '../../load-world.ts'
import { readLoads } from '../../rolls.ts'
import { formatTable, formatTime, printResult } from '../../table.ts'

export const listCommand = command('sources', async ({ positionals }, io) => {
  const [asked] = positionals
  const state = asked?.toUpperCase()
  if (state !== undefined && findState(state) === undefined) {
    throw new CommandError(`"${asked}" is not a US state: give two letters`, 2)
  }
  const loaded = await readLoads(io)
  const sources = loadCatalogue(io.config.data)
    .filter((source) => state === undefined || source.state === state)
    .map((source) => ({ ...source, loadedAt: loadedAt(source, loaded) }))
  const rows = sources.map(({ id, state: of, mapping, parcels, url, loadedAt: at }) => [
    ...[of, id, mapping ?? '-', parcels === undefined ? '-' : parcels.toLocaleString('en-US')],
    ...[formatTime(at), url ?? '-'],
  ])
  const headings = ['state', 'id', 'mapping', 'parcels', 'loaded', 'address']
  printResult(io, { sources: sources.map(showSource) }, formatTable(headings, rows, ['parcels']))
})

export const addCommand = command('sources add', async ({ positionals }, io) => {
  const [file] = positionals
  if (file === undefined) throw new CommandError('sources add needs a FILE', 2)
  const sources = readSources(file).map((source) => ({
    ...source,
    mapping: resolveMapping(source.mapping, file),
  }))
  saveSources(io.config.data, sources)
  const ids = sources.map(({ id }) => id)
  printResult(io, { added: ids }, `added ${ids.join(', ')}`)
})

export const stopCommand = command('sources stop', async ({ positionals }, io) => {
  const [id = ''] = positionals
  stopSource(io.config.data, id)
  printResult(io, { stopped: id }, `${id} is no longer followed`)
})

export const removeCommand = command('sources remove', async ({ positionals }, io) => {
  const [id = ''] = positionals
  removeSource(io.config.data, id)
  printResult(io, { removed: id }, `${id} is removed from the catalogue`)
})

function loadedAt({ url }: Source, loads: Map<string, number>): number | null {
  return url === null ? null : (loads.get(showAddress(url)) ?? loads.get(url) ?? null)
}

/** Makes the path of a mapping absolute, because a timer runs in another folder. */
function resolveMapping(mapping: string | null, file: string): string | null {
  if (mapping === null || listMappingNames().includes(mapping)) return mapping
  const paths = [resolve(dirname(file), mapping), resolve(mapping)]
  return paths.find((path) => existsSync(path)) ?? mapping
}

/** Optional properties of a source; they are always shown. */
const UNTOLD = {
  ...{ publisher: null, title: null, form: null, join: [], license: null, terms: null },
  ...{ updates: null, parcels: null, has: {}, checked: null },
}

function showSource({ loadedAt: at, isOwn: _, ...source }: Source & { loadedAt: number | null }) {
  return { ...UNTOLD, ...source, loadedAt: at === null ? null : new Date(at).toISOString() }
}

export const checkSourcesCommand = command('sources check', async ({ values, positionals }, io) => {
  const catalogue = loadCatalogue(io.config.data)
  const loads = await readLoads(io)
  const chosen =
    positionals.length > 0
      ? findSources(catalogue, positionals)
      : values.all === true
        ? catalogue.filter(({ url }) => url !== null)
        : findFollowed(catalogue, io.config.data, loads)
  const { web, end } = openWorld(values, io)
  const checks: SourceCheck[] = []
  try {
    for (const source of chosen) {
      if (web.isStopped()) break
      const check = await checkSourceColumns(web, io.config.data, source, catalogue)
      checks.push(check)
      if (!io.json) for (const line of describe(check)) io.print(line)
    }
  } finally {
    end()
  }
  const failed = checks.filter(({ ok }) => !ok).length
  const ok = checks.length - failed
  printResult(io, { sources: checks, ok, failed }, `${ok} in order, ${failed} not`)
  return failed > 0 || checks.length < chosen.length ? 1 : 0
})

export const importOpenAddressesCommand = command(
  'sources import-openaddresses',
  async ({ positionals }, io) => {
    const [file] = positionals
    if (file === undefined) throw new CommandError('sources import-openaddresses needs a FILE', 2)
    const name = basename(file).replace(/\.json$/i, '')
    const found = readOpenAddresses(readFileSync(file, 'utf8'), name)
    const folder = resolve(io.config.data, 'mappings')
    makePrivateFolder(io.config.data)
    makePrivateFolder(folder)
    const added = found.map(({ source, mapping, notes }) => {
      const path = mapping === null ? null : join(folder, `${mapping.name}.json`)
      if (path !== null) replaceFile(path, `${JSON.stringify(mapping, null, 2)}\n`)
      return { source: { ...source, mapping: path }, notes }
    })
    saveSources(
      io.config.data,
      added.map(({ source }) => source),
    )
    const list = added.map(({ source: { id, mapping }, notes }) => ({ id, mapping, notes }))
    const lines = list.flatMap(({ id, mapping, notes }) => [
      `added ${id}, ${mapping ?? 'without a mapping'}`,
      ...notes.map((note) => `  ${note}`),
    ])
    printResult(io, { added: list }, lines)
  },
)

function describe({ id, error, rows, addresses, missing, columns }: SourceCheck): string[] {
  const n = (count: number) => count.toLocaleString('en-US')
  const bytes = addresses[0]?.bytes ?? null
  const size = rows !== null ? `${n(rows)} rows` : bytes !== null ? `${n(bytes)} bytes` : 'answers'
  const shown = columns === null ? 'columns unknown' : `${columns.length} columns`
  return [
    `${id}: ${error ?? `${size}, ${shown}`}`,
    ...(missing !== null && missing.length > 0
      ? [`  the mapping also reads, and it has not: ${missing.join(', ')}`]
      : []),
  ]
}
