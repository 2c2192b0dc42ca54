/** Connects to a PostgreSQL server: settings of each kind of connection, and value parsers. */
import { Client, type ClientConfig, Pool, types } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { readDatabase } from '../../../settings/setting-values.ts'
import { unpackHex } from '../pack/unpack.ts'
import { asDriverError, endsConnection, explainOpening } from './errors.ts'
import { isPooled, sendWithSettings, sharesServers } from './pooler.ts'

/** The schema of all tables: `pg_dump --schema=platbook` is a complete backup. */
export const SCHEMA = 'platbook'

/** Longest time to connect, in milliseconds. A running server answers within a few. */
const CONNECT_MS = 1000

/** How much longer than the server's limit a caller waits for a silent server. */
const SILENCE_MS = 500

/** How long a coordinator of Citus waits for a node, instead of 30 s: for callers, for commands. */
const NODE_MS = 1000
const NODE_OF_COMMANDS_MS = 5000

type Settings = Record<string, string | number>

/** `own`: what each connection sets. `isKept`: it must be of one session, as in imports. */
export type ConnectionConfig = ClientConfig & { own: Settings; isKept?: boolean }

/**
 * Connections that answer requests. Every statement walks one index with probes of others. Only
 * such plans are allowed, once for all values: one that depends on statistics may become slow.
 */
export const READING: Settings = {
  default_transaction_read_only: 'on',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  // Caches probes by key, which rarely repeat within a statement.
  enable_memoize: 'off',
  max_parallel_workers_per_gather: 0,
}

/** Connections for durable writes: a commit is on disk, also of a synchronous standby. */
export const DURABLE: Settings = {
  synchronous_commit: 'on',
  // A process that stops between two statements must not keep an account locked.
  idle_in_transaction_session_timeout: 5000,
  lock_timeout: 3000,
}

/** Connections of the ledger: a plan made for few accounts must not read them all later. */
export const CHARGING: Settings = { ...DURABLE, enable_seqscan: 'off' }

/** `statementMs`: `statement_timeout`; 0 for none, as in imports. */
export function clientConfig(
  url: string,
  statementMs: number,
  settings: Settings,
): ConnectionConfig {
  const { address, options } = splitUrl(url)
  const nodeMs = statementMs > 0 ? NODE_MS : NODE_OF_COMMANDS_MS
  const own = {
    search_path: SCHEMA,
    // Values are read in these forms, whatever the server's defaults are.
    bytea_output: 'hex',
    DateStyle: 'ISO',
    TimeZone: 'UTC',
    standard_conforming_strings: 'on',
    extra_float_digits: 1,
    default_transaction_isolation: 'read committed',
    default_transaction_deferrable: 'off',
    // Compiling a statement takes tens of milliseconds. The server decides by the estimated cost.
    // It is enormous where a scan that is switched off is the only way to a table of one row.
    jit: 'off',
    statement_timeout: statementMs,
    'citus.node_connection_timeout': nodeMs,
    ...settings,
  }
  return {
    connectionString: address,
    ...(options !== '' && { options }),
    // Those of the address stay as they are.
    own: Object.fromEntries(
      Object.entries(own).filter(([name]) => !options.includes(`-c ${name}=`)),
    ),
    application_name: 'platbook',
    connectionTimeoutMillis: CONNECT_MS,
    ...(statementMs > 0 && { query_timeout: statementMs + SILENCE_MS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: parserOf },
  }
}

/** As `clientConfig`, for connections that read rolls: packed records come as their texts. */
export function rollConfig(...asked: Parameters<typeof clientConfig>): ConnectionConfig {
  return { ...clientConfig(...asked), types: { getTypeParser: parserOfRolls } }
}

/** Host, port and database for sentences; never the password. */
export function describeServer(url: string): string {
  const { hostname, port, pathname, searchParams } = parse(url)
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return `the database ${pathname.slice(1)} on ${host}${port === '' ? '' : `:${port}`}`
}

/**
 * The statement that sets a connection's settings, or a transaction's: poolers refuse the startup
 * message's `options`. Citus chooses the node by values, so it must plan each time.
 */
function openingOf(own: Settings, isLocal: boolean): string {
  const set = Object.entries(own)
    .filter(([name]) => !isLocal || !name.startsWith('default_transaction_'))
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
  return `SELECT ${set.join(', ')};
SELECT set_config('plan_cache_mode', 'auto', ${isLocal})
  WHERE current_setting('citus.shard_count', true) IS NOT NULL`
}

/** Gives a new connection its settings, or those of each transaction where a pooler answers. */
async function prepare(client: Client, config: ConnectionConfig): Promise<void> {
  const { own, isKept } = config
  if (!(await isPooled(client))) {
    await client.query(openingOf(own, false))
  } else if (isKept !== true) {
    sendWithSettings(client, openingOf(own, true), own.default_transaction_read_only === 'on')
  } else if (await sharesServers(client, config)) {
    throw new CommandError(
      'this address is of a pooler that keeps no sessions (pool_mode = transaction): ' +
        'give the command the address of the server itself with --database',
    )
  } else await client.query(openingOf(own, false))
}

/** Opens a separate connection. Throws the result of `asDriverError` on failure. */
export async function connect(config: ConnectionConfig): Promise<Client> {
  const client = new Client(config)
  // Later errors are reported by the current statement, or by the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepare(client, config)
  } catch (error) {
    client.end().catch(() => undefined)
    throw asDriverError(error)
  }
  return client
}

