/** Closes connections that the primary was passing to a worker when it died. */
import type { Worker } from 'node:cluster'

/** The message of `node:cluster` with a connection. If its format changes, nothing breaks. */
type Handover = { act?: string; seq?: number; ack?: number }
type Connection = { close(): void }

/**
 * Closes a connection that a worker had not taken when it ended, so that its caller can retry.
 *
 * On systems other than Linux (`listening-sockets.ts`) the primary accepts connections and passes
 * them to workers one at a time. It keeps its own end until the worker confirms. `node:cluster`
 * forgets a connection passed to a worker that died meanwhile (Node 26): it stays open, and nobody
 * reads it.
 */
export function closeLostConnections(worker: Worker): void {
  const { process: child } = worker
  const handed = new Map<number, Connection>()
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (...args: unknown[]) => {
    const [{ act, seq }, connection] = args as [Handover, Connection | undefined]
    if (act === 'newconn' && seq !== undefined && connection) handed.set(seq, connection)
    return send(...args)
  }
  child.on('internalMessage', ({ ack }: Handover) => {
    if (ack !== undefined) handed.delete(ack)
  })
  worker.on('exit', () => {
    for (const connection of handed.values()) connection.close()
  })
}
