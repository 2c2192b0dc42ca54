/** The watches of an account: made, tried, renewed and deleted, with their newest deliveries. */
import { needAccount } from '../../accounts/accounts-data.ts'
import { closing } from '../../base/at-end.ts'
import type { Account } from '../../base/model/account.ts'
import type { RequestContext } from '../../operations/operation.ts'
import { WATCH_ROUTES } from '../../operations/watches/operations.ts'
import { openAccounts } from '../../store/open.ts'
import { openDesk } from '../../watches/desk.ts'
import { openWatchWorld } from '../../watches/open-world.ts'
import type { ConsoleContext, PageRequest, Routes } from '../context.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { showChange, showEmpty, showForm, showOptions, showTable } from '../show/parts.ts'
import { countOf, showCount, showTime, wordsOf } from '../show/words.ts'

type Delivery = {
  status: string
  events: number
  attempts: number
  answer?: string | null
  createdAt: string
}
type Watch = {
  id: string
  name: string
  kind: string
  groups: string[]
  url: string | null
  status: string
  createdAt: string
  parcels?: number
  owner?: unknown
  shape?: unknown
  search?: string
  secret?: string
  deliveries?: Delivery[]
}

/** Accounts that are offered for a new watch. */
const ACCOUNTS_MAX = 50

/** What a watch may be of, and what its box then holds. */
const KINDS = Object.entries(wordsOf('watched'))

export function addWatchPages(routes: Routes, context: ConsoleContext): void {
  const list = '/accounts/:id/watches'

  // From a search or a selection: which account is to watch it.
  routes.get('/watch', async ({ query }) => {
    const { accounts } = await context.accounts(
      ({ admin }) => admin.findAccounts('', 0, ACCOUNTS_MAX),
      true,
    )
    const [only, another] = accounts
    const formOf = (id: string) => `/accounts/${id}/watches?${query.toString()}#new`
    if (only !== undefined && another === undefined) return { redirect: formOf(only.id) }
    const body = html`<p class="summary">Whose watch is it?</p>
<ul>${accounts.map(({ id, name }) => html`<li><a href="${formOf(id)}">${name}</a></li>`)}</ul>
<p class="note">Others: <a href="/accounts">accounts</a>, and there “Watches”.</p>`
    return { title: 'New watch', body }
  })

  routes.get(list, async ({ params, query, csrf }) => {
    const { account, body } = await askWatches(context, params, 'listWatches')
    const { watches, metadata } = body as { watches: Watch[]; metadata: { watchesMax: number } }
    const shown = html`${showList(account.id, watches, metadata.watchesMax)}
      ${csrf !== undefined && showNew(account.id, csrf, query)}`
    return { title: `Watches of ${account.name}`, body: shown }
  })

  routes.post(list, async (request) => {
    const { params, form, signedIn } = request
    const made = await askWatches(context, params, 'createWatch', readForm(form))
    const watch = made.body as Watch
    await context.note(signedIn.operator, 'watch create', watch.id)
    return showWatch(made.account, watch, request)
  })

  routes.get(`${list}/:watch`, async (request) => {
    const { account, body } = await askWatches(context, request.params, 'readWatch')
    return showWatch(account, body as Watch, request)
  })

  routes.post(`${list}/:watch/test`, async (request) => {
    const { body } = await askWatches(context, request.params, 'testWatch')
    await context.note(request.signedIn.operator, 'watch test', request.params.watch ?? '')
    const { account, body: watch } = await askWatches(context, request.params, 'readWatch')
    const { delivered, answer } = body as { delivered: boolean; answer: string }
    const told = delivered ? `The test event arrived: ${answer}.` : `It did not arrive: ${answer}.`
    return showWatch(account, watch as Watch, request, told)
  })

  for (const [path, change] of [
    ['resume', { status: 'active' }],
    ['secret', { rotateSecret: true }],
  ] as const) {
    routes.post(`${list}/:watch/${path}`, async (request) => {
      const { account, body } = await askWatches(context, request.params, 'changeWatch', change)
      await context.note(request.signedIn.operator, `watch ${path}`, request.params.watch ?? '')
      return showWatch(account, body as Watch, request)
    })
  }

  routes.post(`${list}/:watch/delete`, async ({ params, signedIn }) => {
    const { account } = await askWatches(context, params, 'deleteWatch')
    await context.note(signedIn.operator, 'watch delete', params.watch ?? '')
    return { redirect: `/accounts/${account.id}/watches` }
  })
}

/** Asks as the account would over HTTP. Throws the operation's refusals. */
async function askWatches(
  context: ConsoleContext,
  { id = '', watch = '' }: Record<string, string>,
  operationId: string,
  given: object = {},
): Promise<{ account: Account; body: unknown }> {
  const route = WATCH_ROUTES.find(({ operation }) => operation.operationId === operationId)
  if (route === undefined) throw new Error(`no operation ${operationId}`)
  const account = await context.accounts(({ admin }) => needAccount(admin, id), true)
  await using accounts = closing(await openAccounts(context.config))
  const stores = { accounts, parcels: await context.parcels() }
  const world = openWatchWorld(context.config, stores, {
    now: context.now,
    alarm: context.report,
  })
  const request = { account, watches: openDesk(world), idempotencyKey: undefined }
  const text = route.takesBody ? JSON.stringify(given) : ''
  const answer = route.operation.read(text, account.facts, { id: watch })
  const { body } = await answer(request as unknown as RequestContext)
  return { account, body: body.length === 0 ? undefined : JSON.parse(String(body)) }
}

