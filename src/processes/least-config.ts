/** Gives each process of the service only the secrets that it needs. */
import { type Config, type Receiver, SETTINGS } from '../settings/config.ts'

/** Returns the settings for a process, with null for each secret whose row does not name it. */
export function leastConfig(config: Config, receiver: Receiver): Config {
  const left = SETTINGS.filter(({ secretOf }) => secretOf?.includes(receiver) === false)
  return { ...config, ...Object.fromEntries(left.map(({ key }) => [key, null])) }
}
