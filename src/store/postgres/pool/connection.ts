/** Reaching a PostgreSQL server: what is set on each kind of connection, and how values arrive. */
import { Client, type ClientConfig, Pool, types } from 'pg'
import { CommandError } from '../../../errors.ts'
import { asDriverError, endsConnection } from './errors.ts'

/** The schema that holds everything: `pg_dump --schema=platbook` is a whole backup. */
export const SCHEMA = 'platbook'

/**
 * How long a connection may take to be made, milliseconds. A server that is up answers in a few.
 */
const CONNECT_MS = 1000

/**
 * How much longer than the server's own limit a caller waits for a statement: beyond it the server
 * does not answer at all.
 */
const SILENCE_MS = 500

type Settings = Record<string, string | number>

/**
 * Connections that answer requests. Every statement is written as a walk of one index and probes of
 * others, so that only these plans are allowed, prepared once for all values: a plan that changes
 * with the statistics is a lookup that is slow one day.
 */
export const READING: Settings = {
  default_transaction_read_only: 'on',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  // Remembers probes by their keys, which hardly ever come twice in a statement.
  enable_memoize: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: 0,
}

/**
 * Connections that write what must not be lost: a commit is on the disk (and at the synchronous
 * standby) when it returns.
 */
export const DURABLE: Settings = {
  synchronous_commit: 'on',
  // A process that stops between two statements must not keep an account locked for the others.
  idle_in_transaction_session_timeout: 5000,
  lock_timeout: 3000,
}

/** `statementMs`: `statement_timeout`; 0: none, for imports. */
export function clientConfig(url: string, statementMs: number, settings: Settings): ClientConfig {
  const { address, options } = splitUrl(url)
  const own = { search_path: SCHEMA, statement_timeout: statementMs, ...settings }
  const set = Object.entries(own).map(([name, value]) => `-c ${name}=${value}`)
  return {
    connectionString: address,
    options: [...set, options].join(' ').trim(),
    application_name: 'platbook',
    connectionTimeoutMillis: CONNECT_MS,
    ...(statementMs > 0 && { query_timeout: statementMs + SILENCE_MS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: parserOf },
  }
}

/** Host, port and database for sentences; never the user's password. */
export function describeServer(url: string): string {
  const { hostname, port, pathname, searchParams } = parse(url)
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return `the database ${pathname.slice(1)} on ${host}${port === '' ? '' : `:${port}`}`
}

/**
 * Which node of a cluster a statement is for is told by its values, so that Citus plans it anew
 * each time; a plan for all values is an error there. Its setting is known wherever its library is
 * loaded.
 */
const ADAPT = `SELECT set_config('plan_cache_mode', 'auto', false)
  WHERE current_setting('citus.shard_count', true) IS NOT NULL`

/** A connection of its own; throws what `asDriverError` makes of a failure. */
export async function connect(config: ClientConfig): Promise<Client> {
  const client = new Client(config)
  // What goes wrong later shows in the statement under way, or in the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(ADAPT)
  } catch (error) {
    client.end().catch(() => undefined)
    throw asDriverError(error)
  }
  return client
}

/** A pool whose callers wait at most `CONNECT_MS` for a connection. */
export function makePool(config: ClientConfig, max: number): Pool {
  const pool = new Pool({
    ...config,
    max,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    onConnect: (client) => client.query(ADAPT),
  })
  // One that is lost while it is lent out says so by an event beside its statements; unheard, that
  // ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}

/**
 * Runs `work` on a connection of the pool, which is given back, or thrown away when it is of no use
 * any more.
 */
export async function withClient<Result>(
  pool: Pool,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asDriverError(error)
  })
  try {
    const result = await work(client as unknown as Client)
    client.release()
    return result
  } catch (error) {
    // A statement that was given up may still be running there: only what the server itself refused
    // leaves it clean.
    client.release(endsConnection(error) || client.getTransactionStatus() !== 'I')
    throw error
  }
}

const INT8 = 20

/** Whole numbers of 64 bits arrive as numbers: ids are below 2^53, counts and times too. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number
  return types.getTypeParser(oid, format)
}

/** The address without its `options`, which are put behind our own. */
function splitUrl(url: string): { address: string; options: string } {
  const parsed = parse(url)
  const options = parsed.searchParams.get('options') ?? ''
  parsed.searchParams.delete('options')
  return { address: parsed.href, options }
}

function parse(url: string): URL {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return new URL(url)
  throw new CommandError('--database takes an address like postgres://user@host:5432/name', 2)
}
