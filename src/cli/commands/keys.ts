/** Commands: key create, list, revoke, rotate; secret rotate, prune. Source: cli.md; accounts.md, "Keys". */
import { existsSync } from 'node:fs'
import { hashKey, isSandboxKey, makeKey, makeSandboxKey, prefixOf } from '../../access/api-key.ts'
import { CommandError } from '../../errors.ts'
import { buildSandbox, sandboxFolder } from '../../sandbox/build.ts'
import { refuseLostSecret } from '../../store/account-guards.ts'
import type { AccountAdmin, KeyRecord, NewKey } from '../../store/accounts-store.ts'
import { addSecret, dropSecrets, type KeySecret, loadSecrets } from '../../store/key-secret.ts'
import {
  makeId,
  need,
  needAccount,
  readAccounts,
  refuseMore,
  withAccounts,
} from '../accounts-data.ts'
import type { Command, CommandIo } from '../command.ts'
import { formatTable, formatTime, isoTime } from '../table.ts'

const LABEL_MAX = 200
const UNITS_MS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const OVERLAP_MAX_MS = 366 * 86_400_000

export const keyCreate: Command = {
  name: 'key create',
  usage: 'ACCOUNT_ID [--label TEXT] [--sandbox]',
  summary: 'makes an API key and shows it, this once',
  example: 'platbook key create acc_7k2m9x4q1z --label "web shop"',
  options: { label: { type: 'string' }, sandbox: { type: 'boolean' } },
  about: {
    label: 'what the key is for; shown in lists',
    sandbox: 'a key for tests: answered from an invented sample, never charged',
  },
  async run({ positionals, values }, io) {
    const accountId = need(positionals, 0, 'key create ACCOUNT_ID [--label TEXT] [--sandbox]')
    refuseMore(positionals, 1, 'key create ACCOUNT_ID [--label TEXT] [--sandbox]')
    const label = readLabel(values.label)
    const { key, row } = await withAccounts(io, async ({ admin }) => {
      await needAccount(admin, accountId)
      const make = values.sandbox === true ? makeSandboxKey : makeKey
      const fresh = await newKey(io, admin, accountId, label, make)
      await admin.createKey(fresh.row)
      return fresh
    })
    if (values.sandbox === true && !existsSync(sandboxFolder(io.config.data))) {
      await buildSandbox(io.config.data, io.now)
    }
    showNewKey(io, row.id, key)
  },
}

