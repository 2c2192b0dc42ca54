/** Reads options; each returns `undefined` without its option. Throws `CommandError` if invalid. */
import { dayOf } from '../base/days.ts'
import { CommandError } from '../base/errors.ts'
import type { NameOrder } from '../base/model/owner.ts'
import { countyByFips } from '../regions/counties.ts'
import type { CommandArgs, CommandIo } from './command.ts'

type Values = CommandArgs['values']

/** Returns days since 1970-01-01. */
export function readDay(values: Values, name: string): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const day = dayOf(String(text))
  if (day !== undefined) return day
  throw new CommandError(`--${name}: "${text}" is not a day such as 2019-01-01`, 2)
}

export function readWord<Word extends string>(
  values: Values,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = values[name]
  const found = words.find((word) => word === text)
  if (text === undefined || found !== undefined) return found
  throw new CommandError(`--${name}: "${text}" is none of ${words.join(', ')}`, 2)
}

export function readOrder(values: Values): NameOrder | undefined {
  return readWord(values, 'name-order', ['last-first', 'first-last', 'mixed'])
}

export function readEpsg({ epsg }: Values): number | undefined {
  if (epsg === undefined) return undefined
  if (/^\d{4,5}$/.test(String(epsg))) return Number(epsg)
  throw new CommandError(`--epsg: "${epsg}" is not an EPSG code`, 2)
}

/** Returns the county of a propertyId. Throws `CommandError` for another text. */
export function needCountyOf(propertyId: string) {
  const county = countyByFips(Number(/^(\d{5})-./.exec(propertyId)?.[1]))
  if (county !== undefined) return county
  throw new CommandError(`"${propertyId}" is not a propertyId such as 55025-0709-1`, 2)
}

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
