/**
 * Posts a body to an address that somebody has named, for notices and watches.
 *
 * The name is resolved once, its addresses are checked, and the checked address is called: a name
 * that changes its address meanwhile leads nowhere else. Redirects are not followed.
 */
import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { atEnd } from '../base/at-end.ts'
import { request as requestHttp } from '../base/network/node-http.ts'
import { Line } from '../store/walk/line.ts'

type Posted = {
  url: string
  headers: Record<string, string>
  body: string
  /** Milliseconds until the head of the answer. */
  timeoutMs: number
  mayCall(address: string): boolean
  /** Resolves a name; for tests. */
  resolve?: ResolveName
}

/** `status`: of the answer. `fault`: why there is none. */
export type PostResult = { status: number } | { fault: string }

/** Sends one POST. Never throws. */
export async function post(posted: Posted): Promise<PostResult> {
  const deadline = AbortSignal.timeout(posted.timeoutMs)
  try {
    const address = await findAddress(posted, deadline)
    return typeof address === 'string' ? await send(posted, address, deadline) : address
  } catch (error) {
    if (deadline.aborted) return { fault: `no answer within ${posted.timeoutMs / 1000} s` }
    return { fault: `it cannot be reached: ${(error as Error).message}` }
  }
}

/** Returns the addresses of the host of a URL. Throws when its name has none. */
export async function resolveHost(
  url: string,
  resolve: ResolveName = resolveName,
): Promise<string[]> {
  const host = hostOf(url)
  return isIP(host) > 0 ? [host] : resolve(host)
}

async function findAddress(
  { url, mayCall, resolve }: Posted,
  deadline: AbortSignal,
): Promise<string | { fault: string }> {
  const late = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason), { once: true })
  })
  const addresses = await Promise.race([resolveHost(url, resolve), late])
  const [first] = addresses
  if (first === undefined) return { fault: 'its name has no address' }
  return addresses.every(mayCall) ? first : { fault: 'its address is private' }
}

/** The host without the brackets of IPv6. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

function send(
  { url, headers, body }: Posted,
  address: string,
  signal: AbortSignal,
): Promise<PostResult> {
  const { protocol, host, port, pathname, search } = new URL(url)
  const name = hostOf(url)
  const isHttps = protocol === 'https:'
  const options = {
    host: address,
    port: port === '' ? (isHttps ? 443 : 80) : Number(port),
    path: `${pathname}${search}`,
    method: 'POST',
    // A connection of its own: one that is kept could end while the request is on its way.
    agent: false as const,
    signal,
    headers: { ...headers, host, 'content-length': Buffer.byteLength(body) },
  }
  return new Promise((resolve, reject) => {
    const request = isHttps
      ? requestHttps({ ...options, ...(isIP(name) === 0 && { servername: name }) })
      : requestHttp(options)
    request.on('response', (response) => {
      // The rest of the answer is of no use.
      response.on('error', () => undefined)
      resolve({ status: response.statusCode ?? 0 })
      request.destroy()
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Milliseconds of the first question to a name server, and how often it is asked. */
const LIMITS = { timeout: 2000, tries: 2 }
/** Lookups by the system at once, of its four threads. */
const BY_SYSTEM_MAX = 2
/** Error codes of c-ares: there is no such name, no such record, or no name server at all. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** Returns the addresses of a name, those of IPv4 first. Rejects when it has none. */
type ResolveName = (name: string) => Promise<string[]>

/**
 * Makes the lookup of receivers' names, which callers choose: a name whose server never answers
 * delays no other. Node looks names up on four threads, which files need too. So the system is
 * asked only for names that the name servers do not know, such as those of /etc/hosts.
 *
 * `servers`: name servers other than the system's. `bySystem`: the system's lookup.
 */
export function makeResolveName(
  servers?: readonly string[],
  bySystem: ResolveName = lookUp,
): ResolveName {
  const resolver = new Resolver(LIMITS)
  if (servers !== undefined) resolver.setServers(servers)
  const line = new Line(BY_SYSTEM_MAX, { most: Number.POSITIVE_INFINITY, full: '' })

  async function askSystem(name: string): Promise<string[]> {
    await line.enter()
    using _end = atEnd(() => line.leave())
    return await bySystem(name)
  }

  return async (name) => {
    // A name of one word is of the system's files or of its search domains.
    if (!/\../.test(name)) return askSystem(name)
    const kinds = [resolver.resolve4(name), resolver.resolve6(name)]
    const answers = await Promise.allSettled(kinds)
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length > 0) return found
    const failed = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    const silent = failed.find(({ code }) => !UNKNOWN.has(code))
    if (silent !== undefined) throw silent
    return askSystem(name)
  }
}

const resolveName = makeResolveName()

async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address)
}
