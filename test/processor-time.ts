/** Processor time of a pool, which `report.ts` prints by file. */
import { readdirSync, readFileSync } from 'node:fs'

/** What the pool had used when a file ended: its events are reported somewhat later. */
export const usedAt = new Map<string, number>()

/**
 * Processor time of this process, of its children that ended and of those that run with theirs
 * (Chromium, PostgreSQL), in milliseconds.
 */
export function readProcessorMs(): number {
  try {
    return readTicks('self') * 10
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** utime, stime, cutime and cstime of a process and those below it, in ticks of 10 ms: proc(5). */
function readTicks(pid: string): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const own = fields.split(' ').slice(11, 15).map(Number)
  const below = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return [...own, ...below.map(readTicksIfRunning)].reduce((sum, ticks) => sum + ticks)
}

function readTicksIfRunning(pid: string): number {
  try {
    return readTicks(pid)
  } catch {
    return 0
  }
}
