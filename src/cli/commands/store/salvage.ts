/** Reads from a damaged folder what a restore must keep; unreadable tables are skipped. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../../base/errors.ts'
import type { Suppression } from '../../../base/model/suppression.ts'
import { isDiskFull } from '../../../base/safe-files.ts'
import { readSuppression } from '../../../store/accounts/account-rows.ts'
import { accountsPath, parcelsPath } from '../../../store/data-folder.ts'

export type Salvage = {
  /** Keys with their end, epoch milliseconds. */
  revoked: Map<string, number>
  suspended: string[]
  /** Suppressions made after the backup. */
  suppressions: Suppression[]
  /** The highest record ID assigned; `undefined` when unreadable. */
  newestId: number | undefined
  /** Newest id of the ledger; 0 when unreadable. */
  ledgerRows: number
  /** Sentences on what was unreadable. */
  unread: string[]
}

/** Ids left unused above the backup's highest record ID when the damaged one is unreadable. */
export const ID_GAP = 100_000_000

/** Throws a sentence when the disk was full: what could not be read is then not damaged. */
export function refuseFull(error: unknown, folder: string): void {
  if (isDiskFull(error)) throw explainFull(error, folder)
}

/** Returns the sentence of a full disk, and other errors unchanged. */
export function explainFull(error: unknown, folder: string): unknown {
  if (!isDiskFull(error)) return error
  return new CommandError(`the disk of ${folder} is full; nothing was changed`, 1, error)
}

/** Reads what is readable in a folder, and changes nothing. Throws only for a full disk. */
export function readDamaged(folder: string): Salvage {
  const unread: string[] = []
  const ask = (path: string, what: string, sql: string): Record<string, unknown>[] => {
    if (!existsSync(path)) {
      unread.push(`${what}: there is no ${path}`)
      return []
    }
    try {
      using db = new DatabaseSync(path, { readOnly: true })
      return db.prepare(sql).all()
    } catch (error) {
      refuseFull(error, folder)
      unread.push(`${what}: ${(error as Error).message}`)
      return []
    }
  }
  const accounts = accountsPath(folder)
  const keys = ask(
    accounts,
    'keys that were revoked after the backup; look through platbook key list',
    'SELECT id, revoked_at FROM key WHERE revoked_at IS NOT NULL',
  )
  const suspended = ask(
    accounts,
    'accounts that were suspended after the backup; look through platbook account list',
    'SELECT id FROM account WHERE suspended = 1',
  )
  const suppressions = ask(
    accounts,
    'suppressions that were added after the backup; look through platbook suppress list',
    'SELECT * FROM suppression',
  )
  const ledger = ask(accounts, 'charges after the backup', 'SELECT max(id) AS id FROM ledger')
  const ids = ask(
    parcelsPath(folder),
    `the newest record ID; ${ID_GAP.toLocaleString('en-US')} ids above the backup's are left out`,
    "SELECT value FROM counters WHERE name = 'parcel'",
  )
  return {
    revoked: new Map(keys.map((row) => [String(row.id), Number(row.revoked_at)])),
    suspended: suspended.map((row) => String(row.id)),
    suppressions: suppressions.map(readSuppression),
    newestId: ids[0] === undefined ? undefined : Number(ids[0].value),
    ledgerRows: Number(ledger[0]?.id ?? 0),
    unread,
  }
}
