import { needAccount } from '../../accounts/accounts-data.ts'
import type { Fault } from '../../ledger/chain.ts'
import type { LedgerEntry } from '../../store/accounts-store.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import type { Job } from '../jobs.ts'
import { type Html, html } from '../show/html.ts'
import { readWhole, showEmpty, showTable } from '../show/parts.ts'
import { countOf, showCount, showOperation, showTime } from '../show/words.ts'

const PAGE_ROWS = 100

export function addLedgerPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/accounts/:id/ledger', async ({ params, query, signedIn }) => {
    const id = params.id ?? ''
    const isVerifying = query.get('verify') === 'yes'
    const job = isVerifying ? await verify(context, signedIn.operator) : undefined
    const { account, rows, entries, before } = await context.accounts(async ({ admin, ledger }) => {
      const account = await needAccount(admin, id)
      const rows = (await ledger.heads(false)).get(id)?.rows ?? 0
      const before = readWhole(query.get('before'), rows + 1, rows + 1)
      const from = Math.max(0, before - 1 - PAGE_ROWS)
      const entries = await ledger.entriesOf(id, from, before - 1 - from)
      return { account, rows, entries: entries.reverse(), before }
    }, true)
    const body = html`<p class="note"><a href="/accounts/${id}">${account.name}</a>,
    ${countOf(rows, 'row')}</p>
${
  job !== undefined
    ? showVerdict(job)
    : html`<form class="row"
action="/accounts/${id}/ledger"><input type="hidden" name="verify" value="yes"><button>Verify the
ledger</button></form>`
}
${showEntries(entries)}
${
  before - 1 > PAGE_ROWS &&
  html`<nav class="pages" aria-label="Pages of the ledger"><a
href="?before=${before - PAGE_ROWS}" rel="next">Older</a></nav>`
}`
    return { title: 'Ledger', body }
  })
}

/** Verifies the whole ledger in a process of its own; those who ask meanwhile share it. */
async function verify({ jobs }: ConsoleContext, operator: string): Promise<Job> {
  const same = jobs.list().find(({ command, endedAt }) => command === 'ledger' && endedAt === null)
  const job = same ?? jobs.start(operator, ['ledger', 'verify'])
  await jobs.ended(job, WAIT_MS)
  return job
}

/** How long a page waits for a verification. */
const WAIT_MS = 10_000

function showVerdict({ endedAt, result, error, isWaiting }: Job): Html {
  if (endedAt === null) {
    const does = isWaiting ? 'waits for another job' : 'goes on'
    return html`<p class="card" role="status">The verification ${does}. Load this page again to
    see what it found; the page Operation lists it too.</p>`
  }
  if (result?.ok === true) {
    return html`<p class="card" role="status"><b class="good">Chain intact.</b> No row was changed,
    removed or put in between.</p>`
  }
  const { account, seq, problem = error } = (result?.bad ?? {}) as Partial<Fault>
  const place = [account && `account ${account}`, seq && `row ${seq}`].filter(Boolean).join(', ')
  const said = place === '' ? `${problem}.` : `${place}: ${problem}.`
  return html`<p class="card" role="alert"><b class="bad">Chain broken.</b> ${said}</p>`
}

function showEntries(entries: LedgerEntry[]): Html {
  if (entries.length === 0) {
    return showEmpty('Nothing was charged yet. A paid answer to one of its keys makes a row.')
  }
  return showTable(entries, [
    ['Row', ({ seq }) => seq],
    ['When', ({ at }) => showTime(at), 'time'],
    ['Tokens', ({ cost }) => showCount(cost), 'number'],
    ['Operation', ({ endpoint }) => showOperation(endpoint)],
    ['Request', ({ requestId }) => html`<code>${requestId}</code>`],
    ['Key or reason', ({ reason, keyId }) => reason ?? html`<code>${keyId ?? ''}</code>`],
  ])
}
