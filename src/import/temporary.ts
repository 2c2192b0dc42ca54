/** Temporary folders of imports. A killed import leaves its own, which the next one removes. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeLock } from '../base/lock.ts'

const PREFIX = 'platbook-temporary-'

const LOCK = 'lock'

type TemporaryFolder = { path: string; remove(): void }

/** Makes a folder that is locked while this process lives, and removes those of killed ones. */
export function makeTemporary(): TemporaryFolder {
  sweep()
  for (;;) {
    const path = mkdtempSync(join(tmpdir(), PREFIX))
    const unlock = takeLock(join(path, LOCK))
    // Another process has taken it for one that was left.
    if (unlock === undefined) continue
    return {
      path,
      remove() {
        unlock()
        rmSync(path, { recursive: true, force: true })
      },
    }
  }
}

function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    if (!existsSync(join(path, LOCK))) continue
    try {
      const unlock = takeLock(join(path, LOCK))
      if (unlock === undefined) continue
      unlock()
      rmSync(path, { recursive: true, force: true })
    } catch {
      // It belongs to another user, or is being removed by another import.
    }
  }
}
