/** Turns the sources of an import into local files: downloads addresses and keeps paths. */
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { lockImport } from '../../store/data-folder.ts'
import { downloadLayer } from './arcgis/download.ts'
import { describeLayer, isLayerAddress, isServiceAddress, listLayers } from './arcgis/layer.ts'
import { findCkanFile, isCkanAddress } from './ckan.ts'
import { downloadSocrata, isSocrataAddress } from './socrata.ts'
import { isWebAddress, readAddress, showAddress, type Web } from './web.ts'
import { downloadFile } from './web-file.ts'

type FetchJob = {
  sources: string[]
  dataDir: string
  geometry: boolean
  force: boolean
  /** Set when the mapping reads the layer's name; a service then means all layers that fit. */
  fitsLayer?: FitsLayer | undefined
}

/** Reports whether columns are those of the roll. */
type FitsLayer = (columns: string[]) => boolean

type FetchedSources = {
  files: string[]
  shown: string[]
  /** Releases the folders. `loaded`: the downloads were imported and are no longer needed. */
  close(loaded: boolean): void
}

/** Downloads addresses, a folder each, or what is left. Throws `CommandError` if incomplete. */
export async function fetchSources(web: Web, job: FetchJob): Promise<FetchedSources> {
  const folders: { path: string; unlock(): void }[] = []
  const files: string[] = []
  const close = (loaded: boolean) => {
    for (const { path, unlock } of folders) {
      unlock()
      if (loaded) rmSync(path, { recursive: true, force: true })
    }
  }
  try {
    for (const source of job.sources) {
      if (!isWebAddress(source)) {
        files.push(source)
        continue
      }
      const path = folderOf(job, source)
      folders.push({ path, unlock: lockImport(path) })
      files.push(...(await fetchSource(web, job, source, path)))
    }
    // A later command, which looks for copies of a name, may run in another folder.
    const shown = job.sources.map((one) => (isWebAddress(one) ? showAddress(one) : resolve(one)))
    return { files, shown, close }
  } catch (error) {
    close(false)
    throw error
  }
}

/** `zip!name` is one file within an archive. */
async function fetchSource(web: Web, job: FetchJob, source: string, folder: string) {
  const { geometry, force } = job
  const [address = '', ...inside] = source.split('!')
  if (isServiceAddress(address) && job.fitsLayer !== undefined) {
    return fetchService(web, { ...job, fitsLayer: job.fitsLayer }, address, folder)
  }
  if (isLayerAddress(address) || isServiceAddress(address)) {
    const { files, rows, lost } = await downloadLayer(web, { address, folder, geometry, force })
    reportRows(web, address, rows, lost)
    return files
  }
  if (isSocrataAddress(address)) return downloadSocrata(web, { address, folder, force })
  const file = isCkanAddress(address) ? await findCkanFile(web, address) : address
  const path = await downloadFile(web, file, folder)
  return [[path, ...inside].join('!')]
}

/** Downloads every layer of a service that fits; the files are named after the layers. */
async function fetchService(
  web: Web,
  { geometry, force, fitsLayer }: FetchJob & { fitsLayer: FitsLayer },
  address: string,
  folder: string,
): Promise<string[]> {
  const all: string[] = []
  for (const [at, { url, name }] of (await listLayers(web, address)).entries()) {
    const { fields } = await describeLayer(web, url)
    if (!fitsLayer(fields.map((field) => field.name))) {
      web.report(`${showAddress(url)} (${name}) is left out: it has other columns`)
      continue
    }
    const below = join(folder, `layer-${at}`)
    const { files, rows, lost } = await downloadLayer(web, {
      address: url,
      folder: below,
      geometry,
      force,
    })
    reportRows(web, url, rows, lost)
    all.push(...nameFiles(files, below, name))
  }
  if (all.length > 0) return all
  throw new CommandError(`${showAddress(address)} has no layer with the columns of the mapping`)
}

/** Adds the layer's name to the file names; a mapping may read the county from it. */
function nameFiles(files: string[], folder: string, name: string): string[] {
  const named = join(folder, 'named')
  rmSync(named, { recursive: true, force: true })
  mkdirSync(named, { mode: 0o700 })
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '_').slice(0, 80)
  return files.map((file, at) => {
    const path = join(named, `${safe}-${at + 1}.ndjson`)
    linkSync(file, path)
    return path
  })
}

function reportRows(web: Web, address: string, rows: number, lost: number): void {
  const n = (count: number) => count.toLocaleString('en-US')
  web.report(
    `${showAddress(address)}: ${n(rows - lost)} ` +
      `rows${lost === 0 ? '' : `, ${n(lost)} could not be downloaded`}`,
  )
}

function folderOf({ dataDir, geometry }: FetchJob, address: string): string {
  const url = readAddress(address)
  const digest = createHash('sha256').update(`${geometry} ${url.href}`).digest('hex').slice(0, 12)
  return join(dataDir, 'downloads', `${url.hostname.replace(/[^a-z0-9.-]/gi, '_')}-${digest}`)
}