export const keyList: Command = {
  name: 'key list',
  usage: 'ACCOUNT_ID',
  summary: 'lists the keys of an account, without the keys themselves',
  example: 'platbook key list acc_7k2m9x4q1z',
  options: {},
  async run({ positionals }, io) {
    const accountId = need(positionals, 0, 'key list ACCOUNT_ID')
    refuseMore(positionals, 1, 'key list ACCOUNT_ID')
    const keys = await readAccounts(io, async ({ admin }) => {
      await needAccount(admin, accountId)
      return admin.keys(accountId)
    })
    if (io.json) {
      io.print(JSON.stringify({ keys: keys.map(showKey) }))
      return
    }
    const rows = keys.map((key) => [
      key.id,
      `${key.prefix}…`,
      key.label ?? '',
      formatTime(key.createdAt),
      formatTime(key.lastUsedAt),
      formatTime(key.revokedAt),
    ])
    const headings = ['ID', 'KEY', 'LABEL', 'MADE', 'LAST USED', 'ENDS']
    for (const line of formatTable(headings, rows)) io.print(line)
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'KEY_ID',
  summary: 'ends a key at once: within a second in every process of the service',
  example: 'platbook key revoke key_3f8w0n5t2c',
  options: {},
  async run({ positionals }, io) {
    const id = need(positionals, 0, 'key revoke KEY_ID')
    refuseMore(positionals, 1, 'key revoke KEY_ID')
    const key = await withAccounts(io, async ({ admin }) => {
      await needKey(admin, id)
      return admin.revokeKey(id, io.now())
    })
    if (key === undefined) throw new Error(`key ${id} is gone`)
    if (io.json) io.print(JSON.stringify(showKey(key)))
    else io.print(`${id} has ended at ${formatTime(key.revokedAt)}`)
  },
}

export const keyRotate: Command = {
  name: 'key rotate',
  usage: 'KEY_ID [--overlap 24h]',
  summary: 'makes a new key in place of one, which stays valid for the time of the overlap',
  example: 'platbook key rotate key_3f8w0n5t2c --overlap 7d',
  options: { overlap: { type: 'string', default: '24h' } },
  about: {
    overlap: 'how long the old key stays valid: 0, or a number with s, m, h or d (default 24h)',
  },
  async run({ positionals, values }, io) {
    const id = need(positionals, 0, 'key rotate KEY_ID [--overlap 24h]')
    refuseMore(positionals, 1, 'key rotate KEY_ID [--overlap 24h]')
    const endsAt = io.now() + readOverlap(String(values.overlap ?? '24h'))
    const made = await withAccounts(io, async ({ admin }) => {
      const old = await needKey(admin, id)
      if (old.revokedAt !== null && old.revokedAt <= io.now()) {
        throw new CommandError(
          `${id} has ended at ${formatTime(old.revokedAt)}; make a new key with platbook key create ${old.accountId}`,
        )
      }
      const make = isSandboxKey(old.prefix) ? makeSandboxKey : makeKey
      const fresh = await newKey(io, admin, old.accountId, old.label, make)
      await admin.createKey(fresh.row, { id, at: endsAt })
      return fresh
    })
    showNewKey(io, made.row.id, made.key)
    if (!io.json) io.report(`${id} stays valid until ${formatTime(endsAt)} at the longest`)
  },
}

export const secretRotate: Command = {
  name: 'secret rotate',
  usage: '',
  summary: 'adds a new server secret; keys move on to it as they are used, none becomes invalid',
  example: 'platbook secret rotate',
  options: {},
  async run({ positionals }, io) {
    refuseMore(positionals, 0, 'secret rotate')
    needSecretFile(io)
    const secrets = addSecret(io.config.data)
    await withAccounts(io, ({ admin }) => admin.raiseVersion())
    if (io.json) io.print(JSON.stringify({ id: secrets[0]?.id, secrets: secrets.length }))
    else io.print(`new keys are hashed under ${secrets[0]?.id}; ${secrets.length} secrets are kept`)
  },
}

export const secretPrune: Command = {
  name: 'secret prune',
  usage: '[--force]',
  summary: 'drops server secrets that no valid key is hashed under any more',
  example: 'platbook secret prune',
  options: { force: { type: 'boolean' } },
  about: { force: 'drops all but the newest; keys that were not used since then become invalid' },
  async run({ positionals, values }, io) {
    refuseMore(positionals, 0, 'secret prune [--force]')
    needSecretFile(io)
    const inUse = await withAccounts(io, ({ admin }) => admin.keysBySecret(io.now()))
    const before = loadSecrets(io.config.data, null)
    const idle = before.slice(1).filter(({ id }) => values.force === true || !inUse.has(id))
    const kept = dropSecrets(io.config.data, new Set(idle.map(({ id }) => id)))
    await withAccounts(io, ({ admin }) => admin.raiseVersion())
    const shown = kept.map(({ id }) => ({ id, keys: inUse.get(id) ?? 0 }))
    if (io.json) io.print(JSON.stringify({ dropped: idle.map(({ id }) => id), kept: shown }))
    else {
      io.print(`${idle.length} dropped`)
      for (const { id, keys } of shown) io.print(`${id}  ${keys} valid keys`)
    }
  },
}

export const keyCommands: Command[] = [
  keyCreate,
  keyList,
  keyRevoke,
  keyRotate,
  secretRotate,
  secretPrune,
]

async function newKey(
  io: CommandIo,
  admin: AccountAdmin,
  accountId: string,
  label: string | null,
  make: () => string,
): Promise<{ key: string; row: NewKey }> {
  refuseLostSecret(io.config, await admin.keysBySecret(io.now()))
  const secrets = loadSecrets(io.config.data, io.config.keySecret)
  const key = make()
  const hash = hashKey(key, secrets[0] as KeySecret)
  const createdAt = io.now()
  return {
    key,
    row: { id: makeId('key'), accountId, label, prefix: prefixOf(key), createdAt, ...hash },
  }
}

function showNewKey(io: CommandIo, id: string, key: string): void {
  if (io.json) {
    io.print(JSON.stringify({ id, key }))
    return
  }
  io.print(key)
  io.report(`this is ${id}; the key itself is kept nowhere, so note it now`)
}

function showKey({ id, label, prefix, createdAt, lastUsedAt, revokedAt }: KeyRecord) {
  const times = { lastUsedAt: isoTime(lastUsedAt), revokedAt: isoTime(revokedAt) }
  return { id, label, prefix, createdAt: isoTime(createdAt), ...times }
}

async function needKey(admin: AccountAdmin, id: string): Promise<KeyRecord> {
  const key = await admin.key(id)
  if (key !== undefined) return key
  // Whoever gives the key instead of its id must not find it in a log of errors.
  const shown = id.startsWith('key_') ? id : 'of that id'
  throw new CommandError(`there is no key ${shown}; platbook key list ACCOUNT_ID shows them`)
}

function needSecretFile(io: CommandIo): void {
  if (io.config.keySecret === null) return
  throw new CommandError(
    'the server secrets are given in PLATBOOK_KEY_SECRET: put the new one in front of the others there, with a comma',
  )
}

function readLabel(value: unknown): string | null {
  const label = typeof value === 'string' ? value.trim() : ''
  if (label.length > LABEL_MAX || /\p{Cc}/u.test(label)) {
    throw new CommandError(`a label has at most ${LABEL_MAX} printable characters`, 2)
  }
  return label === '' ? null : label
}

function readOverlap(text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? []
  const length = Number(digits ?? Number.NaN) * (UNITS_MS[unit] ?? Number.NaN)
  const bare = !/[smhd]$/.test(text) && length !== 0
  if (!(length <= OVERLAP_MAX_MS) || bare) {
    throw new CommandError(
      `--overlap cannot be "${text}": it takes 0, or a number with s, m, h or d, up to 366d`,
      2,
    )
  }
  return length
}
