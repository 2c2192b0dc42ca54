/** A child's side: its order, its signals, and what it says to the primary. */
import { flushCompileCache } from 'node:module'
import { CommandError } from '../base/errors.ts'
import { BEAT_MS } from '../base/liveness.ts'

const ORDER = 'PLATBOOK_ORDER'

/** Returns the variable that passes an order; arguments would be visible to every user. */
export function passOrder(order: object): Record<string, string> {
  return { [ORDER]: JSON.stringify(order) }
}

/** Returns this process's order; the primary handles signals. `orphaned`: after its end. */
export function takeOrder<Order>(orphaned: () => void = () => process.exit(0)): Order {
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => undefined)
  process.on('disconnect', orphaned)
  process.on('uncaughtException', failAtStart)
  const order = JSON.parse(process.env[ORDER] ?? '{}')
  // Processes that this one starts must not inherit it.
  delete process.env[ORDER]
  return order
}

/** Sends a text that the operator should know. */
export function alarm(text: string): void {
  process.send?.({ kind: 'alarm', text })
}

/** A wrong setting is a sentence for the operator, and no stack trace. */
function failAtStart(error: unknown): void {
  if (!(error instanceof CommandError)) throw error
  void fail(error)
}

export function fail(error: unknown): Promise<never> {
  process.send?.({ kind: 'failed', text: describe(error) }, () => process.exit(1))
  return new Promise(() => undefined)
}

export function describe(error: unknown): string {
  const { message, cause } = error as Error
  return cause === undefined ? message : `${message}: ${describe(cause)}`
}

/** Ends this process by `stop` when the primary asks. */
export function endBy(stop: () => void | Promise<void>): void {
  process.on('message', async ({ kind }: { kind: string }) => {
    if (kind !== 'stop') return
    await stop()
    process.exit(0)
  })
}

/** Says that this process is ready, with `more` for the primary, and alive every second. */
export function sayReady(more: object = {}): void {
  process.off('uncaughtException', failAtStart)
  process.send?.({ kind: 'ready', ...more })
  const beat = () => process.send?.({ kind: 'alive' })
  beat()
  setInterval(beat, BEAT_MS).unref()
  // Nothing is left to write at the exit: docs/decisions/benches-and-start.md.
  flushCompileCache()
}
