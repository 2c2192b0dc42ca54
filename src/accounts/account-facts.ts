/** The facts of an account as people write them: names, values, defaults. See docs/accounts.md. */
import { dayOf } from '../base/days.ts'
import { WrongValue } from '../base/errors.ts'
import {
  type AccountFacts,
  FACT_WORDS,
  PLAN_FACTS,
  type PlanFact,
  type WordFacts,
} from '../base/model/account.ts'
import { readTable } from '../base/tables.ts'
import type { FactTexts } from '../store/billing-store.ts'

/** One fact of an account: its command-line name, parser and formatter. */
export type Fact = {
  name: keyof AccountFacts
  /** The allowed values, for help and errors. */
  values: string
  about: string
  /** Throws an `Error` that lists what is allowed. */
  read(text: string): Value
}

/** Facts of a new account, but for `emptyFields`: see `newFacts`. */
export const DEFAULT_FACTS: AccountFacts = {
  dataReads: 'v3',
  responseShape: 'flat',
  suspended: false,
  billing: 'ok',
  subscription: 'active',
  paymentMethod: 'verified',
  unpaidInvoices: 0,
  includedTokens: 'unlimited',
  overageCap: 0,
  pastDueGraceDays: 0,
  pastDueSince: null,
  periodStart: null,
  periodEnd: null,
  billingUrl: null,
  emptyFields: 'null',
  useCodes: 'contract',
  requestsPerMinute: 'unlimited',
  watchesMax: 100,
  watchedParcelsMax: 100_000,
  plan: null,
  planTerms: null,
  ownFacts: '',
}

const COUNT_MAX = 1_000_000_000_000

type Value = AccountFacts[keyof AccountFacts]
/** How each kind is read; `most`: the number at the end of its allowed values. */
const KINDS: Record<string, (text: string, most: number) => Value> = {
  count: readCount,
  date: (text) => (text === '' ? null : readDate(text)),
  flag: readBoolean,
  plan: (text) => (text === '' || text === 'none' ? null : text),
  rate: (text) => (text === 'unlimited' ? text : readAboveZero(text)),
  since: (text) => (text === '' ? null : Date.parse(readDate(text))),
  tokens: (text) => (text === 'unlimited' ? text : readCount(text, COUNT_MAX)),
  url: readUrl,
}

/** Every fact that an operator may set, in the order in which `account show` prints them. */
export const FACTS: readonly Fact[] = readTable('account-facts.tsv').map((line) => {
  const [key = '', kind = '', values = '', about = ''] = line.split('\t')
  const name = key as keyof AccountFacts
  if (kind === 'words') return { name, about, ...oneOf(name as keyof WordFacts) }
  const most = Number(/\d*$/.exec(values)?.[0])
  const own = KINDS[kind]
  if (own === undefined) throw new Error(`account-facts.tsv: unknown kind "${kind}"`)
  return { name, values, about, read: (text) => own(text, most) }
})

/** Returns a new account's facts; v3 reads omit empty fields by default. Throws as `applyFacts`. */
export function newFacts(...[settings, now, plans]: Settings): AccountFacts {
  const facts = applyFacts(DEFAULT_FACTS, settings, now, plans)
  const isChosen = settings.some(([{ name }]) => name === 'emptyFields')
  if (isChosen || facts.dataReads === 'v2') return facts
  return { ...facts, emptyFields: 'omit' }
}

type Settings = [
  settings: readonly (readonly [Fact, string])[],
  now: number,
  plans?: ReadonlyMap<string, string>,
]

/**
 * Applies written settings to facts: `[['subscription', 'past_due'], …]`. `pastDueSince` becomes
 * `now` when the subscription becomes past due. For a fact that plans define, the value `plan`
 * removes the account's own. `plans`: terms by name. Throws a sentence for a wrong value, or facts
 * that contradict each other.
 */
