/** Reads what the pipeline needs of a request from the framework's object. */
import type { IncomingMessage } from 'node:http'
import type { Networks } from '../base/network/networks.ts'
import type { IncomingRequest } from './answer.ts'
import { addressGroup } from './load/address-shares.ts'
import { reachedBillingPage } from './routes/billing-routes.ts'

/** A request, with its id and the values of its route's path; the framework's has them too. */
export type Received = { raw: IncomingMessage; id: string; params?: unknown }

/** The request without path values and trace. `trusted`: proxies whose addresses are used. */
export function readIncoming(request: Received, trusted: Networks): IncomingRequest {
  const { raw } = request
  const url = raw.url ?? ''
  const mark = url.indexOf('?')
  return {
    id: request.id,
    authorization: raw.headers.authorization,
    idempotencyKey: raw.headers['idempotency-key'] as string | undefined,
    queryString: mark === -1 ? '' : url.slice(mark + 1),
    ifNoneMatch: raw.headers['if-none-match'],
    sandbox: raw.headers['x-sandbox'] as string | undefined,
    keyId: undefined,
    trace: undefined,
    address: () => addressGroup(raw, trusted),
    billingPage: () => reachedBillingPage(raw),
    // A connection's `end` event comes some turns before it is destroyed.
    gone: () => raw.socket.readableEnded || raw.socket.destroyed || raw.socket.writableEnded,
  }
}

/** Removes a leading `/api`: some clients configure only a host, so each path exists there too. */
export function stripRoot(request: IncomingMessage): void {
  if (!request.url?.startsWith('/api/')) return
  request.url = request.url.slice(4)
  BELOW_API.add(request)
}

const BELOW_API = new WeakSet<IncomingMessage>()

export function rootOf(request: IncomingMessage): '/api' | '' {
  return BELOW_API.has(request) ? '/api' : ''
}
