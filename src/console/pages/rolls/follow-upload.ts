/** Makes a followed source of an address that was inspected, with the mapping that was edited. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { replaceFile } from '../../../base/safe-files.ts'
import { listMappingNames } from '../../../import/mapping/mapping.ts'
import { loadCatalogue, saveSources } from '../../../import/sources/catalogue.ts'
import { countyByFips } from '../../../regions/counties.ts'
import type { Upload } from './uploads.ts'

/**
 * Saves the source and its mapping in the data folder and returns its id. `form`: `counties`, the
 * FIPS codes of the dry run. Throws `CommandError` when the dry run found no county.
 */
export function followUpload(dataDir: string, upload: Upload, form: URLSearchParams): string {
  const counties = (form.get('counties') ?? '').split(',').filter((fips) => /^\d{5}$/.test(fips))
  const states = new Set(counties.map((fips) => countyByFips(Number(fips))?.state))
  const [state] = states
  if (state === undefined) throw new CommandError('press Dry run first, so that its place is known')
  const catalogue = loadCatalogue(dataDir)
  const known = catalogue.find(({ id }) => id === upload.choices().source)
  const id = known?.id ?? makeId(upload.file, state)
  const source = { ...known, id, state: states.size > 1 ? '*' : state, counties, tried: true }
  const mapping = keepMapping(dataDir, id, readFileSync(upload.mapping, 'utf8'))
  saveSources(dataDir, [{ ...source, url: upload.file, mapping }])
  return id
}

/** `own/wi/gis.example.gov-parcels-0` */
function makeId(address: string, state: string): string {
  const { host, pathname } = new URL(address)
  const path = pathname.replace(/.*\/services\/|\/(?:Feature|Map)Server/g, ' ')
  const words = `${host} ${path}`.replace(/[^\w.]+/g, '-').replace(/^-|-$/g, '')
  return `own/${state.toLowerCase()}/${words.slice(0, 80)}`
}

/** Returns the name of a mapping that comes with Platbook, or the path of a kept one. */
function keepMapping(dataDir: string, id: string, text: string): string {
  const { name } = JSON.parse(text) as { name?: string }
  if (name !== undefined && listMappingNames().includes(name)) return name
  // Absolute, because a timer runs in another folder.
  const folder = resolve(dataDir, 'mappings')
  makePrivateFolder(folder)
  const path = join(folder, `${encodeURIComponent(id)}.json`)
  replaceFile(path, text)
  return path
}
