/** Each process of the service gets the secrets that it needs and no others. */
import type { Config } from '../config.ts'

/** Settings that are secrets, lead to one, or are addresses that may hold a token. */
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

/** The ledger process gets no settings: it has its place, and nothing else, from its supervisor. */
type Receiver = 'worker' | 'console' | 'billing' | 'notifier'

const NEEDED: Record<Receiver, ReadonlySet<string>> = {
  worker: new Set(['keySecret', 'tlsKey', 'tracesUrl']),
  // Makes keys and signs links to the billing page; the commands that it starts need it too.
  console: new Set(['keySecret']),
  billing: new Set(['stripeKey', 'stripeWebhookSecrets']),
  notifier: new Set(['notifyUrl', 'notifySecret']),
}

/** The settings for a process, with null for each secret that it does not need. */
export function leastConfig(config: Config, receiver: Receiver): Config {
  const left = SECRETS.filter((key) => !NEEDED[receiver].has(key))
  return { ...config, ...Object.fromEntries(left.map((key) => [key, null])) }
}
