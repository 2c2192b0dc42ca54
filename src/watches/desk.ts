/** Answers questions about watches: the side that keeps them. */
import { createHash, randomBytes } from 'node:crypto'
import { Refusal, refuse } from '../base/errors.ts'
import { groupsOf } from '../base/model/changes.ts'
import { resolveHost } from '../notify/post.ts'
import type { Condition, DeskQuestion, WatchDesk, WatchDraft } from '../operations/watches/draft.ts'
import type { WatchEvent } from '../operations/watches/show-event.ts'
import type { Delivery } from '../store/accounts/watch-deliveries.ts'
import type { Watch, WatchChange } from '../store/accounts/watch-store.ts'
import { isPaused, type WatchWorld } from './open-world.ts'
import { makeSecret, openSecret } from './secrets.ts'
import { sendTest } from './send.ts'
import { showEvents } from './show-events.ts'

/** How long the secret before a new one signs too, in milliseconds. */
const OVERLAP_MS = 86_400_000
const SHOWN_DELIVERIES = 20
/** Test events of an account that wait for an answer. */
const TESTS_AT_ONCE = 4
/** Longest time for the name of a new address, in milliseconds. */
const RESOLVE_MS = 3000

type Asked<What extends DeskQuestion['what']> = Extract<DeskQuestion, { what: What }>
type Answers = {
  [What in DeskQuestion['what']]: (asked: Asked<What>) => Promise<Record<string, unknown>>
}

export function openDesk(world: WatchWorld): WatchDesk {
  const { watches } = world.accounts
  const testing = new Map<string, number>()

  /** Sends a test event. Throws *too many* while others of the account wait for answers. */
  async function testOnce(watch: Watch): ReturnType<typeof sendTest> {
    const { accountId } = watch
    const others = testing.get(accountId) ?? 0
    if (others >= TESTS_AT_ONCE) {
      throw new Refusal('too-many', `${TESTS_AT_ONCE} test events wait for an answer; try later`)
    }
    testing.set(accountId, others + 1)
    try {
      return await sendTest(world, watch)
    } finally {
      const left = (testing.get(accountId) ?? 1) - 1
      if (left > 0) testing.set(accountId, left)
      else testing.delete(accountId)
    }
  }

  async function find({ accountId, id }: { accountId: string; id: string }): Promise<Watch> {
    const watch = await watches.byId(id)
    if (watch?.accountId === accountId) return watch
    throw refuse.notFound('There is no watch with this id')
  }

  const answers: Answers = {
    create: (asked) => create(world, asked),
    change: async (asked) => change(world, await find(asked), asked),
    async list({ accountId }) {
      const own = await watches.list(accountId)
      const account = await world.accounts.admin.account(accountId)
      const { watchesMax = 0, watchedParcelsMax = 0 } = account?.facts ?? {}
      const parcels = own.reduce((sum, watch) => sum + watch.parcels, 0)
      const metadata = { count: own.length, watchesMax, parcels, watchedParcelsMax }
      return { watches: own.map((watch) => showWatch(watch)), metadata }
    },
    async read(asked) {
      const watch = await find(asked)
      const deliveries = await watches.deliveriesOf(watch.id, SHOWN_DELIVERIES)
      return { ...(await showWhole(world, watch)), deliveries: deliveries.map(showDelivery) }
    },
    async remove(asked) {
      await watches.remove((await find(asked)).id)
      return {}
    },
    async events(asked) {
      const { after, limit } = asked
      const page = await readPage(world, await find(asked), after, limit)
      const { events } = page
      const nextCursor = String(page.last)
      return { events, metadata: { limit, count: events.length, nextCursor } }
    },
    async test(asked) {
      const watch = await find(asked)
      if (watch.url === null) throw refuse.badRequest('This watch has no url')
      const answer = await testOnce(watch)
      if (answer.delivered && watch.status === 'failing') {
        await watches.change(watch, { status: 'active' }, { watches: 0, parcels: 0 })
      }
      return answer
    },
  }
  return (asked) => (answers[asked.what] as Answers[typeof asked.what])(asked as never)
}

/**
 * Reads as many events after a number as asked, so that a short page is the last. `last`: of the
 * last shown one, because a cursor beyond hidden ones would show them.
 */
async function readPage(world: WatchWorld, watch: Watch, after: number, limit: number) {
  const { watches } = world.accounts
  const page: { events: WatchEvent[]; last: number } = { events: [], last: after }
  if (await isPaused(world)) return page
  for (let from = after; ; ) {
    const stored = await watches.eventsOf(watch.id, from, limit)
    const shown = await showEvents(world, watch, stored)
    page.events.push(...shown.slice(0, limit - page.events.length))
    const lastId = page.events.at(-1)?.id
    page.last = stored.find(({ id }) => id === lastId)?.number ?? page.last
    if (page.events.length === limit || stored.length < limit) return page
    from = stored.at(-1)?.number ?? from
  }
}

async function create(
  world: WatchWorld,
  { accountId, draft, limits, repeat }: Asked<'create'>,
): Promise<Record<string, unknown>> {
  const { watches } = world.accounts
  await checkUrl(world, draft.url)
  const id = makeId(accountId, repeat)
  const { name, kind, groups, url, condition } = draft
  const parcels = 'parcels' in condition ? condition.parcels : []
  const stored = await watches.add(
    {
      ...{ id, accountId, name, kind, groups, url, condition: textOf(condition) },
      secret: makeSecret(world),
      ...{ oldSecret: null, oldSecretUntil: null, status: 'active', parcels: parcels.length },
      createdAt: world.now(),
      starts: await readHeads(world),
    },
    parcels,
    limits,
  )
  refuseBeyond(stored, limits)
  const watch = (await watches.byId(id)) as Watch
  if (!isSame(watch, draft)) {
    throw refuse.conflict('This Idempotency-Key was used for another watch')
  }
  return { ...(await showWhole(world, watch)), secret: openSecret(world, watch.secret) }
}

