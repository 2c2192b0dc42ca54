/**
 * The server secrets under which API keys are hashed: newest first, kept beside the data or given
 * in the settings.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import { makePrivateFolder } from '../private-files.ts'

/** `id` tells which secret a hash was made with, and nothing of the secret. */
export type KeySecret = { id: string; value: Buffer }

/** At least one; new keys are hashed under the first, older ones stay readable under the others. */
export type KeySecrets = readonly KeySecret[]

const LENGTH_MIN = 32 // config.ts says so too

/** Where the secrets of a data folder stand, one in a line. */
export function secretPath(dataFolder: string): string {
  return join(dataFolder, 'secret')
}

/**
 * The secrets: those of the setting (several are separated by commas or blanks, newest first), else
 * those of the file `secret` in the data folder, which is made when it is not there.
 *
 * Throws `CommandError` when a secret is too short, or the file may be read by others than its
 * owner.
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
  writeOnce(path, `${makeSecret()}\n`)
  return readFile(path)
}

/** Puts a new secret in front of those in the file; keys move on to it as they are used. */
export function addSecret(dataFolder: string): KeySecrets {
  const lines = loadSecrets(dataFolder, null).map((secret) => secret.value.toString())
  replace(secretPath(dataFolder), [makeSecret(), ...lines])
  return loadSecrets(dataFolder, null)
}

/** Takes secrets out of the file by their ids; the newest always stays. */
export function dropSecrets(dataFolder: string, ids: ReadonlySet<string>): KeySecrets {
  const kept = loadSecrets(dataFolder, null).filter(({ id }, index) => index === 0 || !ids.has(id))
  replace(
    secretPath(dataFolder),
    kept.map((secret) => secret.value.toString()),
  )
  return kept
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

/** Whole or not at all, and never over one that another process has made in the meantime. */
function writeOnce(path: string, text: string): void {
  const draft = writeDraft(path, text)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncFolder(dirname(path))
}

function replace(path: string, lines: string[]): void {
  renameSync(writeDraft(path, `${lines.join('\n')}\n`), path)
  syncFolder(dirname(path))
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}

/**
 * Keys are worthless without their secret: its name in the folder is made as durable as they are.
 */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
