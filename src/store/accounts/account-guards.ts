/** What must not be begun anew: accounts and the server secret that were there before. */
import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { CommandError } from '../../errors.ts'
import { secretPath } from '../key-secret.ts'

/**
 * Throws `CommandError` when the file of the server secret is missing though valid keys need it: a
 * new secret would refuse them all.
 *
 * `inUse`: valid keys by the id of their secret.
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

/** Throws `CommandError` when a file of accounts that were noted is not there. */
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
