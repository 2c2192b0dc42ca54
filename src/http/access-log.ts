/**
 * The access log: a JSON line per request. It has names of declared parameters and the id of the
 * key, but never a value, a key or another name, which could be a person's.
 */
import type { IncomingMessage } from 'node:http'
import { type LineLogOptions, openLineLog } from '../base/logs/line-log.ts'
import type { Operation } from '../operations/operation.ts'

const OLD_FILES = 5

/** Writes a line per request, without API key, query or owner name. */
export type AccessLog = ReturnType<typeof openAccessLog>

type LoggedRequest = {
  request: { raw: IncomingMessage; id: string }
  /** `undefined`: no operation has the path. */
  operation: Operation | undefined
  keyId: string | undefined
  status: number
  ms: number
}

type AccessLogOptions = Omit<LineLogOptions, 'oldFiles'> & {
  /** Epoch milliseconds. */
  now(): number
}

/** Opens the log, which several processes may write. Throws when the file cannot be opened. */
export function openAccessLog({ now, ...options }: AccessLogOptions) {
  const lines = openLineLog({ ...options, oldFiles: OLD_FILES })
  return {
    note: ({ request: { raw, id }, operation, keyId, status, ms }: LoggedRequest) =>
      lines.write((dropped) =>
        JSON.stringify({
          at: new Date(now()).toISOString(),
          requestId: id,
          method: raw.method,
          route: operation?.path ?? null,
          status,
          ms: Math.round(ms * 1000) / 1000,
          keyId: keyId ?? null,
          parameters: operation === undefined ? [] : givenNames(operation, raw.url ?? ''),
          ...(dropped > 0 && { droppedBefore: dropped }),
        }),
      ),
    close: lines.close,
  }
}

function givenNames({ parameters }: Operation, url: string): string[] {
  const mark = url.indexOf('?')
  if (mark === -1) return []
  const declared = Object.entries(parameters).flatMap(([name, { aliases }]) => [
    name,
    ...(aliases ?? []),
  ])
  const given = new Set(new URLSearchParams(url.slice(mark + 1)).keys())
  return declared.filter((name) => given.has(name))
}
