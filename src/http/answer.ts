/** The whole road of a request on one screen. Order of checks: decision D2. */
import { performance } from 'node:perf_hooks'
import { identify } from '../access/api-key.ts'
import { admit } from '../access/billing-gate.ts'
import type { KeyDirectory } from '../access/directory.ts'
import { chargeFor } from '../access/token-meter.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Account } from '../model/account.ts'
import type { Observe } from '../observe.ts'
import type { Endpoint, Reply, Scene } from '../operations/operation.ts'
import { layoutOf } from '../render/render.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import type { ParcelReader } from '../store/store.ts'
import { shareTurnEnd } from './load/turn-end.ts'
import type { FairTurns } from './load/turns.ts'

/** Everything that answering needs; made once by `app.ts`. */
export type Services = {
  parcels: ParcelReader
  accounts: AccountReader
  keys: KeyDirectory
  ledger: Ledger
  observe: Observe
  /** What may be dear takes turns. */
  turns: FairTurns
  /** Epoch milliseconds. */
  now(): number
  searchTimeMs: number
  ownerTimeMs: number
  docsUrl: string
  /** Billing page of accounts that have none of their own; null: this service's own address. */
  billingUrl: string | null
}

/** What the door knows of a request. */
export type Ask = {
  id: string
  authorization: string | undefined
  /** As received, without the `?`. */
  queryString: string
  /** Whether the caller has hung up: then nothing is charged. */
  gone(): boolean
}

const turnEnd = shareTurnEnd()

/** Answers one request of an endpoint; throws refusals. `undefined`: the caller is gone, nothing is to be sent. */
export async function answer(
  endpoint: Endpoint,
  ask: Ask,
  services: Services,
): Promise<Reply | undefined> {
  const now = services.now()
  // Nearly every key is known already: then nothing is waited for.
  const known = services.keys.recall(ask.authorization ?? '', now)
  const caller = known ?? (await identify(ask.authorization, services.keys, now))
  const asked = admit(caller, endpoint.tokenCost, services.keys.tokenUse, now)
  if (asked !== undefined) await asked
  const { facts } = caller.account
  const { probe, find } = endpoint.read(ask.queryString, facts)
  if (endpoint.tokenCost > 0 && (await hasLeft(ask))) return undefined
  const scene = sceneOf(services, caller.account, now)
  const isFree = endpoint.tokenCost === 0
  const { turns, parcels } = services
  const probed = isFree && probe !== undefined ? await probe(scene) : undefined
  if (probed !== undefined) return probed(layoutOf(facts))
  // Who left while waiting for a turn is not searched for.
  const work = async () =>
    isFree || !ask.gone() ? (await find(scene))(layoutOf(facts)) : undefined
  const isQuick = endpoint.quick === 'always' || (endpoint.quick === 'remote' && parcels.isRemote)
  const reply = await (isQuick ? work() : turns.run(work))
  if (isFree || reply === undefined) return reply
  if (ask.gone()) return undefined
  const receipt = await chargeFor(
    caller,
    endpoint.operationId,
    endpoint.tokenCost,
    ask.id,
    services.ledger,
  )
  services.observe.charged(receipt.charged)
  reply.headers['x-tokens-charged'] = String(receipt.charged)
  if (receipt.remaining !== null) {
    reply.headers['x-tokens-remaining'] = String(receipt.remaining)
  }
  return reply
}

/**
 * Whether the caller hung up with the request (decision 055). The first wait may end the turn of the loop that read it, where many were
 * read; a close that came with it is read in the turn after that one.
 *
 * Before the search, not after it: searches of one turn would otherwise wait for each other, and their charges reach the ledger process
 * all at once, which then is idle while they are made and keeps this process idle while it writes.
 */
async function hasLeft(ask: Ask): Promise<boolean> {
  await turnEnd.wait()
  await turnEnd.wait()
  return ask.gone()
}

function sceneOf(services: Services, account: Account, now: number): Scene {
  const { parcels, accounts, searchTimeMs, ownerTimeMs, docsUrl } = services
  const startedAt = performance.now()
  return { parcels, accounts, account, now, startedAt, searchTimeMs, ownerTimeMs, docsUrl }
}
