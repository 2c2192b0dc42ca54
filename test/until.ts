const UNTIL_MS = 120_000

/** Repeats a check until it holds; throws after a time that no machine needs. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + UNTIL_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`what was waited for did not come: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
