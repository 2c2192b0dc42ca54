/** Paths besides the operations: health, metrics, the OpenAPI document. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeApi } from '../openapi/openapi.ts'
import type { Answered } from '../write-answer.ts'

/** What `/healthz` and `/metrics` read from the server. */
export type PageOptions = {
  isStopping(): boolean
  /** States whose database is unreachable. */
  unavailable(): string[]
  /** Returns Prometheus text; `undefined` when another process answers metrics. */
  metrics: (() => Promise<string>) | undefined
  send(request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply
}

const METRICS_TYPE = 'text/plain; version=0.0.4'

/** Adds the pages to a server. */
export function addPages(
  fastify: FastifyInstance,
  { isStopping, unavailable, metrics, send }: PageOptions,
): void {
  fastify.get('/healthz', (request, reply) => {
    const reply503 = { status: 503, body: '{"status":"stopping"}', headers: { 'retry-after': '1' } }
    const out = unavailable()
    const body = JSON.stringify({ status: 'ok', ...(out.length > 0 && { unavailable: out }) })
    const healthy = { status: 200, body, headers: {} }
    return send(request, reply, isStopping() ? reply503 : healthy)
  })
  const document = JSON.stringify(describeApi())
  fastify.get('/openapi.json', (request, reply) =>
    send(request, reply, { status: 200, body: document, headers: {} }),
  )
  if (metrics === undefined) return
  fastify.get('/metrics', async (request, reply) => {
    const body = await metrics()
    return send(request, reply, { status: 200, body, headers: { 'content-type': METRICS_TYPE } })
  })
}
