const UNTIL_MS = 120_000

/**
 * Repeats a check until it holds; throws after a time that no machine needs. `everyMs`: the pause
 * between checks; 0 is one turn of the event loop.
 */
export async function until(holds: () => boolean | Promise<boolean>, everyMs = 25): Promise<void> {
  const deadline = performance.now() + UNTIL_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`what was waited for did not come: ${holds}`)
    await new Promise((resolve) => {
      if (everyMs === 0) setImmediate(resolve)
      else setTimeout(resolve, everyMs)
    })
  }
}
