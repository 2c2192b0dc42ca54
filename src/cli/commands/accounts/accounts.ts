/** Commands: account create, set, show, list. Source: docs/accounts.md. */
import { FACTS, type Fact } from '../../../accounts/account-facts.ts'
import {
  changeAccounts,
  needAccount,
  readAccounts,
  withAccounts,
} from '../../../accounts/accounts-data.ts'
import { BLOCK_TEXTS } from '../../../accounts/billing-gate.ts'
import {
  checkSettings,
  createAccount,
  readAccountName,
  readSettings,
  setFacts,
  showAccount,
} from '../../../accounts/manage-accounts.ts'
import { standingOf } from '../../../accounts/standing.ts'
import type { AccountFacts } from '../../../base/model/account.ts'
import { command } from '../../command.ts'
import { formatTable, formatTime, printResult } from '../../table.ts'

const FACTS_HELP = `What may be set:\n${FACTS.map(
  ({ name, values, about }) => `  ${`${name}=`.padEnd(18)} ${about}; ${values}`,
).join('\n')}`

export const accountCreate = command(
  'account create',
  async ({ positionals }, io) => {
    const name = readAccountName(positionals[0] ?? '')
    const settings = readSettings(positionals.slice(1))
    checkSettings(settings, io.now())
    const account = await withAccounts(io, ({ admin }) =>
      createAccount(admin, name, settings, io.now()),
    )
    printResult(io, showAccount(account), `${account.id}  ${name}`)
    if (!io.json) io.report(`next: platbook key create ${account.id}`)
  },
  FACTS_HELP,
)

export const accountSet = command(
  'account set',
  async ({ positionals }, io) => {
    const [id = ''] = positionals
    const settings = readSettings(positionals.slice(1))
    const { account, period } = await changeAccounts(io, (data) =>
      setFacts(data, id, settings, io.now()),
    )
    if (period !== undefined) io.report(period)
    const lines = settings.map(([fact]) => `${fact.name} = ${show(account.facts, fact)}`)
    printResult(io, showAccount(account), lines)
  },
  FACTS_HELP,
)

export const accountShow = command('account show', async ({ positionals }, io) => {
  const [id = ''] = positionals
  const now = io.now()
  const { account, newest, keys } = await readAccounts(io, async ({ admin, reader }) => ({
    account: await needAccount(admin, id),
    newest: await reader.tokenUse(id),
    keys: await admin.keys(id),
  }))
  const valid = keys.filter(({ revokedAt }) => revokedAt === null || revokedAt > now)
  const standing = standingOf(account.facts, newest, now)
  const { period, used, remaining, blocked } = standing
  printResult(io, { ...showAccount(account), ...standing, keys: valid.length }, [
    `${id}  ${account.name}  (made ${formatTime(account.createdAt)})`,
    ...FACTS.map((fact) => `  ${fact.name.padEnd(17)}  ${show(account.facts, fact)}`),
    `period ${period.start} to ${period.end}: used ${used}, left ${remaining ?? '∞'}`,
    `valid keys: ${valid.length}`,
    blocked === null
      ? 'access: open'
      : `access: blocked, ${blocked}: ${BLOCK_TEXTS[blocked].error}`,
  ])
})

export const accountList = command('account list', async (_args, io) => {
  const now = io.now()
  const found = await readAccounts(io, async ({ admin, ledger }) => ({
    accounts: await admin.accounts(),
    heads: await ledger.heads(false),
  }))
  const listed = found.accounts.map((account) => ({
    account,
    standing: standingOf(account.facts, found.heads.get(account.id), now),
  }))
  const accounts = listed.map(({ account, standing }) => ({
    ...showAccount(account),
    ...standing,
  }))
  const rows = listed.map(({ account, standing }) => [
    account.id,
    account.name,
    account.facts.subscription,
    String(standing.used),
    standing.remaining === null ? '∞' : String(standing.remaining),
    standing.blocked ?? 'open',
  ])
  const headings = ['ID', 'NAME', 'SUBSCRIPTION', 'USED', 'LEFT', 'ACCESS']
  printResult(io, { accounts }, formatTable(headings, rows, ['USED', 'LEFT']))
})

function show(facts: AccountFacts, { name }: Fact): string {
  if (name === 'pastDueSince') return formatTime(facts.pastDueSince)
  return String(facts[name] ?? '-')
}
