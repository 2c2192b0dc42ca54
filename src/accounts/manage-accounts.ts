/** Creates and changes accounts, for the command line and the console. */
import { CommandError, WrongValue } from '../base/errors.ts'
import { withPlan } from '../base/model/account.ts'
import { didYouMean } from '../base/nearest.ts'
import { settlePeriod } from '../ledger/settle.ts'
import type { AccountAdmin } from '../store/accounts/admin.ts'
import type { AccountRecord, LedgerState } from '../store/accounts-store.ts'
import { applyFacts, DEFAULT_FACTS, FACTS, type Fact, newFacts } from './account-facts.ts'
import { type AccountsData, makeId, needAccount } from './accounts-data.ts'
import { periodAt } from './period.ts'

const NAME_MAX = 200

type Settings = [Fact, string][]

/** Creates an account and returns it with its plan's facts. Throws as `newFacts`. */
export async function createAccount(
  admin: AccountAdmin,
  name: string,
  settings: Settings,
  now: number,
): Promise<AccountRecord> {
  const plans = await admin.plans()
  const facts = newFacts(settings, now, plans)
  const record: AccountRecord = { id: makeId('acc'), name, facts, createdAt: now }
  await admin.createAccount(record)
  return { ...record, facts: withPlan(facts) }
}

/**
 * Changes facts of an account. `period`: a sentence when a new period moved the account back.
 * Throws `CommandError` for an unknown account and as `applyFacts`.
 */
export async function setFacts(
  data: AccountsData,
  id: string,
  settings: Settings,
  now: number,
): Promise<{ account: AccountRecord; period: string | undefined }> {
  const { admin } = data
  await needAccount(admin, id)
  const plans = await admin.plans()
  const account = await admin.changeFacts(id, (facts) => applyFacts(facts, settings, now, plans))
  if (account === undefined) throw new Error(`account ${id} is gone`)
  const isPeriodSet = settings.some(([fact]) => fact.name === 'periodStart')
  return { account, period: isPeriodSet ? await setBack(data, id, now) : undefined }
}

/** Returns an account as JSON, without internal facts. */
export function showAccount({ id, name, createdAt, facts }: AccountRecord) {
  const times = { pastDueSince: isoOf(facts.pastDueSince), createdAt: isoOf(createdAt) }
  const { planTerms: _terms, ownFacts: _own, ...shown } = facts
  return { id, name, ...shown, ...times }
}

/** Moves an account back from a later period that a wrong clock had started. */
async function setBack(
  { admin, reader, ledger }: AccountsData,
  id: string,
  now: number,
): Promise<string | undefined> {
  const { facts } = await needAccount(admin, id)
  const { start } = periodAt(facts, now)
  const days = await reader.usageByDay(id, start)
  const used = days.reduce((sum, { tokens }) => sum + tokens, 0)
  const entry = await ledger.append([id], (states, nextId) =>
    settlePeriod({ accountId: id, used }, states.get(id) as LedgerState, nextId, now),
  )
  return entry === undefined ? undefined : `${entry.reason}: ${used} tokens are used in it`
}

/** Reads an account's name, trimmed. Throws `CommandError`. */
export function readAccountName(text: string): string {
  const name = text.trim()
  if (/^\w+=/.test(name)) {
    throw new WrongValue(`the account's name comes first; "${name}" is a setting`, 'name')
  }
  if (name === '' || name.length > NAME_MAX || /\p{Cc}/u.test(name)) {
    throw new WrongValue(`a name has 1 to ${NAME_MAX} printable characters`, 'name')
  }
  return name
}

/** Reads `name=value` words as facts. Throws `CommandError` for an unknown name. */
export function readSettings(words: string[]): Settings {
  const settings = words.map((word): Settings[number] => {
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

/** Throws `CommandError` for settings that are wrong in themselves; opens no database. */
export function checkSettings(settings: Settings, now: number): void {
  applyFacts(
    DEFAULT_FACTS,
    settings.filter(([fact]) => fact.name !== 'plan'),
    now,
  )
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
