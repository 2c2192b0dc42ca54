/** The rows of an account's ledger, and their verification. */
import { needAccount } from '../../accounts/accounts-data.ts'
import { judgeLedger, verifyLedger } from '../../ledger/verify.ts'
import type { LedgerEntry, LedgerStore } from '../../store/accounts-store.ts'
import { headsPlaces, type KeptHeads, readHeads } from '../../store/heads.ts'
import type { ConsoleContext } from '../context.ts'
import type { Routes } from '../routes.ts'
import { type Html, html } from '../show/html.ts'
import { showCount, showOperation, showTime } from '../show/words.ts'

const PAGE_ROWS = 100

export function addLedgerPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/accounts/:id/ledger', async ({ params, query }) => {
    const id = params.id ?? ''
    const isVerifying = query.get('verify') === 'yes'
    // Read before the database.
    const noted = isVerifying ? await readNoted(context) : []
    const { account, rows, entries, problem, before } = await context.accounts(
      async ({ admin, ledger }) => {
        const account = await needAccount(admin, id)
        const rows = (await ledger.heads(false)).get(id)?.rows ?? 0
        const before = Math.min(rows + 1, Number(query.get('before')) || rows + 1)
        const from = Math.max(0, before - 1 - PAGE_ROWS)
        const entries = await ledger.entriesOf(id, from, before - 1 - from)
        const problem = isVerifying ? await findProblem(ledger, noted) : undefined
        return { account, rows, entries: entries.reverse(), problem, before }
      },
      true,
    )
    const body = html`<p class="note"><a href="/accounts/${id}">${account.name}</a>,
    ${showCount(rows)} rows</p>
${
  isVerifying
    ? showVerdict(problem)
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

async function readNoted({ config }: ConsoleContext): Promise<KeptHeads[]> {
  const noted = await Promise.all(headsPlaces(config).map(readHeads))
  return noted.filter((kept) => kept !== undefined)
}

/** Describes the first fault of the whole ledger; `undefined` for none. */
async function findProblem(ledger: LedgerStore, noted: KeptHeads[]): Promise<string | undefined> {
  const { bad } = await judgeLedger(() => verifyLedger(ledger, { noted }))
  if (bad === undefined) return undefined
  const { account, seq, problem } = bad
  const place = [account && `account ${account}`, seq && `row ${seq}`].filter(Boolean).join(', ')
  return place === '' ? `${problem}.` : `${place}: ${problem}.`
}

function showVerdict(problem: string | undefined): Html {
  return problem === undefined
    ? html`<p class="card" role="status"><b class="good">Chain intact.</b> No row was changed,
    removed or put in between.</p>`
    : html`<p class="card" role="alert"><b class="bad">Chain broken.</b> ${problem}</p>`
}

function showEntries(entries: LedgerEntry[]): Html {
  if (entries.length === 0) return html`<div class="empty"><p>Nothing was charged yet.</p></div>`
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Row</th>
  <th scope="col">When</th>
<th scope="col" class="number">Tokens</th><th scope="col">Operation</th><th scope="col">Request</th>
<th scope="col">Key or reason</th></tr></thead>
<tbody>${entries.map(
    ({
      seq,
      at,
      cost,
      endpoint,
      requestId,
      keyId,
      reason,
    }) => html`<tr><th scope="row">${seq}</th><td class="time">${showTime(at)}</td>
<td class="number">${cost}</td><td>${showOperation(endpoint)}</td><td><code>${requestId}</code></td>
<td>${reason ?? html`<code>${keyId ?? ''}</code>`}</td></tr>`,
  )}</tbody></table></div>`
}
