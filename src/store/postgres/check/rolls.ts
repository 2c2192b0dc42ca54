/** Checks the rolls in a database: the rules between its tables, state by state. */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { showId } from '../../../base/model/record-id.ts'
import { STATE_CODES } from '../../../base/model/state-codes.ts'
import { checkFacts } from '../../facts/check.ts'
import type { Rule } from '../../rolls/check-rules.ts'
import type { StoredParcel } from '../../store.ts'
import { isSpread } from '../citus.ts'
import { countMissingCells } from '../cluster/state-places.ts'
import { KEYS } from '../pack/unpack.ts'
import { clientConfig, describeServer, onServer, rollConfig, SCHEMA } from '../pool/connection.ts'
import { openRollSql } from '../roll-sql.ts'
import { checkSchema } from '../schema.ts'
import {
  type Cluster,
  checkCluster,
  isOnReached,
  readCluster,
  readStates,
  type ShardGroup,
} from './cluster.ts'
import { listPageFailures, listUnsummed } from './page-checksums.ts'
import { type KeptKeys, NEVER_GIVEN, openKeyCheck, TABLE_RULES } from './rules.ts'

/** The database itself, or a node of its cluster. `bytes`: `null` when unknown. */
export type RollPlace = {
  where: string
  /** Shards with rolls in them; `null` when the database is not a cluster. */
  shards: number | null
  states: { state: string; parcels: number }[]
  bytes: number | null
}

/** `unsummed`: servers without page checksums, which is not a problem by itself. */
type RollsChecked = {
  problems: string[]
  places: RollPlace[]
  parcels: number
  unsummed: string[]
}

type RollsCheck = {
  /** Returns the last record ID ever assigned; called after the rows compared with it were read. */
  readLastId: () => Promise<number>
  canBeShown: (parcel: StoredParcel) => boolean
  onStep: (what: string) => void
}

const SLICE = 2000

const SETTINGS = { work_mem: '64MB', idle_in_transaction_session_timeout: 0 }

/** Tests all rules over a database's rolls without writing. Throws when it is unreachable. */
export function checkRolls(url: string, check: RollsCheck): Promise<RollsChecked> {
  const where = describeServer(url)
  return onServer(rollConfig(url, 0, SETTINGS), where, async (client) => {
    await checkSchema(client, where)
    const { problems, places, unsummed, nodes } = (await isSpread(client))
      ? await lookAtCluster(client, where)
      : await lookAtServer(client, where)
    problems.push(...(await findInvalidIndexes(client)))
    const states = places.flatMap((place) => place.states)
    for (const { state } of states) {
      const say = (problem: string) => void problems.push(`${state}: ${problem}`)
      check.onStep(state)
      await checkState(client, state, check, say)
    }
    // Last, so that what the rules read is counted too.
    problems.push(...(await listPageFailures(client, where, nodes)))
    const parcels = states.reduce((sum, one) => sum + one.parcels, 0)
    return { problems, places, parcels, unsummed }
  })
}

/** Reads the layout of a cluster. Throws `CommandError` for a database that is not one. */
export function readClusterAt(url: string): Promise<Cluster> {
  const where = describeServer(url)
  return onServer(clientConfig(url, 0, SETTINGS), where, async (client) => {
    await checkSchema(client, where)
    if (await isSpread(client)) return readCluster(client)
    throw new CommandError(
      `the rolls in ${where} are not distributed; platbook shards --distribute does that`,
    )
  })
}

async function lookAtServer(client: Client, where: string) {
  const states = await readStates(client, STATE_CODES)
  const { rows } = await client.query(`SELECT sum(pg_total_relation_size(oid))::bigint AS bytes
    FROM pg_class WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind = 'r'`)
  const place: RollPlace = { where, shards: null, states, bytes: Number(rows[0]?.bytes) }
  const unsummed = await listUnsummed(client, where)
  return { problems: [] as string[], places: [place], unsummed, nodes: [] }
}

async function lookAtCluster(client: Client, where: string) {
  const cluster = await readCluster(client)
  const places = cluster.nodes.map(({ host, port }): RollPlace => {
    const own = cluster.groups.filter((group) => group.host === host && group.port === port)
    const states = own.flatMap((group) => group.states)
    return {
      where: `${host}:${port}`,
      shards: own.filter((group) => group.states.length > 0).length,
      states: states.sort((one, other) => (one.state < other.state ? -1 : 1)),
      bytes: own.every((group) => isOnReached(group, cluster.nodes)) ? sumBytes(own) : null,
    }
  })
  const unsummed = await listUnsummed(client, where, cluster.nodes)
  const problems = await checkCluster(client, cluster)
  return { problems, places, unsummed, nodes: cluster.nodes }
}

