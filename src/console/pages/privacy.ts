/** The page of suppressions with their review dates, and of who was shown a parcel. */
import { CommandError } from '../../base/errors.ts'
import type { Suppression } from '../../base/model/suppression.ts'
import { whoSaw } from '../../privacy/search-audit.ts'
import { countyTitle } from '../../regions/counties.ts'
import type { AuditEntry } from '../../store/audit/audit-store.ts'
import type { ConsoleContext } from '../context.ts'
import type { Job } from '../jobs.ts'
import type { Routes } from '../routes.ts'
import { type Html, html } from '../show/html.ts'
import { JOBS_SCRIPT, showJobs } from '../show/jobs.ts'
import { showCount, showDate, showOperation, showTime } from '../show/words.ts'
import { addSuppressPages, showSuppressForm } from './suppress.ts'

const ID_MAX = 200
/** Most suppressions and answers on one page. */
const SHOWN_MAX = 200
const SOON_DAYS = 14
const DAY_MS = 86_400_000

const isSuppression = ({ command }: Job) => command === 'suppress'

export function addPrivacyPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/privacy', async ({ query, signedIn }) => {
    const propertyId = (query.get('property') ?? '').slice(0, ID_MAX).trim()
    const isAdmin = signedIn.role === 'admin'
    const all = await context.accounts(({ admin }) => admin.suppressions(), true)
    const seen = isAdmin && propertyId !== '' ? await readAnswers(context, propertyId) : undefined
    const csrf = isAdmin ? signedIn.csrf : undefined
    const jobs = isAdmin && showJobs(context.jobs.list(), csrf, isSuppression)
    const body = html`${showDue(all, context.now())}${jobs}
<div data-fresh>${showSuppressions(all, csrf)}</div>
${csrf !== undefined && html`<section><h2>Suppress</h2>${showSuppressForm(csrf)}</section>`}
<section><h2>Who saw a
parcel</h2>${isAdmin ? showAsk(propertyId) : html`<p>Only an admin may ask who saw a parcel.</p>`}
${seen && showAnswers(propertyId, seen)}</section>
<section><h2>What the console itself keeps</h2><ul>
<li>What operators change, with their name, in the operator log. It is on
<a href="/operation">Operation</a>.</li>
<li>No search of an operator, and no owner's name in any log.</li></ul></section>`
    return { title: 'Privacy', body, scripts: [JOBS_SCRIPT] }
  })

  addSuppressPages(routes, context)
  routes.post(
    '/privacy/:id/expire',
    async ({ params, signedIn }) => {
      await endSuppression(context, params.id ?? '', signedIn.operator)
      return { redirect: '/privacy' }
    },
    'admin',
  )
}

async function endSuppression(
  { accounts, note, now }: ConsoleContext,
  id: string,
  operator: string,
): Promise<void> {
  await accounts(async ({ admin }) => {
    const one = (await admin.suppressions()).find((candidate) => candidate.id === id)
    if (one === undefined) throw new CommandError(`there is no suppression ${id}`)
    await admin.putSuppressions([{ ...one, endedAt: one.endedAt ?? now() }])
  })
  await note(operator, 'suppress expire', id)
}

type Answers = { newest: AuditEntry[]; total: number }

/** Reads the newest answers with a parcel, the newest first. */
async function readAnswers(context: ConsoleContext, propertyId: string): Promise<Answers> {
  return context.accounts(async ({ audit }) => {
    const newest: AuditEntry[] = []
    let total = 0
    for await (const entry of whoSaw(audit, propertyId)) {
      total += 1
      newest.push(entry)
      if (newest.length > 2 * SHOWN_MAX) newest.splice(0, SHOWN_MAX)
    }
    return { newest: newest.slice(-SHOWN_MAX).reverse(), total }
  }, true)
}

/** Shows suppressions in force whose review day has come or comes soon. */
function showDue(all: readonly Suppression[], now: number): Html {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  const [today, soon] = [dayOf(now), dayOf(now + SOON_DAYS * DAY_MS)]
  const ending = all.filter(
    ({ endedAt, until }) => endedAt === null && until !== null && until <= soon,
  )
  const due = ending.filter(({ until }) => (until ?? '') < today).length
  const next = ending.length - due
  if (due + next === 0) return html``
  const words = [
    due > 0 && `${showCount(due)} ${due === 1 ? 'is' : 'are'} past the day to look at it again`,
    next > 0 && `${showCount(next)} come due within ${SOON_DAYS} days`,
  ].filter(Boolean)
  return html`<p class="card" role="status"><b>To be looked at.</b> ${words.join('; ')}.
    What is past its day stays hidden until an admin ends it.</p>`
}

