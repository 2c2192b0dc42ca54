/**
 * Addresses of four real rolls with one part changed: none may find a parcel at another address.
 * What is another address is decided by the words of both lines, without the engine. Skips where
 * `../shared/data` is absent.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { parse } from 'csv-parse/sync'
import { unpack } from '../src/import/readers/container.ts'
import { indexRoll, type RollPlace } from './address-roll.ts'

const DATA = new URL('../../shared/data/', import.meta.url).pathname
const skip = existsSync(DATA) ? false : 'no ../shared/data beside the checkout'

type Roll = { file: string; column: string; place: RollPlace }
const ROLLS: Roll[] = [
  {
    file: 'ne-lancaster/lancaster_parcels.csv.gz',
    column: 'SITEADDRES',
    place: { state: 'NE', fips: 31_109 },
  },
  {
    file: 'ny-manhattan-pluto/MN.csv.zip',
    column: 'Address',
    place: { state: 'NY', fips: 36_061 },
  },
  {
    file: 'pa-philadelphia-opa/opa_properties_public_sample.csv',
    column: 'location',
    place: { state: 'PA', fips: 42_101 },
  },
  {
    file: 'ma-easthampton-massgis/parcels_joined.csv',
    column: 'SITE_ADDR',
    place: { state: 'MA', fips: 25_015 },
  },
]
/** Lines asked of each recorded line: with two different changes. */
const CHANGES_EACH = 2

