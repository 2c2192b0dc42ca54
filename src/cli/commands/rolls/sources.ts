/** `platbook sources`: the catalogue of published rolls. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { listMappingNames } from '../../../import/mapping/mapping.ts'
import {
  loadCatalogue,
  readSources,
  type Source,
  saveSources,
} from '../../../import/sources/catalogue.ts'
import { showAddress } from '../../../import/sources/web.ts'
import { removeSource, stopSource } from '../../../import/sync/choose.ts'
import { findState } from '../../../regions/states.ts'
import type { Command } from '../../command.ts'
import { readLoads } from '../../rolls.ts'
import { formatTable, formatTime, printResult } from '../../table.ts'
import { checkSourcesCommand, importOpenAddressesCommand } from './sources-check.ts'

const listCommand: Command = {
  name: 'sources',
  usage: '[STATE]',
  example: 'platbook sources NY\nplatbook sources --json',
  more:
    'A source without a mapping cannot be imported by name: give the address of its file ' +
    'or layer to import, with a mapping that inspect has drafted from a downloaded sample. ' +
    'Entries were read in published lists; those that say tried false were never loaded by ' +
    'Platbook.',
  async run({ positionals }, io) {
    const [asked] = positionals
    const state = asked?.toUpperCase()
    if (state !== undefined && findState(state) === undefined) {
      throw new CommandError(`"${asked}" is not a US state`, 2)
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
  },
}

const addCommand: Command = {
  name: 'sources add',
  usage: 'FILE',
  example: 'platbook sources add my-county.json',
  more:
    'FILE holds one source or a list: {"id": "wi-my-county", "state": "WI", "url": ' +
    '"https://…", "mapping": "my-county.json"}. They are kept in the folder sources of ' +
    'the data folder.',
  async run({ positionals }, io) {
    const [file] = positionals
    if (file === undefined) throw new CommandError('sources add needs a FILE', 2)
    const sources = readSources(file).map((source) => ({
      ...source,
      mapping: resolveMapping(source.mapping, file),
    }))
    saveSources(io.config.data, sources)
    const ids = sources.map(({ id }) => id)
    printResult(io, { added: ids }, `added ${ids.join(', ')}`)
  },
}

const stopCommand: Command = {
  name: 'sources stop',
  usage: 'ID',
  example: 'platbook sources stop ny-statewide',
  more: 'What is loaded stays. A sync by its ID follows it again.',
  async run({ positionals }, io) {
    const [id = ''] = positionals
    stopSource(io.config.data, id)
    printResult(io, { stopped: id }, `${id} is no longer followed`)
  },
}

const removeCommand: Command = {
  name: 'sources remove',
  usage: 'ID',
  example: 'platbook sources remove wi-my-county',
  more: 'Only sources that you have added can be removed. What is loaded stays.',
  async run({ positionals }, io) {
    const [id = ''] = positionals
    removeSource(io.config.data, id)
    printResult(io, { removed: id }, `${id} is removed from the catalogue`)
  },
}

export const sourceCommands: Command[] = [
  listCommand,
  addCommand,
  stopCommand,
  removeCommand,
  checkSourcesCommand,
  importOpenAddressesCommand,
]

function loadedAt({ url }: Source, loads: Map<string, number>): number | null {
  return url === null ? null : (loads.get(showAddress(url)) ?? loads.get(url) ?? null)
}

/**
 * Returns the absolute path of a mapping next to the document or in the current folder, because a
 * timer runs in another folder.
 */
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
