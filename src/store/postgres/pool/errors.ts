/**
 * What PostgreSQL and its driver report, as refusals of ours: told apart by SQLSTATE, never by a
 * message.
 */
import { DatabaseError } from 'pg'
import { CommandError, Refusal, refuse } from '../../../errors.ts'

/**
 * Five-character codes of https://www.postgresql.org/docs/current/errcodes-appendix.html that are
 * distinguished here.
 */
export const SQLSTATE = {
  UNIQUE_VIOLATION: '23505',
  READ_ONLY: '25006',
  NO_STATEMENT: '26000',
  NO_DATABASE: '3D000',
  NO_SCHEMA: '3F000',
  NO_TABLE: '42P01',
  NO_COLUMN: '42703',
  NO_PRIVILEGE: '42501',
  NO_LOCK: '55P03',
  QUERY_CANCELED: '57014',
} as const

/**
 * Classes and codes after which the same question may well be answered a moment later, by this
 * server or the one that takes its place: 08 connection, 28 login, 53 resources, 57 intervention of
 * the operator (timeouts, shutdown, starting up), 58 the system.
 */
const OUT_OF_ORDER_CLASSES = new Set(['08', '28', '53', '57', '58'])
const OUT_OF_ORDER_CODES = new Set<string>([
  SQLSTATE.READ_ONLY, // a standby, or a primary that has become one
  SQLSTATE.NO_DATABASE,
  SQLSTATE.NO_STATEMENT, // its making was given up, and what came behind it on the connection met nothing
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '55006', // object in use
  'XX001', // damaged data
  'XX002', // damaged index
])

/**
 * A failure of the way to the server: the connection could not be made, was lost, or gave no answer
 * in time.
 */
export class ConnectionLost extends Error {}

/** The SQLSTATE of an error that the server sent; `undefined` for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/**
 * Turns a server that is busy, out of reach, failing or read-only into the refusal *unavailable*;
 * other errors stay what they are.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof CommandError) return error
  return isOutOfOrder(error) ? refuse.unavailable('Service temporarily unavailable', error) : error
}

/** Whether the server cannot be reached or cannot answer now: 503, not 500. */
export function isOutOfOrder(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  const code = sqlState(error)
  return (
    code !== undefined &&
    (OUT_OF_ORDER_CLASSES.has(code.slice(0, 2)) || OUT_OF_ORDER_CODES.has(code))
  )
}

/**
 * Whatever a call of the driver threw that did not come from the server is a failure of the way to
 * it: sockets report system codes, the driver's own timeouts have none.
 */
export function asDriverError(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof ConnectionLost) return error
  return new ConnectionLost((error as Error)?.message ?? 'the connection was lost', {
    cause: error,
  })
}

/** Whether a connection on which this happened must not be used again. */
export function endsConnection(error: unknown): boolean {
  const code = sqlState(error)
  // A standby keeps the connection open; the next one may lead to the primary.
  if (code === undefined || code === SQLSTATE.READ_ONLY || code === SQLSTATE.NO_STATEMENT)
    return true
  return /^(?:08|57P)/.test(code)
}

/**
 * Sentences for a person at the command line; `where` names host and database, never the password.
 */
export function explainOpening(error: unknown, where: string): unknown {
  if (error instanceof CommandError) return error
  const code = sqlState(error)
  if (code === SQLSTATE.NO_DATABASE) {
    return new CommandError(`${where}: there is no such database; createdb makes one`, 1, error)
  }
  if (code === SQLSTATE.NO_PRIVILEGE) {
    const { message } = error as Error
    return new CommandError(`${where}: ${message}; the user needs CREATE on the database`, 1, error)
  }
  if (isOutOfOrder(error)) {
    const { message } = error as Error
    return new CommandError(`${where} cannot be used: ${message}`, 1, error)
  }
  return error
}
