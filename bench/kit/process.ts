/** Reads processor time and memory of a running process from the system. Linux. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** User and system time of a process, seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The same of several processes and all their descendants. */
export function cpuSecondsOfTree(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => sum + cpuOrZero(one), 0)
}

/** The same of a database server, with its connections that have ended. */
export function cpuSecondsOfServer(postmaster: number): number {
  const fields = readFileSync(`/proc/${postmaster}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  return cpuSecondsOfTree(postmaster) + ended
}

export type Memory = {
  /** All pages of the process, including shared ones. */
  rssMb: number
  /** Of that: pages of files, including mapped ones of the database, which the system may evict. */
  fileMb: number
  /** Of that: its own. */
  ownMb: number
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024)
  return { rssMb: mb('VmRSS'), fileMb: mb('RssFile') + mb('RssShmem'), ownMb: mb('RssAnon') }
}

function descendants(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter((text) => text !== '')
        .flatMap((child) => [Number(child), ...descendants(Number(child))]),
    )
  } catch {
    return []
  }
}

function cpuOrZero(pid: number): number {
  try {
    return cpuSeconds(pid)
  } catch {
    return 0
  }
}
