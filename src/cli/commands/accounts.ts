/** Commands: account create, set, show, list. Source: cli.md, accounts.md. */
import { applyFacts, DEFAULT_FACTS, FACTS, type Fact } from '../../access/account-facts.ts'
import { BLOCK_TEXTS } from '../../access/billing-gate.ts'
import { periodAt } from '../../access/period.ts'
import { standingOf } from '../../access/standing.ts'
import { type BlockCode, CommandError } from '../../errors.ts'
import { settlePeriod } from '../../ledger/settle.ts'
import type { AccountFacts } from '../../model/account.ts'
import { withPlan } from '../../model/plan.ts'
import { didYouMean } from '../../nearest.ts'
import type { AccountRecord, LedgerState } from '../../store/accounts-store.ts'
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

const NAME_MAX = 200

const FACTS_HELP = `What may be set:\n${FACTS.map(
  ({ name, values, about }) => `  ${`${name}=`.padEnd(17)} ${about}; ${values}`,
).join('\n')}`

export const accountCreate: Command = {
  name: 'account create',
  usage: 'NAME [name=value…]',
  summary: 'makes an account; without settings it may do everything, without limit',
  example: 'platbook account create "Acme Title" includedTokens=1000 overageCap=200',
  options: {},
  more: FACTS_HELP,
  async run({ positionals }, io) {
    const name = readName(need(positionals, 0, 'account create NAME [name=value…]'))
    const settings = readSettings(positionals.slice(1))
    change(DEFAULT_FACTS, withoutPlan(settings), io.now())
    const account = await withAccounts(io, async ({ admin }) => {
      const facts = change(DEFAULT_FACTS, settings, io.now(), await admin.plans())
      const record: AccountRecord = { id: makeId('acc'), name, facts, createdAt: io.now() }
      await admin.createAccount(record)
      return { ...record, facts: withPlan(facts) }
    })
    if (io.json) io.print(JSON.stringify(showAccount(account)))
    else {
      io.print(`${account.id}  ${name}`)
      io.report(`next: platbook key create ${account.id}`)
    }
  },
}

export const accountSet: Command = {
  name: 'account set',
  usage: 'ID name=value…',
  summary: 'changes the facts of an account; takes effect within a second, no restart',
  example: 'platbook account set acc_7k2m9x4q1z subscription=past_due pastDueGraceDays=7',
  options: {},
  more: FACTS_HELP,
  async run({ positionals }, io) {
    const id = need(positionals, 0, 'account set ID name=value…')
    need(positionals, 1, 'account set ID name=value…')
    const settings = readSettings(positionals.slice(1))
    const account = await withAccounts(io, async ({ admin }) => {
      await needAccount(admin, id)
      const plans = await admin.plans()
      return admin.changeFacts(id, (facts) => change(facts, settings, io.now(), plans))
    })
    if (account === undefined) throw new Error(`account ${id} is gone`)
    if (settings.some(([fact]) => fact.name === 'periodStart')) await setBack(io, id)
    if (io.json) io.print(JSON.stringify(showAccount(account)))
    else for (const [fact] of settings) io.print(`${fact.name} = ${show(account.facts, fact)}`)
  },
}

/** Setting its period takes an account out of a later one, into which a wrong clock had brought it. */
function setBack(io: CommandIo, id: string): Promise<void> {
  return withAccounts(io, async ({ admin, reader, ledger }) => {
    const { facts } = await needAccount(admin, id)
    const { start } = periodAt(facts, io.now())
    const days = await reader.usageByDay(id, start)
    const used = days.reduce((sum, { tokens }) => sum + tokens, 0)
    const entry = await ledger.append([id], (states, nextId) =>
      settlePeriod(id, used, states.get(id) as LedgerState, nextId, io.now()),
    )
    if (entry !== undefined) io.report(`${entry.reason}: ${used} tokens are used in it`)
  })
}

