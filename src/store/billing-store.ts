/** Stored billing data: customers of accounts, applied events, and overage on invoices. */
import type { AccountFacts } from '../base/model/account.ts'
import { readOwnFacts, writeFacts } from './accounts/account-rows.ts'
import { setFacts } from './accounts/admin.ts'
import { type AccountDatabase, openTable, run, type Steps } from './accounts/database.ts'
import { cellsOf, insertInto, type Row, readerOf } from './accounts/table-rows.ts'
import { appending, type OperatorLog } from './operator-log.ts'

/** Facts in the command line's notation, by name. */
export type FactTexts = Readonly<Record<string, string>>

/** The provider's customer that pays for an account. */
export type BillingLink = {
  accountId: string
  /** Id of the provider's customer. */
  customer: string
  linkedAt: number
  /** Incremented whenever facts are settled. */
  revision: number
  syncedAt: number | null
  /** The provider's latest facts. */
  facts: FactTexts
  /** Why later facts could not be read, or what is misconfigured. */
  problem: string | null
}

/** A provider event, stored so that it is applied only once. */
export type BillingEvent = {
  id: string
  type: string
  /** The customer concerned; null for none in particular. */
  customer: string | null
  /** Version of the provider's API in which the body is written. */
  version: string
  /** SHA-256 of the body, hex. */
  hash: string
  /** Epoch milliseconds, by the provider's clock. */
  created: number
  appliedAt: number
}

/** An invoice line for tokens beyond the included ones. */
export type OverageLine = {
  accountId: string
  /** First day of the billing period. */
  period: string
  part: number
  /** Negative for a refund. */
  tokens: number
  included: number
  /** Ledger rows of the account in the period, by seq. */
  firstRow: number
  lastRow: number
  /** Hash of the last row, hex. */
  head: string
  /** Price of a token in the currency's smallest unit, as a decimal. */
  unit: string
  currency: string
  /** The provider's id of the line; null until confirmed. */
  item: string | null
  invoice: string
  at: number
}

/** The changes that follow from one request to the provider. */
export type Settlement = {
  accountId: string
  /** The link's revision when the provider was asked. */
  revision: number
  facts: FactTexts
  problem: string | null
  /** Returns the account's new own facts from its present ones. */
  change(facts: AccountFacts): AccountFacts
  event: BillingEvent | undefined
  at: number
}

type BillingState = { polledAt: number | null; polledTo: number | null }

export function createBillingStore(database: AccountDatabase) {
  const { ask } = database
  const link = openTable(ask, 'billing_link', readLink)
  const event = openTable(ask, 'billing_event', readEvent)
  const state = openTable(ask, 'billing_state', readState)
  return {
    /** Links an account to a customer, replacing its earlier one. Throws if another has it. */
    link: async (accountId: string, customer: string, at: number) => {
      await ask(
        `INSERT INTO billing_link (account_id, customer, linked_at, revision, facts)
        VALUES ($1, $2, $3, 0, '{}') ON CONFLICT (account_id) DO UPDATE SET
        customer = excluded.customer, linked_at = excluded.linked_at,
        revision = billing_link.revision + 1, synced_at = NULL, problem = NULL`,
        [accountId, customer, at],
      )
    },
    links: () => link.all('ORDER BY linked_at, account_id'),
    /** The links of which an invoice has become past due. `at`: epoch milliseconds. */
    linksDue: async (at: number) =>
      (await link.all(`WHERE facts LIKE '%"nextDue"%'`)).filter(
        ({ facts }) => facts.billing === 'ok' && Date.parse(facts.nextDue ?? '') < at,
      ),
    linkOfAccount: (id: string) => link.one('WHERE account_id = $1', [id]),
    linkOfCustomer: (customer: string) => link.one('WHERE customer = $1', [customer]),
    /**
     * Writes facts and their event in one transaction. Returns `false` and writes nothing when
     * other facts were settled since the provider was asked.
     */
    settle: (settlement: Settlement) =>
      appending(database, function* (log) {
        const [isSettled, isChanged] = yield* settleIn(settlement, log)
        if (isChanged) yield database.dialect.raise
        return isSettled
      }),
    noteEvent: (noted: BillingEvent) => database.transact(() => insertEvent(noted)),
    noteProblem: async (accountId: string, problem: string) => {
      await ask('UPDATE billing_link SET problem = $2 WHERE account_id = $1', [accountId, problem])
    },
    event: (id: string) => event.one('WHERE id = $1', [id]),
    /** Newest first. */
    events: (limit: number) => event.all('ORDER BY applied_at DESC, id LIMIT $1', [limit]),
    ...keepOverages(database),
    state: async () => (await state.one('', [])) ?? readState({}),
    setState: async ({ polledAt, polledTo }: BillingState) => {
      await ask('UPDATE billing_state SET polled_at = $1, polled_to = $2', [polledAt, polledTo])
    },
    /** An account's rows in the operator log, as JSON, oldest first. `at`: epoch milliseconds. */
    async accountStates(accountId: string) {
      const rows = await ask(
        `SELECT at, state FROM operator_log WHERE subject = $1 AND kind = 'account' ORDER BY id`,
        [accountId],
      )
      return rows.map((row) => ({ at: Number(row.at), state: String(row.state) }))
    },
  }
}

