/** The page of one account: the gate's decision and reason, facts, keys, usage, ledger. */
import { FACTS } from '../../accounts/account-facts.ts'
import { needAccount } from '../../accounts/accounts-data.ts'
import { BLOCK_TEXTS } from '../../accounts/billing-gate.ts'
import { readSettings, setFacts } from '../../accounts/manage-accounts.ts'
import {
  createKey,
  type MadeKey,
  readLabel,
  readOverlap,
  revokeKey,
  rotateKey,
} from '../../accounts/manage-keys.ts'
import { type Standing, standingOf } from '../../accounts/standing.ts'
import { CommandError } from '../../base/errors.ts'
import { BY_HAND } from '../../billing/overage.ts'
import type { AccountRecord, KeyRecord } from '../../store/accounts-store.ts'
import type { BillingLink, OverageLine } from '../../store/billing-store.ts'
import type { OwnerLink } from '../../store/console-store.ts'
import { changesIn } from '../../store/operator-log.ts'
import { findBilling, makeAccountLink, makeBillingLink } from '../account-links.ts'
import type { ConsoleContext, PageRequest, Routes } from '../context.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { showChange, showForm, showOnce, showOptions, showTable } from '../show/parts.ts'
import { showUsage, usageOf } from '../show/usage-plot.ts'
import { countOf, showCount, showDate, showField, showTime } from '../show/words.ts'
import { addLedgerPages } from './ledger.ts'
import { showChanges } from './whois.ts'

const CHANGES_SHOWN = 30

export function addAccountPage(routes: Routes, context: ConsoleContext): void {
  routes.get('/accounts/:id', async (request) => showAccountPage(context, request))

  routes.get('/accounts/:id/usage.json', async ({ params }) => ({
    json: await context.accounts(async ({ admin }) => {
      const { id } = await needAccount(admin, params.id ?? '')
      return usageOf(admin, id, context.now())
    }, true),
  }))

  // The link opens the account's payment page, which viewers must not see.
  routes.as('operator').get('/accounts/:id/billing', async ({ params }) => ({
    redirect: makeBillingLink(context, params.id ?? ''),
  }))

  routes.post('/accounts/:id/facts', async ({ params, form, signedIn }) => {
    const id = params.id ?? ''
    // What others changed since the page was shown stays.
    const shown = new URLSearchParams(form.get('shown') ?? '')
    const changed = FACTS.flatMap(({ name }) => {
      const value = form.get(name)
      return value === null || value === shown.get(name) ? [] : [`${name}=${value}`]
    })
    if (changed.length === 0) return { redirect: `/accounts/${id}` }
    await context.accounts(async (data) => {
      await setFacts(data, id, readSettings(changed), context.now())
      await data.admin.noteAction(
        signedIn.operator,
        JSON.stringify({ action: 'account set', subject: id, changed }),
      )
    })
    return { redirect: `/accounts/${id}` }
  })

  addKeyChanges(routes, context)
  addLinkChanges(routes, context)
  addLedgerPages(routes, context)
}

function addKeyChanges(routes: Routes, context: ConsoleContext): void {
  routes.post('/accounts/:id/keys', async (request) => {
    const { params, form } = request
    const label = readLabel(form.get('label') ?? undefined)
    const made = await context.accounts(({ admin }) =>
      createKey(context.config, admin, { accountId: params.id ?? '', label }, context.now()),
    )
    await context.note(request.signedIn.operator, 'key create', made.id)
    return showAccountPage(context, request, made)
  })

  routes.post('/accounts/:id/keys/:key/rotate', async (request) => {
    const { params, form } = request
    const overlapMs = readOverlap(form.get('overlap') ?? '24h')
    const made = await context.accounts(async ({ admin }) => {
      await needOwnKey(context, params)
      return rotateKey(context.config, admin, { id: params.key ?? '', overlapMs }, context.now())
    })
    await context.note(request.signedIn.operator, 'key rotate', params.key ?? '')
    return showAccountPage(context, request, made)
  })

  routes.post('/accounts/:id/keys/:key/revoke', async ({ params, signedIn }) => {
    await needOwnKey(context, params)
    await context.accounts(({ admin }) => revokeKey(admin, params.key ?? '', context.now()))
    await context.note(signedIn.operator, 'key revoke', params.key ?? '')
    return { redirect: `/accounts/${params.id}#keys` }
  })
}

