/** Detects that a child process no longer answers. */
import { readFileSync } from 'node:fs'

/** Milliseconds between a child process's reports to its parent. */
export const BEAT_MS = 1000
/** Milliseconds between the parent's checks. */
const CHECK_MS = 250
/**
 * Silence after which a process counts as hung. Stopped right after a report, it is silent for at
 * most this long and one check more: together 5 s.
 */
export const SILENT_MS = 4750

/** What a check counts before which the process waited for a processor: it may not be hung. */
const STARVED_CHECK = 0.2

/**
 * Calls `onSilent` once after a silence, which is counted in checks and not by the clock. A parent
 * that was suspended with its children runs one check when it resumes, and does not replace them.
 */
export function watchLiveness(onSilent: () => void, waitedMs: () => number) {
  const checksMax = Math.ceil(SILENT_MS / CHECK_MS)
  let checks = 0
  let waitedBefore = 0
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  const check = () => {
    const waited = waitedMs()
    checks += waited - waitedBefore > CHECK_MS / 2 ? STARVED_CHECK : 1
    waitedBefore = waited
    if (checks < checksMax) return
    stop()
    onSilent()
  }
  return {
    /** Records a report. Watching begins with the first, which ends the start. */
    heard() {
      checks = 0
      timer ??= setInterval(check, CHECK_MS).unref()
    },
    stop,
  }
}

/**
 * Milliseconds for which the first thread of a process was ready and no processor was free: the
 * second number of `/proc/PID/schedstat`; 0 on systems without it.
 */
export function readWaitedMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
