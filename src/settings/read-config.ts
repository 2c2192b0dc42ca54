/** Reads the settings of `config.ts` from the environment, once, at start. */

import { CommandError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { type Config, SETTINGS } from './config.ts'

/** Variables with this prefix are settings; the tests' variables have the second prefix. */
const PREFIX = 'PLATBOOK_'

const TEST_PREFIX = 'PLATBOOK_TEST_'

/**
 * Reads every setting from an environment. Throws a `CommandError` for a wrong value, or for an
 * unknown name with the prefix.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  refuseUnknown(Object.keys(env))
  const entries = SETTINGS.map((setting) => {
    const given = env[setting.name]
    try {
      return [setting.key, setting.read(given ?? setting.default)]
    } catch (error) {
      throw new CommandError(`${setting.name}: ${(error as Error).message}`, 2)
    }
  })
  return Object.fromEntries(entries) as Config
}

/** A mistyped name would otherwise leave the default in force unnoticed. */
function refuseUnknown(given: string[]): void {
  const names = SETTINGS.map(({ name }) => name)
  const bare = names.map((name) => name.slice(PREFIX.length))
  for (const name of given) {
    if (!name.startsWith(PREFIX) || name.startsWith(TEST_PREFIX) || names.includes(name)) continue
    const [meant] = nearest(name.slice(PREFIX.length), bare)
    const hint = meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`
    throw new CommandError(`there is no setting ${name}${hint}`, 2)
  }
}

/** Reads one setting's value as the environment would; for options of the command line. */
export function readSetting<Key extends keyof Config>(key: Key, value: string): Config[Key] {
  const setting = SETTINGS.find((candidate) => candidate.key === key)
  if (setting === undefined) throw new Error(`no setting ${key}`)
  return setting.read(value) as Config[Key]
}
