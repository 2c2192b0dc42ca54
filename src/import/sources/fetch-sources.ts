/** Sources of an import become local files: paths stay what they are, addresses are downloaded. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockImport } from '../lock.ts'
import { downloadLayer } from './arcgis/download.ts'
import { isLayerAddress, isServiceAddress } from './arcgis/layer.ts'
import { findCkanFile, isCkanAddress } from './ckan.ts'
import { downloadSocrata, isSocrataAddress } from './socrata.ts'
import { isWebAddress, showAddress, type Web } from './web.ts'
import { downloadFile } from './web-file.ts'

type FetchJob = {
  sources: string[]
  dataDir: string
  geometry: boolean
  force: boolean
}

type FetchedSources = {
  /** Local files, in the order of the sources. */
  files: string[]
  /** The sources without what may be secret. */
  shown: string[]
  /** Gives the folders back; `loaded`: the downloads have done their service. */
  close(loaded: boolean): void
}

/**
 * Downloads what is an address into folders of its own in `downloads` of the data folder.
 *
 * Throws `CommandError` when a source cannot be had whole. What has come is kept, and the next call goes on with it.
 */
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
    return { files, shown: job.sources.map(showAddress), close }
  } catch (error) {
    close(false)
    throw error
  }
}

/** `zip!name` is one file within an archive. */
async function fetchSource(web: Web, job: FetchJob, source: string, folder: string) {
  const { geometry, force } = job
  const [address = '', ...inside] = source.split('!')
  if (isLayerAddress(address) || isServiceAddress(address)) {
    const { files, rows, lost } = await downloadLayer(web, { address, folder, geometry, force })
    tellRows(web, address, rows, lost)
    return files
  }
  if (isSocrataAddress(address)) return downloadSocrata(web, { address, folder, force })
  const file = isCkanAddress(address) ? await findCkanFile(web, address) : address
  const { path } = await downloadFile(web, file, folder)
  return [[path, ...inside].join('!')]
}

function tellRows(web: Web, address: string, rows: number, lost: number): void {
  const n = (count: number) => count.toLocaleString('en-US')
  web.report(
    `${showAddress(address)}: ${n(rows - lost)} rows${lost === 0 ? '' : `, ${n(lost)} could not be had`}`,
  )
}

/** A folder per source, and per way of asking it. */
function folderOf({ dataDir, geometry }: FetchJob, address: string): string {
  const url = new URL(address)
  const digest = createHash('sha256').update(`${geometry} ${url.href}`).digest('hex').slice(0, 12)
  return join(dataDir, 'downloads', `${url.hostname.replace(/[^a-z0-9.-]/gi, '_')}-${digest}`)
}
