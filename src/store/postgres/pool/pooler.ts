/**
 * Poolers such as PgBouncer with `pool_mode = transaction`, which may give each transaction another
 * connection to the server. What a session would keep is sent with each transaction.
 */
import { Client, type ClientConfig, type QueryConfig } from 'pg'

/** How long a pooler without a free connection is waited for, in milliseconds. */
const WAIT_MS = 1000
const READ_PID = 'SELECT pg_backend_pid() AS pid'

const pooled = new WeakSet<Client>()

/** Reports whether the connection keeps what is set, prepared or listened for. */
export function keepsSession(client: Client): boolean {
  return !pooled.has(client)
}

/** Reports whether a pooler answers: it names another process than the one that runs statements. */
export async function isPooled(client: Client): Promise<boolean> {
  const { processID } = client as unknown as { processID: number | null }
  return (await readPid(client, READ_PID)) !== processID
}

/** Reports whether the pooler gives a connection's server to another transaction, by a test. */
export async function sharesServers(client: Client, config: ClientConfig): Promise<boolean> {
  const other = new Client({ ...config, query_timeout: WAIT_MS })
  other.on('error', () => undefined)
  try {
    await other.connect()
    const before = await readPid(client, READ_PID)
    const held = await readPid(other, `BEGIN; ${READ_PID}`)
    return held === before || (await readPid(client, READ_PID)) !== before
  } catch {
    // A pooler of sessions has no second server, or is busy.
    return false
  } finally {
    other.end().catch(() => undefined)
  }
}

async function readPid(client: Client, text: string): Promise<number | undefined> {
  const answered = await client.query<{ pid: number }>(text)
  const [last] = [answered].flat().slice(-1)
  return last?.rows[0]?.pid
}

/** Begins each transaction, also of one statement, with `settings`. Nothing stays prepared. */
export function sendWithSettings(client: Client, settings: string, isReading: boolean): void {
  pooled.add(client)
  const send = client.query.bind(client) as (asked: unknown, values?: unknown) => Promise<unknown>
  const level = `ISOLATION LEVEL READ COMMITTED${isReading ? ' READ ONLY' : ''}`
  const { pipeline } = client as unknown as { pipeline: boolean }
  let isOpen = false

  async function sendAlone(statement: QueryConfig): Promise<unknown> {
    const sent: Promise<unknown>[] = []
    for (const one of [`BEGIN ${level}; ${settings}`, statement, 'COMMIT']) {
      sent.push(send(one))
      if (!pipeline) await Promise.allSettled(sent)
    }
    const [began, answer, ended] = await Promise.allSettled(sent)
    for (const one of [answer, began, ended]) if (one?.status === 'rejected') throw one.reason
    return (answer as PromiseFulfilledResult<unknown>).value
  }

  client.query = ((asked: string | QueryConfig, values?: unknown[]) => {
    const { name: _, ...statement } = typeof asked === 'string' ? { text: asked, values } : asked
    const { text } = statement
    if (/^BEGIN\b/.test(text)) {
      isOpen = true
      return send(`${text === 'BEGIN' ? `BEGIN ${level}` : text}; ${settings}`)
    }
    if (!isOpen) return sendAlone(statement as QueryConfig)
    isOpen = !/^(?:COMMIT|ROLLBACK)$/.test(text)
    return send(statement)
  }) as typeof client.query
}
