/**
 * Access to the console: operators, sessions and one-time sign-in links, in `console.db` of the
 * data folder, also over PostgreSQL (docs/decisions/replicas-and-copies.md). Times are epoch
 * milliseconds.
 */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { consolePath } from './data-folder.ts'
import { openDatabase, transaction } from './sqlite/connection.ts'

/** Roles of operators, the least powerful first. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

type Operator = {
  name: string
  role: Role
  createdAt: number
  /** `null` while the operator may sign in. */
  disabledAt: number | null
}

type OperatorSecret = Operator & { salt: Uint8Array; hash: Uint8Array }

/** A session as a request needs it. */
type ConsoleSession = { operator: string; role: Role; endsAt: number }

/** A link to an account's page for its owner. */
export type OwnerLink = {
  id: string
  accountId: string
  /** Who made it. */
  operator: string
  madeAt: number
  endsAt: number
}

/** Opens `console.db` in the data folder; creates it when missing. */
export function openConsoleStore(dataDir: string) {
  const db = openDatabase(consolePath(dataDir), { kind: 'console' })
  const columns = 'name, role, created_at AS createdAt, disabled_at AS disabledAt'
  const selectAll = db.prepare(`SELECT ${columns} FROM operator ORDER BY name`)
  const selectOne = db.prepare(`SELECT ${columns}, salt, hash FROM operator WHERE name = ?`)
  const put = db.prepare('INSERT OR REPLACE INTO operator VALUES (?, ?, ?, ?, ?, ?)')
  const disable = db.prepare(
    'UPDATE operator SET disabled_at = ? WHERE name = ? AND disabled_at IS NULL',
  )
  const endAll = db.prepare('DELETE FROM session WHERE operator = ?')
  const putSession = db.prepare('INSERT INTO session VALUES (?, ?, ?, ?)')
  const dropOld = db.prepare('DELETE FROM session WHERE ends_at <= ?')
  const selectSession = db.prepare(
    'SELECT operator, role, ends_at AS endsAt FROM session WHERE hash = ? AND ends_at > ?',
  )
  const endSession = db.prepare('DELETE FROM session WHERE hash = ?')
  const putLink = db.prepare('INSERT INTO link VALUES (?, ?)')
  const takeLink = db.prepare('DELETE FROM link WHERE hash = ? RETURNING ends_at AS endsAt')
  const makeSecret = db.prepare('INSERT OR IGNORE INTO secret VALUES (1, ?)')
  const selectSecret = db.prepare('SELECT value FROM secret')

  return {
    operators: () => selectAll.all().map((row) => ({ ...row }) as Operator),
    operator(name: string) {
      const row = selectOne.get(name)
      return row === undefined ? undefined : ({ ...row } as OperatorSecret)
    },
    /** Creates or replaces an operator; ends the name's sessions. */
    putOperator: ({ name, role, salt, hash, createdAt, disabledAt }: OperatorSecret) =>
      transaction(db, () => {
        endAll.run(name)
        put.run(name, role, salt, hash, createdAt, disabledAt)
      }),
    /** Disables an operator and ends its sessions. Returns whether there was an enabled one. */
    disableOperator: (name: string, at: number) =>
      transaction(db, () => {
        endAll.run(name)
        return disable.run(at, name).changes > 0
      }),
    putSession: (hash: Uint8Array, { operator, role, endsAt }: ConsoleSession) =>
      // One write to the disk, since someone waits for their first page.
      transaction(db, () => {
        dropOld.run(Date.now())
        putSession.run(hash, operator, role, endsAt)
      }),
    /** Returns a session that has not ended at `now`. */
    session(hash: Uint8Array, now: number) {
      const row = selectSession.get(hash, now)
      return row === undefined ? undefined : ({ ...row } as ConsoleSession)
    },
    endSession: (hash: Uint8Array) => void endSession.run(hash),
    putLink: (hash: Uint8Array, endsAt: number) => void putLink.run(hash, endsAt),
    /** Uses up a link; returns whether it was valid at `now`. */
    takeLink(hash: Uint8Array, now: number) {
      const row = takeLink.get(hash) as { endsAt: number } | undefined
      return row !== undefined && row.endsAt > now
    },
    ...keepOwnerLinks(db),
    /** 32 bytes that sign links, constant for the life of the file. */
    secret() {
      makeSecret.run(randomBytes(32))
      return selectSecret.get()?.value as Uint8Array
    },
    close: () => db.close(),
  }
}

export type ConsoleStore = ReturnType<typeof openConsoleStore>

function keepOwnerLinks(db: DatabaseSync) {
  const putOwnerLink = db.prepare('INSERT INTO owner_link VALUES (?, ?, ?, ?, ?)')
  const dropOwnerLinks = db.prepare('DELETE FROM owner_link WHERE ends_at <= ?')
  const selectOwnerLinks = db.prepare(
    `SELECT id, account_id AS accountId, operator, made_at AS madeAt, ends_at AS endsAt
    FROM owner_link WHERE account_id = ? AND ends_at > ? ORDER BY made_at DESC`,
  )
  const endOwnerLink = db.prepare('DELETE FROM owner_link WHERE account_id = ? AND id = ?')
  return {
    /** Adds a link, and removes those that have ended when it is made. */
    putOwnerLink: ({ id, accountId, operator, madeAt, endsAt }: OwnerLink) =>
      transaction(db, () => {
        dropOwnerLinks.run(madeAt)
        putOwnerLink.run(id, accountId, operator, madeAt, endsAt)
      }),
    /** The links of an account that are valid at `now`, the newest first. */
    ownerLinks: (accountId: string, now: number) =>
      selectOwnerLinks.all(accountId, now).map((row) => ({ ...row }) as OwnerLink),
    /** Returns whether there was such a link of the account. */
    endOwnerLink: (accountId: string, id: string) => endOwnerLink.run(accountId, id).changes > 0,
  }
}
