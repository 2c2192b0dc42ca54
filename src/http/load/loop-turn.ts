/** Waiting for the end of a turn of the event loop, together. */

/** The end of the running turn of the event loop, for all who wait for it. */
export type TurnEnd = {
  /** Resolves when the turn that runs ends: one promise, and one timer, for all who ask in it. */
  wait(): Promise<void>
  /** Lets those who wait go on now. */
  end(): void
}

/** When `most` have asked they need not wait any longer, and the next begin anew. */
export function shareTurnEnd(most = Number.POSITIVE_INFINITY): TurnEnd {
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
    wait() {
      shared ??= open()
      const joined = shared
      count += 1
      if (count === most) endShared()
      return joined
    },
    end: () => endShared(),
  }
}
