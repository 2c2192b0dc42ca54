/** Milliseconds between checks of the parent process. */
const PARENT_MS = 500

/** Resolves on SIGTERM or SIGINT, or when the shell of npm is gone, which passes none on. */
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
