/** TLS by certificate and key files, read again when they change. */
import { readFileSync, statSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { createSecureContext } from 'node:tls'

/** How often the files are looked at, milliseconds. They may be links that are replaced. */
const LOOK_MS = 2_000

/** Certificate and key, read from their files and again when those change. */
export type TlsFiles = {
  /** Certificate chain and private key, PEM. */
  read(): { cert: Buffer; key: Buffer }
  /** Uses new files for new connections. Files that do not fit are told to `fail`, and the old ones stay. */
  watch(server: HttpServer, fail: (error: unknown) => void): void
}

/** Throws a sentence when a file cannot be read or the two do not belong together. */
export function openTlsFiles(certFile: string, keyFile: string): TlsFiles {
  const read = () => {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
    createSecureContext(pair)
    return pair
  }
  try {
    read()
  } catch (error) {
    throw new Error(
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
