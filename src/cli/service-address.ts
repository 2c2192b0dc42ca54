/** The options `--url` and `--key` of commands that call a service instead of the local store. */
import { CommandError } from '../base/errors.ts'
import type { CommandArgs, CommandIo } from './command.ts'

/** A running service that a command calls instead of the local store. */
export type Service = {
  /** Without a slash at its end. */
  url: string
  key: string
}

/** Returns the service of the options; `undefined` for the local store. Throws `CommandError`. */
export function readService(
  { values }: Pick<CommandArgs, 'values'>,
  { config }: Pick<CommandIo, 'config'>,
): Service | undefined {
  const { url } = values
  if (typeof url !== 'string') {
    if (values.key !== undefined) throw new CommandError('--key goes with --url', 2)
    return undefined
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandError(
      `--url: "${url}" is not an address that begins with http:// or https://`,
      2,
    )
  }
  const key = typeof values.key === 'string' ? values.key : config.apiKey
  if (key === null || key === '') {
    throw new CommandError('--url needs an API key: --key, or the setting PLATBOOK_API_KEY', 2)
  }
  return { url: url.replace(/\/+$/, ''), key }
}
