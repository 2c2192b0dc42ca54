/** Ends a connection whose bytes the parser could not read, after its earlier answers. */
import type { Socket } from 'node:net'
import { CONNECTION, type Connection, isArriving, type KnownSocket } from './connection.ts'

/** How long a caller may read the parser's error before its connection ends. */
const LINGER_MS = 2_000

/** Answers what the parser could not read after earlier answers, and ends the connection. */
export function condemn(socket: Socket, bytes: string): void {
  const connection = (socket as KnownSocket)[CONNECTION]
  socket.pause()
  const end = () => {
    socket.end(bytes)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  if (connection === undefined || isLast(connection)) end()
  else connection.condemned ??= end
}

/** Reports whether no request is under way but one whose body is still arriving. */
export function isLast(connection: Connection): boolean {
  const { held, pending } = connection
  return held.length === 0 && pending === (isArriving(connection) ? 1 : 0)
}

export function endCondemned(connection: Connection): void {
  const { condemned } = connection
  if (condemned !== undefined && connection.socket.writable) condemned()
}
