/** Finds what support is asked for: whose a request or key is, what was refused and why. */
import { type RefusedRequest, readRefusals } from '../base/logs/refusal-log.ts'
import type { Config } from '../settings/config.ts'
import type { AccountRecord, KeyRecord, KnownKey, LedgerEntry } from '../store/accounts-store.ts'
import { loadSecrets } from '../store/key-secret.ts'
import { changesIn, type LoggedChange } from '../store/operator-log.ts'
import type { AccountsData } from './accounts-data.ts'
import { hashKey, isWellFormed, prefixOf } from './api-key.ts'
import { type Standing, standingOf } from './standing.ts'

/** Refusals, charges and changes shown, the newest first. */
const SHOWN = 20
const KEYS_MAX = 20

export type Whois = {
  accounts: { account: AccountRecord; standing: Standing }[]
  keys: KeyRecord[]
  refusals: RefusedRequest[]
  charges: LedgerEntry[]
  changes: LoggedChange[]
}

type Subject = Pick<Whois, 'keys' | 'refusals'> & Partial<Pick<Whois, 'charges'>>

/** Reports whether a text is what `lookUp` takes: a key or its beginning, an id, a request's id. */
export function isSupportId(text: string): boolean {
  return /^(?:pbk_\w{2,}|acc_\w+|key_\w+|[0-9a-f]{16}-[0-9a-z]+)$/.test(text)
}

/** Looks up a request id, a key, its first characters, or the id of a key or account. */
export async function lookUp(
  asked: string,
  config: Config,
  data: AccountsData,
  now: number,
): Promise<Whois> {
  const { keys, refusals, charges = [] } = await findSubject(asked, config, data)
  const ids = new Set(keys.map(({ accountId }) => accountId))
  if (asked.startsWith('acc_')) ids.add(asked)
  for (const { accountId } of charges) ids.add(accountId)
  const found = await Promise.all([...ids].map((id) => data.admin.account(id)))
  const accounts = await Promise.all(
    found
      .filter((account) => account !== undefined)
      .map(async (account) => ({
        account,
        standing: standingOf(account.facts, await data.reader.tokenUse(account.id), now),
      })),
  )
  const subjects = [...ids, ...keys.map(({ id }) => id)]
  const logged = await Promise.all(
    // One more, because a change is the difference of two entries.
    subjects.map(async (id) =>
      changesIn(await data.ledger.operatorEntriesOf(id, SHOWN + 1), SHOWN),
    ),
  )
  const changes = logged
    .flat()
    .sort((one, other) => other.id - one.id)
    .slice(0, SHOWN)
  return { accounts, keys, refusals, charges, changes }
}

async function findSubject(
  asked: string,
  config: Config,
  { admin, reader, ledger }: AccountsData,
): Promise<Subject> {
  if (asked.startsWith('acc_')) return withRefusals(config, await admin.keys(asked))
  if (asked.startsWith('key_')) {
    const key = await admin.key(asked)
    return withRefusals(config, key === undefined ? [] : [key])
  }
  if (!asked.startsWith('pbk_')) return findRequest(asked, config, { admin, ledger })
  const alike = await admin.keysByPrefix(prefixOf(asked), KEYS_MAX)
  const known = alike.length > 0 ? await findKey(asked, config, reader) : undefined
  const key = alike.find(({ id }) => id === known?.id)
  return withRefusals(config, key === undefined ? alike : [key], prefixOf(asked))
}

/** A revoked key is not found, because its hash is deleted. */
async function findKey(
  asked: string,
  { data, keySecret }: Config,
  reader: AccountsData['reader'],
): Promise<KnownKey | undefined> {
  if (!isWellFormed(asked)) return undefined
  for (const secret of loadSecrets(data, keySecret)) {
    const known = await reader.keyByHash(hashKey(asked, secret).hash)
    if (known !== undefined) return known
  }
  return undefined
}

/** Adds what was refused to these keys, or to invalid ones that begin alike. */
function withRefusals({ data }: Config, keys: KeyRecord[], asked?: string): Subject {
  const ids = new Set(keys.map(({ id }) => id))
  const prefixes = new Set(keys.map(({ prefix }) => prefix))
  const isInvalid = (prefix: string) =>
    prefixes.has(prefix) || (asked !== undefined && prefix.startsWith(asked))
  const isTheirs = ({ keyId, prefix }: RefusedRequest) =>
    keyId === null ? prefix !== null && isInvalid(prefix) : ids.has(keyId)
  return { keys, refusals: readRefusals(data, isTheirs, SHOWN) }
}

async function findRequest(
  asked: string,
  { data }: Config,
  { admin, ledger }: Pick<AccountsData, 'admin' | 'ledger'>,
): Promise<Subject> {
  const refusals = readRefusals(data, ({ requestId }) => requestId === asked, SHOWN)
  const charges = await ledger.entriesOfRequest(asked)
  const ids = new Set([...refusals, ...charges].flatMap(({ keyId }) => keyId ?? []))
  const used = await Promise.all([...ids].map((id) => admin.key(id)))
  const alike = refusals.map(({ prefix }) =>
    prefix === null ? [] : admin.keysByPrefix(prefix, KEYS_MAX),
  )
  const keys = [...used, ...(await Promise.all(alike)).flat()]
  return { keys: keys.filter((key) => key !== undefined), refusals, charges }
}
