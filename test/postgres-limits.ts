/** The limits of connections to a server that tests share. */
import { Client, Pool } from 'pg'

type Limited = {
  host: string
  _connectionTimeoutMillis: number
  connectionParameters: { query_timeout: number }
}

/**
 * Lets this process wait for a server that is not said to be down or slow: on a machine that runs
 * much else, a connection or a read may take the seconds after which a store refuses.
 */
export function liftLimits(folder: string): void {
  const host = encodeURIComponent(folder)
  const connect = Client.prototype.connect as (...words: unknown[]) => unknown
  Client.prototype.connect = function (this: Limited, ...words: unknown[]) {
    if (this.host === folder) {
      this._connectionTimeoutMillis = 0
      this.connectionParameters.query_timeout = 0
    }
    return connect.apply(this, words)
  } as unknown as typeof Client.prototype.connect
  const take = Pool.prototype.connect as (...words: unknown[]) => unknown
  Pool.prototype.connect = function (this: Pool, ...words: unknown[]) {
    if (this.options.connectionString?.includes(host)) this.options.connectionTimeoutMillis = 0
    return take.apply(this, words)
  } as unknown as typeof Pool.prototype.connect
}
