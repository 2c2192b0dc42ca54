/** Turns errors of PostgreSQL and its driver into refusals, by SQLSTATE and never by message. */
import { DatabaseError } from 'pg'
import { CommandError, DamagedData, Refusal, refuse } from '../../../base/errors.ts'

/** Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html used here. */
export const SQLSTATE = {
  UNIQUE_VIOLATION: '23505',
  READ_ONLY: '25006',
  NO_STATEMENT: '26000',
  NO_DATABASE: '3D000',
  NO_PRIVILEGE: '42501',
  NO_LOCK: '55P03',
  QUERY_CANCELED: '57014',
} as const

/**
 * Classes after which a retry may succeed, on this server or its successor. They are 08 connection,
 * 28 login, 53 resources, 57 operator intervention (timeouts, shutdown, startup), 58 system.
 */
const OUT_OF_ORDER_CLASSES = new Set(['08', '28', '53', '57', '58'])
const OUT_OF_ORDER_CODES = new Set<string>([
  SQLSTATE.READ_ONLY, // a standby, or a primary that has become one
  SQLSTATE.NO_DATABASE,
  // preparing it was cancelled, so the next statement on the connection did not find it
  SQLSTATE.NO_STATEMENT,
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '55006', // object in use
])

/** A damaged page of a table or an index, by its checksum or its header. */
const DAMAGED_CODES = new Set<string>(['XX001', 'XX002'])

/**
 * Source files of Citus that report a lost node or their own server's shutdown as an internal error
 * without a code. `metadata_cache.c` so reports a library of another version than its tables.
 */
const CLUSTER_FILES = new Set([
  ...['adaptive_executor.c', 'connection_management.c', 'intermediate_results.c'],
  ...['metadata_cache.c', 'remote_commands.c', 'remote_transaction.c'],
])
const INTERNAL_ERROR = 'XX000'

/** The connection to the server could not be made, was lost, or did not answer in time. */
export class ConnectionLost extends Error {}

/** Returns the SQLSTATE of a server error; `undefined` for other errors. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/**
 * Turns errors of a busy, unreachable, failing or read-only server into *unavailable*. A damaged
 * page raises an alarm as `DamagedData`, and a standby can still answer. Returns other errors
 * unchanged.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof CommandError) return error
  if (!isOutOfOrder(error)) return error
  const cause = DAMAGED_CODES.has(sqlState(error) ?? '')
    ? new DamagedData((error as Error).message, { cause: error })
    : error
  return refuse.unavailable('Service temporarily unavailable', cause)
}

/** Reports whether the server is unreachable or cannot answer at present: 503, not 500. */
export function isOutOfOrder(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  if (isOfCluster(error)) return true
  const code = sqlState(error)
  return (
    code !== undefined &&
    (OUT_OF_ORDER_CLASSES.has(code.slice(0, 2)) ||
      OUT_OF_ORDER_CODES.has(code) ||
      DAMAGED_CODES.has(code))
  )
}

function isOfCluster(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.code !== INTERNAL_ERROR) return false
  return CLUSTER_FILES.has(error.file ?? '')
}

/** Treats every driver error that is not the server's as a lost connection. */
export function asDriverError(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof ConnectionLost) return error
  return new ConnectionLost((error as Error)?.message ?? 'the connection was lost', {
    cause: error,
  })
}

/** Reports whether a connection must not be used after this error. */
export function endsConnection(error: unknown): boolean {
  if (isOfCluster(error)) return true
  const code = sqlState(error)
  // A standby keeps the connection open; a new connection may reach the primary.
  if (code === undefined || code === SQLSTATE.READ_ONLY || code === SQLSTATE.NO_STATEMENT)
    return true
  // A coordinator with a lost worker reports an ERROR and keeps its connection; FATAL ends it.
  return (error as DatabaseError).severity !== 'ERROR' && /^(?:08|57P)/.test(code)
}

/** Turns errors into sentences. `where` names host and database, never the password. */
export function explainOpening(caught: unknown, where: string): unknown {
  if (caught instanceof CommandError) return caught
  const error = asDriverError(caught)
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

/** Returns an object whose methods reject with what `explain` makes of their errors. */
export function explaining<Methods extends object>(
  methods: Methods,
  explain: (error: unknown) => unknown,
): Methods {
  return new Proxy(methods, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const result: unknown = member.apply(target, args)
        if (isAsyncIterable(result)) return explainEach(result, explain)
        if (!(result instanceof Promise)) return result
        return result.catch((error: unknown) => Promise.reject(explain(error)))
      }
    },
  })
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* explainEach(items: AsyncIterable<unknown>, explain: (error: unknown) => unknown) {
  try {
    yield* items
  } catch (error) {
    throw explain(error)
  }
}
