/**
 * Access to the console: operators, sessions and one-time sign-in links, in `console.db` of the
 * data folder.
 *
 * A separate file, also when parcels and accounts are in PostgreSQL:
 * docs/decisions/replicas-and-copies.md. Times are epoch milliseconds.
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

/** Operators, sessions and one-time links. */
export type ConsoleStore = {
  operators(): Operator[]
  operator(name: string): OperatorSecret | undefined
  /** Creates or replaces an operator; ends the name's sessions. */
  putOperator(operator: OperatorSecret): void
  /** Disables an operator and ends its sessions. Returns whether there was an enabled one. */
  disableOperator(name: string, at: number): boolean
  putSession(hash: Uint8Array, session: ConsoleSession): void
  /** Returns a session that has not ended at `now`. */
  session(hash: Uint8Array, now: number): ConsoleSession | undefined
  endSession(hash: Uint8Array): void
  putLink(hash: Uint8Array, endsAt: number): void
  /** Uses up a link; returns whether it was valid at `now`. */
  takeLink(hash: Uint8Array, now: number): boolean
  /** 32 bytes that sign links, constant for the life of the file. */
  secret(): Uint8Array
  close(): void
}

/** Opens `console.db` in the data folder; creates it when missing. */
export function openConsoleStore(dataDir: string): ConsoleStore {
  const db = openDatabase(consolePath(dataDir), {
    kind: 'console',
    synchronous: 'FULL',
  })
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
    operator(name) {
      const row = selectOne.get(name)
      return row === undefined ? undefined : ({ ...row } as OperatorSecret)
    },
    putOperator: ({ name, role, salt, hash, createdAt, disabledAt }) =>
      transaction(db, () => {
        endAll.run(name)
        put.run(name, role, salt, hash, createdAt, disabledAt)
      }),
    disableOperator: (name, at) =>
      transaction(db, () => {
        endAll.run(name)
        return disable.run(at, name).changes > 0
      }),
    putSession: (hash, { operator, role, endsAt }) =>
      // One write to the disk, since someone waits for their first page.
      transaction(db, () => {
        dropOld.run(Date.now())
        putSession.run(hash, operator, role, endsAt)
      }),
    session(hash, now) {
      const row = selectSession.get(hash, now)
      return row === undefined ? undefined : ({ ...row } as ConsoleSession)
    },
    endSession: (hash) => void endSession.run(hash),
    putLink: (hash, endsAt) => void putLink.run(hash, endsAt),
    takeLink(hash, now) {
      const row = takeLink.get(hash) as { endsAt: number } | undefined
      return row !== undefined && row.endsAt > now
    },
    secret() {
      makeSecret.run(randomBytes(32))
      return selectSecret.get()?.value as Uint8Array
    },
    close: () => db.close(),
  }
}
