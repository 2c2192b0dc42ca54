/** Sends the events of watches to their receivers. */
import { randomBytes } from 'node:crypto'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { type PostResult, post } from '../notify/post.ts'
import {
  type AttemptResult,
  DELIVERY_MAX,
  type Delivery,
} from '../store/accounts/watch-deliveries.ts'
import type { Watch } from '../store/accounts/watch-store.ts'
import type { Meter } from './meter.ts'
import { isPaused, type WatchWorld } from './open-world.ts'
import { openSecret, signWebhook } from './secrets.ts'
import { showEvents } from './show-events.ts'

const TIMEOUT_MS = 15_000
/** An attempt of a process that died is made again after this time. */
const CLAIM_MS = 20_000
/** Attempts at once, in all, of one account and to one receiver. */
const AT_ONCE = 200
const AT_ONCE_OF_ACCOUNT = 16
const AT_ONCE_TO_HOST = 4
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Waits after each failed attempt; then the watch is failing. */
const RETRIES_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]

/** A slow receiver, and an account of many, take a few of the places and delay nobody else. */
export function openSender(world: WatchWorld, meter: Meter) {
  const { watches } = world.accounts
  type UnderWay = Pick<Delivery, 'host' | 'accountId'> & { done: Promise<void> }
  const underWay = new Map<string, UnderWay>()

  function busy() {
    const full = (name: 'host' | 'accountId', most: number) =>
      [...Map.groupBy(underWay.values(), (one) => one[name])].flatMap(([own, all]) =>
        all.length >= most ? [own] : [],
      )
    return { hosts: full('host', AT_ONCE_TO_HOST), accounts: full('accountId', AT_ONCE_OF_ACCOUNT) }
  }

  async function attempt(delivery: Delivery): Promise<void> {
    try {
      const result = await tryDelivery(world, meter, delivery)
      if (result !== undefined) await watches.settleDelivery(delivery, result)
    } catch (error) {
      world.alarm(`delivery ${delivery.id} was not noted: ${(error as Error).message}`)
    } finally {
      underWay.delete(delivery.id)
    }
  }

  return {
    /** Begins deliveries of new events and starts the attempts whose time has come. */
    async start() {
      if (await isPaused(world)) return
      await watches.beginDeliveries(world.now(), (url) => ({
        id: `msg_${randomBytes(12).toString('hex')}`,
        host: new URL(url).host,
      }))
      while (underWay.size < AT_ONCE) {
        const now = world.now()
        const due = await watches.due(now, AT_ONCE - underWay.size, busy())
        let begun = 0
        for (const delivery of due) {
          const { id, host, accountId } = delivery
          const { hosts, accounts } = busy()
          if (underWay.has(id) || hosts.includes(host) || accounts.includes(accountId)) continue
          if (!(await watches.claim(delivery, now + CLAIM_MS))) continue
          begun += 1
          underWay.set(id, { host, accountId, done: attempt(delivery) })
        }
        if (begun === 0) return
      }
    },
    /** Resolves when no attempt is under way. */
    async idle() {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}

/** Makes one attempt; `undefined`: the watch is gone. */
async function tryDelivery(
  world: WatchWorld,
  meter: Meter,
  delivery: Delivery,
): Promise<AttemptResult | undefined> {
  const { watches, admin } = world.accounts
  const watch = await watches.byId(delivery.watchId)
  if (watch === undefined) return undefined
  const account = await admin.account(watch.accountId)
  if (watch.url === null || account === undefined) {
    return failed(world, delivery, 'the watch has no url')
  }
  const after = await watches.deliveredTo(watch.id)
  const stored = (await watches.eventsOf(watch.id, after, DELIVERY_MAX)).filter(
    ({ number }) => number <= delivery.lastEvent,
  )
  const events = await showEvents(world, watch, stored)
  // All of them are hidden by a suppression that came later.
  if (events.length === 0) return { isDelivered: true, events: 0, answer: '', at: world.now() }
  const sent = { account, watchId: watch.id, deliveryId: delivery.id, events }
  const refused = await meter.refuse(sent)
  if (refused !== undefined) return failed(world, delivery, `the account is refused: ${refused}`)
  meter.note(sent)
  const answer = await sendEvents(world, watch, delivery.id, events)
  if (!isTaken(answer)) return failed(world, delivery, describe(answer))
  if (!(await meter.charge(sent))) {
    return failed(world, delivery, 'it arrived and could not be charged')
  }
  return { isDelivered: true, events: events.length, answer: describe(answer), at: world.now() }
}

function isTaken(answer: PostResult): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300
}

/** The receiver's word that it is gone for good, by the specification. */
const GONE = '410'

function failed({ now }: WatchWorld, { attempts }: Delivery, answer: string): AttemptResult {
  const wait = answer === GONE ? undefined : RETRIES_MS[attempts]
  const at = now()
  return { isDelivered: false, answer, at, retryAt: wait === undefined ? null : at + wait }
}

function describe(answer: PostResult): string {
  return 'status' in answer ? String(answer.status) : answer.fault
}

/** Sends one event that no import caused. */
export async function sendTest(
  world: WatchWorld,
  watch: Watch,
): Promise<{ delivered: boolean; answer: string }> {
  const id = `msg_${randomBytes(12).toString('hex')}`
  const event = {
    ...{ id: id.replace('msg_', 'evt_'), type: 'watch.test', watch: watch.id, propertyId: null },
    ...{ at: new Date(world.now()).toISOString(), groups: [], changes: [] },
  }
  const answer = await sendEvents(world, watch, id, [event])
  return { delivered: isTaken(answer), answer: describe(answer) }
}

function sendEvents(
  world: WatchWorld,
  watch: Watch,
  id: string,
  events: readonly { at: string }[],
): Promise<PostResult> {
  const now = world.now()
  // The time of the newest event, so that a repeat has the same body.
  const timestamp = events.at(-1)?.at
  const body = JSON.stringify({
    type: 'watch.events',
    timestamp,
    watch: watch.id,
    events,
  })
  const { oldSecret, oldSecretUntil } = watch
  const isOldGood = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now
  const secrets = [watch.secret, ...(isOldGood ? [oldSecret] : [])]
  return post({
    url: watch.url ?? '',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Platbook/${PROGRAM_VERSION}`,
      ...signWebhook(
        body,
        id,
        secrets.map((sealed) => openSecret(world, sealed)),
        now,
      ),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    mayCall: world.mayCall,
    ...(world.resolve && { resolve: world.resolve }),
  })
}
