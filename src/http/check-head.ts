/** Checks a request before its operation is known: method, headers, body, and its path. */
import type { IncomingMessage } from 'node:http'
import { type ErrorReply, errorReply } from './error-reply.ts'
import { hasBody } from './load/connection.ts'

/** The connection may continue with a body, which is not read. */
const CLOSE = { connection: 'close' }

/** Headers that a proxy and this service might read differently when they are repeated. */
const ONCE = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
])
const ONCE_LENGTHS = new Set([...ONCE.keys()].map((name) => name.length))

/** The refusal for a faulty head. `allowed`, only without a route: the path's methods. */
export function refuseHead(
  raw: IncomingMessage,
  allowed: readonly string[] | undefined,
): ErrorReply | undefined {
  const { method = 'GET', headers } = raw
  if (allowed !== undefined && (method !== 'GET' || allowed.length > 0)) {
    if (allowed.length === 0) return errorReply(404, `There is nothing at ${pathOf(raw)}`, CLOSE)
    const text = `${method} is not allowed here; use ${allowed.join(' or ')}`
    return errorReply(405, text, { allow: allowed.join(', '), ...CLOSE })
  }
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return errorReply(400, 'The Host header is missing', CLOSE)
  }
  const repeated = findRepeated(raw.rawHeaders)
  if (repeated !== undefined) {
    return errorReply(400, `The ${repeated} header is given more than once`, CLOSE)
  }
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (hasBody(raw)) {
    return errorReply(400, `A ${method} request has no body`, CLOSE)
  }
  return undefined
}

/** Returns the name of a header that is repeated and must not be. Names and values alternate. */
export function findRepeated(rawHeaders: readonly string[]): string | undefined {
  let seen = ''
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string
    if (!ONCE_LENGTHS.has(raw.length)) continue
    const name = raw.toLowerCase()
    if (!ONCE.has(name)) continue
    if (seen.includes(name)) return ONCE.get(name)
    seen += `${name} `
  }
  return undefined
}

/** Returns the requested path, cut when it is too long to be quoted. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

/** The methods of every route, for a 405 when a path is known with another method. */
export class KnownPaths {
  readonly #plain = new Map<string, string[]>()
  readonly #patterns: { pattern: RegExp; path: string }[] = []

  /** Adds a route, such as `/public/tiles/:z/:x/:y`. */
  add(url: string, method: string | string[]): void {
    const path = withSlash(url)
    const known = this.#plain.get(path)
    const methods = [...(known ?? []), ...[method].flat()]
    this.#plain.set(path, [...new Set(methods)])
    if (known !== undefined || !/[:*]/.test(path)) return
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace(/\*.*$/, '.+')}$`)
    this.#patterns.push({ pattern, path })
  }

  /** The methods of a path, with or without a slash at its end; empty for an unknown one. */
  of(asked: string): readonly string[] {
    const path = withSlash(asked)
    const found = this.#plain.get(path)
    if (found !== undefined) return found
    const match = this.#patterns.find(({ pattern }) => pattern.test(path))
    return match === undefined ? [] : (this.#plain.get(match.path) ?? [])
  }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
