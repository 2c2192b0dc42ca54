/** Generates a realistic roll of four counties. docs/decisions/sample-and-sandbox.md. */
import {
  appraise,
  daysAfterSales,
  drawBuilding,
  drawLand,
  drawSale,
  isHome,
  moveSale,
  ROLL_YEAR,
} from './building.ts'
import { placeOf, SAMPLE_COLUMNS, SAMPLE_SOURCE, type SampleRow } from './columns.ts'
import { florida, illinois, texas, wisconsin } from './counties.ts'
import { toEarlierRow } from './earlier.ts'
import { drawCity, drawStreet, type GroundFeature } from './ground.ts'
import { Land } from './land.ts'
import type { LotShape } from './lots.ts'
import { drawMail, drawOwner, type Mail, type Owner } from './owner.ts'
import { drawPlaces, type Place } from './plat.ts'
import { Random } from './random.ts'
import type { RollStyle, Use } from './roll-style.ts'
import { uses } from './tables.ts'
import { csvRow, pad } from './write.ts'

/** Number of parcels, and the seed that determines them. */
export type SampleOptions = {
  /** 0 to 50,000,000. */
  parcels: number
  /** A whole number from 0 to 2^53 - 1. */
  seed: number
  /** Day after which nothing was sold, `YYYY-MM-DD`; default: the end of the last roll year. */
  salesEnd?: string
  /** The roll of the year before, of the largest county alone. */
  earlier?: boolean
  /** Called with each feature of the ground; the largest county's alone with `earlier`. */
  onGround?: (feature: GroundFeature) => void
}

/**
 * Yields the rows of a roll, in the order of `SAMPLE_COLUMNS`, one county after the other. The same
 * options give the same rows on every machine; a larger sample begins each county with a smaller
 * one's.
 */
export function* generateSample(options: SampleOptions): Generator<string[]> {
  const { parcels, seed, earlier = false, onGround } = options
  const laterDays = daysAfterSales(options.salesEnd)
  const most = Math.max(...ROLL_STYLES.map(({ share }) => share))
  let share = 0
  for (const style of ROLL_STYLES) {
    const begin = Math.round(parcels * share)
    share += style.share
    if (earlier && style.share < most) continue
    const random = new Random(seed, `${style.state} ${style.county}`)
    const land = new Land(style, seed)
    const places = drawPlaces(style, random, land)
    for (const feature of [...land.drawNature(), ...style.cities.map(drawCity)]) onGround?.(feature)
    for (let count = Math.round(parcels * share) - begin; count > 0; count--) {
      const place = places.next().value as Place
      if (place.lot.lot === 1) onGround?.(drawStreet(place))
      const row = drawRow(random, style, place, laterDays)
      yield earlier ? toEarlierRow(row) : row
    }
    for (const feature of land.drawFree()) onGround?.(feature)
  }
}

