/**
 * What a serving process remembers of keys and accounts, so that a request costs no read of the
 * database.
 *
 * One small read tells whether anything was changed; it happens before a request whenever the last
 * one is older than `POLL_MS`, so a change takes effect everywhere within that time. A key that is
 * not remembered is looked up.
 */
import { refuse } from '../errors.ts'
import type { Caller, TokenUse } from '../model/account.ts'
import type { Suppression } from '../model/suppression.ts'
import type { AccountReader, KeyUse, KnownKey, Prices } from '../store/accounts-store.ts'
import type { KeySecret, KeySecrets } from '../store/key-secret.ts'
import { hashKey, isSandboxKey, isWellFormed } from './api-key.ts'

/** Finds the account behind an API key, from memory where nothing has changed. */
export type KeyDirectory = {
  /**
   * The caller behind a key that is remembered, when nothing has to be asked for it; else
   * `undefined`, and `find` tells. Notes the use.
   */
  recall(key: string, now: number): Caller | undefined
  /**
   * The caller behind a key; `undefined`: unknown, or revoked at `now`. Notes the use.
   *
   * What cannot be a key (shape, checksum) is refused without a query of the database.
   */
  find(key: string, now: number): Promise<Caller | undefined>
  /** The committed use of an account, read afresh. */
  tokenUse(accountId: string): Promise<TokenUse | undefined>
  /**
   * The operator's price of an operation, tokens, as of the last request; `undefined`: there is
   * none.
   */
  price(operationId: string): number | undefined
  /** Suppressions that what is stored does not follow yet, as of the last request. */
  pending(): readonly Suppression[]
  /**
   * Uses noted since the last call, for the ledger process to write: at most one per key and
   * minute.
   */
  takeUses(): KeyUse[]
}

/** docs/accounts.md: within 1 s in every process. */
const POLL_MS = 250
/** Then all are forgotten: some 100 MB at the most. */
const REMEMBERED_MAX = 100_000
const MINUTE_MS = 60_000

type Remembered = { key: KnownKey; caller: Caller }

/** `loadSecrets` is asked again after every change: a rotation of secrets is one. */
export function createKeyDirectory(
  reader: AccountReader,
  loadSecrets: () => KeySecrets,
): KeyDirectory {
  /** By the key itself: it is in this process's memory with every request, and nowhere else. */
  const remembered = new Map<string, Remembered>()
  const usedAt = new Map<string, number>()
  const uses = new Map<string, KeyUse>()
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

  /** Whether the last look is recent. A clock that was set back must not silence the poll. */
  function isFresh(now: number): boolean {
    return now >= polledAt && now - polledAt < POLL_MS
  }

  /** Tells whether anything was changed since the last look. */
  async function forgetIfChanged(now: number, atOnce = false): Promise<boolean> {
    if (!atOnce && isFresh(now)) return false
    const heard = news
    const current = await reader.version()
    // A change notified while the version is read may be later than that version.
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

  function noteUse(known: KnownKey, key: string, now: number): void {
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
    if (usedAt.get(known.id) === minute) return
    usedAt.set(known.id, minute)
    const [newest] = secrets as [KeySecret]
    const moves = known.secretId !== newest.id
    uses.set(known.id, {
      keyId: known.id,
      at: minute,
      ...(moves && { rehash: hashKey(key, newest) }),
    })
  }

  /** Whom an entry names, unless its key is revoked. */
  function admitted({ key: known, caller }: Remembered, key: string, now: number) {
    if (known.revokedAt !== null && known.revokedAt <= now) return undefined
    noteUse(known, key, now)
    return caller
  }

  return {
    recall(key, now) {
      const entry = remembered.get(key)
      return entry === undefined || !isFresh(now) ? undefined : admitted(entry, key, now)
    },
    async find(key, now) {
      // What is remembered was well-formed; counting its checksum and hash again was a seventh of a
      // lookup's cost.
      if (!remembered.has(key) && !isWellFormed(key)) return undefined
      await forgetIfChanged(now)
      let asked = version
      let entry = remembered.get(key)
      if (entry === undefined) {
        const look = () => lookUp(key, hashKey(key, secrets[0] as KeySecret).hash)
        let known = await look()
        // It may have been hashed a moment ago with a secret that this process does not yet know.
        if (known === undefined && (await forgetIfChanged(now, true))) {
          asked = version
          known = await look()
        }
        if (known === undefined) return undefined
        const isSandbox = isSandboxKey(key)
        entry = { key: known, caller: { account: known.account, keyId: known.id, isSandbox } }
        if (remembered.size >= REMEMBERED_MAX) remembered.clear()
        // What was read before a change was noticed is not remembered after it.
        if (version === asked) remembered.set(key, entry)
      }
      return admitted(entry, key, now)
    },
    tokenUse: (accountId) => reader.tokenUse(accountId),
    pending: () => pending,
    price: (operationId) => prices.get(operationId),
    takeUses() {
      const taken = [...uses.values()]
      uses.clear()
      return taken
    },
  }
}
