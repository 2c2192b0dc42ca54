/** Detects that a child process no longer answers. */

/** Milliseconds between a child process's reports to its parent. */
export const BEAT_MS = 1000
/** Milliseconds between the parent's checks. */
const CHECK_MS = 250
/**
 * Silence after which a process counts as hung. Stopped right after a report, it is silent for at
 * most this long and one check more: together 5 s.
 */
export const SILENT_MS = 4750

/**
 * Calls `onSilent` once after a silence, which is counted in checks and not by the clock. A parent
 * that was suspended with its children runs one check when it resumes, and does not replace them.
 */
export function watchLiveness(onSilent: () => void) {
  const checksMax = Math.ceil(SILENT_MS / CHECK_MS)
  let checks = 0
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  const check = () => {
    checks += 1
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
