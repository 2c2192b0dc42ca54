/**
 * Stored suppressions, and the secret that hashes names and addresses. Neither contains a name in
 * clear text.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import type {
  StoredRule,
  Suppression,
  SuppressionKind,
  SuppressionRules,
  SuppressionScope,
} from '../base/model/suppression.ts'
import { makePrivateFile } from '../base/private-files.ts'
import { FORM_DIGITS } from '../record/form-table.ts'
import { hashForms, recipeForm } from '../record/suppress.ts'

/** Prefix of suppression ids made from a registry's hash. */
export const REGISTERED = 'reg_'

/** The settings needed to read suppressions. */
export type SuppressionSettings = { data: string; registryHash: string | null }

/** Path of the secret in a data folder. */
export function suppressionSecretPath(dataFolder: string): string {
  return join(dataFolder, 'suppression.secret')
}

/**
 * Loads the secret of a data folder; with `make`, creates it when missing. Otherwise throws
 * `CommandError`, since hashes made with another secret match nobody.
 */
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

/**
 * Returns the rules in force; `undefined` when there are none. Throws `CommandError` without their
 * secret, or without the hash recipe of a registry's entries, because they would match nobody.
 */
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

/** Reads a suppression from a row of either store. */
export function readSuppression(row: Record<string, unknown>): Suppression {
  return {
    id: String(row.id),
    kind: row.kind as SuppressionKind,
    scope: row.scope as SuppressionScope,
    state: String(row.state),
    fips: Number(row.fips),
    hashes: String(row.hashes),
    basis: String(row.basis),
    createdAt: Number(row.created_at),
    until: row.until === null ? null : String(row.until),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
  }
}

const IS_REGISTERED = `substr(id, 1, ${REGISTERED.length}) = '${REGISTERED}'`

/**
 * Selects the suppressions in force, grouped by kind and scope.
 *
 * One row holds all hashes of a group, because reading 100,000 rows would take longer than reading
 * thousands of parcels. Hashes of a registry begin with the mark of its recipe, which distinguishes
 * them. Groups are split by the last digit of the hash, because one text has a limit of 500 MB.
 */
export const GROUPED_RULES = `SELECT min(id) AS id, kind, scope, string_agg(hashes, '') AS hashes
  FROM suppression WHERE ended_at IS NULL
  GROUP BY kind, scope, ${IS_REGISTERED},
    CASE WHEN ${IS_REGISTERED} THEN substr(hashes, 1, ${FORM_DIGITS}) ELSE '' END,
    substr(hashes, length(hashes))`

/** Reads a row of `GROUPED_RULES`. */
export function readRule({ id, kind, scope, hashes }: Record<string, unknown>): StoredRule {
  return {
    id: String(id),
    kind: kind as SuppressionKind,
    scope: scope as SuppressionScope,
    hashes: String(hashes),
  }
}

/** Selects the suppressions that are applied to answers. */
export const PENDING_SUPPRESSIONS = `SELECT suppression.* FROM suppression
  JOIN suppression_pending ON suppression_pending.id = suppression.id
  WHERE suppression.ended_at IS NULL ORDER BY suppression.created_at, suppression.id`

/** Columns in SQL, in the order of `suppressionValues`. */
export const SUPPRESSION_COLUMNS =
  'id, kind, scope, state, fips, hashes, basis, created_at, until, ended_at'

/** Values in the order of `SUPPRESSION_COLUMNS`. */
export function suppressionValues(one: Suppression): (string | number | null)[] {
  const { id, kind, scope, state, fips, hashes, basis, createdAt, until, endedAt } = one
  return [id, kind, scope, state, fips, hashes, basis, createdAt, until, endedAt]
}
