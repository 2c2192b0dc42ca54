/**
 * Reads the values of options. Each function returns `undefined` without its option, and throws
 * `CommandError` for an invalid value.
 */
import { dayOf } from '../base/days.ts'
import { CommandError } from '../base/errors.ts'
import type { NameOrder } from '../base/model/owner.ts'
import type { CommandArgs } from './command.ts'

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
