/** Blocks addresses of the operator's own machine and network, which no web source has. */
import { lookup as resolveName } from 'node:dns/promises'
import { isIP } from 'node:net'
import { CommandError } from '../../base/errors.ts'
import { isPublic } from '../../base/network/public-addresses.ts'

type Resolved = { address: string; family: 4 | 6 }

/** Returns all addresses of a host name; tests pass their own resolver. */
export type Resolver = (host: string) => Promise<Resolved[]>

export const resolveBySystem: Resolver = async (host) => {
  const found = await resolveName(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * Resolves a name to the address to connect to, so that DNS rebinding has no effect. Throws
 * `CommandError` unless all are public or `allowPrivate`; resolver errors pass through.
 */
export async function findPublicAddress(
  host: string,
  allowPrivate: boolean,
  resolve: Resolver = resolveBySystem,
): Promise<Resolved> {
  const plain = host.replace(/^\[|\]$/g, '')
  const family = isIP(plain)
  const found: Resolved[] =
    family === 0 ? await resolve(plain) : [{ address: plain, family: family === 6 ? 6 : 4 }]
  const closed = found.find(({ address }) => isPrivateAddress(address))
  if (closed !== undefined && !allowPrivate) {
    const behind = family === 0 ? `${closed.address}, ` : ''
    throw new CommandError(
      `${host} is ${behind}an address of a private network; --allow-private permits it`,
    )
  }
  const [first] = found
  if (first === undefined) throw new CommandError(`${host} has no address`)
  return first
}

/** Reports whether an address, with or without a zone, is not of the public internet. */
export function isPrivateAddress(address: string): boolean {
  return !isPublic(address.split('%', 1)[0] ?? '')
}
