/** Detects that a process has no file descriptor left for a new connection. */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

const EACH_MS = 1000
/** Milliseconds between reports while it lasts. */
const AGAIN_MS = 60_000
/** Too many open files in the process, or on the machine. */
const CODES = new Set<string | undefined>(['EMFILE', 'ENFILE'])

/**
 * Opens and closes a descriptor every second, and calls `report` with the error when none is left,
 * at most once a minute.
 *
 * The runtime silently closes connections that it has no descriptor for: the listening socket
 * reports no error then (Node 26, libuv's `uv__emfile_trick`). `probe` throws as `open` does.
 */
export function watchDescriptors(
  report: (error: Error) => void,
  probe: () => void = openOne,
): { stop(): void } {
  let quietMs = 0
  const timer = setInterval(() => {
    quietMs -= EACH_MS
    try {
      probe()
    } catch (error) {
      if (!CODES.has((error as NodeJS.ErrnoException).code) || quietMs > 0) return
      quietMs = AGAIN_MS
      report(new Error('no file descriptor is left: new connections are closed', { cause: error }))
    }
  }, EACH_MS).unref()
  return { stop: () => clearInterval(timer) }
}

function openOne(): void {
  closeSync(openSync(devNull, 'r'))
}
