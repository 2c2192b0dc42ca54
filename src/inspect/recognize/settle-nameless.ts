/**
 * Guesses columns without a name (`column7` in a file without a header line, `Field7`, `Unnamed:
 * 7`) from their values. docs/decisions/inspect.md.
 */
import type { Contents } from '../sample/contents.ts'
import type { Sample } from '../sample/sample.ts'
import { addsUp } from './settle-sums.ts'
import { type Subject, withWords } from './subject.ts'

const NAMELESS = /^(?:column|col|field|fld|var|f|v|c|_c|unnamed:?)[ _]?\d+$/i
const ROWS_MIN = 20
/** Years between the oldest and the newest house of a roll, at least. */
const HOUSES_SPAN = 40

/**
 * Gives nameless columns the words that fit their values. Of several columns of one kind only the
 * first gets them, except owners and addresses.
 */
export function settleNameless(subjects: Subject[], sample: Sample): Subject[] {
  const taken = new Map<string, number>()
  const money = findSum(subjects.filter(isNameless), sample)
  return subjects.map((subject) => {
    if (!isNameless(subject) || subject.contents.texts.length < ROWS_MIN) return subject
    const words = money.get(subject.index) ?? wordsOf(subject.contents)
    if (words === undefined) return withWords(subject, [], 0)
    const key = words.join(' ')
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    const most = key === 'owner name' || key === 'address' ? 2 : MAILED.has(key) ? 2 : 1
    if (count > most) return withWords(subject, [], 0)
    const ordinal = key === 'owner name' ? count : 0
    return { ...subject, isNameless: true, meaning: { words, ordinal } }
  })
}

const isNameless = ({ name, alias }: Subject) => alias === undefined && NAMELESS.test(name.trim())

/** Kinds that occur twice: for the site and for the mailing address. */
const MAILED: ReadonlySet<string> = new Set(['city', 'state', 'zip', 'city state zip'])

function wordsOf(c: Contents): string[] | undefined {
  if (c.oneLine > 0.7 || c.address > 0.7) return ['address']
  if (c.cityStateZip > 0.7) return ['city', 'state', 'zip']
  if (c.person + c.organization > 0.75 && c.person > 0.2 && c.uniqueness > 0.3) {
    return ['owner', 'name']
  }
  if (c.zip > 0.95 && c.uniqueness < 0.5) return ['zip']
  if (c.state > 0.95) return ['state']
  if (c.decimal > 0.95 && c.low > 17 && c.high < 72 && c.high - c.low < 8) return ['latitude']
  if (c.decimal > 0.95 && c.high < -60 && c.low > -180 && c.high - c.low < 12) return ['longitude']
  if (c.date > 0.9) return ['sale', 'date']
  // Houses of one county are of many decades; its last changes are of two.
  if (c.year > 0.95 && c.distinct > 12)
    return c.high - c.low > HOUSES_SPAN ? ['year', 'built'] : undefined
  if (c.year > 0.95) return ['tax', 'year']
  const isPlace = c.place > 0.9 && c.person < 0.3 && c.uniqueness < 0.4
  return isPlace && c.distinct > 1 && c.length > 4 && c.dwelling < 0.05 ? ['city'] : undefined
}

/** Finds three amounts of which two add up to the third: land, building and total in this order. */
function findSum(subjects: Subject[], sample: Sample): Map<number, string[]> {
  const amounts = subjects.filter(
    ({ contents: c }) => c.numeric > 0.95 && c.median > 500 && c.round > 0.05 && c.date < 0.5,
  )
  for (const total of amounts) {
    const parts = amounts.filter((one) => one !== total)
    for (const [at, land] of parts.entries()) {
      const building = parts.slice(at + 1).find((one) => addsUp(sample, [land, one], [total]))
      if (building === undefined) continue
      return new Map([
        [land.index, ['land', 'value']],
        [building.index, ['building', 'value']],
        [total.index, ['total', 'value']],
      ])
    }
  }
  return new Map()
}
