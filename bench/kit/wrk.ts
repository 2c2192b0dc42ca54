/**
 * Closed load by wrk (Debian's package): every connection sends the next request when it is
 * answered. For maximum rates.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { round } from './numbers.ts'

export type WrkOptions = {
  address: string
  paths: string[]
  key: string
  connections: number
  seconds: number
  /** Reads each answer's status and headers, which makes each request a little more expensive. */
  tally?: boolean
}

export type WrkResult = {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Answers other than 2xx, and requests without an answer. */
  notOk: number
  /** If requested: number of 503 answers, and of those without `Retry-After`. */
  refused?: number
  withoutRetryAfter?: number
}

/** Requests the paths in the given order, again and again. */
export async function runWrk(options: WrkOptions): Promise<WrkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-wrk-'))
  try {
    const script = join(folder, 'paths.lua')
    writeFileSync(script, scriptOf(options.paths, options.key) + (options.tally ? TALLY : ''))
    const words = ['-t1', `-c${options.connections}`, `-d${options.seconds}s`, '-s', script]
    const wrk = spawn('wrk', [...words, options.address], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    wrk.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    await once(wrk, 'close')
    return readResult(text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scriptOf(paths: string[], key: string): string {
  return `local paths = {\n${paths.map((path) => JSON.stringify(path)).join(',\n')}\n}
local n = 0
wrk.headers["Authorization"] = "${key}"
function request()
  n = n % #paths + 1
  return wrk.format("GET", paths[n])
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    e.status + e.connect + e.read + e.write + e.timeout))
end
`
}

const TALLY = `
local thread
refused, withoutRetryAfter = 0, 0
function setup(one)
  thread = one
end
function response(status, headers)
  if status == 503 then
    refused = refused + 1
    if headers["retry-after"] == nil then withoutRetryAfter = withoutRetryAfter + 1 end
  end
end
local tell = done
function done(summary, latency)
  tell(summary, latency)
  io.write(string.format("TALLY %d %d\\n", thread:get("refused"), thread:get("withoutRetryAfter")))
end
`

function readResult(text: string): WrkResult {
  const fields = /^RESULT (.+)$/m.exec(text)?.[1]?.split(' ').map(Number)
  if (fields === undefined) throw new Error(`wrk gave no result; is it installed?\n${text}`)
  const [requests = 0, micros = 1, p50 = 0, p99 = 0, notOk = 0] = fields
  const tally = /^TALLY (.+)$/m.exec(text)?.[1]?.split(' ').map(Number)
  return {
    requests,
    perSecond: Math.round((requests / micros) * 1e6),
    p50Ms: round(p50 / 1000, 3),
    p99Ms: round(p99 / 1000, 2),
    notOk,
    ...(tally !== undefined && { refused: tally[0], withoutRetryAfter: tally[1] }),
  }
}