/** Runs `work` on a connection of its own. Throws a sentence when the server fails. */
export function onServer<Result>(
  config: ConnectionConfig,
  where: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return openOn(config, where, (client) =>
    work(client).finally(() => client.end().catch(() => undefined)),
  )
}

/** The same for work that keeps the connection; it is closed when `open` throws. */
export async function openOn<Opened>(
  config: ConnectionConfig,
  where: string,
  open: (client: Client) => Opened | Promise<Opened>,
): Promise<Opened> {
  let client: Client | undefined
  try {
    client = await connect(config)
    return await open(client)
  } catch (error) {
    // An open connection would keep the process running.
    await client?.end().catch(() => undefined)
    throw explainOpening(error, where)
  }
}

/** Commits all that `work` sends over a connection, or nothing. */
export async function inTransaction<Result>(
  client: Client,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Creates a pool whose callers wait at most `CONNECT_MS` for a connection. */
export function makePool(config: ConnectionConfig, max: number): Pool {
  const pool = new Pool({
    ...config,
    max,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    onConnect: (client) => prepare(client as unknown as Client, config),
  })
  // A connection lost in use emits an event too, which would end the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}

/** Runs `work` on a connection of the pool, which is destroyed when it becomes unusable. */
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
    // A cancelled statement may still run there. Only the server's errors leave it clean.
    client.release(endsConnection(error) || client.getTransactionStatus() !== 'I')
    throw error
  }
}

const INT8 = 20
const BYTEA = 17

/** Parses 64-bit integers as numbers: ids, counts and times are below 2^53. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number
  return types.getTypeParser(oid, format)
}

function parserOfRolls(oid: number, format?: 'text' | 'binary') {
  return oid === BYTEA && format !== 'binary' ? readPacked : parserOf(oid, format)
}

/** A damaged record is an empty text, which is refused where it is shown, and no other with it. */
function readPacked(text: string): string {
  try {
    return unpackHex(text.slice(2))
  } catch {
    return ''
  }
}

/** Returns the address without its `options`, which are appended to ours. */
function splitUrl(url: string): { address: string; options: string } {
  const parsed = parse(url)
  readTls(parsed.searchParams)
  const options = parsed.searchParams.get('options') ?? ''
  parsed.searchParams.delete('options')
  return { address: parsed.href, options }
}

const TLS_MODES = ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Makes `sslmode` mean what it means to libpq, also from its variables: `require` encrypts,
 * `verify-ca` checks the certificate, `verify-full` the name too.
 */
function readTls(query: URLSearchParams): void {
  const { PGSSLMODE = '', PGSSLROOTCERT = '' } = process.env
  if (!query.has('sslmode') && PGSSLMODE !== '') query.set('sslmode', PGSSLMODE)
  const mode = query.get('sslmode')
  if (mode === null || mode === 'disable') return
  if (!TLS_MODES.includes(mode)) {
    throw new CommandError(`sslmode "${mode}" is none of disable, ${TLS_MODES.join(', ')}`, 2)
  }
  if (!query.has('sslrootcert') && PGSSLROOTCERT !== '') query.set('sslrootcert', PGSSLROOTCERT)
  const isSystem = query.get('sslrootcert') === 'system'
  if (isSystem) query.delete('sslrootcert')
  if (isSystem) query.set('sslmode', 'verify-full')
  if (mode === 'verify-ca' && !query.has('sslrootcert')) {
    throw new CommandError('sslmode=verify-ca needs sslrootcert, or PGSSLROOTCERT', 2)
  }
  if (mode !== 'no-verify') query.set('uselibpqcompat', 'true')
}

function parse(url: string): URL {
  let address: string | null
  try {
    address = readDatabase(url)
  } catch (error) {
    throw new CommandError((error as Error).message, 2)
  }
  if (address === null) throw new CommandError('the address of the database is empty', 2)
  return new URL(address)
}
