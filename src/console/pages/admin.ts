/** What only an admin does: operators of the console, and the prices of operations. */
import { CommandError } from '../../base/errors.ts'
import { ROLES } from '../../store/console-store.ts'
import type { ConsoleContext } from '../context.ts'
import { listPrices, putPrice } from '../prices.ts'
import type { PageReply, PageRequest, Routes } from '../routes.ts'
import { type Html, html } from '../show/html.ts'
import { showCount, showOperation, showTime } from '../show/words.ts'
import { disableOperator, putOperator, readOperatorName, readRole } from '../sign-in/operators.ts'

const MAY: Record<string, string> = {
  viewer: 'sees everything',
  operator: 'also imports rolls, and makes and changes accounts and keys',
  admin: 'also operators, prices and privacy',
}

export function addAdminPages(routes: Routes, context: ConsoleContext): void {
  const { store, now, note } = context
  routes.get('/admin', (request) => showAdmin(context, request), 'admin')

  routes.post(
    '/admin/operators',
    async (request) => {
      const name = readOperatorName((request.form.get('name') ?? '').trim())
      const role = readRole(request.form.get('role') ?? undefined)
      if (name === request.signedIn.operator) throw new CommandError(OWN)
      const passphrase = await putOperator(store, { name, role, now: now() })
      await note(request.signedIn.operator, `operator create --role ${role}`, name)
      return showAdmin(context, request, { name, passphrase })
    },
    'admin',
  )

  routes.post(
    '/admin/operators/:name/disable',
    async ({ params, signedIn }) => {
      const { name = '' } = params
      if (name === signedIn.operator) throw new CommandError(OWN)
      disableOperator(store, name, now())
      await note(signedIn.operator, 'operator disable', name)
      return { redirect: '/admin' }
    },
    'admin',
  )

  routes.post(
    '/admin/prices',
    async ({ form, signedIn }) => {
      const asked = { operation: form.get('operation') ?? '', tokens: form.get('tokens') ?? '' }
      const { operation, tokens } = await context.accounts(({ admin }) => putPrice(admin, asked))
      await note(signedIn.operator, `price set ${tokens}`, operation)
      return { redirect: '/admin#prices' }
    },
    'admin',
  )
}

const OWN = 'this would end your own session; another admin can do it, or the command line'

type Made = { name: string; passphrase: string }

async function showAdmin(
  context: ConsoleContext,
  { signedIn }: PageRequest,
  made?: Made,
): Promise<PageReply> {
  const { csrf } = signedIn
  const prices = listPrices(await context.prices(), context.config.prices)
  const body = html`${made !== undefined && showMade(made)}
<section><h2>Operators</h2>${showOperators(context, signedIn.operator, csrf)}
<form method="post" action="/admin/operators" class="row">
<input type="hidden" name="csrf" value="${csrf}">
<label>Name <input name="name" required maxlength="64" autocomplete="off"></label>
<label>Role <select name="role">${ROLES.map(
    (role) => html`<option value="${role}">${role}: ${MAY[role]}</option>`,
  )}</select></label>
<button>Make the operator</button></form>
<p class="note">A name that is there gets the new role and a new passphrase, and its sessions
end.</p></section>
<section id="prices"><h2>Prices</h2><p class="note">What a found answer costs a caller. A change
takes effect within a second, for every account.</p>
<div class="scroll" tabindex="0"><table class="compact"><thead><tr><th scope="col">Operation</th>
<th scope="col" class="number">Tokens</th>
<th scope="col" class="number">Without a price of yours</th>
<th scope="col">Change</th></tr></thead><tbody>${prices.map(
    (price) => html`<tr><th scope="row">${showOperation(price.operation)}</th>
<td class="number">${showCount(price.tokens)}</td>
<td class="number">${showCount(price.default)}</td>
<td><form method="post" action="/admin/prices" class="inline">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="operation" value="${price.operation}">
<input name="tokens" size="7" inputmode="numeric" pattern="\\d{1,7}" required
value="${price.tokens}" aria-label="Tokens of ${showOperation(price.operation)}">
<button class="quiet" aria-label="Set ${showOperation(price.operation)}">Set</button></form></td>
</tr>`,
  )}</tbody></table></div></section>`
  return { title: 'Operators and prices', body }
}

function showMade({ name, passphrase }: Made): Html {
  return html`<div class="card made" role="status">
<p><b>The passphrase of ${name}, shown this once:</b></p>
<figure class="code"><figcaption>passphrase</figcaption><button class="quiet" data-copy autofocus
aria-label="Copy the passphrase">Copy</button><pre tabindex="0">${passphrase}</pre></figure>
<p class="note">Only its hash is kept, so nobody can show it again.</p></div>`
}

function showOperators({ store }: ConsoleContext, own: string, csrf: string): Html {
  const operators = store.operators()
  if (operators.length === 0) {
    return html`<div class="empty"><p>Nobody has a name here yet: everyone comes by the link that
<code>start</code> prints. Make an operator for each person, so that the log says who did
what.</p></div>`
  }
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Name</th>
<th scope="col">Role</th><th scope="col">Made</th><th scope="col">Disabled</th>
<th scope="col">Change</th></tr></thead><tbody>${operators.map(
    ({ name, role, createdAt, disabledAt }) =>
      html`<tr${disabledAt !== null && html` class="over"`}><th scope="row">${name}</th>
<td>${role}</td><td class="time">${showTime(createdAt)}</td>
<td class="time">${showTime(disabledAt)}</td><td>${
        disabledAt === null &&
        name !== own &&
        html`<form method="post" action="/admin/operators/${encodeURIComponent(name)}/disable"
class="inline" data-confirm="End the sessions of ${name}, who can then no longer sign in?">
<input type="hidden" name="csrf" value="${csrf}"><button class="quiet bad"
aria-label="Disable ${name}">Disable</button></form>`
      }</td></tr>`,
  )}</tbody></table></div>`
}