function addLinkChanges(routes: Routes, context: ConsoleContext): void {
  routes.post('/accounts/:id/links', async ({ params, signedIn }) => {
    const { id } = await context.accounts(({ admin }) => needAccount(admin, params.id ?? ''), true)
    await context.note(signedIn.operator, 'link make', id)
    return { redirect: makeAccountLink(context, id, signedIn.operator) }
  })

  routes.post('/accounts/:id/links/:link/end', async ({ params, signedIn }) => {
    const { id } = await context.accounts(({ admin }) => needAccount(admin, params.id ?? ''), true)
    context.store.endOwnerLink(id, params.link ?? '')
    await context.note(signedIn.operator, 'link end', id)
    return { redirect: `/accounts/${id}#links` }
  })
}

async function needOwnKey({ accounts }: ConsoleContext, params: Record<string, string>) {
  const keys = await accounts(({ admin }) => admin.keys(params.id ?? ''), true)
  if (keys.some(({ id }) => id === params.key)) return
  throw new CommandError(`the account ${params.id} has no key ${params.key}`)
}

async function showAccountPage(
  context: ConsoleContext,
  { params, signedIn }: PageRequest,
  made?: MadeKey,
): Promise<PageReply> {
  const id = params.id ?? ''
  const now = context.now()
  const { account, keys, newest, plans, days, billing, link, overages, changes } =
    await context.accounts(async (data) => {
      const { admin, reader } = data
      const account = await needAccount(admin, id)
      return {
        account,
        keys: await admin.keys(id),
        newest: await reader.tokenUse(id),
        plans: [...(await admin.plans()).keys()],
        days: await usageOf(admin, id, now),
        changes: changesIn(
          await data.ledger.operatorEntriesOf(id, CHANGES_SHOWN + 1),
          CHANGES_SHOWN,
        ),
        billing: await findBilling(context, data, account, `/accounts/${id}/billing`),
        link: await data.billing.linkOfAccount(id),
        overages: await data.billing.overages(id),
      }
    }, true)
  const mayChange = signedIn.role !== 'viewer'
  const csrf = mayChange ? signedIn.csrf : undefined
  const standing = standingOf(account.facts, newest, now)
  const body = html`<p class="note"><code>${id}</code>, made ${showTime(account.createdAt)}</p>
${made !== undefined && showOnce('key', 'The new key', made.key, `It is ${made.id}. `)}
${showStanding(standing)}
<nav class="actions" aria-label="More of this account"><a class="button"
href="/accounts/${id}/ledger">Ledger</a>
<a class="button" href="/accounts/${id}/watches">Watches</a>
${csrf !== undefined && showChange(csrf, `/accounts/${id}/links`, "The owner's page", {})}
${mayChange && billing !== null && html`<a class="button" href="${billing}">Billing</a>`}</nav>
<section><h2>Usage, 90 days</h2>${showUsage(days, `/accounts/${id}/usage.json`)}</section>
<section id="keys"><h2>Keys</h2>${showKeys(account, keys, now, csrf)}</section>
<section><h2>Limits and billing</h2>${link !== undefined && showLink(link)}
${showFacts(account, plans, csrf)}
${showOverages(overages)}</section>
<section id="links"><h2>Links of the owner's page</h2>${showLinks(
    context.store.ownerLinks(id, now),
    csrf,
  )}</section>
<section><h2>Changes</h2>${showChanges(changes)}</section>`
  return { title: account.name, body, late: ['uplot.css', 'usage.js'] }
}

function showLinks(links: OwnerLink[], csrf: string | undefined): Html {
  if (links.length === 0) {
    return html`<p class="note">None is valid. “The owner's page” above makes one.</p>`
  }
  return showTable(links, [
    ['Made', ({ madeAt }) => showTime(madeAt)],
    ['By', ({ operator }) => operator],
    ['Ends', ({ endsAt }) => showTime(endsAt), 'time'],
    csrf !== undefined && [
      'Change',
      ({ accountId, id, madeAt }) =>
        showChange(csrf, `/accounts/${accountId}/links/${id}/end`, 'End', {
          name: `End the link made ${showTime(madeAt)}`,
          confirm: 'End this link now? Whoever has it can no longer open the page.',
        }),
    ],
  ])
}

function showStanding({ period, used, allowance, remaining, blocked }: Standing): Html {
  const said =
    blocked === null
      ? html`<p><b class="good">Open.</b> A paid request would be answered now.</p>`
      : html`<p><b class="bad">Blocked: ${blocked.replaceAll('_', ' ')}.</b>
      ${BLOCK_TEXTS[blocked].error}.</p>
<p>${BLOCK_TEXTS[blocked].action}</p>`
  return html`<div class="card standing">${said}
<p class="note">Period ${showDate(period.start)} to ${showDate(period.end)}:
${countOf(used, 'token')} used${
    allowance === null
      ? ', no limit'
      : ` of ${showCount(allowance)}, ${showCount(remaining ?? 0)} left`
  }.</p></div>`
}

