/** Gives each process of the service only the secrets that it needs. */
import type { Config } from '../config.ts'

/** Settings that are secrets, paths of secrets, or addresses that may contain a token. */
const SECRETS = [
  'keySecret',
  'apiKey',
  'stripeKey',
  'stripeWebhookSecrets',
  'notifyUrl',
  'notifySecret',
  'tlsKey',
  'tracesUrl',
] as const satisfies readonly (keyof Config)[]

/** The ledger process gets no settings: its supervisor only passes its location. */
type Receiver = 'worker' | 'console' | 'billing' | 'notifier'

const NEEDED: Record<Receiver, ReadonlySet<string>> = {
  worker: new Set(['keySecret', 'tlsKey', 'tracesUrl']),
  // Creates keys and signs links to the billing page; its commands need it too.
  console: new Set(['keySecret']),
  billing: new Set(['stripeKey', 'stripeWebhookSecrets']),
  notifier: new Set(['notifyUrl', 'notifySecret']),
}

/** Returns the settings for a process, with null for each secret that it does not need. */
export function leastConfig(config: Config, receiver: Receiver): Config {
  const left = SECRETS.filter((key) => !NEEDED[receiver].has(key))
  return { ...config, ...Object.fromEntries(left.map((key) => [key, null])) }
}
