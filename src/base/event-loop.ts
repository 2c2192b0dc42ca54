/**
 * Turns of the event loop: one ends when the callbacks of `setImmediate` run. Most data read in a
 * turn had arrived before it, so requests and statements of one turn are handled together.
 */

/** Ends this turn: other requests and timers run before the caller goes on. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Returns a function that reports whether this is its first call in the current turn. `onEnd` runs
 * once at the end of such a turn; a call in it starts the next one.
 */
export function watchTurns(onEnd: () => void): () => boolean {
  let open = false
  const end = () => {
    open = false
    onEnd()
  }
  return () => {
    if (open) return false
    open = true
    setImmediate(end)
    return true
  }
}

/** Shares a turn's end. After `most` calls of `wait` it comes at once and a new one begins. */
export function shareTurnEnd(most = Number.POSITIVE_INFINITY) {
  let shared: Promise<void> | undefined
  let endShared = () => {}
  let count = 0

  function open(): Promise<void> {
    return new Promise((resolve) => {
      const own = () => {
        if (endShared === own) shared = undefined
        resolve()
      }
      endShared = own
      count = 0
      setImmediate(own)
    })
  }

  return {
    /** Resolves when the current turn ends. All callers of a turn share a promise and a timer. */
    wait() {
      shared ??= open()
      const joined = shared
      count += 1
      if (count === most) endShared()
      return joined
    },
    /** Resolves the shared promise now. */
    end: () => endShared(),
  }
}

/** Gives each waiting caller a turn of its own, so that slices of long tasks do not add up. */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (waiting.length > 0) setImmediate(release)
    next?.()
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(release)
    })
}
