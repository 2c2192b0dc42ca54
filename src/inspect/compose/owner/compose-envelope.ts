/** The whole envelope in one column: name, street and place on lines of their own. */
import { markLines } from '../../../import/mapping/expression.ts'
import { cutCityStateZip } from '../../../import/rows/lines.ts'
import { guessOf } from '../../recognize/guess.ts'
import type { Subject } from '../../recognize/subject.ts'
import type { DraftBuilder } from '../draft-builder.ts'

/** A line that begins a street address or a care-of. */
const KEPT = '(?:\\d|P\\.? ?O\\.? |%|C\\s?/\\s?O\\b|ATTN\\b)'
/** Names above the street; two lines at least stay. */
const NAMES = `^(?:(?!${KEPT})[^|]*\\| )+(?=[^|]*\\|)`

/**
 * Adds the parts of an envelope column to the draft. Returns `false` if there is no such column.
 */
export function composeEnvelope(builder: DraftBuilder): boolean {
  const lines = (subject: Subject) =>
    builder.sample.kept.map((row) => markLines(row[subject.index] ?? '').split(' | '))
  const isOwners = ({ meaning, contents }: Subject) =>
    contents.lined > 0.5 && meaning.words.some((word) => word === 'mail' || word === 'owner')
  const subject = builder.subjects.find(
    (one) => isOwners(one) && shareOf(lines(one), endsInPlace) > 0.5,
  )
  if (subject === undefined || builder.look('ownerCity') !== undefined) return false
  const own = lines(subject)
  const named = shareOf(own, ([first = '', ...rest]) => rest.length > 1 && !startsStreet(first))
  const guess = guessOf('ownerAddressFull', subject, 0.75, [0.8, shareOf(own, endsInPlace)])
  const replace = named > 0.05 ? { replace: [{ pattern: NAMES, with: '' }] } : {}
  const note = 'name, street and place are lines of one value'
  builder.put('ownerAddressFull', guess, { lines: true, ...replace }, note)
  if (builder.look('ownerName1') === undefined && named > 0.7) {
    builder.put('ownerName1', guess, { lines: true, cut: '^[^|]+' }, 'the first line')
  }
  return true
}

const startsStreet = (line: string) => new RegExp(`^${KEPT}`, 'i').test(line)

function endsInPlace(lines: string[]): boolean {
  const { city, state } = cutCityStateZip((lines.at(-1) ?? '').toUpperCase())
  return lines.length > 1 && city !== null && state !== null
}

function shareOf(all: string[][], test: (lines: string[]) => boolean): number {
  const filled = all.filter((lines) => lines.some((line) => line !== ''))
  return filled.filter(test).length / Math.max(1, filled.length)
}
