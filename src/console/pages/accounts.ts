/** The list of accounts, and their creation. `account.ts` shows one account. */
import { FACTS } from '../../accounts/account-facts.ts'
import {
  checkSettings,
  createAccount,
  readAccountName,
  readSettings,
} from '../../accounts/manage-accounts.ts'
import { standingOf } from '../../accounts/standing.ts'
import type { ConsoleContext } from '../context.ts'
import type { Routes } from '../routes.ts'
import { type Html, html } from '../show/html.ts'
import { showCount } from '../show/words.ts'
import { addAccountPage } from './account.ts'
import { addWatchPages } from './watches.ts'

const PAGE_ROWS = 50

type Listed = {
  id: string
  name: string
  plan: string | null
  used: number
  left: number | null
  blocked: string | null
}

export function addAccountPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/accounts', async ({ query, signedIn }) => {
    const text = (query.get('find') ?? '').trim().slice(0, 200)
    const page = Math.max(1, Math.floor(Number(query.get('page') ?? 1)) || 1)
    const now = context.now()
    const { accounts, total, plans } = await context.accounts(async ({ admin, reader }) => {
      const found = await admin.findAccounts(text, (page - 1) * PAGE_ROWS, PAGE_ROWS)
      const listed = found.accounts.map(async ({ id, name, facts }): Promise<Listed> => {
        const { used, remaining, blocked } = standingOf(facts, await reader.tokenUse(id), now)
        return { id, name, plan: facts.plan, used, left: remaining, blocked }
      })
      return {
        accounts: await Promise.all(listed),
        total: found.total,
        plans: [...(await admin.plans()).keys()],
      }
    }, true)
    const body = html`${showFind(text)}${showList(accounts, total, page, text)}
      ${signedIn.role !== 'viewer' && showCreate(signedIn.csrf, plans)}`
    return { title: 'Accounts', body }
  })

  routes.post('/accounts', async ({ form, signedIn }) => {
    const name = readAccountName(form.get('name') ?? '')
    const settings = readSettings(
      FACTS.flatMap(({ name: fact }) => {
        const value = form.get(fact)
        return value === null || value === '' ? [] : [`${fact}=${value}`]
      }),
    )
    checkSettings(settings, context.now())
    const account = await context.accounts(({ admin }) =>
      createAccount(admin, name, settings, context.now()),
    )
    await context.note(signedIn.operator, 'account create', account.id)
    return { redirect: `/accounts/${account.id}` }
  })

  addAccountPage(routes, context)
  addWatchPages(routes, context)
}

function showFind(text: string): Html {
  return html`<form action="/accounts" class="row"><label class="grow">Find by name or ID
<input type="search" name="find" value="${text}" maxlength="200"></label><button>Find</button>
</form>`
}

function showList(accounts: Listed[], total: number, page: number, text: string): Html {
  if (total === 0) {
    return text === ''
      ? html`<div class="empty"><p>There is no account yet. Each caller needs one, with a key.</p>
      </div>`
      : html`<div class="empty" role="status"><p>No account is called “${text}”.</p></div>`
  }
  const last = Math.ceil(total / PAGE_ROWS)
  const link = (to: number) => `/accounts?${new URLSearchParams({ find: text, page: String(to) })}`
  return html`<p class="summary">${showCount(total)} ${total === 1 ? 'account' : 'accounts'}</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">ID</th>
<th scope="col">Plan</th>
<th scope="col" class="number">Used</th><th scope="col" class="number">Left</th>
<th scope="col">Access</th></tr></thead>
<tbody>${accounts.map(
    ({
      id,
      name,
      plan,
      used,
      left,
      blocked,
    }) => html`<tr><th scope="row"><a href="/accounts/${id}">${name}</a></th>
<td><code>${id}</code></td><td>${plan ?? '–'}</td><td class="number">${showCount(used)}</td>
<td class="number">${left === null ? 'no limit' : showCount(left)}</td>
<td>${
      blocked === null
        ? html`<span
class="good">open</span>`
        : html`<span class="bad">${blocked.replaceAll('_', ' ')}</span>`
    }</td>
</tr>`,
  )}</tbody></table></div>
${
  last > 1 &&
  html`<nav class="pages" aria-label="Pages of the list">
${page > 1 ? html`<a href="${link(page - 1)}" rel="prev">Earlier</a>` : html`<span></span>`}
<span>page ${showCount(page)} of ${showCount(last)}</span>
${page < last ? html`<a href="${link(page + 1)}" rel="next">Later</a>` : html`<span></span>`}</nav>`
}`
}

function showCreate(csrf: string, plans: string[]): Html {
  return html`<section><h2>New account</h2><form method="post" action="/accounts" class="card">
<input type="hidden" name="csrf" value="${csrf}">
<label>Name <input name="name" required maxlength="200"></label>
${
  plans.length > 0 &&
  html`<label>Plan <select name="plan"><option value="">none</option>
${plans.map((name) => html`<option>${name}</option>`)}</select></label>`
}
<label>Included tokens <input name="includedTokens" inputmode="numeric" placeholder="unlimited"
pattern="\\d+|unlimited"></label>
<label>Overage cap <input name="overageCap" inputmode="numeric" placeholder="0"
pattern="\\d+|unlimited"></label>
<button>Create account</button></form></section>`
}
