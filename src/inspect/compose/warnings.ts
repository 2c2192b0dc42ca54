/**
 * Warnings about a file before a draft is loaded: damage by a spreadsheet to its IDs, places
 * outside its county.
 */
import { isRounded } from '../../import/mapping/clean.ts'
import type { Contents } from '../sample/contents.ts'
import { percent } from './draft-builder.ts'

/** If this share of IDs has one length, shorter ones are suspicious. */
const SAME_LENGTH = 0.6
const SHORTER_MIN = 0.02

/** Returns warnings about the column of parcel IDs. `name`: the column's name in the file. */
export function warnOfIds(name: string, { texts, values, uniqueness }: Contents): string[] {
  const rounded = texts.filter(isRounded)
  if (rounded.length > 0) {
    return [
      `${name}: ${percent(rounded.length / texts.length)} of the parcel IDs are rounded ` +
        `(${rounded[0]}): a spreadsheet has opened the file and saved it, and their last ` +
        'digits are gone. Such rows are rejected; ask for the file as it was',
    ]
  }
  const lost = warnOfZeros(name, values)
  const repeats =
    uniqueness > 0.99
      ? []
      : [
          `${name}: about ${percent(1 - uniqueness)} of the rows repeat a parcel ID of ` +
            'another; see repeats',
        ]
  return [...lost, ...repeats]
}

/**
 * Warns about lost leading zeros: most numbers have one length, some are shorter, and none begins
 * with a zero.
 */
function warnOfZeros(name: string, values: string[]): string[] {
  if (values.length < 20 || !values.every((text) => /^[1-9]\d*$/.test(text))) return []
  const lengths = Map.groupBy(values, (text) => text.length)
  const longest = Math.max(...lengths.keys())
  const full = lengths.get(longest)?.length ?? 0
  const shorter = values.length - full
  const isSuspicious =
    longest >= 8 && full >= values.length * SAME_LENGTH && shorter >= values.length * SHORTER_MIN
  return isSuspicious
    ? [
        `${name}: ${percent(full / values.length)} of the parcel IDs have ${longest} ` +
          'digits and the others fewer, and none begins with 0: leading zeros may be lost. ' +
          `"replace": [{ "pattern": "^(?=\\\\d{${longest - 1}}$)", "with": "0" }] brings ` +
          'one back',
      ]
    : []
}
