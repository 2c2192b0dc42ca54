/**
 * Caches keys and accounts in a serving process, so that most requests read nothing from the
 * database. When the last look is older than `POLL_MS`, one small read shows whether anything has
 * changed. So a change takes effect in every process within that time.
 */
import { refuse } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import type { Suppression } from '../base/model/suppression.ts'
import type { AccountReader, KeyUse, KnownKey, Prices } from '../store/accounts-store.ts'
import type { KeySecret, KeySecrets } from '../store/key-secret.ts'
import { hashKey, isSandboxKey, isWellFormed } from './api-key.ts'

/** Finds the account of an API key, from the cache while nothing has changed. */
export type KeyDirectory = ReturnType<typeof createKeyDirectory>

/** docs/accounts.md: within 1 s in every process. */
const POLL_MS = 250
/** The cache is cleared at this size, which takes at most some 100 MB. */
const REMEMBERED_MAX = 100_000
const MINUTE_MS = 60_000

type Remembered = { key: KnownKey; caller: Caller }

/** `loadSecrets` is called again after every change, because the secrets may have been rotated. */
export function createKeyDirectory(reader: AccountReader, loadSecrets: () => KeySecrets) {
  /** Keyed by the key itself, which every request holds in this process's memory anyway. */
  const remembered = new Map<string, Remembered>()
  const uses = createKeyUses()
  let secrets = loadSecrets()
  let version = -1
  let prices: Prices = new Map()
  let pending: readonly Suppression[] = []
  let polledAt = Number.NEGATIVE_INFINITY
  let news = 0
  reader.onChange?.(() => {
    news += 1
    polledAt = Number.NEGATIVE_INFINITY
  })

  /** Reports whether the last poll is recent. A clock set back must not stop the polling. */
  function isFresh(now: number): boolean {
    return now >= polledAt && now - polledAt < POLL_MS
  }

  /** Clears the cache if anything has changed since the last poll. Reports whether it has. */
  async function forgetIfChanged(now: number, atOnce = false): Promise<boolean> {
    if (!atOnce && isFresh(now)) return false
    const heard = news
    const current = await reader.version()
    // A change announced during the read may be newer than the version read.
    if (heard === news) polledAt = now
    if (current === version) return false
    try {
      secrets = loadSecrets()
    } catch (error) {
      throw refuse.unavailable('Service temporarily unavailable', error)
    }
    prices = await reader.prices()
    pending = await reader.pendingSuppressions()
    version = current
    remembered.clear()
    return true
  }

  async function lookUp(key: string, newestHash: Uint8Array): Promise<KnownKey | undefined> {
    const known = await reader.keyByHash(newestHash)
    if (known !== undefined) return known
    for (const secret of secrets.slice(1)) {
      const older = await reader.keyByHash(hashKey(key, secret).hash)
      if (older !== undefined) return older
    }
    return undefined
  }

  function admitted({ key: known, caller }: Remembered, key: string, now: number) {
    if (known.revokedAt !== null && known.revokedAt <= now) return undefined
    uses.note(known, key, secrets[0] as KeySecret, now)
    return caller
  }

  return {
    /** Returns a cached key's caller and records the use; `undefined`: `find` must decide. */
    recall(key: string, now: number) {
      const entry = remembered.get(key)
      return entry === undefined || !isFresh(now) ? undefined : admitted(entry, key, now)
    },
    /** Returns the key's caller and records the use; `undefined`: malformed, unknown or revoked. */
    async find(key: string, now: number) {
      // Checking a cached key's checksum and hash again took a seventh of a lookup's time.
      if (!remembered.has(key) && !isWellFormed(key)) return undefined
      await forgetIfChanged(now)
      let asked = version
      let entry = remembered.get(key)
      if (entry === undefined) {
        const look = () => lookUp(key, hashKey(key, secrets[0] as KeySecret).hash)
        let known = await look()
        // It may be hashed with a secret made a moment ago, which this process has not read.
        if (known === undefined && (await forgetIfChanged(now, true))) {
          asked = version
          known = await look()
        }
        if (known === undefined) return undefined
        const isSandbox = isSandboxKey(key)
        entry = { key: known, caller: { account: known.account, keyId: known.id, isSandbox } }
        if (remembered.size >= REMEMBERED_MAX) remembered.clear()
        // Entries read before a change was noticed are not cached.
        if (version === asked) remembered.set(key, entry)
      }
      return admitted(entry, key, now)
    },
    tokenUse: (accountId: string) => reader.tokenUse(accountId),
    /** Returns suppressions that stored records do not follow yet, as of the last request. */
    pending: () => pending,
    /** The operator's price of an operation in tokens, if any, as of the last request. */
    price: (operationId: string) => prices.get(operationId),
    /** Takes the recorded uses for the ledger process: at most one per key and minute. */
    takeUses: uses.take,
  }
}

/** Collects when keys were used: at most one use per key and minute. */
function createKeyUses() {
  const usedAt = new Map<string, number>()
  const uses = new Map<string, KeyUse>()
  return {
    /** A key that was hashed with an older secret is also hashed with the newest one. */
    note(known: KnownKey, key: string, newest: KeySecret, now: number): void {
      const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
      if (usedAt.get(known.id) === minute) return
      usedAt.set(known.id, minute)
      const moves = known.secretId !== newest.id
      uses.set(known.id, {
        keyId: known.id,
        at: minute,
        ...(moves && { rehash: hashKey(key, newest) }),
      })
    },
    take(): KeyUse[] {
      const taken = [...uses.values()]
      uses.clear()
      return taken
    },
  }
}