/** Yields the same roll as a CSV file: a header line, then pieces of about 64 KB. */
export function* sampleCsv(options: SampleOptions): Generator<string> {
  let piece = csvRow(SAMPLE_COLUMNS)
  for (const row of generateSample(options)) {
    piece += csvRow(row)
    if (piece.length < 65_536) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

const ROLL_STYLES: readonly RollStyle[] = [wisconsin, illinois, florida, texas]

function drawRow(random: Random, style: RollStyle, place: Place, laterDays: number): string[] {
  const { plat, use, lot } = place
  const setting = {
    city: plat.city.name,
    zip: plat.zip,
    plat: plat.name,
    builder: plat.builder,
    street: `${place.number || lot.lot} ${place.street}`,
  }
  const owner = drawOwner(random, style, use, setting)
  const situs = writeSitus(random, style, place)
  const lives = isHome(use) && place.number > 0 && isPerson(owner) && random.chance(0.72)
  const building = drawBuilding(random, place)
  const land = drawLand(random, place)
  const { market, land: landValue, built } = appraise(place, building, land.areaSqFt)
  const sale = moveSale(drawSale(random, style, { place, market, owner }), laterDays)
  const row: string[] = new Array(SAMPLE_COLUMNS.length).fill('')
  fill(row, writeParcel(random, style, place))
  fill(row, {
    ownerOccupied: isHome(use) ? lives : '',
    totalLandValue: landValue,
    totalBuildingValue: built,
    totalMarketValue: market,
  })
  fill(row, writeOwner(style, owner))
  fill(row, writeMail(lives ? situs.mail : (owner.mail ?? drawMail(random, style)), random))
  fill(row, situs.fields)
  fill(row, land.fields)
  fill(row, sale.fields)
  if (building) fill(row, building.fields)
  fill(
    row,
    use === 'public' || use === 'church'
      ? { taxableValue: 0, totalAssessedValue: 0 }
      : style.values({
          market,
          land: landValue,
          year: ROLL_YEAR,
          homestead: lives,
          held: sale.held,
        }),
  )
  return row
}

/** Returns what a parcel has of its own: IDs, place, use and description. */
function writeParcel(
  random: Random,
  style: RollStyle,
  { plat, use, lot, ...at }: Place,
): SampleRow {
  const [useCodeLocal, useDescription] = style.useCodes[use]
  const [zoningCode, zoningDescription] = style.zoning[zoneOf(use)]
  const located = random.chance(0.97)
  return {
    state: style.state,
    county: style.county,
    parcelId: style.parcelId(lot, random),
    taxAccountNumber: style.taxAccount(lot),
    jurisdiction: lot.rural ? '' : plat.city.name,
    latitude: located ? at.lat.toFixed(6) : '',
    longitude: located ? at.lon.toFixed(6) : '',
    geometry: writePolygon(at.shape),
    siteCensusTract: plat.tract,
    neighborhood: plat.name,
    useCode: uses[use].code,
    useCodeLocal,
    useDescription,
    residential: isHome(use) || use === 'apartments',
    legalDesc: style.legal(lot, random),
    subdivision: lot.rural ? '' : plat.name,
    blockNum: lot.rural ? '' : lot.platBlock,
    lotNum: lot.rural || lot.unit !== null ? '' : lot.lot,
    zoningCode,
    zoningDescription,
    assessedYear: ROLL_YEAR,
    marketValueYear: ROLL_YEAR,
    schoolDistrict: `${plat.city.name} SCHOOLS`,
    sourceName: `${SAMPLE_SOURCE}: ${style.county} County, ${style.state}`,
    sourceLicense: 'CC0-1.0',
    sourceRollYear: ROLL_YEAR,
  }
}

/** Writes small objects of one shape in turn; joining them first took half of the time. */
function fill(row: string[], fields: SampleRow): void {
  for (const column in fields) {
    row[placeOf(column)] = String(fields[column])
  }
}

/** Returns line 1 in the roll's style, and the same as a mailing address. */
function writeSitus(
  random: Random,
  style: RollStyle,
  place: Place,
): { fields: SampleRow; mail: Mail } {
  const { plat, street, unit } = place
  const base =
    place.number === 0
      ? bareStreet(random, place)
      : `${writeNumber(random, style, place)} ${street}`
  const kind =
    plat.layout === 'court'
      ? 'LOT'
      : (style.unitWords[place.lot.block % style.unitWords.length] ?? '')
  const withUnit =
    unit === null ? base : `${base} ${kind === '#' ? `#${unit}` : `${kind} ${unit}`.trim()}`
  return {
    fields: {
      address: style.unitInLine ? withUnit : base,
      unitType: style.unitInLine || unit === null || kind === '#' ? '' : kind,
      unitNumberStripped: style.unitInLine ? '' : (unit ?? ''),
      city: plat.city.name,
      zipCode: base === '' ? '' : plat.zip,
    },
    mail: { line: withUnit, city: plat.city.name, state: style.state, zip: plat.zip },
  }
}

/** Land without a number: usually empty, sometimes the street, or the street after a 0. */
function bareStreet(random: Random, { street }: Place): string {
  const share = random.unit()
  if (share < 0.7) return ''
  return share < 0.88 ? street : `0 ${street}`
}

/** Half of the larger buildings have a range of numbers: `1200-1204`, or short `1200-04`. */
function writeNumber(random: Random, style: RollStyle, { number, street, use }: Place): string {
  const written = style.number(number, street)
  const wide = RANGES[use]
  if (written !== String(number) || wide === undefined) return written
  if (use === 'duplex' && random.chance(0.02)) return `${written} 1/2`
  if (!random.chance(0.45)) return written
  const high = number + wide
  const short =
    number > 99 && Math.floor(high / 100) === Math.floor(number / 100) && random.chance(0.3)
  return `${written}-${short ? pad(high % 100, 2) : high}`
}

/** Width of a range of numbers, always below the next house's number. */
const RANGES: Partial<Record<Use, number>> = { duplex: 2, apartments: 2, store: 2, office: 2 }

function writeOwner(style: RollStyle, owner: Owner): SampleRow {
  const careOf = owner.careOf === '' ? '' : `${style.careOfMark}${owner.careOf}`
  const inSlot = style.careOf === 'slot' && owner.name2 === ''
  return {
    ownerName1: owner.name1,
    ownerName2: inSlot ? careOf : owner.name2,
    nameOrder: 'last-first',
    ownerCareOf: inSlot ? '' : careOf,
  }
}

function writeMail(mail: Mail, random: Random): SampleRow {
  const plusFour = random.chance(0.6) ? `${mail.zip}-${pad(random.below(10_000), 4)}` : ''
  return {
    ownerAddressLine1: mail.line,
    ownerCity: mail.city,
    ownerState: mail.state,
    ownerZipCode: mail.zip,
    ownerZipCodePlusFour: plusFour,
  }
}

/** GeoJSON, to a tenth of a meter. */
function writePolygon({ ring }: LotShape): string {
  const points = ring.map(([lon, lat]) => `[${lon.toFixed(6)},${lat.toFixed(6)}]`).join(',')
  return `{"type":"Polygon","coordinates":[[${points}]]}`
}

function isPerson({ kind }: Owner): boolean {
  return kind === 'individual' || kind === 'trust'
}

function zoneOf(use: Use): keyof RollStyle['zoning'] {
  if (use === 'farm') return 'farm'
  if (use === 'apartments' || use === 'condo' || use === 'duplex') return 'dense'
  return use === 'store' || use === 'office' || use === 'warehouse' ? 'trade' : 'home'
}