function showKeys(
  { id }: AccountRecord,
  keys: KeyRecord[],
  now: number,
  csrf: string | undefined,
): Html {
  const create =
    csrf !== undefined &&
    showForm(
      csrf,
      `/accounts/${id}/keys`,
      html`<label>What it is for <input name="label" maxlength="200"
placeholder="web shop"></label><button>Create key</button>`,
      { look: 'row' },
    )
  if (keys.length === 0) return html`<p>It has no key yet, so it cannot send requests.</p>${create}`
  const isOver = ({ revokedAt }: KeyRecord) => revokedAt !== null && revokedAt <= now
  const table = showTable(
    keys,
    [
      ['Key', ({ prefix }) => html`<code>${prefix}…</code>`],
      ['For', ({ label }) => label ?? '–'],
      ['Made', ({ createdAt }) => showTime(createdAt), 'time'],
      ['Last used', ({ lastUsedAt }) => showTime(lastUsedAt), 'time'],
      ['Ends', ({ revokedAt }) => showTime(revokedAt), 'time'],
      csrf !== undefined && [
        'Change',
        (key) => !isOver(key) && showKeyChanges(csrf, `/accounts/${id}/keys/${key.id}`, key),
      ],
    ],
    { isOver },
  )
  return html`${table}${create}`
}

function showKeyChanges(csrf: string, path: string, { label, id }: KeyRecord): Html {
  const name = label ?? id
  return html`<div class="do">${showChange(csrf, `${path}/rotate`, 'Rotate', {
    name: `Rotate ${name}: a new key; this one stays valid for a day`,
  })}${showChange(csrf, `${path}/revoke`, 'Revoke', {
    name: `Revoke ${name}`,
    confirm: `End the key ${name} now? Its callers get 401 within a second.`,
  })}</div>`
}

function showFacts({ id, facts }: AccountRecord, plans: string[], csrf: string | undefined): Html {
  const rows = FACTS.map(({ name, values, about }) => {
    const value = showFact(facts[name], name)
    const choices = name === 'plan' ? ['', ...plans] : choicesOf(values)
    const field =
      csrf === undefined
        ? html`${value || '–'}`
        : choices === undefined
          ? html`<input id="${name}" name="${name}" value="${value}">`
          : html`<select id="${name}" name="${name}">${showOptions(
              choices.map((choice) => [choice, choice || 'none'] as const),
              value,
            )}</select>`
    return html`<div><dt><label for="${name}">${showField(name)}</label></dt>
    <dd>${field}<small>${about}</small></dd></div>`
  })
  if (csrf === undefined) return html`<dl class="facts">${rows}</dl>`
  const edited = html`<details><summary>Show and change</summary><dl
class="facts edit">${rows}</dl><button>Save</button></details>`
  const shown = new URLSearchParams(FACTS.map(({ name }) => [name, showFact(facts[name], name)]))
  return showForm(
    csrf,
    `/accounts/${id}/facts`,
    html`${edited}<input type="hidden" name="shown" value="${String(shown)}">`,
  )
}

function showLink({ customer, syncedAt, problem }: BillingLink): Html {
  return html`<p class="note">Facts come from the billing provider’s customer
<code>${customer}</code>, ${syncedAt === null ? 'never read' : html`read ${showTime(syncedAt)}`}.
What it says replaces what is changed here.</p>
${problem !== null && html`<p class="bad">${problem}.</p>`}`
}

/** What an operator has to bill by hand is told in a sentence. */
function showOverages(lines: OverageLine[]): Html | false {
  if (lines.length === 0) return false
  const byHand = lines.filter(({ invoice }) => invoice === BY_HAND)
  const tokens = byHand.reduce((sum, line) => sum + line.tokens, 0)
  return html`<h3>Overage</h3>${
    tokens > 0 &&
    html`<p class="bad">The subscription ended before the invoice of
${countOf(tokens, 'token')}: bill by a final invoice.</p>`
  }${showTable(lines, [
    ['Period from', ({ period }) => showDate(period), 'time'],
    ['Tokens', (line) => showCount(line.tokens), 'number'],
    ['Ledger rows', ({ firstRow, lastRow }) => `${firstRow}–${lastRow}`],
    ['Invoice', ({ invoice, item }) => (item === null ? `${invoice}, not confirmed` : invoice)],
  ])}`
}

/** `one of a, b` and `true or false` as choices. */
function choicesOf(values: string): string[] | undefined {
  if (values === 'true or false') return ['true', 'false']
  return values.startsWith('one of ') ? values.slice(7).split(', ') : undefined
}

function showFact(value: unknown, name: string): string {
  if (value === null || value === undefined) return ''
  return name === 'pastDueSince'
    ? new Date(value as number).toISOString().slice(0, 10)
    : String(value)
}
