/** Removes rejected rows, unused uploads and the console's exports, because they hold names. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../../base/days.ts'

/** Removes rejected rows, unused uploads and exports after so many days. `now`: epoch ms. */
export function expireFiles(dataDir: string, days: number, now: number): void {
  for (const folder of ['rejects', 'console', 'exports'].map((name) => join(dataDir, name))) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat === undefined || now - stat.mtimeMs <= days * DAY_MS) continue
      rmSync(path, { recursive: true, force: true })
    }
  }
}
