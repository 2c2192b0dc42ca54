/** Warnings about parcel IDs before a draft is loaded: damage by a spreadsheet, repeats. */
import { isRounded } from '../../import/mapping/clean.ts'
import { DamagedIds } from '../../import/report/damaged-ids.ts'
import type { Contents } from '../sample/contents.ts'
import { percent } from './draft-builder.ts'

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
  const damaged = new DamagedIds()
  for (const text of values) damaged.add(text)
  const repeats =
    uniqueness > 0.99
      ? []
      : [
          `${name}: about ${percent(1 - uniqueness)} of the rows repeat a parcel ID of ` +
            'another; see repeats',
        ]
  return [...damaged.list(name), ...repeats]
}
