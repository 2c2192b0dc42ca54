/**
 * Environment variables that child processes do not inherit from the primary. Each gets its
 * settings in its order, without the secrets that it does not need.
 */
import { type Config, FILE_NAMES, type Receiver, SETTINGS } from './config.ts'

const SETTING = /^PLATBOOK_(?!TEST_)/
/** Secrets that neither the console nor its commands need. */
const SECRETS = new Set(
  SETTINGS.flatMap(({ name, secretOf }) => (secretOf?.includes('console') === false ? name : [])),
)
/** The values of these files are passed on as variables, where they are needed. */
const isFile = (name: string) => FILE_NAMES.has(name)

/** Spread over an environment to remove all settings. */
export const WITHOUT_SETTINGS = forget((name) => SETTING.test(name))

/**
 * The same for a process that starts commands, such as imports, and passes the store's settings to
 * them. It removes the secrets that imports do not need.
 */
export const WITHOUT_SECRETS = forget((name) => SECRETS.has(name) || isFile(name))

/** An undefined variable is not passed to a child process. */
function forget(isLeft: (name: string) => boolean): Record<string, undefined> {
  const names = Object.keys(process.env).filter(isLeft)
  return Object.fromEntries(names.map((one) => [one, undefined]))
}

/** Returns the settings for a process, with null for each secret whose row does not name it. */
export function leastConfig(config: Config, receiver: Receiver): Config {
  const left = SETTINGS.filter(({ secretOf }) => secretOf?.includes(receiver) === false)
  return { ...config, ...Object.fromEntries(left.map(({ key }) => [key, null])) }
}
