/** Limits what one address may use of a worker: connections, and requests under way. */
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type Networks, unmapAddress } from '../../base/network/networks.ts'
import { keepRecent } from '../../store/keep-recent.ts'

/** What an address uses now. `bodies`: those that arrive without a valid key. */
export type Share = { address: string; connections: number; inFlight: number; bodies: number }

/** Connections of an address closed within `STRIKES_MS`, after which it is refused as long. */
const STRIKES_MAX = 32
const STRIKES_MS = 10_000
/** Most addresses whose strikes are remembered; the oldest is dropped first. */
const STRUCK_MAX = 4096

type ShareOptions = {
  /** Percent of a worker's connections and slots that one address may use, 1 to 100. */
  percent: number
  connectionsMax: number
  slotsMax: number
  trusted: Networks
}

export type AddressShares = ReturnType<typeof countAddresses>

/**
 * Counts use by address and limits connections and slots, so that one caller cannot take all. An
 * IPv6 address counts by its first 64 bits, all of which one caller may use.
 */
export function countAddresses(options: ShareOptions) {
  const { percent, connectionsMax, slotsMax, trusted } = options
  const shares = new Map<string, Share>()
  const struck = new Map<string, { count: number; since: number }>()
  const connectionsPerAddress = Math.ceil((connectionsMax * percent) / 100)
  const slotsPerAddress = Math.ceil((slotsMax * percent) / 100)

  function find(address: string): Share {
    const group = groupOf(address)
    const share = shares.getOrInsertComputed(group, () => ({
      address: group,
      connections: 0,
      inFlight: 0,
      bodies: 0,
    }))
    return share
  }

  return {
    /** Counts a new connection; `undefined` when its address has its share, or is blocked. */
    enter(socket: Socket): Share | undefined {
      const address = socket.remoteAddress ?? ''
      const share = find(address)
      const isFull = share.connections >= connectionsPerAddress || isBarred(share)
      if (isFull && !trusted.has(address)) {
        if (share.connections === 0) shares.delete(share.address)
        return undefined
      }
      share.connections += 1
      return share
    },
    leave(share: Share): void {
      share.connections -= 1
      if (share.connections === 0) shares.delete(share.address)
    },
    /** Records that a connection was closed because it sends far more than it reads answers. */
    strike({ address }: Share): void {
      const now = performance.now()
      const known = struck.get(address)
      if (known !== undefined && now - known.since < STRIKES_MS) {
        known.count += 1
        return
      }
      keepRecent(struck, address, { count: 1, since: now }, STRUCK_MAX)
    },
    /** Returns the share of a request: its connection's, or its caller's behind a trusted proxy. */
    of(request: IncomingMessage, connection: Share): Share {
      if (!trusted.any || !trusted.has(request.socket.remoteAddress ?? '')) return connection
      const group = groupOf(clientAddress(request, trusted))
      // Not kept in the map without a connection of its own, because slots are short-lived.
      return behindProxy(group)
    },
    /** Reports whether the address uses all its slots, or all addresses use the worker's. */
    isFull: (share: Share, inFlight: number) =>
      inFlight >= slotsMax || share.inFlight >= slotsPerAddress,
  }

  function isBarred({ address }: Share): boolean {
    if (struck.size === 0) return false
    const known = struck.get(address)
    if (known === undefined || known.count < STRIKES_MAX) return false
    return performance.now() - known.since < STRIKES_MS
  }

  /** Callers behind a proxy, dropped when they have no request under way. */
  function behindProxy(group: string): Share {
    let share = proxied.get(group)
    if (share === undefined) {
      if (proxied.size >= PROXIED_MAX) {
        for (const [address, { inFlight, bodies }] of proxied) {
          if (inFlight + bodies === 0) proxied.delete(address)
        }
      }
      share = { address: group, connections: 0, inFlight: 0, bodies: 0 }
      proxied.set(group, share)
    }
    return share
  }
}

/** Returns what a caller is counted by: its address, or the first 64 bits of an IPv6 address. */
export function addressGroup(request: IncomingMessage, trusted: Networks): string {
  return groupOf(clientAddress(request, trusted))
}

const proxied = new Map<string, Share>()
/** At this size, addresses without a request under way are dropped. */
const PROXIED_MAX = 4096

/** The last address of `X-Forwarded-For` that is no trusted proxy; others could be forged. */
export function clientAddress(request: IncomingMessage, trusted: Networks): string {
  const peer = request.socket.remoteAddress ?? ''
  if (!trusted.any || !trusted.has(peer)) return peer
  const header = request.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  for (let at = hops.length - 1; at >= 0; at -= 1) {
    const hop = withoutPort((hops[at] ?? '').trim())
    if (hop !== '' && (isIP(hop) === 0 || !trusted.has(hop))) return hop
  }
  return peer
}

/** `203.0.113.2:4711` → `203.0.113.2`, `[2001:db8::1]:443` → `2001:db8::1`. */
function withoutPort(hop: string): string {
  const [, bare] = /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(hop) ?? /^([\d.]+):\d+$/.exec(hop) ?? []
  return bare ?? hop
}

function groupOf(address: string): string {
  const plain = unmapAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const all = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back]
  return `${all.slice(0, 4).join(':')}::/64`
}
