/** Builds the store that answers sandbox keys: a small generated sample. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../base/private-files.ts'
import { loadMapping } from '../import/mapping/mapping.ts'
import { runImport } from '../import/run.ts'
import { writeSampleFile } from '../sample/file.ts'
import { prepareParcels } from '../store/open.ts'
import { sandboxFolder } from './open.ts'

/** Size and seed of the sample; the sandboxes of one version are equal. */
export const SANDBOX_SAMPLE = { parcels: 2000, seed: 1 }

/**
 * Builds the store in a temporary folder and renames it at the end.
 *
 * Several processes may build at once: the first one wins. Throws what an import throws.
 */
export async function buildSandbox(data: string, now: () => number = Date.now): Promise<void> {
  makePrivateFolder(data)
  const folder = mkdtempSync(join(data, 'sandbox-new-'))
  const file = join(folder, 'sample.csv')
  try {
    prepareParcels(folder)
    await writeSampleFile(SANDBOX_SAMPLE, file)
    await runImport({
      files: [file],
      mapping: loadMapping('platbook'),
      dataDir: folder,
      databaseUrl: null,
      state: undefined,
      county: undefined,
      forcedOrder: undefined,
      rollYear: undefined,
      today: new Date(now()).toISOString().slice(0, 10),
      geometry: true,
      partial: false,
      dryRun: false,
      force: false,
      threads: 0,
      sink: { terminal: false, report() {}, draw() {}, now },
    })
    rmSync(file)
    renameSync(folder, sandboxFolder(data))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
