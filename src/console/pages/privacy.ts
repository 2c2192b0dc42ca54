/** The page of suppressions with their review dates, and of who was shown a parcel. */
import { DAY_MS } from '../../base/days.ts'
import { CommandError } from '../../base/errors.ts'
import type { Suppression } from '../../base/model/suppression.ts'
import { whoSaw } from '../../privacy/audit.ts'
import { countyTitle } from '../../regions/counties.ts'
import type { AuditEntry } from '../../store/audit/audit-store.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { type Html, html } from '../show/html.ts'
import { JOBS_SCRIPT, showJobs } from '../show/jobs.ts'
import { showChange, showEmpty, showTable } from '../show/parts.ts'
import { countOf, showCount, showDate, showOperation, showTime } from '../show/words.ts'
import { addSuppressPages, showSuppressForm } from './suppress.ts'

const ID_MAX = 200
/** Most suppressions and answers on one page. */
const SHOWN_MAX = 200
const SOON_DAYS = 14

export function addPrivacyPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/privacy', async ({ query, signedIn }) => {
    const propertyId = (query.get('property') ?? '').slice(0, ID_MAX).trim()
    const isAdmin = signedIn.role === 'admin'
    const all = await context.accounts(({ admin }) => admin.suppressions(), true)
    const seen = isAdmin && propertyId !== '' ? await readAnswers(context, propertyId) : undefined
    const csrf = isAdmin ? signedIn.csrf : undefined
    const jobs = isAdmin && showJobs(context.jobs, csrf, ['suppress'])
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
    return { title: 'Privacy', body, late: [JOBS_SCRIPT] }
  })

  addSuppressPages(routes, context)
  routes.as('admin').post('/privacy/:id/expire', async ({ params, signedIn }) => {
    await endSuppression(context, params.id ?? '', signedIn.operator)
    return { redirect: '/privacy' }
  })
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
    return showEmpty(
      html`<b>Nobody is suppressed.</b>`,
      `A person who must not be found is hidden at once and in every later import. ${
        csrf === undefined ? 'An admin does that here.' : 'Fill in the form below.'
      }`,
    )
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
<section><h2>Suppressions</h2>${showTable(ordered.slice(0, SHOWN_MAX), [
    ['ID', ({ id }) => html`<code>${id}</code>`],
    ['Of', ({ kind }) => kind],
    ['Hides', ({ scope }) => HIDES[scope]],
    ['Where', nameWhere],
    ['Basis', ({ basis }) => basis, 'wide'],
    ['Since', ({ createdAt }) => showDay(createdAt), 'time'],
    ['Look again', ({ until }) => showDate(until) ?? '–', 'time'],
    ['In force', (one) => showForce(one, csrf)],
  ])}
<p class="note">${more > 0 && `${showCount(more)} more: platbook suppress list. `}No name and no
address is kept, so none is shown:
<code>platbook suppress test NAME</code> says whether one is hidden.</p></section>`
}

const HIDES = { owner: 'owner', address: 'address', both: 'the whole parcel' }

function nameWhere({ fips, state }: Suppression): string {
  const parts = [countyTitle(fips) ?? '', state].filter((part) => part !== '')
  return parts.join(', ') || 'everywhere'
}

function showForce({ id, endedAt }: Suppression, csrf: string | undefined): Html {
  if (endedAt !== null) return html`ended ${showDay(endedAt)}`
  return html`yes ${
    csrf !== undefined &&
    showChange(csrf, `/privacy/${id}/expire`, 'End', {
      name: `End ${id}`,
      confirm: `End ${id}? What it hid is shown again after the next import of its county.`,
    })
  }`
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
    return showEmpty(`No answer that is still in the audit showed ${propertyId}.
Free answers of the last second may be missing; answers are kept for the days that
PLATBOOK_AUDIT_DAYS says.`)
  }
  return html`<p class="summary" role="status">${countOf(total, 'answer')} showed ${propertyId}</p>
${showTable(newest, [
  ['When', ({ at }) => showTime(at)],
  ['Account', ({ accountId }) => html`<a href="/accounts/${accountId}">${accountId}</a>`],
  ['Key', ({ keyId }) => html`<code>${keyId}</code>`],
  ['Operation', ({ operation }) => showOperation(operation)],
  ['Parcels', ({ ids }) => showCount(ids.split('\n').length), 'number'],
  ['Request', ({ requestId }) => html`<code>${requestId}</code>`],
])}
${
  total > newest.length &&
  html`<p class="note">and ${showCount(total - newest.length)} earlier
ones: platbook audit who-saw ${propertyId}</p>`
}`
}
