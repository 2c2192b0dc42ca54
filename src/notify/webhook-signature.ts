/** Signatures of the Standard Webhooks specification, version 1.0.0, with symmetric secrets. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Returns the three headers of a delivery. Each secret gives a signature; `now`: epoch
 * milliseconds.
 */
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
