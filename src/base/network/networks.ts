/** Addresses and networks as an operator lists them. */
import { BlockList, isIPv6 } from 'node:net'

export type Networks = { any: boolean; has(address: string): boolean }

/** Parses addresses and networks with commas between them: `10.0.0.0/8, ::1`. Throws a sentence. */
export function readNetworks(list: string | null): Networks {
  const blocks = new BlockList()
  const entries = (list ?? '').split(',').flatMap((entry) => entry.trim() || [])
  for (const entry of entries) {
    const [address = '', bits, more] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const prefix = bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits)
    try {
      if (more !== undefined || bits === '') throw new Error('more than a network')
      blocks.addSubnet(address, prefix, family)
    } catch {
      throw new Error(`"${entry}" is neither an address nor a network such as 10.0.0.0/8`)
    }
  }
  return {
    any: entries.length > 0,
    has(address) {
      const plain = unmapAddress(address)
      return blocks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
    },
  }
}

/** `::ffff:10.0.0.1` is `10.0.0.1`. */
export function unmapAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}
