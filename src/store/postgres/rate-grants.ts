/**
 * Rate limits of an account shared by several nodes: a table records what each took. A lock per
 * account makes sum and insert atomic; the clock is the server's, since the nodes' differ.
 * docs/decisions/keys-and-rate-limits.md.
 */
import { randomBytes } from 'node:crypto'
import type { Granted, GrantStore } from '../accounts-store.ts'
import type { Session } from './pool/session.ts'

/** Slots per second; requests leave the window slot by slot. */
const SLOTS_PER_S = 10
const SLOT_MS = 1000 / SLOTS_PER_S
/** A grant is at most this fraction of what is left, so that other nodes have some too. */
const GRANT_PART = 16
/** "PBrt" as bytes: the first number of the account locks. */
const LOCK_SPACE = 0x50427274

/** Held until the commit. Accounts with the same hash wait for each other, which is harmless. */
const LOCK = `SELECT pg_advisory_xact_lock(${LOCK_SPACE}, hashtext($1))`

const GIVE_BACK = `UPDATE rate_grants g SET count = greatest(0, g.count - u.count)
  FROM jsonb_to_recordset($1::jsonb) AS u(account_id text, slot bigint, count bigint)
  WHERE g.account_id = u.account_id AND g.slot = u.slot AND g.node = $2`

const NOW = `SELECT ms, floor(ms / ${SLOT_MS})::bigint AS slot
  FROM (SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms) clock`

/** A separate statement after the lock, so that it sees what was committed during the wait. */
const TAKE = `WITH now AS MATERIALIZED (${NOW}),
  taken AS (
    SELECT coalesce(sum(g.count), 0) AS used, max(g.slot) AS newest,
      min(g.slot) FILTER (WHERE g.count > 0) AS oldest
    FROM rate_grants g WHERE g.account_id = $1 AND g.slot > (SELECT slot FROM now) - $5::bigint
  ),
  rest AS (SELECT *, greatest(0, $2::bigint - used) AS free FROM taken),
  granted AS (
    SELECT least(free, greatest($3::bigint, ceil(free / ${GRANT_PART})))::bigint AS count FROM rest
  ),
  noted AS (
    INSERT INTO rate_grants AS g (account_id, slot, node, count)
    SELECT $1, now.slot, $4, granted.count FROM now, granted WHERE granted.count > 0
    ON CONFLICT (account_id, slot, node) DO UPDATE SET count = g.count + excluded.count
  )
  SELECT granted.count, now.slot,
    ceil((coalesce(rest.oldest, now.slot) + $5::bigint) * ${SLOT_MS} - now.ms)::bigint AS "retryMs",
    ((now.slot - coalesce(rest.newest, now.slot - $5::bigint)) * ${SLOT_MS})::bigint AS "quietMs"
  FROM now, rest, granted`

/** Skips rows that another node is deleting; limited, to end within a statement's timeout. */
const SWEEP = `DELETE FROM rate_grants WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM rate_grants WHERE slot <= (SELECT slot FROM (${NOW}) now) - $1::bigint
  LIMIT 100000 FOR UPDATE SKIP LOCKED))`

/** Opens the grants of one node on a separate session, which other statements do not block. */
export function createGrantStore(session: Session): GrantStore {
  const node = randomBytes(9).toString('base64url')
  const giveBack = (unused: { accountId: string; slot: number; count: number }[]) => {
    const rows = unused.map(({ accountId, ...rest }) => ({ account_id: accountId, ...rest }))
    return { name: 'return-grants', text: GIVE_BACK, values: [JSON.stringify(rows), node] }
  }

  return {
    async take({ accountId, limit, want, countsMs, unused }) {
      const own = unused.map((one) => ({ accountId, ...one }))
      const lock = { text: LOCK, values: [accountId] }
      const opening = own.length === 0 ? [lock] : [lock, giveBack(own)]
      return session.transaction(opening, async (_, client) => {
        const values = [accountId, limit, want, node, toSlots(countsMs)]
        const { rows } = await client.query({ name: 'take-grant', text: TAKE, values })
        return { closing: [], result: rows[0] as Granted }
      })
    },
    async giveBack(unused) {
      const { text, values } = giveBack(unused)
      await session.ask(text, values)
    },
    async sweep(countsMs) {
      await session.ask(SWEEP, [toSlots(countsMs)])
    },
    close: () => session.close(),
  }
}

/** Rounds up by one slot: the slots of two times may differ by one more than their distance. */
function toSlots(countsMs: number): number {
  return Math.ceil(countsMs / SLOT_MS) + 1
}