export const accountShow: Command = {
  name: 'account show',
  usage: 'ID',
  summary: 'shows an account: its facts, its use, its keys, and what the gate says',
  example: 'platbook account show acc_7k2m9x4q1z',
  options: {},
  async run({ positionals }, io) {
    const id = need(positionals, 0, 'account show ID')
    refuseMore(positionals, 1, 'account show ID')
    const now = io.now()
    const { account, newest, keys } = await readAccounts(io, async ({ admin, reader }) => ({
      account: await needAccount(admin, id),
      newest: await reader.tokenUse(id),
      keys: await admin.keys(id),
    }))
    const valid = keys.filter(({ revokedAt }) => revokedAt === null || revokedAt > now)
    const standing = standingOf(account.facts, newest, now)
    if (io.json) {
      io.print(JSON.stringify({ ...showAccount(account), ...standing, keys: valid.length }))
      return
    }
    io.print(`${id}  ${account.name}  (made ${formatTime(account.createdAt)})`)
    for (const fact of FACTS) io.print(`  ${fact.name.padEnd(16)}  ${show(account.facts, fact)}`)
    const { period, used, remaining, blocked } = standing
    io.print(`period ${period.start} to ${period.end}: used ${used}, left ${remaining ?? '∞'}`)
    io.print(`valid keys: ${valid.length}`)
    io.print(blocked === null ? 'access: open' : `access: ${describeBlock(blocked)}`)
  },
}

export const accountList: Command = {
  name: 'account list',
  usage: '',
  summary: 'lists all accounts',
  example: 'platbook account list',
  options: {},
  async run({ positionals }, io) {
    refuseMore(positionals, 0, 'account list')
    const now = io.now()
    const found = await readAccounts(io, async ({ admin, ledger }) => ({
      accounts: await admin.accounts(),
      heads: await ledger.heads(false),
    }))
    const listed = found.accounts.map((account) => ({
      account,
      standing: standingOf(account.facts, found.heads.get(account.id), now),
    }))
    if (io.json) {
      const accounts = listed.map(({ account, standing }) => ({
        ...showAccount(account),
        ...standing,
      }))
      io.print(JSON.stringify({ accounts }))
      return
    }
    const rows = listed.map(({ account, standing }) => [
      account.id,
      account.name,
      account.facts.subscription,
      String(standing.used),
      standing.remaining === null ? '∞' : String(standing.remaining),
      standing.blocked ?? 'open',
    ])
    const headings = ['ID', 'NAME', 'SUBSCRIPTION', 'USED', 'LEFT', 'ACCESS']
    for (const line of formatTable(headings, rows, ['USED', 'LEFT'])) io.print(line)
  },
}

function showAccount({ id, name, createdAt, facts }: AccountRecord) {
  const times = { pastDueSince: isoTime(facts.pastDueSince), createdAt: isoTime(createdAt) }
  const { planTerms: _terms, ownFacts: _own, ...shown } = facts
  return { id, name, ...shown, ...times }
}

function show(facts: AccountFacts, { name }: Fact): string {
  if (name === 'pastDueSince') return formatTime(facts.pastDueSince)
  return String(facts[name] ?? '-')
}

function describeBlock(code: BlockCode): string {
  return `blocked, ${code}: ${BLOCK_TEXTS[code].error}`
}

function readName(text: string): string {
  const name = text.trim()
  if (/^\w+=/.test(name)) {
    throw new CommandError(`the account's name comes first; "${name}" is a setting`, 2)
  }
  if (name === '' || name.length > NAME_MAX || /\p{Cc}/u.test(name)) {
    throw new CommandError(`a name has 1 to ${NAME_MAX} printable characters`, 2)
  }
  return name
}

function readSettings(words: string[]): [Fact, string][] {
  const settings = words.map((word): [Fact, string] => {
    const cut = word.indexOf('=')
    if (cut < 1) throw new CommandError(`"${word}" is not of the form name=value`, 2)
    return [findFact(word.slice(0, cut)), word.slice(cut + 1)]
  })
  const names = settings.map(([fact]) => fact.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new CommandError(`${twice} is given twice`, 2)
  return settings
}

function findFact(name: string): Fact {
  const fact = FACTS.find((candidate) => candidate.name === name)
  if (fact !== undefined) return fact
  const names = FACTS.map((candidate) => candidate.name)
  const hint = didYouMean(name, names) || `; known are ${names.join(', ')}`
  throw new CommandError(`an account has no "${name}"${hint}`, 2)
}

/** What can be told to be wrong before anything is made. */
function withoutPlan(settings: [Fact, string][]): [Fact, string][] {
  return settings.filter(([fact]) => fact.name !== 'plan')
}

function change(
  facts: AccountFacts,
  settings: [Fact, string][],
  now: number,
  plans?: ReadonlyMap<string, string>,
): AccountFacts {
  try {
    return applyFacts(facts, settings, now, plans)
  } catch (error) {
    throw new CommandError((error as Error).message, 2)
  }
}

export const accountCommands: Command[] = [accountCreate, accountSet, accountShow, accountList]
