/**
 * What the processes of the service do not get of the primary's environment. Their settings stand
 * in the order that each is given, which leaves out the secrets that it does not need.
 */

/** Secrets of the billing provider, of notices and of callers; the ways to TLS keys and traces. */
const SECRET = /^PLATBOOK_(?:STRIPE|NOTIFY|API_KEY|TLS|TRACES)/
const SETTING = /^PLATBOOK_(?!TEST_)/

/** To be spread over an environment: no setting is left in it. */
export const WITHOUT_SETTINGS = forget(SETTING)

/**
 * The same for a process that starts commands of its own, such as imports, and hands them the
 * settings of the store: no secret is left that imports do not need.
 */
export const WITHOUT_SECRETS = forget(SECRET)

/** A variable that is undefined is not handed to a child process. */
function forget(name: RegExp): Record<string, undefined> {
  const names = Object.keys(process.env).filter((one) => name.test(one))
  return Object.fromEntries(names.map((one) => [one, undefined]))
}
