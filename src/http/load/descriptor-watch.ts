/** Notices that a process has no file descriptor left for a new connection. */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

const EACH_MS = 1000
/** An exhaustion that lasts is told as often. */
const AGAIN_MS = 60_000
/** Too many files of the process, or of the machine. */
const CODES = new Set<string | undefined>(['EMFILE', 'ENFILE'])

/**
 * Opens and closes a descriptor each second, and hands what the system says to `tell` when there is
 * none left, once a minute at most.
 *
 * The runtime closes connections that it has no descriptor for, and tells nobody: a listening
 * socket has no error then (Node 26, libuv's `uv__emfile_trick`). `probe` throws as `open` does.
 */
export function watchDescriptors(
  tell: (error: Error) => void,
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
      tell(new Error('no file descriptor is left: new connections are closed', { cause: error }))
    }
  }, EACH_MS).unref()
  return { stop: () => clearInterval(timer) }
}

function openOne(): void {
  closeSync(openSync(devNull, 'r'))
}
