/** Creates, rotates and revokes API keys, for the command line and the console. */
import { CommandError, WrongValue } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'
import type { AccountAdmin } from '../store/accounts/admin.ts'
import type { KeyRecord, NewKey } from '../store/accounts-store.ts'
import { type KeySecret, loadSecrets, refuseLostSecret } from '../store/key-secret.ts'
import { makeId, needAccount } from './accounts-data.ts'
import {
  hashKey,
  isMcpKey,
  isSandboxKey,
  makeKey,
  makeMcpKey,
  makeSandboxKey,
  prefixOf,
} from './api-key.ts'

const LABEL_MAX = 200
const UNITS_MS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const OVERLAP_MAX_MS = 366 * 86_400_000

/** What a key is for: everything, the sandbox, or agents at `/mcp`. */
type KeyKind = keyof typeof MAKE

const MAKE = { own: makeKey, sandbox: makeSandboxKey, mcp: makeMcpKey } as const

/** A new key; it is not stored. */
export type MadeKey = { id: string; key: string }

type Secrets = Pick<Config, 'data' | 'keySecret'>

/** Throws `CommandError` when there is no such account. */
export async function createKey(
  config: Secrets,
  admin: AccountAdmin,
  { accountId, label, kind = 'own' }: { accountId: string; label: string | null; kind?: KeyKind },
  now: number,
): Promise<MadeKey> {
  await needAccount(admin, accountId)
  const { key, row } = await newKey(config, admin, { accountId, label, kind }, now)
  await admin.createKey(row)
  return { id: row.id, key }
}

/** Replaces a key; the old one ends after `overlapMs`. Throws `CommandError` if it has ended. */
export async function rotateKey(
  config: Secrets,
  admin: AccountAdmin,
  { id, overlapMs }: { id: string; overlapMs: number },
  now: number,
): Promise<MadeKey & { endsAt: number }> {
  const old = await needKey(admin, id)
  if (old.revokedAt !== null && old.revokedAt <= now) {
    const ended = `${new Date(old.revokedAt).toISOString().slice(0, 16).replace('T', ' ')}Z`
    throw new CommandError(
      `${id} has ended at ${ended}; make a new key with platbook key create ${old.accountId}`,
    )
  }
  const kind = isSandboxKey(old.prefix) ? 'sandbox' : isMcpKey(old.prefix) ? 'mcp' : 'own'
  const { key, row } = await newKey(
    config,
    admin,
    { accountId: old.accountId, label: old.label, kind },
    now,
  )
  const endsAt = now + overlapMs
  await admin.createKey(row, { id, at: endsAt })
  return { id: row.id, key, endsAt }
}

/** Ends a key. Throws `CommandError` when there is none of that id. */
export async function revokeKey(admin: AccountAdmin, id: string, now: number): Promise<KeyRecord> {
  await needKey(admin, id)
  const key = await admin.revokeKey(id, now)
  if (key === undefined) throw new Error(`key ${id} is gone`)
  return key
}

async function newKey(
  config: Secrets,
  admin: AccountAdmin,
  { accountId, label, kind }: { accountId: string; label: string | null; kind: KeyKind },
  now: number,
): Promise<{ key: string; row: NewKey }> {
  refuseLostSecret(config, await admin.keysBySecret(now))
  const secrets = loadSecrets(config.data, config.keySecret)
  const key = MAKE[kind]()
  const hash = hashKey(key, secrets[0] as KeySecret)
  const row = {
    id: makeId('key'),
    accountId,
    label,
    prefix: prefixOf(key),
    createdAt: now,
    ...hash,
  }
  return { key, row }
}

async function needKey(admin: AccountAdmin, id: string): Promise<KeyRecord> {
  const key = await admin.key(id)
  if (key !== undefined) return key
  // An operator may type the key instead of its id; the error must not repeat it.
  const shown = id.startsWith('key_') ? id : 'of that id'
  throw new CommandError(`there is no key ${shown}; platbook key list ACCOUNT_ID shows them`)
}

/** Reads a key's label; `null` without one. Throws `CommandError`. */
export function readLabel(value: unknown): string | null {
  const label = typeof value === 'string' ? value.trim() : ''
  if (label.length > LABEL_MAX || /\p{Cc}/u.test(label)) {
    throw new WrongValue(`a label has at most ${LABEL_MAX} printable characters`, 'label')
  }
  return label === '' ? null : label
}

/** Reads `24h` as milliseconds. Throws `CommandError`. */
export function readOverlap(text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? []
  const length = Number(digits ?? Number.NaN) * (UNITS_MS[unit] ?? Number.NaN)
  const bare = !/[smhd]$/.test(text) && length !== 0
  if (!(length <= OVERLAP_MAX_MS) || bare) {
    throw new WrongValue(
      `--overlap cannot be "${text}": it takes 0, or a number with s, m, h or d, up to 366d`,
      'overlap',
    )
  }
  return length
}
