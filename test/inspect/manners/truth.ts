/** Invented parcels: the facts, before a county writes them in its form. */
import { Random } from '../../../src/sample/random.ts'
import { csvRow } from '../../../src/sample/write.ts'

export type Town = { city: string; zip: string; municipality: string }

export type Truth = {
  at: number
  town: Town
  number: string
  street: string
  type: string
  unit: string
  /** Street line without its unit. */
  line: string
  surname: string
  given: string
  spouse: string
  isCompany: boolean
  /** The mail goes elsewhere. */
  isAway: boolean
  mailLine: string
  mailCity: string
  mailState: string
  mailZip: string
  use: Use
  land: number
  building: number
  total: number
  built: number
  /** `YYYY-MM-DD`. */
  sold: string
  price: number
  block: number
  lot: number
}

export type Use = { code: string; words: string; residential: boolean }

export const USES: Use[] = [
  { code: '101', words: 'SINGLE FAMILY RESIDENCE', residential: true },
  { code: '102', words: 'RES CONDOMINIUM', residential: true },
  { code: '326', words: 'RESTAURANT', residential: false },
  { code: '430', words: 'RESERVOIR', residential: false },
  { code: '404', words: 'RESEARCH LABORATORY', residential: false },
  { code: '105', words: 'DUPLEX', residential: true },
  { code: '930', words: 'VACANT RESIDENTIAL LAND', residential: false },
]

const SURNAMES = (
  'BLANKENSHIP CARVER ESPINOZA FITZGERALD HALVORSEN KOWALSKI LINDQUIST NAKAMURA ' +
  'PETERSON RAMIREZ SCHROEDER THOMPSON'
).split(' ')
const GIVEN = 'JAMES ROBERT WILLIAM DAVID RICHARD MARY PATRICIA JENNIFER LINDA SUSAN'.split(' ')
const STREETS = 'MAPLE|OAK HILL|CEDAR|RIVER BEND|CHURCH|SPRING VALLEY|ELM|QUARRY|SUNSET'.split('|')
const TYPES = 'ST AVE RD DR LN CT'.split(' ')
const ELSEWHERE = [
  ['PHOENIX', 'AZ', '85016'],
  ['ATLANTA', 'GA', '30305'],
  ['DENVER', 'CO', '80202'],
] as const

/** As many parcels of some towns, the same for the same seed. */
export function inventTruth(seed: string, state: string, towns: Town[], count: number): Truth[] {
  const random = new Random(16, seed)
  return Array.from({ length: count }, (_, at) => inventOne(random, state, towns, at))
}

function inventOne(random: Random, state: string, towns: Town[], at: number): Truth {
  const town = towns[at % towns.length] as Town
  const [number, street, type] = [
    // No two parcels have one number: an address names one of them.
    String(100 + at * 13 + random.below(12)),
    random.pick(STREETS),
    random.pick(TYPES),
  ]
  const line = `${number} ${street} ${type}`
  const isAway = random.chance(0.35)
  const [mailCity, mailState, mailZip] =
    isAway && random.chance(0.6)
      ? random.pick(ELSEWHERE)
      : ([towns[0]?.city ?? '', state, towns[0]?.zip ?? ''] as const)
  const [land, building] = [5000 + random.below(300) * 500, 20_150 + random.below(3000) * 150]
  const day = new Date(Date.UTC(1985 + random.below(40), random.below(12), 13 + random.below(15)))
  const isCompany = random.chance(0.15)
  return {
    at,
    town,
    number,
    street,
    type,
    unit: random.chance(0.15) ? String(1 + random.below(40)) : '',
    line,
    surname: random.pick(SURNAMES),
    given: random.pick(GIVEN),
    spouse: random.chance(0.4) ? random.pick(GIVEN) : '',
    isCompany,
    isAway,
    mailLine: isAway ? awayLine(random) : line,
    mailCity: isAway ? mailCity : town.city,
    mailState: isAway ? mailState : state,
    mailZip: isAway ? mailZip : town.zip,
    use: USES[at % USES.length] as Use,
    land,
    building,
    total: land + building,
    built: 1890 + random.below(134),
    sold: day.toISOString().slice(0, 10),
    price: 30_000 + random.below(700) * 1000,
    block: 1 + Math.floor(at / 7),
    lot: 1 + (at % 7),
  }
}

/** A box, or a street number that no site of the roll has. */
function awayLine(random: Random): string {
  return random.chance(0.3)
    ? `PO BOX ${10 + random.below(5000)}`
    : `${60_001 + random.below(5000)} ${random.pick(STREETS)} ${random.pick(TYPES)}`
}

/** `SURNAME GIVEN & SPOUSE`, or a company. */
export const ownerOf = ({ surname, given, spouse, isCompany }: Truth) =>
  isCompany
    ? `${surname} PROPERTIES LLC`
    : `${surname} ${given}${spouse === '' ? '' : ` & ${spouse}`}`

/** What a table has in each column, by the column's name. */
export type Cells = Record<string, (truth: Truth) => string | number>

/** A CSV of a column for each entry. */
export function writeTable(rows: Truth[], cells: Cells): string {
  return [
    csvRow(Object.keys(cells)),
    ...rows.map((row) => csvRow(Object.values(cells).map((writeCell) => String(writeCell(row))))),
  ].join('')
}
