/**
 * Invented parcels that follow the conventions of real rolls, as values by name. `layouts.txt`
 * writes them under other column names.
 */
import { Random } from '../../src/sample/random.ts'
import { csvRow } from '../../src/sample/write.ts'
import { write } from '../import/small-roll.ts'

/** A value by the number of its row. */
export type Cell = (at: number) => string | number

/** Writes a roll of some columns with as many rows; returns its path. */
export function writeColumns(folder: string, columns: Record<string, Cell>, count = 60): string {
  const rows = Array.from({ length: count }, (_, at) =>
    csvRow(Object.values(columns).map((cell) => String(cell(at)))),
  )
  return write(folder, 'roll.csv', [csvRow(Object.keys(columns)), ...rows].join(''))
}

const SURNAMES = (
  'ABERNATHY BLANKENSHIP CARVER ESPINOZA FITZGERALD GUTIERREZ HALVORSEN KOWALSKI ' +
  'LINDQUIST MARTINEZ NAKAMURA PETERSON RAMIREZ SCHROEDER THOMPSON ZIMMERMAN COOPER ' +
  'JOHNSON'
).split(' ')
const GIVEN = (
  'JAMES ROBERT MICHAEL WILLIAM DAVID RICHARD CHARLES DANIEL MARY PATRICIA JENNIFER ' +
  'LINDA ELIZABETH BARBARA SUSAN MARGARET'
).split(' ')
const STREETS = (
  'MAPLE|OAK HILL|WASHINGTON|CEDAR|2ND|14TH|RIVER BEND|CHURCH|SPRING ' +
  'VALLEY|ELM|LINCOLN|SUNSET|FRANKLIN'
).split('|')
const TYPES = 'ST AVE RD DR LN CT BLVD PL'.split(' ')
const USES = ['SINGLE FAMILY', 'TWO FAMILY', 'CONDOMINIUM', 'VACANT LAND', 'RETAIL STORE']

/** Towns with their ZIP codes and a point, by state. */
const PLACES: Record<string, { towns: [string, string][]; latitude: number; longitude: number }> = {
  PA: {
    towns: [
      ['PITTSBURGH', '15213'],
      ['OAKMONT', '15139'],
    ],
    latitude: 40.4,
    longitude: -80,
  },
  TX: {
    towns: [
      ['HOUSTON', '77002'],
      ['AUSTIN', '78701'],
    ],
    latitude: 30,
    longitude: -97,
  },
  CA: {
    towns: [
      ['OCEANSIDE', '92054'],
      ['CHULA VISTA', '91910'],
    ],
    latitude: 32.8,
    longitude: -117.1,
  },
  MN: {
    towns: [
      ['EDINA', '55424'],
      ['BLOOMINGTON', '55420'],
    ],
    latitude: 44.9,
    longitude: -93.3,
  },
  NJ: {
    towns: [
      ['FREEHOLD TWP', '07728'],
      ['RED BANK BORO', '07701'],
    ],
    latitude: 40.3,
    longitude: -74.1,
  },
  CT: {
    towns: [
      ['COVENTRY', '06238'],
      ['MANSFIELD', '06268'],
    ],
    latitude: 41.8,
    longitude: -72.3,
  },
  VT: {
    towns: [
      ['MONTPELIER', '05602'],
      ['BARRE TOWN', '05641'],
    ],
    latitude: 44.2,
    longitude: -72.6,
  },
  TN: {
    towns: [
      ['SMYRNA', '37167'],
      ['LA VERGNE', '37086'],
    ],
    latitude: 35.9,
    longitude: -86.4,
  },
  WI: { towns: [['MILWAUKEE', '53202']], latitude: 43, longitude: -88.02 },
}
const ELSEWHERE = [
  ['PHOENIX', 'AZ', '85016'],
  ['NEW YORK', 'NY', '10012'],
  ['ATLANTA', 'GA', '30305'],
  ['DENVER', 'CO', '80202'],
  ['CHICAGO', 'IL', '60614'],
] as const

export type InventedRow = Record<string, string>

/** Returns a number of parcels of a state, always the same ones. */
export function inventRows(state: string, count: number): InventedRow[] {
  const random = new Random(7, `invented ${state}`)
  return Array.from({ length: count }, (_, at) => inventRow(random, state, at))
}