const SUFFIXES: Record<string, string> = {
  ...{ STREET: 'ST', AVENUE: 'AVE', AV: 'AVE', ROAD: 'RD', DRIVE: 'DR', LANE: 'LN', COURT: 'CT' },
  ...{ PLACE: 'PL', PLCE: 'PL', BOULEVARD: 'BLVD', CIRCLE: 'CIR', TERRACE: 'TER', SQUARE: 'SQ' },
}
const ORDINALS: Record<string, string> = Object.fromEntries(
  'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH'
    .split(' ')
    .map((word, at) => [word, String(at + 1)]),
)
const SHORT = ['ST', 'AVE', 'RD', 'DR', 'LN', 'CT', 'PL', 'BLVD', 'CIR', 'TER']
const DIRECTIONS: Record<string, string> = { NORTH: 'N', SOUTH: 'S', EAST: 'E', WEST: 'W' }
const TURNED: Record<string, string> = { N: 'S', S: 'N', E: 'W', W: 'E', NW: 'SE', NE: 'SW' }
const ACROSS: Record<string, string> = { N: 'E', E: 'N', S: 'W', W: 'S', NW: 'NE', SE: 'SW' }
const UNIT = /(?<=(?:#|UNIT|APT|STE) ?#?)([A-Z]?)(\d+)([A-Z]?)$/

/** One change of a line; `undefined`: the line lacks the part. */
type Change = (line: string) => string | undefined
const number =
  (by: (digits: string) => string): Change =>
  (line) =>
    replaced(line, /^\d+(?= )/, by)
const suffix =
  (steps: number): Change =>
  (line) =>
    replaced(line, /(?<= )[A-Z]+(?=(?: [NSEW]{1,2})?(?:,? (?:UNIT|APT|STE|#).*)?$)/, (word) => {
      const at = SHORT.indexOf(SUFFIXES[word] ?? word)
      return at < 0 ? word : (SHORT[(at + steps) % SHORT.length] ?? word)
    })
const direction =
  (table: Record<string, string>, place: RegExp): Change =>
  (line) =>
    replaced(line, place, (word) => table[DIRECTIONS[word] ?? word] ?? word)
const BEFORE = /(?<=^\S+ )(?:[NSEW]|NORTH|SOUTH|EAST|WEST)(?= \S+ \S)/
const AFTER = /(?<=\b(?:ST|AVE|RD|DR|LN|CT|PL) )[NSEW]{1,2}(?=$| #)/
const unit =
  (by: (digits: string) => string): Change =>
  (line) =>
    replaced(line, UNIT, (id) => id.replace(/\d+/, by))

const CHANGES: Change[] = [
  number((digits) => String(Number(digits) + 2)),
  number((digits) => String(Number(digits) + 1000)),
  number((digits) => digits.slice(0, -1)),
  number((digits) => digits.replace(/(\d)(\d)$/, '$2$1')),
  number((digits) => `${digits}K`),
  suffix(1),
  suffix(4),
  direction(TURNED, BEFORE),
  direction(ACROSS, BEFORE),
  direction(TURNED, AFTER),
  unit((digits) => String(Number(digits) + 1)),
  unit((digits) => `${digits}7`),
  // The number of a numbered street.
  (line) => replaced(line, /(?<=^\S+ (?:[NSEW] )?)\d+(?=(?:ST|ND|RD|TH)? )/, (d) => `${+d + 1}`),
]

function replaced(line: string, part: RegExp, by: (text: string) => string): string | undefined {
  const other = line.replace(part, (text) => by(text))
  return other === line || other.startsWith(' ') ? undefined : other
}

test('an address with one part changed finds no parcel at another address', { skip }, async (t) => {
  let asked = 0
  const wrong: string[] = []
  for (const roll of ROLLS) {
    const lines = [...new Set(await readLines(roll))]
    const lookUp = indexRoll(
      lines.map((line) => ({ line, city: null, zip: '' })),
      roll.place,
    )
    for (const [at, line] of lines.entries()) {
      for (const changed of changesOf(line, at)) {
        asked += 1
        const finding = await lookUp(changed)
        if (finding.outcome !== 'found') continue
        const found = lines[finding.hit.id] ?? ''
        if (contradicts(changed, found, finding.match)) {
          wrong.push(`${changed} found ${found} (${finding.match})`)
        }
      }
    }
  }
  t.diagnostic(`${asked} lines asked, ${wrong.length} wrong`)
  assert.deepEqual(wrong.slice(0, 20), [])
  assert.ok(asked > 250_000, String(asked))
})

/** Lines of addresses without their city. */
async function readLines({ file, column }: Roll): Promise<string[]> {
  const chunks: Buffer[] = []
  for await (const part of unpack(join(DATA, file))) {
    for await (const chunk of await part.open()) chunks.push(chunk)
  }
  const options = { columns: true, relax_quotes: true, relax_column_count: true, bom: true }
  const rows = parse(Buffer.concat(chunks), options) as unknown as Record<string, string>[]
  return rows
    .map((row) => (row[column] ?? '').replace(/, [A-Z ]+, NE(?: +\d{5})?$/, ''))
    .map((line) => line.toUpperCase().replace(/\s+/g, ' ').trim())
    .filter((line) => /^[1-9]\S* \S/.test(line) && !/[&*]/.test(line))
}

/** Returns the line with two changes, one at a time; which ones follows from its place. */
function changesOf(line: string, at: number): string[] {
  const order = CHANGES.map((_, step) => CHANGES[(at * 5 + step) % CHANGES.length] as Change)
  const changed = order.map((change) => change(line)).filter((text) => text !== undefined)
  return changed.slice(0, CHANGES_EACH)
}

/** Reports whether two lines have words that the other lacks, so that they are two addresses. */
function contradicts(asked: string, found: string, match: string): boolean {
  let [own, other] = [wordsOf(asked), wordsOf(found)]
  if (match === 'spacing' && own.join('') === other.join('')) return false
  if (isInRange(own[0], other[0])) [own, other] = [own.slice(1), other.slice(1)]
  return own.some((word) => !other.includes(word)) && other.some((word) => !own.includes(word))
}

/** `1618` is in `1616-22`, in `1616-1622`, and `26` in `26-26A`. */
function isInRange(asked = '', recorded = ''): boolean {
  const ends = (text: string) => {
    const [low = '', high = low] = text.split('-')
    const start = Number.parseInt(low, 10)
    const end = /[A-Z]/.test(high) ? high : low.slice(0, low.length - high.length) + high
    return [start, Number.parseInt(end, 10)] as const
  }
  const [[low, high], [from, to]] = [ends(asked), ends(recorded)]
  return `${asked}${recorded}`.includes('-') && low <= to && high >= from
}

function wordsOf(line: string): string[] {
  return line
    .replace(/['.]/g, '')
    .replace(/(?<=#[A-Z])-(?=\d)/, '')
    .replace(/\b(\d+)(?:ST|ND|RD|TH)\b/g, '$1')
    .split(/[ ,#]+/)
    .filter((word) => !/^(?:|UNIT|APT|STE|LOT)$/.test(word))
    .map(
      (word) =>
        ORDINALS[word] ?? DIRECTIONS[word] ?? SUFFIXES[word] ?? word.replace(/^0+(?=.)/, ''),
    )
}