function sumBytes(groups: ShardGroup[]): number | null {
  if (groups.some(({ bytes }) => bytes === null)) return null
  return groups.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
}

/** Finds indexes left invalid by a server stop during their creation; queries do not use them. */
async function findInvalidIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query(`SELECT c.relname AS name FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND NOT i.indisvalid ORDER BY 1`)
  return rows.map(({ name }) => `the index ${name} is not valid; REINDEX INDEX makes it anew`)
}

/** Uses one snapshot of the state for all rules during imports. */
async function checkState(
  client: Client,
  state: string,
  { readLastId, canBeShown }: RollsCheck,
  say: (problem: string) => void,
): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    for (const rule of TABLE_RULES) await testRule(client, rule, [state], say)
    const cells = await countMissingCells(client, state)
    if (cells > 0) say(`${cells} cells of one degree with its parcels are not listed`)
    const keys = openKeyCheck(client, state, (what, tell, ask) =>
      inSavepoint(client, what, tell, ask),
    )
    await inSavepoint(client, 'the records cannot be read', say, async () => {
      const hidden = await listHidden(client, state, canBeShown, keys)
      const [first] = hidden
      if (first !== undefined) say(`${hidden.length} records cannot be shown (${showId(first)})`)
    })
    await keys.finish(say, showId)
    await inSavepoint(client, 'the facts cannot be read', say, async () => {
      for (const problem of await checkFacts(openRollSql(client), state)) say(problem)
    })
    await testRule(client, NEVER_GIVEN, [state, await readLastId()], say)
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
  }
}

async function testRule(
  client: Client,
  { says, sql }: Rule,
  values: unknown[],
  say: (problem: string) => void,
): Promise<void> {
  await inSavepoint(client, 'a rule cannot be tested', say, async () => {
    const { rows } = await client.query(sql, values)
    const { n, id } = rows[0] as { n: string; id: string | null }
    if (Number(n) > 0) say(says(Number(n), id === null ? '' : showId(Number(id))))
  })
}

/** Reports a failing statement and goes on: invalid JSON in a key, or a damaged page. */
async function inSavepoint(
  client: Client,
  what: string,
  say: (problem: string) => void,
  ask: () => Promise<void>,
): Promise<void> {
  await client.query('SAVEPOINT rule')
  try {
    await ask()
    await client.query('RELEASE rule')
  } catch (error) {
    await client.query('ROLLBACK TO rule')
    say(`${what}: ${(error as Error).message}`)
  }
}

/** Returns the ids of records that cannot be shown, and checks the keys of all. */
async function listHidden(
  client: Client,
  state: string,
  canBeShown: (parcel: StoredParcel) => boolean,
  keys: ReturnType<typeof openKeyCheck>,
): Promise<number[]> {
  const hidden: number[] = []
  for (let after = 0; ; ) {
    const { rows } = await client.query<StoredParcel & KeptKeys>(
      `SELECT r.id, r.loaded_at AS "loadedAt", r.field_values AS "fieldValues", ${KEYS},
        g.geojson AS geometry
      FROM records r LEFT JOIN geometries g ON g.state = $1 AND g.id = r.id
      WHERE r.state = $1 AND r.id > $2 ORDER BY r.id LIMIT ${SLICE}`,
      [state, after],
    )
    await keys.add(rows)
    hidden.push(...rows.filter((parcel) => !canBeShown(parcel)).map(({ id }) => id))
    after = rows.at(-1)?.id ?? after
    if (rows.length < SLICE) return hidden
  }
}

export function readLastParcelId(url: string): Promise<number> {
  return onServer(clientConfig(url, 0, {}), describeServer(url), async (client) => {
    const { rows } = await client.query('SELECT last_value, is_called FROM parcel_ids')
    const { last_value: last, is_called: called } = rows[0] ?? {}
    if (last === undefined) throw new CommandError(`${describeServer(url)} gives no ids of parcels`)
    return called ? Number(last) : 0
  })
}
