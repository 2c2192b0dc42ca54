/** Opens the store that sandbox keys are answered from; builds it when it is not there. */
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { refuse } from '../errors.ts'
import { parcelsPath } from '../store/data-folder.ts'
import { openParcelsIn } from '../store/open.ts'
import type { ParcelReader } from '../store/store.ts'
import { sandboxFolder } from './build.ts'

const PROGRAM = fileURLToPath(new URL('build-process.ts', import.meta.url))
const BUILD_MS = 60_000

type Sandbox = {
  /** The sample's parcels. Throws *unavailable* while they are not built. */
  parcels(): Promise<ParcelReader>
  close(): Promise<void>
}

type Opened = ReturnType<typeof openParcelsIn>

/**
 * The sandbox of a data folder. Nothing is opened before the first sandbox key asks.
 *
 * `platbook key create --sandbox` has built the store. Where it is missing, or of another version
 * of the program, a process beside this one builds it: an import here would block the event loop.
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
