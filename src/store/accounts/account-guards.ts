/** Refuses to create accounts or a server secret again when they existed before. */
import { existsSync } from 'node:fs'
import { CommandError } from '../../base/errors.ts'
import type { Config } from '../../settings/config.ts'
import { secretPath } from '../key-secret.ts'

/**
 * Throws `CommandError` when the file of the server secret is missing although valid keys need it,
 * since a new secret would make all of them invalid.
 *
 * `inUse`: number of valid keys by secret id.
 */
export function refuseLostSecret(
  { data, keySecret }: Pick<Config, 'data' | 'keySecret'>,
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

/** Throws `CommandError` when the accounts file is missing although its heads were recorded. */
export function refuseMissing(path: string): void {
  if (!existsSync(path)) throw explainEmptied(path, 'is missing')
}

/** `name`: the file or database; `how`: what is wrong with it. */
export function explainEmptied(name: string, how: string): CommandError {
  return new CommandError(
    `${name} ${how}, but accounts.heads says that accounts, keys or charges were written: ` +
      'bring it back with platbook restore; to begin anew, move accounts.heads away',
  )
}