function keepOverages({ ask }: AccountDatabase) {
  const { all } = openTable(ask, 'billing_overage', readOverage)
  return {
    overages: (accountId: string) =>
      all('WHERE account_id = $1 ORDER BY period, part', [accountId]),
    /** Writes a line before it is sent. Of an unconfirmed one, only invoice and item may change. */
    beginOverage: async (line: OverageLine) => {
      await ask(
        `${insertInto('billing_overage')} ON CONFLICT (account_id, period, part) DO UPDATE
        SET invoice = excluded.invoice, item = excluded.item WHERE t.item IS NULL`,
        cellsOf('billing_overage', line),
      )
    },
    confirmOverage: async ({
      accountId,
      period,
      part,
      item,
    }: Pick<OverageLine, 'accountId' | 'period' | 'part' | 'item'>) => {
      await ask(
        `UPDATE billing_overage SET item = $4
        WHERE account_id = $1 AND period = $2 AND part = $3`,
        [accountId, period, part, item],
      )
    },
  }
}

export type BillingStore = ReturnType<typeof createBillingStore>

/** Returns whether it was settled, and whether the account changed. */
function* settleIn(settlement: Settlement, log: OperatorLog): Steps<[boolean, boolean]> {
  const { accountId, revision, facts, problem, event, at } = settlement
  const raised = yield* run(
    `UPDATE billing_link SET revision = revision + 1, synced_at = $3, facts = $4, problem = $5
    WHERE account_id = $1 AND revision = $2 RETURNING revision`,
    [accountId, revision, at, JSON.stringify(facts), problem],
  )
  if (raised.length === 0) return [false, false]
  const [row] = yield* run('SELECT * FROM account WHERE id = $1', [accountId])
  if (row === undefined) return [false, false]
  const before = readOwnFacts(row)
  const after = settlement.change(readOwnFacts(row))
  const isChanged = JSON.stringify(writeFacts(before)) !== JSON.stringify(writeFacts(after))
  if (isChanged) yield* setFacts(accountId, after, log)
  if (event !== undefined) yield* insertEvent(event)
  return [true, isChanged]
}

function* insertEvent(event: BillingEvent): Steps<void> {
  const text = `${insertInto('billing_event')} ON CONFLICT DO NOTHING`
  yield* run(text, cellsOf('billing_event', event))
}

const readLinkRow = readerOf<BillingLink & { facts: unknown }>('billing_link')

function readLink(row: Row): BillingLink {
  return { ...readLinkRow(row), facts: JSON.parse(String(row.facts)) }
}

const readEvent = readerOf<BillingEvent>('billing_event')
const readOverage = readerOf<OverageLine>('billing_overage')
const readState = readerOf<BillingState>('billing_state', 'one')