export function applyFacts(
  facts: AccountFacts,
  settings: readonly (readonly [Fact, string])[],
  now: number,
  plans: ReadonlyMap<string, string> = new Map(),
): AccountFacts {
  const own = new Set(facts.ownFacts.split(' ').filter((name) => name !== ''))
  const changes = settings.map(([fact, text]) => {
    try {
      if (isPlanFact(fact.name)) {
        if (text === 'plan') own.delete(fact.name)
        else own.add(fact.name)
        if (text === 'plan') return [fact.name, DEFAULT_FACTS[fact.name]] as const
      }
      return [fact.name, fact.read(text)] as const
    } catch {
      const takes = `${fact.values}${isPlanFact(fact.name) ? ', or plan for that of its plan' : ''}`
      throw new WrongValue(`${fact.name} cannot be "${text}": it takes ${takes}`, fact.name)
    }
  })
  const next: AccountFacts = { ...facts, ...Object.fromEntries(changes) }
  next.ownFacts = [...own].sort().join(' ')
  next.planTerms = termsOf(next.plan, plans)
  if (next.subscription !== 'past_due') next.pastDueSince = null
  else next.pastDueSince ??= now
  checkPeriod(next)
  return next
}

function isPlanFact(name: keyof AccountFacts): name is PlanFact {
  return (PLAN_FACTS as readonly string[]).includes(name)
}

function termsOf(plan: string | null, plans: ReadonlyMap<string, string>): string | null {
  if (plan === null) return null
  const terms = plans.get(plan)
  if (terms !== undefined) return terms
  throw new WrongValue(`there is no plan "${plan}"; platbook plan list shows them`, 'plan')
}

function checkPeriod({ periodStart, periodEnd }: AccountFacts): void {
  if ((periodStart === null) !== (periodEnd === null)) {
    throw new WrongValue(
      'periodStart and periodEnd go together: give both, or neither',
      periodStart === null ? 'periodStart' : 'periodEnd',
    )
  }
  if (periodStart !== null && periodEnd !== null && periodEnd <= periodStart) {
    throw new WrongValue(
      `periodEnd ${periodEnd} must be later than periodStart ${periodStart}`,
      'periodEnd',
    )
  }
}

function oneOf(name: keyof WordFacts): Pick<Fact, 'values' | 'read'> {
  const values: readonly string[] = FACT_WORDS[name]
  const read = (text: string) => {
    if (!values.includes(text)) throw new Error(text)
    return text as Value
  }
  return { values: `one of ${values.join(', ')}`, read }
}

function readBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(text)
  return text === 'true'
}

function readCount(text: string, max: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(number <= max)) throw new Error(text)
  return number
}

function readAboveZero(text: string): number {
  const number = readCount(text, COUNT_MAX)
  if (number === 0) throw new Error(text)
  return number
}

function readDate(text: string): string {
  if (dayOf(text) === undefined) throw new Error(text)
  return text
}

function readUrl(text: string): string | null {
  if (text === '') return null
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new Error(text)
  return text
}

/**
 * Returns the facts of an account after its provider was asked. `said`: its texts now; `before`:
 * those of the last time. The provider lifts its own suspension, but not the operator's. Throws as
 * `applyFacts`.
 */
export function applyProviderFacts(
  facts: AccountFacts,
  { said, before }: { said: FactTexts; before: FactTexts },
  now: number,
  plans: ReadonlyMap<string, string>,
): AccountFacts {
  const released = before.suspended === 'true' && said.suspended === undefined
  // A customer without a plan keeps none of the plan's tokens.
  const planGone = before.plan !== undefined && said.includedTokens !== undefined && !said.plan
  const texts: Record<string, string> = {
    ...(planGone && { plan: '' }),
    ...(released && { suspended: 'false' }),
    ...said,
  }
  const settings = FACTS.flatMap((fact) => {
    const text = texts[fact.name]
    return text === undefined ? [] : [[fact, text] as const]
  })
  return applyFacts(facts, settings, now, plans)
}
