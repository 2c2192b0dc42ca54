/** Commands: key create, list, revoke, rotate; secret rotate, prune. Source: docs/accounts.md. */
import { existsSync } from 'node:fs'
import { changeAccounts, needAccount, readAccounts } from '../../../accounts/accounts-data.ts'
import {
  createKey,
  type MadeKey,
  readLabel,
  readOverlap,
  revokeKey,
  rotateKey,
} from '../../../accounts/manage-keys.ts'
import { CommandError } from '../../../base/errors.ts'
import { sandboxFolder } from '../../../sandbox/open.ts'
import type { KeyRecord } from '../../../store/accounts-store.ts'
import { checkFolder } from '../../../store/data-folder.ts'
import { addSecret, dropSecrets, loadSecrets } from '../../../store/key-secret.ts'
import { type CommandIo, command } from '../../command.ts'
import { formatTable, formatTime, isoTime, printResult } from '../../table.ts'

export const keyCreate = command('key create', async ({ positionals, values }, io) => {
  const [accountId = ''] = positionals
  const label = readLabel(values.label)
  const kind = values.sandbox === true ? 'sandbox' : 'own'
  const made = await changeAccounts(io, ({ admin }) =>
    createKey(io.config, admin, { accountId, label, kind }, io.now()),
  )
  if (values.sandbox === true && !existsSync(sandboxFolder(io.config.data))) {
    const { buildSandbox } = await import('../../../sandbox/build.ts')
    await buildSandbox(io.config.data, io.now)
  }
  showNewKey(io, made)
})

export const keyList = command('key list', async ({ positionals }, io) => {
  const [accountId = ''] = positionals
  const keys = await readAccounts(io, async ({ admin }) => {
    await needAccount(admin, accountId)
    return admin.keys(accountId)
  })
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    key.label ?? '',
    formatTime(key.createdAt),
    formatTime(key.lastUsedAt),
    formatTime(key.revokedAt),
  ])
  const headings = ['ID', 'KEY', 'LABEL', 'MADE', 'LAST USED', 'ENDS']
  printResult(io, { keys: keys.map(showKey) }, formatTable(headings, rows))
})

export const keyRevoke = command('key revoke', async ({ positionals }, io) => {
  const [id = ''] = positionals
  const key = await changeAccounts(io, ({ admin }) => revokeKey(admin, id, io.now()))
  printResult(io, showKey(key), `${id} has ended at ${formatTime(key.revokedAt)}`)
})

export const keyRotate = command('key rotate', async ({ positionals, values }, io) => {
  const [id = ''] = positionals
  const overlapMs = readOverlap(String(values.overlap ?? '24h'))
  const { endsAt, ...made } = await changeAccounts(io, ({ admin }) =>
    rotateKey(io.config, admin, { id, overlapMs }, io.now()),
  )
  showNewKey(io, made)
  if (!io.json) io.report(`${id} stays valid until ${formatTime(endsAt)} at the longest`)
})

export const secretRotate = command('secret rotate', async (_args, io) => {
  needSecretFile(io)
  checkFolder(io.config)
  const secrets = addSecret(io.config.data)
  await changeAccounts(io, ({ admin }) => admin.raiseVersion())
  printResult(
    io,
    { id: secrets[0]?.id, secrets: secrets.length },
    `new keys are hashed under ${secrets[0]?.id}; ${secrets.length} secrets are kept`,
  )
})

export const secretPrune = command('secret prune', async ({ values }, io) => {
  needSecretFile(io)
  const inUse = await changeAccounts(io, ({ admin }) => admin.keysBySecret(io.now()))
  const before = loadSecrets(io.config.data, null)
  const idle = before.slice(1).filter(({ id }) => values.force === true || !inUse.has(id))
  const kept = dropSecrets(io.config.data, new Set(idle.map(({ id }) => id)))
  await changeAccounts(io, ({ admin }) => admin.raiseVersion())
  const shown = kept.map(({ id }) => ({ id, keys: inUse.get(id) ?? 0 }))
  printResult(io, { dropped: idle.map(({ id }) => id), kept: shown }, [
    `${idle.length} dropped`,
    ...shown.map(({ id, keys }) => `${id}  ${keys} valid keys`),
  ])
})

function showNewKey(io: CommandIo, { id, key }: MadeKey): void {
  printResult(io, { id, key }, key)
  if (!io.json) io.report(`this is ${id}; the key itself is kept nowhere, so note it now`)
}

function showKey({ id, label, prefix, createdAt, lastUsedAt, revokedAt }: KeyRecord) {
  const times = { lastUsedAt: isoTime(lastUsedAt), revokedAt: isoTime(revokedAt) }
  return { id, label, prefix, createdAt: isoTime(createdAt), ...times }
}

function needSecretFile(io: CommandIo): void {
  if (io.config.keySecret === null) return
  throw new CommandError(
    'the server secrets are given in PLATBOOK_KEY_SECRET: put the new one in front of ' +
      'the others there, with a comma',
  )
}
