/** Commands: plan create, set, show, list; price list, set. Source: docs/accounts.md. */
import { FACTS } from '../../../accounts/account-facts.ts'
import { changeAccounts, readAccounts, withAccounts } from '../../../accounts/accounts-data.ts'
import { CommandError } from '../../../base/errors.ts'
import { PLAN_FACTS, type PlanTerms } from '../../../base/model/account.ts'
import { didYouMean } from '../../../base/nearest.ts'
import { listPrices, putPrice } from '../../../console/prices.ts'
import { type CommandIo, command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

const NAMES = [...PLAN_FACTS, 'price.id']

export const planCreate = command('plan create', async ({ positionals }, io) => {
  const name = readName(positionals[0] ?? '')
  const terms = readTerms(positionals.slice(1))
  await withAccounts(io, async ({ admin }) => {
    if ((await admin.plans()).has(name)) throw new CommandError(`the plan ${name} exists already`)
    await admin.putPlan(name, JSON.stringify(terms))
  })
  show(io, name, terms)
})

export const planSet = command('plan set', async ({ positionals }, io) => {
  const [name = ''] = positionals
  const changes = readTerms(positionals.slice(1))
  const gone = positionals.slice(1).filter((word) => word.endsWith('='))
  const terms = await changeAccounts(io, async ({ admin }) => {
    const next = { ...(await needPlan(await admin.plans(), name)), ...changes }
    for (const word of gone) delete next[word.slice(0, -1) as keyof PlanTerms]
    await admin.putPlan(name, JSON.stringify(next))
    return next
  })
  show(io, name, terms)
})

export const planShow = command('plan show', async ({ positionals }, io) => {
  const [name = ''] = positionals
  const { terms, accounts } = await readAccounts(io, async ({ admin }) => ({
    terms: needPlan(await admin.plans(), name),
    accounts: (await admin.accounts()).filter(({ facts }) => facts.plan === name).length,
  }))
  const lines = [describe(name, terms), `accounts: ${accounts}`]
  printResult(io, { name, ...terms, accounts }, lines)
})

export const planList = command('plan list', async (_args, io) => {
  const kept = await readAccounts(io, ({ admin }) => admin.plans())
  const plans = [...kept].map(([name, terms]) => ({ name, ...(JSON.parse(terms) as PlanTerms) }))
  const rows = plans.map((plan) => [
    plan.name,
    ...NAMES.map((name) => String(plan[name as keyof PlanTerms] ?? '-')),
  ])
  printResult(io, { plans }, formatTable(['NAME', ...NAMES], rows))
})

function needPlan(plans: Map<string, string>, name: string): PlanTerms {
  const terms = plans.get(name)
  if (terms !== undefined) return JSON.parse(terms) as PlanTerms
  const hint = didYouMean(name, [...plans.keys()])
  throw new CommandError(`there is no plan ${name}${hint}; platbook plan list shows them`)
}

function readName(name: string): string {
  if (name === 'none') throw new CommandError('none is what an account without a plan has', 2)
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw new CommandError(
    `a plan's name has 1 to 64 letters, digits, dots, - and _, not "${name}"`,
    2,
  )
}

function readTerms(words: string[]): PlanTerms {
  const terms = words.flatMap((word) => {
    const cut = word.indexOf('=')
    const [name, value] = [word.slice(0, cut), word.slice(cut + 1)]
    if (cut < 1) throw new CommandError(`"${word}" is not of the form name=value`, 2)
    if (!NAMES.includes(name)) {
      const hint = didYouMean(name, NAMES) || `; known are ${NAMES.join(', ')}`
      throw new CommandError(`a plan has no "${name}"${hint}`, 2)
    }
    return value === '' ? [] : [[name, readTerm(name, value)]]
  })
  return Object.fromEntries(terms) as PlanTerms
}

function readTerm(name: string, value: string): unknown {
  const fact = FACTS.find((candidate) => candidate.name === name)
  if (fact === undefined) return value
  try {
    return fact.read(value)
  } catch {
    throw new CommandError(`${name} cannot be "${value}": it takes ${fact.values}`, 2)
  }
}

function show(io: CommandIo, name: string, terms: PlanTerms): void {
  printResult(io, { name, ...terms }, describe(name, terms))
}

function describe(name: string, terms: PlanTerms): string {
  return [name, ...Object.entries(terms).map(([key, value]) => `${key}=${value}`)].join('  ')
}

export const priceList = command('price list', async (_args, io) => {
  const prices = listPrices(
    await readAccounts(io, ({ reader }) => reader.prices()),
    io.config.prices,
  )
  const rows = prices.map((one) => [one.operation, String(one.tokens), String(one.default)])
  const headings = ['OPERATION', 'TOKENS', 'DEFAULT']
  printResult(io, { prices }, formatTable(headings, rows, ['TOKENS', 'DEFAULT']))
})

export const priceSet = command('price set', async ({ positionals }, io) => {
  const asked = { operation: positionals[0] ?? '', tokens: positionals[1] ?? '' }
  const { operation, tokens } = await withAccounts(io, ({ admin }) => putPrice(admin, asked))
  printResult(io, { operation, tokens }, `${operation} costs ${tokens}`)
})
