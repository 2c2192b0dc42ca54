/** Addresses of the public internet: what callers' watches and sources of the web may reach. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { unmapAddress } from './networks.ts'

/** IANA's registries of special-purpose addresses; groups of receivers are none either. */
const PRIVATE_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]
/** Within 2000::/3, the public addresses: those that hold another address, or none. */
const PRIVATE_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48']

const special = new BlockList()
for (const [list, family] of [
  [PRIVATE_4, 'ipv4'],
  [PRIVATE_6, 'ipv6'],
] as const) {
  for (const network of list) {
    const [address = '', bits] = network.split('/')
    special.addSubnet(address, Number(bits), family)
  }
}
const publicSix = new BlockList()
publicSix.addSubnet('2000::', 3, 'ipv6')

/** Reports whether an address is of the public internet, however it is written. */
export function isPublic(address: string): boolean {
  const plain = unmapAddress(address.toLowerCase())
  if (isIPv4(plain)) return !special.check(plain, 'ipv4')
  // A mapped address in hex digits and a zone are outside 2000::/3, or no address at all.
  return isIPv6(plain) && publicSix.check(plain, 'ipv6') && !special.check(plain, 'ipv6')
}
