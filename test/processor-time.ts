/** Processor time of a pool, which `report.ts` prints by file. */
import { readFileSync } from 'node:fs'

/** What the pool had used when a file ended: its events are reported somewhat later. */
export const usedAt = new Map<string, number>()

/** Processor time of this process and of its children that ended, in milliseconds. */
export function readProcessorMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    // utime, stime, cutime and cstime, in ticks of 10 ms: proc(5).
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
