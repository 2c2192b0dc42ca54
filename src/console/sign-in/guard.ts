/** Checks every request to the console: Host, Origin, session, role and CSRF token. */
import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Role } from '../../store/console-store.ts'
import { ROLES } from '../../store/console-store.ts'

/** Headers of every answer. `origins`: of an operator's own map, which pages may read from. */
export const securityHeaders = (origins: readonly string[] = []) => ({
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: ` +
    `data:${origins.map((one) => ` ${one}`).join('')}; ` +
    `connect-src ${["'self'", ...origins].join(' ')}; worker-src 'self'; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With no-referrer, a form's Origin header would be "null".
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
})

/**
 * Reports whether the Host header names this console: an IP address, `localhost`, or a host that
 * the operator configured. Another name may be a site's that resolves to this machine.
 */
export function isOwnHost(host: string | undefined, given: readonly string[]): boolean {
  const name = hostName(host)
  return name !== undefined && (isIP(name) !== 0 || name === 'localhost' || given.includes(name))
}

/** Reports whether a change comes from a page of the same host. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === host.toLowerCase()
}

/** Reports whether a role includes `needed`: viewer below operator below admin. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** Compares in constant time. */
export function isSameText(given: string | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name) return value
  }
  return undefined
}

/** `console.example:8081` → `console.example`, `[::1]:8081` → `::1`. */
export function hostName(host: string | undefined): string | undefined {
  if (host === undefined || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '').toLowerCase()
}

/** Names the session's cookie. Browsers send cookies to all ports, and each may be a console. */
export function cookieName(host: string | undefined): string {
  const port = /:(\d+)$/.exec(host ?? '')?.[1]
  return port === undefined ? 'platbook_session' : `platbook_session_${port}`
}
