/** TLS with certificate and key files, which are read again when they change. */
import { readFileSync, statSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import { CommandError } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'

/** Milliseconds between checks of the files, which may be links that are replaced. */
const LOOK_MS = 2_000

export type TlsFiles = {
  read(): { cert: Buffer; key: Buffer }
  /** Uses changed files for new connections. Invalid ones are reported, and the old ones stay. */
  watch(server: HttpServer, fail: (error: unknown) => void): void
}

/** `undefined` when the service uses HTTP. Throws `CommandError` for unusable files. */
export function openTls({ tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>) {
  if (tlsCert === null && tlsKey === null) return undefined
  if (tlsCert === null || tlsKey === null) {
    throw new CommandError('PLATBOOK_TLS_CERT and PLATBOOK_TLS_KEY go together', 2)
  }
  return openTlsFiles(tlsCert, tlsKey)
}

/** Throws a sentence when a file is unreadable or the two do not match. */
function openTlsFiles(certFile: string, keyFile: string): TlsFiles {
  const read = () => {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
    createSecureContext(pair)
    return pair
  }
  try {
    read()
  } catch (error) {
    throw new CommandError(
      `${certFile} and ${keyFile} cannot be used for TLS: ${(error as Error).message}`,
    )
  }
  const stamp = () =>
    [certFile, keyFile]
      .map((file) => {
        const { mtimeMs, ino, size } = statSync(file)
        return `${mtimeMs} ${ino} ${size}`
      })
      .join()
  let used = stamp()
  return {
    read,
    watch(server, fail) {
      const look = () => {
        try {
          const newest = stamp()
          if (newest === used) return
          used = newest
          ;(server as unknown as HttpsServer).setSecureContext(read())
        } catch (error) {
          fail(error)
        }
      }
      const looking = setInterval(look, LOOK_MS).unref()
      server.on('close', () => clearInterval(looking))
    },
  }
}