/** Whether a watch that a repeated request finds is the one that it asks for. */
function isSame(watch: Watch, { name, kind, groups, url, condition }: WatchDraft): boolean {
  const parcels = 'parcels' in condition ? condition.parcels.length : 0
  return (
    watch.name === name &&
    watch.kind === kind &&
    watch.groups === groups &&
    watch.url === url &&
    watch.condition === textOf(condition) &&
    watch.parcels === parcels
  )
}

async function change(
  world: WatchWorld,
  watch: Watch,
  { change: asked, limits }: Asked<'change'>,
): Promise<Record<string, unknown>> {
  const { rotateSecret, condition, kind = watch.kind, ...rest } = asked
  const asks = condition === undefined ? watch.kind : kindOf(condition)
  if (kind !== watch.kind || asks !== watch.kind) {
    throw refuse.badRequest(`This is a watch of ${watch.kind}; make another one`)
  }
  if (rest.url !== undefined) await checkUrl(world, rest.url)
  const wanted: WatchChange = { ...rest }
  if (condition !== undefined) {
    if ('parcels' in condition) wanted.parcels = condition.parcels
    else wanted.condition = textOf(condition)
  }
  if (rotateSecret === true) {
    wanted.secret = makeSecret(world)
    wanted.oldSecret = watch.secret
    wanted.oldSecretUntil = world.now() + OVERLAP_MS
  }
  refuseBeyond(await world.accounts.watches.change(watch, wanted, limits), limits)
  const changed = (await world.accounts.watches.byId(watch.id)) as Watch
  const shown = await showWhole(world, changed)
  if (rotateSecret !== true) return shown
  const oldSecretUntil = new Date(changed.oldSecretUntil ?? 0).toISOString()
  return { ...shown, secret: openSecret(world, changed.secret), oldSecretUntil }
}

function refuseBeyond(
  stored: 'stored' | 'watches' | 'parcels',
  { watches, parcels }: { watches: number; parcels: number },
): void {
  if (stored === 'watches') throw refuse.badRequest(`The account may have ${watches} watches`)
  if (stored === 'parcels') {
    throw refuse.badRequest(`The watches of the account may list ${parcels} parcels`)
  }
}

/** A request that is repeated with its idempotency key makes the same watch. */
function makeId(accountId: string, repeat: string | undefined): string {
  if (repeat === undefined) return `wat_${randomBytes(12).toString('hex')}`
  const digest = createHash('sha256').update(`${accountId}\n${repeat}`).digest('hex')
  return `wat_${digest.slice(0, 24)}`
}

async function readHeads({ parcels }: WatchWorld): Promise<Record<string, number>> {
  const states = new Set((await parcels.coverage()).map(({ state }) => state))
  const heads: Record<string, number> = {}
  for (const state of states) {
    const question = { state, fips: undefined, groups: undefined, limit: 1, since: 0 }
    const { last } = await parcels.changes({ ...question, after: Number.MAX_SAFE_INTEGER })
    heads[state] = last
  }
  return heads
}

/** Refuses an address that nothing would be sent to. A name without an address may get one. */
async function checkUrl({ mayCall, resolve }: WatchWorld, url: string | null): Promise<void> {
  if (url === null) return
  const late = new Promise<string[]>((done) => {
    setTimeout(() => done([]), RESOLVE_MS).unref()
  })
  const addresses = await Promise.race([resolveHost(url, resolve).catch(() => []), late])
  if (!addresses.every(mayCall)) {
    throw refuse.badRequest('url must be an address of the public internet')
  }
}

function kindOf(condition: Condition): Watch['kind'] {
  if ('parcels' in condition) return 'parcels'
  if ('owner' in condition) return 'owner'
  return 'shape' in condition ? 'shape' : 'search'
}

function textOf(condition: Condition): string | null {
  return 'parcels' in condition ? null : JSON.stringify(condition)
}

async function showWhole({ accounts }: WatchWorld, watch: Watch): Promise<Record<string, unknown>> {
  if (watch.kind !== 'parcels') return showWatch(watch)
  return { ...showWatch(watch), propertyIds: await accounts.watches.propertyIds(watch.id) }
}

function showWatch(watch: Watch): Record<string, unknown> {
  const { id, name, kind, condition, groups, url, status, createdAt, parcels } = watch
  const { useCodes: _, ...asked } = JSON.parse(condition ?? '{}')
  return {
    ...{ id, name, kind, ...asked },
    ...(kind === 'parcels' && { parcels }),
    ...{ groups: groupsOf(groups), url, status, createdAt: new Date(createdAt).toISOString() },
  }
}

function showDelivery(delivery: Delivery): Record<string, unknown> {
  const { id, status, events, attempts, answer, nextAt, createdAt, endedAt } = delivery
  const show = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return {
    ...{ id, status, events, attempts, answer, nextAttemptAt: show(nextAt) },
    ...{ createdAt: show(createdAt), endedAt: show(endedAt) },
  }
}
