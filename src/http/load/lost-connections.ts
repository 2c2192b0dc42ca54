/** Closes connections that the primary was handing to a worker when it died. */
import type { Worker } from 'node:cluster'

/**
 * What `node:cluster` sends with a connection, and gets back; nothing breaks if it is ever called
 * otherwise.
 */
type Handover = { act?: string; seq?: number; ack?: number }
type Connection = { close(): void }

/**
 * Closes a connection that a worker had not taken when it ended, so that its caller sees the close
 * and can ask again.
 *
 * Elsewhere than on Linux (`listening-sockets.ts`) the primary accepts connections, hands them to
 * workers one at a time, and keeps its own end until a worker says that it has it. What was handed
 * to one that died meanwhile `node:cluster` forgets (Node 26): the connection stays open, and
 * nobody reads it.
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
