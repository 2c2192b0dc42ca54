/**
 * Environment variables that child processes do not inherit from the primary. Each gets its
 * settings in its order, without the secrets that it does not need.
 */

/**
 * Secrets of the billing provider, of notices and of callers; paths of TLS keys; address of traces.
 */
const SECRET = /^PLATBOOK_(?:STRIPE|NOTIFY|API_KEY|TLS|TRACES)/
const SETTING = /^PLATBOOK_(?!TEST_)/

/** Spread over an environment to remove all settings. */
export const WITHOUT_SETTINGS = forget(SETTING)

/**
 * The same for a process that starts commands, such as imports, and passes the store's settings to
 * them: removes the secrets that imports do not need.
 */
export const WITHOUT_SECRETS = forget(SECRET)

/** An undefined variable is not passed to a child process. */
function forget(name: RegExp): Record<string, undefined> {
  const names = Object.keys(process.env).filter((one) => name.test(one))
  return Object.fromEntries(names.map((one) => [one, undefined]))
}
