/** The list of accounts, and their creation. `account.ts` shows one account. */
import { FACTS } from '../../accounts/account-facts.ts'
import {
  checkSettings,
  createAccount,
  readAccountName,
  readSettings,
} from '../../accounts/manage-accounts.ts'
import { standingOf } from '../../accounts/standing.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { type Html, html } from '../show/html.ts'
import { readWhole, showEmpty, showForm, showOptions, showPages, showTable } from '../show/parts.ts'
import { countOf, showCount } from '../show/words.ts'
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

/** More than any service has accounts. */
const PAGES_MAX = 1_000_000

export function addAccountPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/accounts', async ({ query, signedIn }) => {
    const text = (query.get('find') ?? '').trim().slice(0, 200)
    const page = readWhole(query.get('page'), PAGES_MAX)
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
      ? showEmpty('There is no account yet. Each caller needs one, with a key: make it below.')
      : showEmpty(`No account is called “${text}”.`, html`<a href="/accounts">All accounts</a>`)
  }
  const last = Math.ceil(total / PAGE_ROWS)
  const link = (to: number) => `/accounts?${new URLSearchParams({ find: text, page: String(to) })}`
  const table = showTable(accounts, [
    ['Name', ({ id, name }) => html`<a href="/accounts/${id}">${name}</a>`],
    ['ID', ({ id }) => html`<code>${id}</code>`],
    ['Plan', ({ plan }) => plan ?? '–'],
    ['Used', ({ used }) => showCount(used), 'number'],
    ['Left', ({ left }) => (left === null ? 'no limit' : showCount(left)), 'number'],
    [
      'Access',
      ({ blocked }) =>
        blocked === null
          ? html`<span class="good">open</span>`
          : html`<span class="bad">${blocked.replaceAll('_', ' ')}</span>`,
    ],
  ])
  return html`<p class="summary">${countOf(total, 'account')}</p>${table}
${showPages('the list', { page, last, link })}`
}

function showCreate(csrf: string, plans: string[]): Html {
  const fields = html`<label>Name <input name="name" required maxlength="200"></label>
${
  plans.length > 0 &&
  html`<label>Plan <select name="plan">${showOptions([
    ['', 'none'],
    ...plans.map((name) => [name, name] as const),
  ])}</select></label>`
}
<label>Included tokens <input name="includedTokens" inputmode="numeric" placeholder="unlimited"
pattern="\\d+|unlimited"></label>
<label>Overage cap <input name="overageCap" inputmode="numeric" placeholder="0"
pattern="\\d+|unlimited"></label>
<button>Create account</button>`
  const form = showForm(csrf, '/accounts', fields, { look: 'card' })
  return html`<section><h2>New account</h2>${form}</section>`
}
