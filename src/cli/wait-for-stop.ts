/** Milliseconds between checks of the parent process. */
const PARENT_MS = 500

/**
 * Resolves on SIGTERM or SIGINT, and when npm started this process and its shell is gone. npm sends
 * the signal to the shell only, which ends without passing it on.
 */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.on('SIGINT', () => resolve())
    if (process.env.npm_lifecycle_event === undefined) return
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, PARENT_MS).unref()
  })
}
