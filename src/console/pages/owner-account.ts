/** `/account`: the page of an account for its owner, who has a signed link of the operator. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isMcpKey } from '../../accounts/api-key.ts'
import { BLOCK_TEXTS } from '../../accounts/billing-gate.ts'
import { standingOf } from '../../accounts/standing.ts'
import { STATUS } from '../../base/errors.ts'
import { findBilling, makeBillingLink, readAccountLink } from '../account-links.ts'
import type { ConsoleContext } from '../context.ts'
import { html, type PageReply } from '../show/html.ts'
import { showTable } from '../show/parts.ts'
import { showUsage, usageOf } from '../show/usage-plot.ts'
import { countOf, showCount, showDate, showTime } from '../show/words.ts'

export function addOwnerPages(
  fastify: FastifyInstance,
  context: ConsoleContext,
  send: (reply: FastifyReply, page: PageReply) => FastifyReply,
): void {
  fastify.get('/account', async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const id = readAccountLink(context, query)
    const page = id === undefined ? NO_LINK : await showAccount(context, id, query)
    return send(reply, page)
  })

  fastify.get('/account/billing', async (request, reply) => {
    const id = readAccountLink(context, new URLSearchParams(request.url.split('?')[1] ?? ''))
    return send(reply, id === undefined ? NO_LINK : { redirect: makeBillingLink(context, id) })
  })

  fastify.get('/account/usage.json', async (request, reply) => {
    const id = readAccountLink(context, new URLSearchParams(request.url.split('?')[1] ?? ''))
    if (id === undefined) return send(reply, { json: {}, status: STATUS.forbidden })
    const json = await context.accounts(({ admin }) => usageOf(admin, id, context.now()), true)
    return send(reply, { json })
  })
}

/** The status of a page without its signed link. */
export const REFUSED = STATUS.forbidden

const NO_LINK: PageReply = {
  title: 'Your account',
  body: html`<p>This page opens with a link that the operator of this service sends you. A link is
  good for 30 days;
    ask the operator for a new one.</p>`,
  status: REFUSED,
}

async function showAccount(
  context: ConsoleContext,
  id: string,
  query: URLSearchParams,
): Promise<PageReply> {
  const now = context.now()
  const { account, keys, newest, days, billing } = await context.accounts(async (data) => {
    const { admin, reader } = data
    const account = await admin.account(id)
    const own = `/account/billing?${query}`
    return {
      account,
      keys: await admin.keys(id),
      newest: await reader.tokenUse(id),
      days: await usageOf(admin, id, now),
      billing: account === undefined ? null : await findBilling(context, data, account, own),
    }
  }, true)
  if (account === undefined) return NO_LINK
  const { facts, name } = account
  const { period, used, allowance, remaining, blocked } = standingOf(facts, newest, now)
  const valid = keys.filter(({ revokedAt }) => revokedAt === null || revokedAt > now)
  const left =
    allowance === null
      ? 'There is no limit.'
      : `Left: ${showCount(remaining ?? 0)} of ${showCount(allowance)}.`
  const body = html`<div class="card standing">${
    blocked === null
      ? html`<p><b class="good">Your account is open.</b></p>`
      : html`<p><b class="bad">Requests are refused: ${BLOCK_TEXTS[blocked].error}.</b></p>
      <p>${BLOCK_TEXTS[blocked].action}</p>`
  }<p>${countOf(used, 'token')} used from ${showDate(period.start)} to
${showDate(period.end)}. ${left}</p>
${facts.plan !== null && html`<p>Your plan is ${facts.plan}.</p>`}
${billing !== null && html`<p><a class="button" href="${billing}">To billing</a></p>`}</div>
<section><h2>Usage, 90 days</h2>${showUsage(days, `/account/usage.json?${query}`)}</section>
<section><h2>Keys</h2>${
    valid.length === 0
      ? html`<p>You have no valid key; ask the operator for one.</p>`
      : showTable(valid, [
          ['Key', ({ prefix }) => html`<code>${prefix}…</code>`],
          ['For', ({ label }) => label ?? '–'],
          ['Last used', ({ lastUsedAt }) => showTime(lastUsedAt), 'time'],
          [
            html`<span class="hidden">End</span>`,
            ({ id: key, prefix }) =>
              isMcpKey(prefix) &&
              html`<form method="post" action="/account/end?${String(query)}"><button name="key"
value="${key}" class="quiet bad">End</button></form>`,
          ],
        ])
  }</section>`
  return { title: name, body, late: ['uplot.css', 'usage.js'] }
}