function inventRow(random: Random, state: string, at: number): InventedRow {
  const place = PLACES[state]
  if (place === undefined) throw new Error(`no towns of ${state} are invented`)
  const pick = <Item>(items: readonly Item[]) => items[random.below(items.length)] as Item
  const chance = (percent: number) => random.below(100) < percent
  const [city, zip] = place.towns[at % place.towns.length] as [string, string]
  const [direction, street, type] = [
    chance(25) ? pick(['N', 'S', 'E', 'W']) : '',
    pick(STREETS),
    pick(TYPES),
  ]
  const number = String(1 + random.below(9800))
  const line = join(number, direction, street, type)
  const away = chance(30)
  const far = away && chance(60) ? pick(ELSEWHERE) : ([city, state, zip] as const)
  const box = away && chance(30) ? String(10 + random.below(5000)) : ''
  const mailStreet =
    box !== '' ? '' : away ? join(String(1 + random.below(5000)), pick(STREETS), pick(TYPES)) : line
  const [surname, given, second] = [pick(SURNAMES), pick(GIVEN), pick(GIVEN)]
  const isCompany = chance(12)
  const both = chance(40)
  const [land, building] = [5000 + random.below(300) * 500, 20_000 + random.below(3000) * 150]
  const acres = (random.below(3000) + 80) / 1000
  const sold = chance(90)
    ? new Date(Date.UTC(1975 + random.below(50), random.below(12), 1 + random.below(28)))
    : undefined
  const use = random.below(USES.length)
  return {
    ...serials(at, city, place.towns),
    number,
    direction,
    street,
    type,
    line,
    city,
    zip,
    four: String(1000 + random.below(8999)),
    unit: chance(12) ? String(1 + random.below(40)) : '',
    owner: isCompany
      ? `${surname} PROPERTIES LLC`
      : `${surname} ${given}${both ? ` & ${second}` : ''}`,
    ownerComma: isCompany ? `${surname} FAMILY TRUST` : `${surname}, ${given}`,
    ownerFirst: isCompany ? `${surname} HOLDINGS INC` : `${given} ${surname}`,
    owner2: both && !isCompany ? `${surname} ${second}` : '',
    surname: isCompany ? `${surname} LLC` : surname,
    given: isCompany ? '' : given,
    careOf: chance(6) ? `${pick(GIVEN)} ${pick(SURNAMES)}` : '',
    mailLine: box === '' ? mailStreet : `PO BOX ${box}`,
    mailStreet,
    mailBox: box,
    mailUnit: away && chance(20) ? String(1 + random.below(30)) : '',
    mailCity: far[0],
    mailState: far[1],
    mailZip: far[2],
    mailZipShort: far[2].replace(/^0/, ''),
    homestead: away ? 'F' : 'T',
    land: String(land),
    building: String(building),
    total: String(land + building),
    assessed: String(Math.round((land + building) * 0.4)),
    tax: ((land + building) * 0.0173).toFixed(2),
    built: String(1890 + random.below(134)),
    beds: String(1 + random.below(5)),
    baths: String(1 + random.below(3)),
    halfBaths: String(random.below(2)),
    sqFt: String(600 + random.below(3000)),
    acres: String(acres),
    lotSqFt: String(Math.round(acres * 43_560)),
    ...sales(sold),
    price: sold === undefined ? '' : String(chance(25) ? 0 : 30_000 + random.below(700) * 1000),
    book: String(100 + random.below(9000)),
    page: String(1 + random.below(900)),
    document: `2${String(random.below(1e9)).padStart(9, '0')}`,
    latitude: (place.latitude + random.below(1000) / 10_000).toFixed(6),
    longitude: (place.longitude + random.below(1000) / 10_000).toFixed(6),
    plat: `${pick(STREETS)} ADDITION`,
    lot: String(1 + random.below(60)),
    block: String(1 + random.below(20)),
    use: String(100 + use),
    useName: USES[use] ?? '',
    area: String(100 + random.below(30)),
  }
}

/** Numbers of the row itself, so that IDs are unique; `townSerial` is so within a town. */
function serials(at: number, city: string, towns: [string, string][]): InventedRow {
  const padded = [3, 4, 5, 6, 12].map((width) => [`i${width}`, String(at).padStart(width, '0')])
  const code = String(1316 + towns.findIndex(([name]) => name === city) * 11)
  const townSerial = String(Math.floor(at / towns.length) + 1)
  return { ...Object.fromEntries(padded), serial: String(100_001 + at), code, townSerial }
}

/** A day as counties write it. */
function sales(day: Date | undefined): InventedRow {
  const iso = day?.toISOString().slice(0, 10) ?? ''
  const [year = '', month = '', date = ''] = iso.split('-')
  const days = day === undefined ? '' : String(day.getTime() / 86_400_000 + 25_569)
  return {
    soldIso: iso,
    soldMdy: day === undefined ? '' : `${month}/${date}/${year}`,
    soldYm: `${year}${month}`,
    soldYymmdd: `${year.slice(2)}${month}${date}`,
    soldMmddyy: `${month}${date}${year.slice(2)}`,
    soldDays: days,
  }
}

const join = (...words: string[]) => words.filter((word) => word !== '').join(' ')
