/** Finds events for notices: use near the cap, refused payments, suppressions that are due. */
import { join } from 'node:path'
import { standingOf } from '../accounts/standing.ts'
import { makePrivateFolder } from '../base/private-files.ts'
import { readJson, replaceFile } from '../base/safe-files.ts'
import type { OpenAccounts } from '../store/accounts/opened.ts'
import { addNotice, makeNotice, type Notice } from './notice.ts'

/** Events noticed before: keys with their time, epoch milliseconds. */
type Seen = { since: number; keys: Record<string, number> }

/** Provider events for a refused payment. */
const REFUSED = new Set([
  'charge.failed',
  'invoice.payment_failed',
  'setup_intent.setup_failed',
  'invoice.marked_uncollectible',
])
const EVENTS_MAX = 1000
/** Longer than any billing period and the day of a suppression. */
const REMEMBERED_MS = 400 * 86_400_000

export type Watched = Pick<OpenAccounts, 'admin' | 'ledger' | 'billing'>

/**
 * Stores a notice of each event since the last call. Throws when the store is unreachable; the next
 * call finds the events.
 */
export async function watchOnce(dataDir: string, store: Watched, now: number): Promise<void> {
  const seen = readSeen(dataDir, now)
  const found = [
    ...(await findCaps(store, now)),
    ...(await findRefused(store, seen.since, now)),
    ...(await findDue(store, now)),
  ]
  let isChanged = false
  for (const { key, notice } of found) {
    if (Object.hasOwn(seen.keys, key)) continue
    if (!addNotice(dataDir, notice)) break
    seen.keys[key] = now
    isChanged = true
  }
  // Written after the notices: a kill in between sends one twice, with the same id.
  if (isChanged || seen.since === now) writeSeen(dataDir, seen, now)
}

type Found = { key: string; notice: Notice }

async function findCaps({ admin, ledger }: Watched, now: number): Promise<Found[]> {
  const heads = await ledger.heads(false)
  return (await admin.accounts()).flatMap(({ id, facts }): Found[] => {
    const { used, period, allowance: limit } = standingOf(facts, heads.get(id), now)
    if (limit === null || limit === 0 || used < limit * 0.8) return []
    const percent = used >= limit ? 100 : 80
    // A changed limit gives a new notice.
    const keyOf = (share: number) => `cap/${id}/${period.start}/${limit}/${share}`
    const data = { account: id, period: period.start, percent, used, limit } as const
    const notice = makeNotice('cap', keyOf(percent), data, now)
    return [{ key: keyOf(percent), notice }]
  })
}

async function findRefused({ billing }: Watched, since: number, now: number): Promise<Found[]> {
  const found: Found[] = []
  for (const { id, type, customer, created } of await billing.events(EVENTS_MAX)) {
    if (!REFUSED.has(type) || created < since || customer === null) continue
    const link = await billing.linkOfCustomer(customer)
    if (link === undefined) continue
    const data = { account: link.accountId, event: id, type }
    found.push({ key: `payment/${id}`, notice: makeNotice('payment_refused', id, data, now) })
  }
  return found
}

async function findDue({ admin }: Watched, now: number): Promise<Found[]> {
  const today = new Date(now).toISOString().slice(0, 10)
  return (await admin.suppressions()).flatMap(({ id, until, endedAt }): Found[] => {
    if (until === null || endedAt !== null || until >= today) return []
    const key = `${id}/${until}`
    const data = { suppression: id, until }
    return [{ key: `due/${key}`, notice: makeNotice('suppression_due', key, data, now) }]
  })
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'notices', 'seen.json')
}

function readSeen(dataDir: string, now: number): Seen {
  // On the first call, payments refused earlier are not reported.
  return readJson(pathOf(dataDir)) ?? { since: now, keys: {} }
}

function writeSeen(dataDir: string, { since, keys }: Seen, now: number): void {
  makePrivateFolder(dataDir)
  makePrivateFolder(join(dataDir, 'notices'))
  const kept = Object.entries(keys).filter(([, at]) => now - at < REMEMBERED_MS)
  const path = pathOf(dataDir)
  const text = JSON.stringify({ since, keys: Object.fromEntries(kept) })
  replaceFile(path, text)
}
