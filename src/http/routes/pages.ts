/** Paths besides the operations: health, metrics, the OpenAPI document. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS } from '../../base/errors.ts'
import { describeApi } from '../openapi/openapi.ts'
import type { Answered } from '../write-answer.ts'

/** What `/healthz`, `/readyz` and `/metrics` read from the server. */
export type PageOptions = {
  isStopping(): boolean
  /** States whose database is unreachable. */
  unavailable(): string[]
  isReady(): Promise<boolean>
  /** Address under which callers reach the service. */
  publicUrl: string | null
  /** Returns Prometheus text; `undefined` when another process answers metrics. */
  metrics: (() => Promise<string>) | undefined
  send(request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply
}

const METRICS_TYPE = 'text/plain; version=0.0.4'

export function addPages(
  fastify: FastifyInstance,
  { isStopping, unavailable, isReady, metrics, publicUrl, send }: PageOptions,
): void {
  const show503 = (status: string) => ({
    ...{ status: STATUS.unavailable, body: JSON.stringify({ status }) },
    headers: { 'retry-after': '1' },
  })
  const method = ['GET', 'HEAD'] as const
  // Whether the process lives.
  fastify.route({
    ...{ method: [...method], url: '/healthz' },
    handler(request, reply) {
      const out = unavailable()
      const body = JSON.stringify({ status: 'ok', ...(out.length > 0 && { unavailable: out }) })
      const healthy = { status: 200, body, headers: {} }
      return send(request, reply, isStopping() ? show503('stopping') : healthy)
    },
  })
  // Whether it can answer callers.
  fastify.route({
    ...{ method: [...method], url: '/readyz' },
    async handler(request, reply) {
      if (isStopping()) return send(request, reply, show503('stopping'))
      const ready = { status: 200, body: '{"status":"ready"}', headers: {} }
      return send(request, reply, (await isReady()) ? ready : show503('unavailable'))
    },
  })
  const document = JSON.stringify(describeApi(publicUrl))
  fastify.get('/openapi.json', (request, reply) =>
    send(request, reply, { status: 200, body: document, headers: {} }),
  )
  if (metrics === undefined) return
  fastify.get('/metrics', async (request, reply) => {
    const body = await metrics()
    return send(request, reply, { status: 200, body, headers: { 'content-type': METRICS_TYPE } })
  })
}
