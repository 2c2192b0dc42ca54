/** Opens the store that answers sandbox keys, and builds it when missing. */
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { refuse } from '../base/errors.ts'
import { parcelsPath } from '../store/data-folder.ts'
import { openParcelsIn } from '../store/open.ts'
import type { ParcelReader } from '../store/store.ts'

const PROGRAM = fileURLToPath(new URL('build-process.ts', import.meta.url))
const BUILD_MS = 60_000

type Sandbox = {
  /** Returns the sample's parcels. Throws *unavailable* until they are built. */
  parcels(): Promise<ParcelReader>
  close(): Promise<void>
}

type Opened = ReturnType<typeof openParcelsIn>

export function sandboxFolder(data: string): string {
  return join(data, 'sandbox')
}

/**
 * Creates the sandbox of a data folder. Nothing is opened before the first request with a sandbox
 * key.
 *
 * `platbook key create --sandbox` builds the store. If it is missing, or of another version, a
 * separate process builds it, because an import here would block the event loop.
 */
export function openSandbox(data: string): Sandbox {
  let opening: Promise<Opened> | undefined

  async function open(): Promise<Opened> {
    const folder = sandboxFolder(data)
    if (existsSync(parcelsPath(folder))) {
      try {
        return openParcelsIn(folder)
      } catch {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    await promisify(execFile)(process.execPath, [PROGRAM, data], { timeout: BUILD_MS })
    return openParcelsIn(folder)
  }

  return {
    async parcels() {
      opening ??= open()
      try {
        return (await opening).parcels
      } catch (error) {
        opening = undefined
        throw refuse.unavailable('Service temporarily unavailable', error)
      }
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}
