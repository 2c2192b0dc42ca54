/** The server secrets that hash API keys, newest first, from the data folder or the settings. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { makePrivateFolder } from '../base/private-files.ts'
import { createFile, replaceFile } from '../base/safe-files.ts'

/** `id` identifies the secret and reveals nothing of it. */
export type KeySecret = { id: string; value: Buffer }

/** At least one. New keys are hashed with the first; the others verify older keys. */
export type KeySecrets = readonly KeySecret[]

const LENGTH_MIN = 32 // config.ts says so too

export function secretPath(dataFolder: string): string {
  return join(dataFolder, 'secret')
}

/**
 * Loads the secrets from the setting (newest first, with commas or blanks between), or from the
 * file `secret` in the data folder, which is created. Throws `CommandError` for one that is too
 * short, or when others may read the file.
 */
export function loadSecrets(dataFolder: string, configured: string | null): KeySecrets {
  if (configured !== null) return readSecrets(configured, 'PLATBOOK_KEY_SECRET')
  const path = secretPath(dataFolder)
  makePrivateFolder(dataFolder)
  try {
    return readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM' || code === 'EISDIR') {
      throw new CommandError(`${path} holds the server secret and cannot be read`, 1, error)
    }
    if (code !== 'ENOENT') throw error
  }
  createFile(path, `${makeSecret()}\n`)
  return readFile(path)
}

/** Adds a new secret before those in the file. Keys are rehashed with it when they are used. */
export function addSecret(dataFolder: string): KeySecrets {
  const lines = loadSecrets(dataFolder, null).map((secret) => secret.value.toString())
  replaceFile(secretPath(dataFolder), `${[makeSecret(), ...lines].join('\n')}\n`)
  return loadSecrets(dataFolder, null)
}

/** Removes secrets from the file by id; the newest always stays. */
export function dropSecrets(dataFolder: string, ids: ReadonlySet<string>): KeySecrets {
  const kept = loadSecrets(dataFolder, null).filter(({ id }, index) => index === 0 || !ids.has(id))
  const lines = kept.map((secret) => secret.value.toString())
  replaceFile(secretPath(dataFolder), `${lines.join('\n')}\n`)
  return kept
}

/**
 * Throws `CommandError` when the file of the server secret is missing although valid keys need it:
 * a new one would end them. `inUse`: valid keys by secret id.
 */
export function refuseLostSecret(
  { data, keySecret }: { data: string; keySecret: string | null },
  inUse: ReadonlyMap<string, number>,
): void {
  const path = secretPath(data)
  if (keySecret !== null || inUse.size === 0 || existsSync(path)) return
  const keys = [...inUse.values()].reduce((sum, count) => sum + count, 0)
  throw new CommandError(
    `${path} is missing, and ${keys} valid keys are hashed under the server secret in it; ` +
      'copy it back from a backup or another node, or revoke these keys (platbook key revoke)',
  )
}

function makeSecret(): string {
  return randomBytes(32).toString('hex')
}

function readFile(path: string): KeySecrets {
  const mode = statSync(path).mode & 0o077
  if (mode !== 0 && process.platform !== 'win32') {
    throw new CommandError(
      `${path} holds the server secret and may be read by others; run: chmod 600 ${path}`,
    )
  }
  return readSecrets(readFileSync(path, 'utf8'), path)
}

function readSecrets(text: string, source: string): KeySecrets {
  const values = text.split(/[\s,]+/).filter((value) => value !== '')
  if (values.length === 0 || values.some((value) => value.length < LENGTH_MIN)) {
    throw new CommandError(`${source}: a secret has at least ${LENGTH_MIN} characters`)
  }
  return values.map((value) => ({ id: idOf(value), value: Buffer.from(value) }))
}

function idOf(value: string): string {
  return createHash('sha256').update(`platbook secret id\n${value}`).digest('hex').slice(0, 12)
}
