/** Blocks addresses of the operator's own machine and network, which no web source has. */
import { lookup as resolveName } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { CommandError } from '../../base/errors.ts'
import { unmapAddress } from '../../base/networks.ts'

type Resolved = { address: string; family: 4 | 6 }

/** Returns all addresses of a host name; tests pass their own resolver. */
export type Resolver = (host: string) => Promise<Resolved[]>

/** The system's resolver. */
export const resolveBySystem: Resolver = async (host) => {
  const found = await resolveName(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * Resolves a name to the address to connect to.
 *
 * Every address of the name must be public unless `allowPrivate`. The caller connects to the
 * returned address, so a name that changes between check and connection (DNS rebinding) has no
 * effect. Throws `CommandError` for a private address; resolver errors pass through.
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
    throw new CommandError(
      `${host} is ${closed.address}, an address of a private network; --allow-private ` +
        'permits it',
    )
  }
  const [first] = found
  if (first === undefined) throw new CommandError(`${host} has no address`)
  return first
}

/**
 * Reports whether an address is not globally reachable. Source: IANA special-purpose registries,
 * RFC 6890.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = unmapAddress(address.split('%', 1)[0] ?? '')
  const family = isIP(plain)
  return family === 0 || PRIVATE.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

const NETWORKS: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Loopback, unspecified and IPv4-compatible addresses. Mapped ones (::ffff:10.0.0.1) are checked
  // by the IPv4 rules above.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const PRIVATE = new BlockList()
for (const [network, bits] of NETWORKS) {
  PRIVATE.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4')
}
