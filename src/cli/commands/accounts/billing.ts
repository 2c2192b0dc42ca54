/** Commands: billing link, sync, show, page, events, reconcile. */
import { needAccount, readAccounts } from '../../../accounts/accounts-data.ts'
import { signBillingLink } from '../../../accounts/billing-link.ts'
import { CommandError } from '../../../base/errors.ts'
import { ProviderDown } from '../../../billing/provider.ts'
import { assembleBilling, type Billing } from '../../../processes/assemble-billing.ts'
import type { OpenAccounts } from '../../../store/accounts/opened.ts'
import type { BillingLink } from '../../../store/billing-store.ts'
import { checkFolder } from '../../../store/data-folder.ts'
import { loadSecrets } from '../../../store/key-secret.ts'
import { openAccounts } from '../../../store/open.ts'
import { type CommandIo, command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

const EVENTS_SHOWN = 50

export const billingLink = command('billing link', async ({ positionals }, io) => {
  const [account = '', customer = ''] = positionals
  const link = await withBilling(io, async (billing, accounts) => {
    await needAccount(accounts.admin, account)
    const owner = await billing.store.linkOfCustomer(customer)
    if (owner !== undefined && owner.accountId !== account) {
      throw new CommandError(`${customer} is linked to ${owner.accountId} already`)
    }
    if (hasProvider(billing)) {
      const { isMissing, wrong } = await billing.provider.facts(customer)
      if (isMissing === true) throw new CommandError(`${wrong}: nothing is linked`)
    }
    await billing.store.link(account, customer, io.now())
    const linked = await needLink(accounts, account)
    if (hasProvider(billing)) await billing.sync(linked)
    return needLink(accounts, account)
  })
  showLink(io, link)
})

export const billingSync = command('billing sync', async ({ positionals }, io) => {
  const [account] = positionals
  const { synced, failed } = await withBilling(io, async (billing, accounts) =>
    billing.syncAll(await needLinks(billing, accounts, account)),
  )
  for (const { account: id, problem } of failed) io.report(`${id}: ${problem}`)
  printResult(io, { synced, failed }, `${synced} synced, ${failed.length} failed`)
  return failed.length === 0 ? 0 : 1
})

export const billingShow = command('billing show', async ({ positionals }, io) => {
  const [account = ''] = positionals
  const { link, overages } = await withBilling(
    io,
    async (billing, accounts) => ({
      link: await needLink(accounts, account),
      overages: await billing.store.overages(account),
    }),
    { reading: true },
  )
  showLink(io, link, { overages })
  if (io.json || overages.length === 0) return
  const rows = overages.map((line) => [
    ...[line.period, String(line.tokens), `${line.firstRow}-${line.lastRow}`],
    ...[line.invoice, line.item ?? 'not confirmed'],
  ])
  for (const line of formatTable(['PERIOD', 'TOKENS', 'ROWS', 'INVOICE', 'LINE'], rows)) {
    io.print(line)
  }
})

export const billingPage = command('billing page', async ({ positionals }, io) => {
  const [account = ''] = positionals
  await readAccounts(io, (accounts) => needLink(accounts, account))
  const { host, port, publicUrl, data, keySecret } = io.config
  const base = publicUrl ?? `http://${host}:${port}`
  const { query, until } = signBillingLink(loadSecrets(data, keySecret), account, io.now())
  const url = `${base}/billing?${query}`
  printResult(io, { account, url, until: new Date(until).toISOString() }, url)
})

export const billingEvents = command('billing events', async (_args, io) => {
  const events = await withBilling(io, ({ store }) => store.events(EVENTS_SHOWN), {
    reading: true,
  })
  const rows = events.map(({ id, type, customer, appliedAt }) => [
    ...[new Date(appliedAt).toISOString(), id, type, customer ?? '-'],
  ])
  printResult(io, { events }, formatTable(['APPLIED', 'EVENT', 'TYPE', 'CUSTOMER'], rows))
})

export const billingReconcile = command('billing reconcile', async ({ positionals }, io) => {
  const found = await withBilling(
    io,
    async (billing, accounts) =>
      billing.reconcile(await needLinks(billing, accounts, positionals[0])),
    { reading: true },
  )
  const { accounts, ledger, invoiced, waiting, differences } = found
  printResult(io, found, [
    `accounts ${accounts}  ledger ${ledger}  invoiced ${invoiced}  waiting ` +
      `${waiting}  difference ${ledger - invoiced - waiting}`,
    ...differences.map(
      (one) =>
        `${one.account}, period from ${one.period}: ledger ${one.ledger}, ` +
        `invoiced ${one.invoiced}`,
    ),
  ])
  return differences.length === 0 ? 0 : 1
})

async function withBilling<Result>(
  io: CommandIo,
  work: (billing: Billing, accounts: OpenAccounts) => Promise<Result>,
  { reading = false } = {},
): Promise<Result> {
  // An account that is linked or synced is there already: no command of billing makes a folder.
  checkFolder(io.config)
  const accounts = await openAccounts(io.config, { reading })
  try {
    const alarm = (text: string) => io.report(text)
    return await work(await assembleBilling(io.config, accounts, { now: io.now, alarm }), accounts)
  } catch (error) {
    if (error instanceof ProviderDown) throw new CommandError(error.message, 1, error)
    throw error
  } finally {
    await accounts.close()
  }
}

function hasProvider({ provider }: Billing): boolean {
  return provider.name !== 'local'
}

async function needLinks(billing: Billing, accounts: OpenAccounts, account?: string) {
  if (!hasProvider(billing)) throw new CommandError('PLATBOOK_STRIPE_KEY is not set')
  return account === undefined ? accounts.billing.links() : [await needLink(accounts, account)]
}

async function needLink(
  { admin, billing }: Pick<OpenAccounts, 'admin' | 'billing'>,
  account: string,
): Promise<BillingLink> {
  await needAccount(admin, account)
  const link = await billing.linkOfAccount(account)
  if (link !== undefined) return link
  throw new CommandError(
    `the account ${account} has no customer; platbook billing link gives it one`,
  )
}

function showLink(io: CommandIo, link: BillingLink, more: object = {}): void {
  const { accountId, customer, syncedAt, facts, problem } = link
  const next = 'with PLATBOOK_STRIPE_KEY set, platbook billing sync reads it'
  const read =
    syncedAt === null ? `never read; ${next}` : `read ${new Date(syncedAt).toISOString()}`
  printResult(io, { account: accountId, customer, syncedAt, facts, problem, ...more }, [
    `${accountId}  ${customer}  ${read}`,
    ...Object.entries(facts).map(([name, value]) => `  ${name}=${value}`),
    ...(problem === null ? [] : [`  problem: ${problem}`]),
  ])
}
