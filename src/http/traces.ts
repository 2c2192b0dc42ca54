/**
 * OpenTelemetry traces by OTLP over HTTP, loaded only with PLATBOOK_TRACES_URL. A span has
 * operation, status, key ID and request ID, but no key, query, address or name.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Context, Span } from '@opentelemetry/api'

/** Limits the wait for a collector that does not answer when a worker ends. */
const CLOSE_MS = 2000

export type Trace = {
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  end(status: number, keyId: string | undefined): void
}

export type Traces = {
  /** `traceparent`: the caller's header, whose trace becomes the parent. */
  begin(operation: Traced, requestId: string, traceparent: unknown): Trace
  close(): Promise<void>
}

type Traced = { operationId: string; path: string }

type TracesOptions = {
  /** Address of the collector: `http://127.0.0.1:4318/v1/traces`. */
  url: string
  /** Share of requests that are traced, 0 to 1. Callers cannot raise it. */
  share: number
  version: string
}

/** Loads the packages and starts sending. If the collector is down, spans are lost, not answers. */
export async function openTraces({ url, share, version }: TracesOptions): Promise<Traces> {
  const [api, core, resources, sdk, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const root = new sdk.TraceIdRatioBasedSampler(share)
  const provider = new sdk.TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: resources
      .resourceFromAttributes({ 'service.name': 'platbook', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new otlp.OTLPTraceExporter({ url }) })],
  })
  const tracer = provider.getTracer('platbook', version)
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, trace } = api

  function parentOf(traceparent: unknown): Context {
    const parent = typeof traceparent === 'string' ? core.parseTraceParent(traceparent) : null
    return parent === null
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
  }

  async function step<Result>(within: Context, name: string, work: () => Promise<Result>) {
    const span = tracer.startSpan(name, {}, within)
    try {
      return await work()
    } finally {
      span.end()
    }
  }

  function end(span: Span, status: number, keyId: string | undefined): void {
    span.setAttribute('http.response.status_code', status)
    if (keyId !== undefined) span.setAttribute('platbook.key_id', keyId)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  return {
    begin({ operationId, path }, requestId, traceparent) {
      const attributes = {
        'http.request.method': 'GET',
        'http.route': path,
        'platbook.operation': operationId,
        'platbook.request_id': requestId,
      }
      const options = { kind: SpanKind.SERVER, attributes }
      const span = tracer.startSpan(`GET ${path}`, options, parentOf(traceparent))
      const within = trace.setSpan(ROOT_CONTEXT, span)
      return {
        step: (name, work) => step(within, name, work),
        end: (status, keyId) => end(span, status, keyId),
      }
    },
    close: () => Promise.race([provider.shutdown(), wait(CLOSE_MS, undefined, { ref: false })]),
  }
}
