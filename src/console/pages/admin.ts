/** What only an admin does: operators of the console, and the prices of operations. */
import { CommandError } from '../../base/errors.ts'
import { ROLES } from '../../store/console-store.ts'
import type { ConsoleContext, PageRequest, Routes } from '../context.ts'
import { listPrices, putPrice } from '../prices.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { showChange, showEmpty, showForm, showOnce, showOptions, showTable } from '../show/parts.ts'
import { showCount, showOperation, showTime, wordsOf } from '../show/words.ts'
import { disableOperator, putOperator, readOperatorName, readRole } from '../sign-in/operators.ts'

const MAY = wordsOf('roles')

export function addAdminPages(routes: Routes, context: ConsoleContext): void {
  const { store, now, note } = context
  const admin = routes.as('admin')
  admin.get('/admin', (request) => showAdmin(context, request))

  admin.post('/admin/operators', async (request) => {
    const name = readOperatorName((request.form.get('name') ?? '').trim())
    const role = readRole(request.form.get('role') ?? undefined)
    if (name === request.signedIn.operator) throw new CommandError(OWN)
    const passphrase = await putOperator(store, { name, role, now: now() })
    await note(request.signedIn.operator, `operator create --role ${role}`, name)
    return showAdmin(context, request, { name, passphrase })
  })

  admin.post('/admin/operators/:name/disable', async ({ params, signedIn }) => {
    const { name = '' } = params
    if (name === signedIn.operator) throw new CommandError(OWN)
    disableOperator(store, name, now())
    await note(signedIn.operator, 'operator disable', name)
    return { redirect: '/admin' }
  })

  admin.post('/admin/prices', async ({ form, signedIn }) => {
    const asked = { operation: form.get('operation') ?? '', tokens: form.get('tokens') ?? '' }
    const { operation, tokens } = await context.accounts(({ admin }) => putPrice(admin, asked))
    await note(signedIn.operator, `price set ${tokens}`, operation)
    return { redirect: '/admin#prices' }
  })
}

const OWN = 'this would end your own session; another admin can do it, or the command line'

async function showAdmin(
  context: ConsoleContext,
  { signedIn }: PageRequest,
  made?: { name: string; passphrase: string },
): Promise<PageReply> {
  const { csrf } = signedIn
  const prices = listPrices(await context.prices(), context.config.prices)
  const body = html`${
    made !== undefined && showOnce('passphrase', `The passphrase of ${made.name}`, made.passphrase)
  }
<section><h2>Operators</h2>${showOperators(context, signedIn.operator, csrf)}
${showForm(
  csrf,
  '/admin/operators',
  html`<label>Name <input name="name" required maxlength="64" autocomplete="off"></label>
<label>Role <select name="role">${showOptions(
    ROLES.map((role) => [role, `${role}: ${MAY[role]}`] as const),
  )}</select></label>
<button>Make the operator</button>`,
  { look: 'row' },
)}
<p class="note">A name that is there gets the new role and a new passphrase, and its sessions
end.</p></section>
<section id="prices"><h2>Prices</h2><p class="note">What a found answer costs a caller. A change
takes effect within a second, for every account.</p>
${showTable(
  prices,
  [
    ['Operation', ({ operation }) => showOperation(operation)],
    ['Tokens', ({ tokens }) => showCount(tokens), 'number'],
    ['Preset', (price) => showCount(price.default), 'number'],
    ['Change', (price) => showPrice(csrf, price)],
  ],
  { className: 'compact' },
)}</section>`
  return { title: 'Operators and prices', body }
}

function showPrice(csrf: string, { operation, tokens }: { operation: string; tokens: number }) {
  const title = showOperation(operation)
  const fields = html`<input type="hidden" name="operation" value="${operation}">
<input name="tokens" size="7" inputmode="numeric" pattern="\\d{1,7}" required
value="${tokens}" aria-label="Tokens of ${title}">
<button class="quiet" aria-label="Set ${title}">Set</button>`
  return showForm(csrf, '/admin/prices', fields, { look: 'do' })
}

function showOperators({ store }: ConsoleContext, own: string, csrf: string): Html {
  const operators = store.operators()
  if (operators.length === 0) {
    return showEmpty(html`Nobody has a name here yet: everyone comes by the link that
<code>start</code> prints. Make an operator for each person, so that the log says who did what.`)
  }
  return showTable(
    operators,
    [
      ['Name', ({ name }) => name],
      ['Role', ({ role }) => role],
      ['Made', ({ createdAt }) => showTime(createdAt), 'time'],
      ['Disabled', ({ disabledAt }) => showTime(disabledAt), 'time'],
      [
        'Change',
        ({ name, disabledAt }) =>
          disabledAt === null &&
          name !== own &&
          showChange(csrf, `/admin/operators/${encodeURIComponent(name)}/disable`, 'Disable', {
            name: `Disable ${name}`,
            confirm: `End the sessions of ${name}, who can then no longer sign in?`,
          }),
      ],
    ],
    { isOver: ({ disabledAt }) => disabledAt !== null },
  )
}
