/** The billing process of a node: calls the provider, and takes its webhooks from the workers. */
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer, json } from 'node:stream/consumers'
import { createServer } from '../base/network/node-http.ts'
import { markStale, poll } from '../billing/poll.ts'
import { BadWebhook, ProviderDown } from '../billing/provider.ts'
import { openAccounts } from '../store/open.ts'
import { assembleBilling } from './assemble-billing.ts'
import * as child from './child.ts'
import type { BillingOrder } from './messages.ts'

const POLL_MS = 60_000
const { config, socketPath } = child.takeOrder<BillingOrder>()
const alarm = (text: string) => child.alarm(`billing: ${text}`)

const accounts = await openAccounts(config)
const billing = await assembleBilling(config, accounts, { now: Date.now, alarm })
const world = { ...billing, now: Date.now, staleMs: config.billingStaleHours * 3_600_000, alarm }
let isPolling = false

const server = createServer((request, response) => {
  void serve(request, response)
})
// A killed process has left its socket file.
rmSync(socketPath, { force: true })
server.listen(socketPath, () => child.sayReady())
setInterval(() => void pollOnce(), POLL_MS)
child.endBy(stop)
void pollOnce()

async function pollOnce(): Promise<void> {
  if (isPolling) return
  isPolling = true
  try {
    await poll(world)
  } catch (error) {
    alarm(`events were not read: ${(error as Error).message}`)
    await markStale(world).catch(() => undefined)
  } finally {
    isPolling = false
  }
}

type Reply = [status: number, body: object]

const AWAY: Reply = [503, { error: 'Service temporarily unavailable' }]

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const take = request.url === '/portal' ? openPortal : takeWebhook
  const [status, body] = await take(request)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** 200: applied. 400: not from the provider. 503: must be sent again. */
async function takeWebhook(request: IncomingMessage): Promise<Reply> {
  try {
    const signature = String(request.headers['stripe-signature'] ?? '')
    const event = billing.provider.readWebhook(await buffer(request), signature)
    if (event.isUnreadable) {
      alarm(`event ${event.id} names no customer that can be read; it changes nothing`)
    }
    const applied = await billing.apply(event)
    if (applied !== 'conflict') return [200, { received: true }]
    return [400, { error: 'The event was sent before with another body' }]
  } catch (error) {
    if (error instanceof BadWebhook) return [400, { error: error.message }]
    alarm(`a webhook was not applied: ${(error as Error).message}`)
    return AWAY
  }
}

/** 200: the address of a provider's page. 404: the provider has none for this account. */
async function openPortal(request: IncomingMessage): Promise<Reply> {
  try {
    const { account, returnUrl } = (await json(request)) as { account: string; returnUrl: string }
    const link = await billing.store.linkOfAccount(account)
    if (link === undefined) return [404, {}]
    return [200, { url: await billing.provider.portal(link.customer, returnUrl) }]
  } catch (error) {
    alarm(`no billing page was made: ${(error as Error).message}`)
    return error instanceof ProviderDown && error.isOfOne ? [404, {}] : AWAY
  }
}

async function stop(): Promise<void> {
  server.close()
  await accounts.close()
}
