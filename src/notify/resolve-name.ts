/**
 * Resolves names of receivers, which callers choose: a name whose server never answers delays no
 * other name. Node looks names up on four threads, which files need too, so only names that the
 * name servers do not know, such as those of /etc/hosts, are asked of the system.
 */
import { lookup, Resolver } from 'node:dns/promises'

/** Milliseconds of the first question to a name server, and how often it is asked. */
const LIMITS = { timeout: 2000, tries: 2 }
/** Lookups by the system at once, of its four threads. */
const BY_SYSTEM_MAX = 2
/** Error codes of c-ares: there is no such name, no such record, or no name server at all. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** Returns the addresses of a name, those of IPv4 first. Rejects when it has none. */
export type ResolveName = (name: string) => Promise<string[]>

/** `servers`: name servers other than the system's. `bySystem`: the system's lookup. */
export function makeResolveName(
  servers?: readonly string[],
  bySystem: ResolveName = lookUp,
): ResolveName {
  const resolver = new Resolver(LIMITS)
  if (servers !== undefined) resolver.setServers(servers)
  const waiting: (() => void)[] = []
  let free = BY_SYSTEM_MAX

  async function askSystem(name: string): Promise<string[]> {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await bySystem(name)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
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

export const resolveName = makeResolveName()

async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address)
}