/** `csrf`: of an admin, who may end them. */
function showSuppressions(all: readonly Suppression[], csrf: string | undefined): Html {
  if (all.length === 0) {
    return html`<div class="empty"><p><b>Nobody is suppressed.</b></p>
<p>A person who must not be found is hidden at once and in every later import. ${
      csrf === undefined ? 'An admin does that here.' : 'Fill in the form below.'
    }</p></div>`
  }
  const inForce = all.filter(({ endedAt }) => endedAt === null)
  const of = (kind: Suppression['kind']) => inForce.filter((one) => one.kind === kind).length
  const ordered = [...all].sort(
    (one, other) =>
      Number(one.endedAt !== null) - Number(other.endedAt !== null) ||
      (one.until ?? '9').localeCompare(other.until ?? '9'),
  )
  const more = ordered.length - SHOWN_MAX
  return html`<dl class="numbers"><div><dt>In force</dt><dd>${showCount(inForce.length)}</dd></div>
<div><dt>Owners</dt><dd>${showCount(of('owner'))}</dd></div><div><dt>Addresses</dt>
<dd>${showCount(of('address'))}</dd></div>
<div><dt>Parcels</dt><dd>${showCount(of('property'))}</dd></div><div><dt>Ended</dt>
<dd>${showCount(all.length - inForce.length)}</dd></div></dl>
<section><h2>Suppressions</h2><div class="scroll" tabindex="0"><table><thead><tr>
<th scope="col">ID</th><th scope="col">Of</th><th scope="col">Hides</th>
<th scope="col">Where</th><th scope="col">Basis</th><th scope="col">Since</th>
<th scope="col">Look again</th><th scope="col">In force</th></tr></thead>
<tbody>${ordered.slice(0, SHOWN_MAX).map((one) => showSuppression(one, csrf))}</tbody></table></div>
<p class="note">${more > 0 && `${showCount(more)} more: platbook suppress list. `}No name and no
address is kept, so none is shown:
<code>platbook suppress test NAME</code> says whether one is hidden.</p></section>`
}

function showSuppression(one: Suppression, csrf: string | undefined): Html {
  const { id, kind, scope, state, fips, basis, createdAt, until, endedAt } = one
  const county = countyTitle(fips) ?? ''
  const where = [county, state].filter((part) => part !== '').join(', ') || 'everywhere'
  const hides = { owner: 'owner', address: 'address', both: 'the whole parcel' }[scope]
  const end =
    csrf !== undefined &&
    html`<form method="post" action="/privacy/${id}/expire" class="inline"
data-confirm="End ${id}? What it hid is shown again after the next import of its county.">
<input type="hidden" name="csrf" value="${csrf}"><button class="quiet bad"
aria-label="End ${id}">End</button></form>`
  const ended = endedAt === null ? html`yes ${end}` : `ended ${showDay(endedAt)}`
  return html`<tr><th scope="row"><code>${id}</code></th><td>${kind}</td><td>${hides}</td>
  <td>${where}</td>
<td class="wide">${basis}</td><td class="time">${showDay(createdAt)}</td>
<td class="time">${showDate(until) ?? '–'}</td><td class="time">${ended}</td>
</tr>`
}

function showDay(at: number): string {
  return showDate(new Date(at).toISOString()) ?? ''
}

function showAsk(propertyId: string): Html {
  return html`<form action="/privacy" class="row"><label class="grow">Property ID, as answers show
  it
<input type="search" name="property" value="${propertyId}" maxlength="${ID_MAX}"
placeholder="55025-0709-123-0101-4"></label><button>Ask the audit</button></form>`
}

function showAnswers(propertyId: string, { newest, total }: Answers): Html {
  if (total === 0) {
    return html`<div class="empty" role="status">
    <p>No answer that is still in the audit showed ${propertyId}.
Free answers of the last second may be missing; answers are kept for the days that
PLATBOOK_AUDIT_DAYS says.</p></div>`
  }
  return html`<p class="summary" role="status">${showCount(total)}
  ${total === 1 ? 'answer' : 'answers'} showed ${propertyId}</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">When</th>
<th scope="col">Account</th><th scope="col">Key</th>
<th scope="col">Operation</th><th scope="col" class="number">Parcels</th>
<th scope="col">Request</th></tr></thead>
<tbody>${newest.map(
    ({ at, accountId, keyId, operation, ids, requestId }) =>
      html`<tr><th scope="row">${showTime(at)}</th>
      <td><a href="/accounts/${accountId}">${accountId}</a></td>
<td><code>${keyId}</code></td><td>${showOperation(operation)}</td>
<td class="number">${showCount(ids.split('\n').length)}</td><td><code>${requestId}</code></td>
</tr>`,
  )}</tbody></table></div>
${
  total > newest.length &&
  html`<p class="note">and ${showCount(total - newest.length)} earlier
ones: platbook audit who-saw ${propertyId}</p>`
}`
}