/** The form's fields as the operation takes them. */
function readForm(form: URLSearchParams): object {
  const kind = form.get('kind') ?? ''
  const what = (form.get('what') ?? '').trim()
  const state = (form.get('state') ?? '').trim()
  const conditions: Record<string, object> = {
    parcels: { propertyIds: what.split(/[\s,;]+/).filter((one) => one !== '') },
    owner: { owner: what, ...(state !== '' && { state }) },
    search: { search: what.replace(/^\?/, '') },
    shape: { shape: what },
  }
  const url = (form.get('url') ?? '').trim()
  return { kind, name: form.get('name') ?? '', ...(url !== '' && { url }), ...conditions[kind] }
}

function showList(account: string, watches: Watch[], most: number): Html {
  if (watches.length === 0) {
    return showEmpty(
      `This account watches nothing yet. A watch sends a signed message when an import changes
parcels, an owner's parcels, an area or a search.`,
      'Make one below, or press “Watch it” on a search or a selection.',
    )
  }
  return html`<p class="summary">${showCount(watches.length)} of at most ${showCount(most)}</p>
${showTable(watches, [
  [
    'Name',
    ({ id, name }) =>
      html`<a href="/accounts/${account}/watches/${id}">${name === '' ? id : name}</a>`,
  ],
  ['Of', ({ kind }) => kind],
  ['Sent to', ({ url }) => url ?? 'nobody; its events are read', 'wide'],
  ['State', ({ status }) => showStatus(status)],
  ['Made', ({ createdAt }) => showTime(Date.parse(createdAt)), 'time'],
])}`
}

function showStatus(status: string): Html {
  return status === 'active'
    ? html`<span class="good">active</span>`
    : html`<span class="bad">failing: nothing more is sent</span>`
}

/** Links to the form of a watch. `what`: as its box takes it. */
export function linkWatch(kind: string, what: string, state = ''): Html {
  const query = new URLSearchParams({ kind, what, ...(state !== '' && { state }) })
  return html`<a href="/watch?${query.toString()}">Watch it</a>`
}

/** `query`: what the form begins with. */
function showNew(account: string, csrf: string, query: URLSearchParams): Html {
  const given = (name: string) => query.get(name) ?? ''
  const fields = html`<label>Name <input name="name" maxlength="200"></label>
<label class="broad">Of <select name="kind">${showOptions(KINDS, given('kind'))}</select></label>
<label>State, for an owner <input name="state" maxlength="2" size="2"
value="${given('state')}"></label>
<label class="whole">What
<textarea name="what" rows="3" required>${given('what')}</textarea></label>
<label class="whole">Send to, or nothing: then events are only read
<input type="url" name="url" maxlength="1000" placeholder="https://"></label>
<button>Make the watch</button>`
  const form = showForm(csrf, `/accounts/${account}/watches`, fields, { look: 'card' })
  return html`<section id="new"><h2>New watch</h2>${form}</section>`
}

function showWatch(
  { id, name: owner }: Account,
  watch: Watch,
  { csrf }: PageRequest,
  told?: string,
): PageReply {
  const path = `/accounts/${id}/watches/${watch.id}`
  const button = (action: string, text: string) =>
    csrf !== undefined &&
    showChange(csrf, `${path}/${action}`, text, { isBad: action === 'delete' })
  const body = html`<p><a href="/accounts/${id}/watches">Watches of ${owner}</a></p>
${told !== undefined && html`<p role="status">${told}</p>`}
${
  watch.secret !== undefined &&
  html`<div class="card" role="status"><p>Deliveries are signed with this secret. It is shown only
now.</p><p><code>${watch.secret}</code></p></div>`
}
<dl class="facts"><div><dt>Of</dt><dd>${describeCondition(watch)}</dd></div>
<div><dt>Changes of</dt>
<dd>${watch.groups.length === 0 ? 'anything' : watch.groups.join(', ')}</dd></div>
<div><dt>Sent to</dt><dd>${watch.url ?? 'nobody; its events are read'}</dd></div>
<div><dt>State</dt><dd>${showStatus(watch.status)}</dd></div></dl>
${
  csrf !== undefined &&
  html`<div class="actions">${watch.url !== null && button('test', 'Send a test event')}
${watch.status === 'failing' && button('resume', 'Deliver again')}
${button('secret', 'New secret')}${button('delete', 'Delete the watch')}</div>`
}
<section><h2>Newest deliveries</h2>${showDeliveries(watch.deliveries ?? [])}</section>`
  return { title: watch.name === '' ? `Watch ${watch.id}` : watch.name, body }
}

function describeCondition({ kind, parcels, owner, search, shape }: Watch): string {
  if (kind === 'parcels') return countOf(Number(parcels ?? 0), 'parcel')
  if (kind === 'search') return `the search ${search ?? ''}`
  return kind === 'owner' ? `the owner ${textOf(owner)}` : `the area ${textOf(shape)}`
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function showDeliveries(deliveries: Delivery[]): Html {
  if (deliveries.length === 0) return html`<p class="note">Nothing was sent yet.</p>`
  return showTable(deliveries, [
    ['When', ({ createdAt }) => showTime(Date.parse(createdAt))],
    ['Events', ({ events }) => showCount(events), 'number'],
    ['State', ({ status }) => status],
    ['Attempts', ({ attempts }) => showCount(attempts), 'number'],
    ['Answer', ({ answer }) => answer ?? '–'],
  ])
}
