/** Command: whois. Whose a request or key is, what was refused and why. */
import { text } from 'node:stream/consumers'
import { readAccounts } from '../../../accounts/accounts-data.ts'
import { lookUp, type Whois } from '../../../accounts/whois.ts'
import { CommandError } from '../../../base/errors.ts'
import { command } from '../../command.ts'
import { formatTime, isoTime, printResult } from '../../table.ts'

export const whois = command('whois', async ({ positionals }, io) => {
  const [given = ''] = positionals
  const asked = (given === '-' ? await text(io.stdin) : given).trim()
  const found = await readAccounts(io, (data) => lookUp(asked, io.config, data, io.now()))
  const { accounts, keys, refusals, charges } = found
  if (accounts.length + keys.length + refusals.length + charges.length === 0) {
    const name = asked.startsWith('pbk_') ? `a key ${asked.slice(0, 8)}…` : asked
    throw new CommandError(`nothing is known of ${name}; older refusals may have been dropped`)
  }
  printResult(io, showJson(found), describe(found))
})

function showJson({ accounts, keys, refusals, charges, changes }: Whois) {
  return {
    accounts: accounts.map(({ account: { id, name, facts }, standing }) => ({
      ...{ id, name, plan: facts.plan, used: standing.used, remaining: standing.remaining },
      blocked: standing.blocked,
    })),
    keys: keys.map(({ id, accountId, label, prefix, createdAt, lastUsedAt, revokedAt }) => ({
      ...{ id, account: accountId, label, prefix, createdAt: isoTime(createdAt) },
      ...{ lastUsedAt: isoTime(lastUsedAt), revokedAt: isoTime(revokedAt) },
    })),
    refusals,
    charges: charges.map(({ requestId, accountId, keyId, endpoint, cost, at, reason }) => ({
      ...{ requestId, account: accountId, key: keyId, endpoint, cost, at: isoTime(at), reason },
    })),
    changes: changes.map(({ at, kind, subject, changed }) => ({
      ...{ at: isoTime(at), kind, subject, changed },
    })),
  }
}

function describe({ accounts, keys, refusals, charges, changes }: Whois): string[] {
  const lines: string[] = []
  for (const { account, standing } of accounts) {
    const { used, remaining, blocked } = standing
    const state = blocked === null ? 'open' : `blocked: ${blocked}`
    lines.push(`${account.id}  ${account.name}  ${state}  used ${used}, left ${remaining ?? '∞'}`)
  }
  for (const { id, accountId, prefix, label, lastUsedAt, revokedAt } of keys) {
    const end = revokedAt === null ? '' : `  ends ${formatTime(revokedAt)}`
    const words = [id, `${prefix}…`, `of ${accountId}`, label ?? '-']
    lines.push(`${words.join('  ')}  last used ${formatTime(lastUsedAt)}${end}`)
  }
  for (const { at, requestId, operation, status, reason, keyId, prefix } of refusals) {
    const who = keyId ?? (prefix === null ? 'no key' : `invalid key ${prefix}…`)
    lines.push(`${at}  refused  ${status} ${reason}  ${operation}  ${requestId}  ${who}`)
  }
  for (const { at, requestId, endpoint, cost } of charges) {
    lines.push(`${isoTime(at)}  charged ${cost}  ${endpoint}  ${requestId}`)
  }
  for (const { at, subject, changed } of changes) {
    const parts = Object.entries(changed).map(
      ([name, { before, after }]) => `${name} ${before ?? '-'} → ${after ?? '-'}`,
    )
    lines.push(`${isoTime(at)}  changed  ${subject}  ${parts.join(', ')}`)
  }
  return lines
}
