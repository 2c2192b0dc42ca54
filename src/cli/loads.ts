/** Reads from the history when each address was last loaded. */
import { hasData } from '../store/open.ts'
import { openHistory } from '../store/open-rolls.ts'
import type { CommandIo } from './command.ts'

/** Returns epoch milliseconds by address, as the history shows it. Undone loads do not count. */
export async function readLoads(io: CommandIo): Promise<Map<string, number>> {
  const loads = new Map<string, number>()
  if (!(await hasData(io.config))) return loads
  const reader = await openHistory(io.config)
  try {
    const entries = await reader.list()
    const undone = new Set(entries.map(({ undoes }) => undoes))
    // Newest first, so that an older load never replaces a newer one.
    for (const { id, files, kind, loadedAt } of entries) {
      if (kind !== 'import' || undone.has(id)) continue
      for (const file of files) if (!loads.has(file)) loads.set(file, loadedAt * 1000)
    }
  } finally {
    await reader.close()
  }
  return loads
}
