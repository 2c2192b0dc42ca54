/** Reads the settings of `config.ts` from the environment, once, at start. */
import { readFileSync } from 'node:fs'
import { CommandError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { type Config, FILE_NAMES, FILE_SUFFIX, SETTINGS, type Setting } from './config.ts'

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
    const given = readGiven(setting, env)
    try {
      // A file of variables may keep a carriage return, and one of a secret its last newline.
      return [setting.key, setting.read(given?.trim() ?? setting.default)]
    } catch (error) {
      throw new CommandError(`${setting.name}: ${(error as Error).message}`, 2)
    }
  })
  return Object.fromEntries(entries) as Config
}

/** Returns a setting's value, or the text of the file that `NAME_FILE` names. */
function readGiven(
  { name }: Pick<Setting, 'name'>,
  env: Record<string, string | undefined>,
): string | undefined {
  const file = env[`${name}${FILE_SUFFIX}`]?.trim()
  if (file === undefined || !FILE_NAMES.has(`${name}${FILE_SUFFIX}`)) return env[name]
  if (env[name] !== undefined) {
    throw new CommandError(`${name} and ${name}${FILE_SUFFIX} are both set; give one`, 2)
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(`${name}${FILE_SUFFIX}: ${file} cannot be read (${code})`, 2)
  }
  // Without its secret, a service would make a new one.
  if (text.trim() === '') throw new CommandError(`${name}${FILE_SUFFIX}: ${file} is empty`, 2)
  return text
}

/** A mistyped name would otherwise leave the default in force unnoticed. */
function refuseUnknown(given: string[]): void {
  const names = SETTINGS.map(({ name }) => name)
  const bare = names.map((name) => name.slice(PREFIX.length))
  for (const name of given) {
    if (!name.startsWith(PREFIX) || name.startsWith(TEST_PREFIX)) continue
    if (names.includes(name) || FILE_NAMES.has(name)) continue
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
