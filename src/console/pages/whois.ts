/** Whose a request or key is, what was refused and why: the page of a search for their ids. */
import { BLOCK_TEXTS } from '../../accounts/billing-gate.ts'
import { lookUp, type Whois } from '../../accounts/whois.ts'
import type { BlockCode } from '../../base/errors.ts'
import type { RefusedRequest } from '../../base/logs/refusal-log.ts'
import type { LoggedChange } from '../../store/operator-log.ts'
import type { ConsoleContext } from '../context.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { showEmpty, showTable } from '../show/parts.ts'
import { countOf, showOperation, showTime } from '../show/words.ts'

export async function showWhois(context: ConsoleContext, asked: string): Promise<PageReply> {
  const { config } = context
  const found = await context.accounts((data) => lookUp(asked, config, data, context.now()), true)
  const { accounts, keys, refusals, charges, changes } = found
  // A whole key is shown nowhere.
  const name = asked.startsWith('pbk_') ? `${asked.slice(0, 8)}…` : asked
  const title = `What is known of ${name}`
  if (accounts.length + keys.length + refusals.length + charges.length === 0) {
    const note = 'The newest 10,000 refusals are kept; older ones may have been dropped.'
    return { title, body: showEmpty(`Nothing is known of ${name}.`, note) }
  }
  const body = html`<section><h2>Accounts and keys</h2>${showOwners(found)}</section>
<section><h2>Refused</h2>${showRefusals(refusals)}</section>
${
  charges.length > 0 &&
  html`<section><h2>Charged</h2><ul>${charges.map(
    ({ at, endpoint, cost }) =>
      html`<li>${showTime(at)}: ${showOperation(endpoint)}, ${countOf(cost, 'token')}</li>`,
  )}</ul></section>`
}
<section><h2>Changed</h2>${showChanges(changes)}</section>`
  return { title, body }
}

function showOwners({ accounts, keys }: Whois): Html {
  if (accounts.length + keys.length === 0) return html`<p class="note">It had no valid key.</p>`
  return html`<ul>${accounts.map(
    ({ account: { id, name }, standing: { used, blocked } }) =>
      html`<li><a href="/accounts/${id}">${name}</a> <code>${id}</code>: ${
        blocked === null ? 'open' : `blocked, ${BLOCK_TEXTS[blocked].error}`
      }; ${countOf(used, 'token')} used</li>`,
  )}${keys.map(
    ({ id, prefix, label, accountId, lastUsedAt, revokedAt }) =>
      html`<li><code>${prefix}…</code> ${label ?? ''} <code>${id}</code> of
<a href="/accounts/${accountId}">${accountId}</a>, last used ${showTime(lastUsedAt)}${
        revokedAt !== null && html`, ends ${showTime(revokedAt)}`
      }</li>`,
  )}</ul>`
}

function showRefusals(refusals: RefusedRequest[]): Html {
  if (refusals.length === 0) return html`<p class="note">Nothing, among those that are kept.</p>`
  return showTable(refusals, [
    ['When', ({ at }) => showTime(Date.parse(at))],
    ['Operation', ({ operation }) => operation],
    ['Status', ({ status }) => status],
    ['Why', ({ reason }) => BLOCK_TEXTS[reason as BlockCode]?.error ?? reason, 'wide'],
    ['Request', ({ requestId }) => html`<code>${requestId}</code>`],
    ['Key', ({ keyId, prefix }) => html`<code>${keyId ?? prefix ?? '–'}</code>`],
  ])
}

export function showChanges(changes: LoggedChange[]): Html {
  if (changes.length === 0) return html`<p class="note">Nothing was changed.</p>`
  return showTable(changes, [
    ['When', ({ at }) => showTime(at)],
    ['Subject', ({ subject }) => html`<code>${subject}</code>`],
    ['Before and after', ({ changed }) => showChanged(changed), 'wide'],
  ])
}

/** What was not there before is said in one word. */
function showChanged(changed: LoggedChange['changed']): Html {
  const values = Object.entries(changed)
  if (values.every(([, { before }]) => before === null || before === undefined)) {
    return html`created`
  }
  return html`${values.map(
    ([name, { before, after }]) =>
      html`<div>${showColumn(name)}: ${showValue(name, before)} → ${showValue(name, after)}</div>`,
  )}`
}

/** `past_due_grace_days` → `past due grace days`. */
const showColumn = (name: string) => name.replaceAll('_', ' ')

/** Columns whose names end in `_at` hold epoch milliseconds. */
function showValue(name: string, value: unknown): string {
  if (name.endsWith('_at') && typeof value === 'number') return showTime(value)
  return value === null || value === undefined || value === '' ? '–' : String(value)
}
