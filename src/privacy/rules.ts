/** The suppressions in force, and the secret that hashes names and addresses. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { REGISTERED, type StoredRule, type SuppressionRules } from '../base/model/suppression.ts'
import { makePrivateFile } from '../base/private-files.ts'
import { readStoredRules } from '../store/open.ts'
import { hashForms, recipeForm } from './matcher.ts'

export type SuppressionSettings = { data: string; registryHash: string | null }

export function suppressionSecretPath(dataFolder: string): string {
  return join(dataFolder, 'suppression.secret')
}

/** Loads the secret of a data folder. Throws `CommandError` without one; `make` creates it. */
export function loadSuppressionSecret(dataFolder: string, make: boolean): Uint8Array {
  const path = suppressionSecretPath(dataFolder)
  if (!existsSync(path)) {
    if (!make) {
      throw new CommandError(
        `${path} is missing: without it no suppression finds anybody; take it from ` +
          'another node or a backup',
      )
    }
    makePrivateFile(path)
    appendFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flush: true })
  }
  // Two processes may have created it at once: both use the first line.
  const secret = Buffer.from(readFileSync(path, 'utf8').split('\n')[0] ?? '', 'hex')
  if (secret.length === 32) return secret
  throw new CommandError(`${path} does not hold a secret of 64 hex digits`)
}

/** Returns the rules in force, if any. Throws `CommandError` without their secret or recipe. */
export function rulesOf(
  suppressions: readonly (StoredRule & { endedAt?: number | null })[],
  { data, registryHash }: SuppressionSettings,
): SuppressionRules | undefined {
  const rules = suppressions.filter(({ endedAt = null }) => endedAt === null)
  if (rules.length === 0) return undefined
  const secret = loadSuppressionSecret(data, false)
  const registered = rules.filter(({ id }) => id.startsWith(REGISTERED))
  const mark = registryHash && hashForms(secret, [recipeForm(registryHash)])
  const other = registered.find(({ hashes }) => mark === null || !hashes.startsWith(mark))
  if (other !== undefined) {
    throw new CommandError(
      `PLATBOOK_REGISTRY_HASH is not the recipe of ${other.id}: without it no hash of ` +
        'that list finds anybody',
    )
  }
  return {
    secret: Uint8Array.from(secret),
    rules: rules.map(({ kind, scope, hashes }) => ({ kind, scope, hashes })),
    ...(registered.length > 0 && registryHash !== null && { recipe: registryHash }),
  }
}

/** Reads the rules that an import applies. */
export async function readRules(
  dataDir: string,
  databaseUrl: string | null,
  registryHash: string | null,
): Promise<SuppressionRules | undefined> {
  return rulesOf(await readStoredRules(dataDir, databaseUrl), { data: dataDir, registryHash })
}
