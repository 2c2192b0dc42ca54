/**
 * Access to the console: operators, sessions and one-time sign-in links, in `console.db` of the
 * data folder, also over PostgreSQL (docs/decisions/replicas-and-copies.md). Times are epoch
 * milliseconds.
 */
import { randomBytes } from 'node:crypto'
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
  const sql = db.createTagStore()
  return {
    operators: () =>
      sql.all`SELECT name, role, created_at AS createdAt, disabled_at AS disabledAt
        FROM operator ORDER BY name`.map((row) => ({ ...row }) as Operator),
    operator(name: string) {
      const row = sql.get`SELECT name, role, created_at AS createdAt, disabled_at AS disabledAt,
        salt, hash FROM operator WHERE name = ${name}`
      return row === undefined ? undefined : ({ ...row } as OperatorSecret)
    },
    /** Creates or replaces an operator; ends the name's sessions. */
    putOperator: ({ name, role, salt, hash, createdAt, disabledAt }: OperatorSecret) =>
      transaction(db, () => {
        sql.run`DELETE FROM session WHERE operator = ${name}`
        sql.run`INSERT OR REPLACE INTO operator
          VALUES (${name}, ${role}, ${salt}, ${hash}, ${createdAt}, ${disabledAt})`
      }),
    /** Disables an operator and ends its sessions. Returns whether there was an enabled one. */
    disableOperator: (name: string, at: number) =>
      transaction(db, () => {
        sql.run`DELETE FROM session WHERE operator = ${name}`
        const { changes } = sql.run`UPDATE operator SET disabled_at = ${at}
          WHERE name = ${name} AND disabled_at IS NULL`
        return Number(changes) > 0
      }),
    putSession: (hash: Uint8Array, { operator, role, endsAt }: ConsoleSession) =>
      // One write to the disk, since someone waits for their first page.
      transaction(db, () => {
        sql.run`DELETE FROM session WHERE ends_at <= ${Date.now()}`
        sql.run`INSERT INTO session VALUES (${hash}, ${operator}, ${role}, ${endsAt})`
      }),
    /** Returns a session that has not ended at `now`. */
    session(hash: Uint8Array, now: number) {
      const row = sql.get`SELECT operator, role, ends_at AS endsAt FROM session
        WHERE hash = ${hash} AND ends_at > ${now}`
      return row === undefined ? undefined : ({ ...row } as ConsoleSession)
    },
    endSession: (hash: Uint8Array) => void sql.run`DELETE FROM session WHERE hash = ${hash}`,
    putLink: (hash: Uint8Array, endsAt: number) =>
      void sql.run`INSERT INTO link VALUES (${hash}, ${endsAt})`,
    /** Uses up a link; returns whether it was valid at `now`. */
    takeLink(hash: Uint8Array, now: number) {
      const row = sql.get`DELETE FROM link WHERE hash = ${hash} RETURNING ends_at AS endsAt`
      return row !== undefined && Number(row.endsAt) > now
    },
    /** Adds a link, and removes those that have ended when it is made. */
    putOwnerLink: ({ id, accountId, operator, madeAt, endsAt }: OwnerLink) =>
      transaction(db, () => {
        sql.run`DELETE FROM owner_link WHERE ends_at <= ${madeAt}`
        sql.run`INSERT INTO owner_link
          VALUES (${id}, ${accountId}, ${operator}, ${madeAt}, ${endsAt})`
      }),
    /** The links of an account that are valid at `now`, the newest first. */
    ownerLinks: (accountId: string, now: number) =>
      sql.all`SELECT id, account_id AS accountId, operator, made_at AS madeAt, ends_at AS endsAt
        FROM owner_link WHERE account_id = ${accountId} AND ends_at > ${now}
        ORDER BY made_at DESC`.map((row) => ({ ...row }) as OwnerLink),
    /** Returns whether there was such a link of the account. */
    endOwnerLink(accountId: string, id: string) {
      const { changes } = sql.run`DELETE FROM owner_link
        WHERE account_id = ${accountId} AND id = ${id}`
      return Number(changes) > 0
    },
    /** 32 bytes that sign links, constant for the life of the file. */
    secret() {
      sql.run`INSERT OR IGNORE INTO secret VALUES (1, ${randomBytes(32)})`
      return sql.get`SELECT value FROM secret`?.value as Uint8Array
    },
    close: () => db.close(),
  }
}

export type ConsoleStore = ReturnType<typeof openConsoleStore>
