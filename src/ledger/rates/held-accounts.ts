/** The accounts for which a node holds grants, callers that wait, or requests to return. */
import type { Granted, UnusedGrant } from '../../store/accounts-store.ts'
import {
  type Account,
  addUnused,
  endGrants,
  forgetGrants,
  GRANT_MS,
  takeUnused,
} from './node-grants.ts'

/** Milliseconds after a grant's end within which workers return leases. */
const RETURN_MS = 1000
const NEVER = Number.NEGATIVE_INFINITY

/** Accounts by id. All times are milliseconds of a steady clock. */
export class HeldAccounts {
  readonly #accounts = new Map<string, Account>()
  /** Number of the newest grant; grants of an earlier process of this node have lower ones. */
  #leaseSlots: number

  constructor(now: number) {
    this.#leaseSlots = Math.floor(now) * 1000
  }

  get size(): number {
    return this.#accounts.size
  }

  /** Returns an account, with `limit` as its limit from now on. */
  hold(accountId: string, limit: number): Account {
    const known = this.#accounts.get(accountId)
    if (known === undefined) {
      const none = { grants: [], unused: new Map(), waiting: [], isAsking: false }
      const fresh: Account = { limit, ...none, noneUntil: NEVER, retryAt: NEVER }
      this.#accounts.set(accountId, fresh)
      return fresh
    }
    if (known.limit !== limit) Object.assign(known, { limit, noneUntil: NEVER })
    return known
  }

  /** Adds a grant that was asked for at `askedAt`. */
  add(account: Account, { count, slot }: Granted, askedAt: number): void {
    if (count === 0) return
    this.#leaseSlots += 1
    const leaseSlot = -this.#leaseSlots
    account.grants.push({ leaseSlot, slot, left: count, leased: 0, endsAt: askedAt + GRANT_MS })
  }

  /** Ends all grants of an account, and returns what is to be given back with the next request. */
  end(account: Account, now: number): UnusedGrant[] {
    endGrants(account, Number.POSITIVE_INFINITY)
    forgetGrants(account, now - RETURN_MS)
    return takeUnused(account)
  }

  /**
   * Takes back `count` requests of a lease. They can be leased again while their grant is the
   * newest and has not ended; after that they are returned to the database.
   */
  takeBack(accountId: string, slot: number, count: number, now: number): void {
    const account = this.#accounts.get(accountId)
    const grant = account?.grants.find((one) => one.leaseSlot === slot)
    if (account === undefined || grant === undefined) return
    const returned = Math.min(count, grant.leased)
    grant.leased -= returned
    const isCurrent = grant === account.grants.at(-1) && !account.isAsking
    if (isCurrent && now < grant.endsAt) grant.left += returned
    else addUnused(account, grant.slot, returned)
  }

  /**
   * Returns the rests of grants that ended before `before` and were not returned with a later
   * grant. Drops accounts that hold nothing more.
   */
  gatherUnused(before: number, now: number): (UnusedGrant & { accountId: string })[] {
    const gathered: (UnusedGrant & { accountId: string })[] = []
    for (const [accountId, account] of this.#accounts) {
      if (account.isAsking || (account.grants.at(-1)?.endsAt ?? before) > before) continue
      endGrants(account, before)
      for (const one of takeUnused(account)) gathered.push({ accountId, ...one })
      forgetGrants(account, before - RETURN_MS)
      if (account.grants.length === 0 && account.noneUntil <= now) this.#accounts.delete(accountId)
    }
    return gathered
  }
}
