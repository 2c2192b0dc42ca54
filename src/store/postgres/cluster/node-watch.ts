/**
 * Finds the nodes of a Citus cluster that do not answer, so that only their states are refused.
 *
 * A node that is silent (switched off, cut off, or stopped) holds each statement until its timeout,
 * and those for other states wait on the same connection. Cancelling one keeps the coordinator busy
 * for minutes, so that each costs a connection. Questions for a silent node are therefore refused
 * unsent.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, refuse } from '../../../base/errors.ts'
import { STATE_CODES } from '../../../base/model/state-codes.ts'
import { clientConfig, connect, SCHEMA } from '../pool/connection.ts'
import { ConnectionLost } from '../pool/errors.ts'

/** A question that waits longer leads to a check of the nodes, in milliseconds. */
const SLOW_MS = 400
/** How often waiting questions are looked at. */
const LOOK_MS = 200
/** Between two checks: while a node is lost, and after a check that found none. */
const LOST_MS = 500
const WELL_MS = 2000
/** For a check, which tries one node after the other. */
const CHECK_MS = 20_000

const IS_CLUSTER = "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS spread"

/** The states whose node does not accept a connection from the coordinator, loaded or not. */
const LOST = `WITH lost AS MATERIALIZED (SELECT groupid, nodename || ':' || nodeport AS place
    FROM pg_dist_node WHERE noderole = 'primary' AND groupid <> 0
      AND NOT citus_check_connection_to_node(nodename, nodeport))
  SELECT s.state, lost.place,
      EXISTS (SELECT FROM ${SCHEMA}.state_versions v WHERE v.state = s.state) AS "isLoaded"
    FROM unnest($1::text[]) s (state)
    JOIN pg_dist_placement p
      ON p.shardid =
        get_shard_id_for_distribution_column('${SCHEMA}.parcels'::regclass, s.state)
    JOIN lost USING (groupid)`

type Lost = Map<string, { place: string; isLoaded: boolean }>

/** A question under way; `since`: of `performance.now()`. */
type Waiting = { state: string | undefined; since: number }

export type NodeWatch = ReturnType<typeof watchNodes>

/**
 * Watches the nodes of a coordinator; checks them only after a question was slow or failed.
 * `abandon`: gives up the connections on which questions wait, after a node was found lost.
 */
export function watchNodes(url: string, abandon: () => void) {
  const waiting = new Set<Waiting>()
  let lost: Lost = new Map()
  /** Known after the first check. */
  let isCluster: boolean | undefined
  let looking = false
  let checking = false
  /** The first attempt of the check under way, or of the last one. */
  let checked: Promise<void> | undefined
  let nextAt = 0
  let closed = false

  function wait(question: Waiting): void {
    waiting.add(question)
    if (looking) return
    looking = true
    setTimeout(look, LOOK_MS).unref()
  }

  /** The first of a set is the oldest. */
  function look(): void {
    const [oldest] = waiting
    looking = oldest !== undefined && !closed
    if (oldest === undefined || closed) return
    if (oldest.since < performance.now() - SLOW_MS) suspect()
    setTimeout(look, LOOK_MS).unref()
  }

  function suspect(): void {
    if (checking || closed || isCluster === false || performance.now() < nextAt) return
    checking = true
    checked = check()
    void checked.then(watchLost).finally(() => {
      checking = false
      nextAt = performance.now() + WELL_MS
    })
  }

  async function check(): Promise<void> {
    try {
      const found = await readLost(url)
      isCluster = found !== undefined
      replaceLost(found ?? new Map())
    } catch {
      // The coordinator itself does not answer: nodes marked as lost stay lost.
    }
  }

  async function watchLost(): Promise<void> {
    while (lost.size > 0 && !closed) {
      await sleep(LOST_MS, undefined, { ref: false })
      await check()
    }
  }

  function replaceLost(found: Lost): void {
    const isNew = [...found.keys()].some((state) => !lost.has(state))
    lost = found
    if (isNew) abandon()
  }

  /** Reports whether the check under way may find that the node of a state is lost. */
  function isSuspected(state: string | undefined): boolean {
    if (!checking || state === undefined) return false
    const tooLong = performance.now() - SLOW_MS
    return waiting.values().some((one) => one.state === state && one.since < tooLong)
  }

  /** Handles the error of a question: asks once more, or throws it with the node's name. */
  async function recover<Result>(
    state: string | undefined,
    question: () => Promise<Result>,
    error: unknown,
    since: number,
  ): Promise<Result> {
    if (!(error instanceof Refusal) || error.kind !== 'unavailable') throw error
    suspect()
    if (since < performance.now() - SLOW_MS) await checked
    const own = state === undefined ? undefined : lost.get(state)
    if (own !== undefined) throw refuseLost(own.place, error)
    if (lost.size > 0 && error.cause instanceof ConnectionLost) return question()
    throw error
  }

  return {
    /**
     * Asks about one state, or with `undefined` the coordinator alone. Throws *unavailable* at once
     * when the state's node is lost. Asks once more when another's was. `isLong`: may outlast a
     * lookup.
     */
    async guard<Result>(
      state: string | undefined,
      question: () => Promise<Result>,
      isLong = false,
    ) {
      // A question to a silent node would take a connection that others need.
      if (isSuspected(state)) await checked
      const own = state === undefined ? undefined : lost.get(state)
      if (own !== undefined) throw refuseLost(own.place)
      const waits = { state, since: performance.now() }
      if (!isLong) wait(waits)
      try {
        return await question()
      } catch (error) {
        return await recover(state, question, error, waits.since)
      } finally {
        waiting.delete(waits)
      }
    },
    /** Reports whether the node of a state is lost; waits for the check that is under way. */
    async isLost(state: string) {
      await checked
      return lost.has(state)
    },
    /** The lost nodes with their loaded states. */
    unreached() {
      const states = Map.groupBy(
        [...lost.keys()].filter((state) => lost.get(state)?.isLoaded),
        (state) => lost.get(state)?.place,
      )
      return [...states].map(([place, own]) => ({ where: `the node ${place}`, states: own }))
    },
    close() {
      closed = true
    },
  }
}

function refuseLost(place: string, error?: unknown): Refusal {
  const cause = new ConnectionLost(`the node ${place} does not answer`, { cause: error })
  return refuse.unavailable('Service temporarily unavailable', cause)
}

/**
 * Returns the lost states with their nodes; `undefined` without Citus. The connection is new,
 * because an old one may wait for a silent node.
 */
async function readLost(url: string): Promise<Lost | undefined> {
  const client = await connect(clientConfig(url, CHECK_MS, {}))
  try {
    const { rows: found } = await client.query(IS_CLUSTER)
    if (found[0]?.spread !== true) return undefined
    const { rows } = await client.query(LOST, [STATE_CODES])
    return new Map(rows.map(({ state, place, isLoaded }) => [state, { place, isLoaded }]))
  } finally {
    client.end().catch(() => undefined)
  }
}
