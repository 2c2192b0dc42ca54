/** The secrets of watches, sealed, and the signatures made with them (Standard Webhooks 1.0.0). */
import { createHmac, randomBytes } from 'node:crypto'
import { openSealed, seal } from '../accounts/sealed.ts'
import { refuse } from '../base/errors.ts'
import type { WatchWorld } from './open-world.ts'

const PURPOSE = 'watch secret'

export function makeSecret({ secrets }: Pick<WatchWorld, 'secrets'>): string {
  return seal(secrets(), PURPOSE, PREFIX + randomBytes(SECRET_BYTES).toString('base64'))
}

/** Returns a secret in clear. Throws *unavailable* when its server secret is gone. */
export function openSecret({ secrets }: Pick<WatchWorld, 'secrets'>, sealed: string): string {
  const opened = openSealed<string>(secrets(), PURPOSE, sealed)
  if (opened !== undefined) return opened.value
  throw refuse.unavailable('The secret of this watch cannot be read; rotate it')
}

/** Seals a secret with the newest server secret; `undefined` when it is, or cannot be read. */
export function sealAgain(
  { secrets }: Pick<WatchWorld, 'secrets'>,
  sealed: string,
): string | undefined {
  const opened = openSealed<string>(secrets(), PURPOSE, sealed)
  return opened?.isOld ? seal(secrets(), PURPOSE, opened.value) : undefined
}

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a delivery's headers, with a signature for each secret. `now`: epoch milliseconds. */
export function signWebhook(
  body: string,
  id: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const seconds = Math.floor(now / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
