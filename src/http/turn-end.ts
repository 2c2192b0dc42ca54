/** Waiting for the end of a turn of the event loop, together. */

/**
 * Tells what to wait for: the end of the turn that runs. Whoever asks in one turn gets the same promise, which costs one timer for all of them;
 * when `most` have asked they need not wait any longer, and the next begin anew.
 */
export function shareTurnEnd(most = Number.POSITIVE_INFINITY): () => Promise<void> {
  let shared: Promise<void> | undefined
  let end = () => {}
  let count = 0

  function open(): Promise<void> {
    return new Promise((resolve) => {
      const own = () => {
        if (end === own) shared = undefined
        resolve()
      }
      end = own
      count = 0
      setImmediate(own)
    })
  }

  return () => {
    shared ??= open()
    const joined = shared
    count += 1
    if (count === most) end()
    return joined
  }
}
