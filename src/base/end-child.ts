/** Ends a child process in any state. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Asks a child process to end by `ask`, kills it after `withinMs`, and waits for its end. */
export async function endChild(
  child: ChildProcess,
  ask: (child: ChildProcess) => void,
  withinMs: number,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  ask(child)
  const killing = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await ended
  clearTimeout(killing)
}

/** Asks by message. A dying process may not read it, which is not an error. */
export function sendStop(child: ChildProcess): void {
  if (child.connected) child.send({ kind: 'stop' }, () => undefined)
}
