/** Commands: audit who-saw, account, verify. Who received which parcels: docs/audit.md. */
import { needAccount, readAccounts } from '../../../accounts/accounts-data.ts'
import { sendBrokenChain } from '../../../notify/deliver.ts'
import { listSeenBy, unreadAudit, verifyAudit, whoSaw } from '../../../privacy/audit.ts'
import { judge } from '../../../store/accounts/unreadable.ts'
import type { AuditEntry } from '../../../store/audit/audit-store.ts'
import { readNoted } from '../../../store/heads.ts'
import { type CommandIo, command } from '../../command.ts'
import { needCountyOf } from '../../option-values.ts'
import { formatTime, isoTime, printResult, printRows } from '../../table.ts'

export const auditWhoSaw = command('audit who-saw', async ({ positionals }, io) => {
  const [propertyId = ''] = positionals
  needCountyOf(propertyId)
  await readAccounts(io, async ({ audit }) => {
    await audit.snapshot(() => print(io, { propertyId }, whoSaw(audit, propertyId)))
  })
})

export const auditAccount = command('audit account', async ({ positionals }, io) => {
  const [id = ''] = positionals
  await readAccounts(io, async ({ admin, audit }) => {
    await needAccount(admin, id)
    await audit.snapshot(() => print(io, { account: id }, listSeenBy(audit, id)))
  })
})

export const auditVerify = command('audit verify', async (_args, io) => {
  const kept = await readNoted(io.config)
  const { entries, head, bad } = await judge(
    () => readAccounts(io, ({ audit }) => verifyAudit(audit, kept)),
    unreadAudit,
  )
  const hash = Buffer.from(head).toString('hex')
  const intact = `${entries} entries are as they were written; the newest has the hash ${hash}`
  const value = { ok: bad === undefined, entries, head: hash, bad: bad ?? null }
  printResult(io, value, bad === undefined ? intact : describeBroken(bad))
  if (bad === undefined) return 0
  await sendBrokenChain(io, describeBroken(bad))
  return 1
})

function describeBroken({ id, problem }: { id: number | null; problem: string }): string {
  return `the audit is broken${id === null ? '' : ` at entry ${id}`}: ${problem}`
}

async function print(io: CommandIo, asked: object, entries: AsyncGenerator<AuditEntry>) {
  if (io.json) return printRows(io, asked, { name: 'answers', rows: entries }, showEntry)
  let count = 0
  for await (const entry of entries) {
    count += 1
    io.print(describeEntry(entry))
  }
  if (count === 0) io.print('no answer in the audit')
}

function describeEntry({ at, accountId, keyId, operation, requestId, query, ids }: AuditEntry) {
  const count = ids === '' ? 0 : ids.split('\n').length
  const shown = `${count} ${count === 1 ? 'parcel' : 'parcels'}`
  const words = [accountId, keyId, operation, shown, `request ${requestId}`, `query ${query}`]
  return `${formatTime(at)}  ${words.join('  ')}`
}

/** `query`: the keyed hash; equal queries have equal hashes. */
function showEntry({ id, at, accountId, keyId, requestId, operation, query, ids }: AuditEntry) {
  const properties = ids === '' ? [] : ids.split('\n')
  const who = { account: accountId, key: keyId, requestId, operation }
  return { id, at: isoTime(at), ...who, query, properties }
}
