/** Draws a parcel's building, value and last sale. */
import { DAY_MS } from '../base/days.ts'
import type { SampleRow } from './columns.ts'
import type { Owner } from './owner.ts'
import { drawPerson, writePerson } from './person.ts'
import type { Place } from './plat.ts'
import type { Random } from './random.ts'
import type { RollStyle, Use } from './roll-style.ts'
import { uses } from './tables.ts'
import { pad, writeDate } from './write.ts'

/** The year of the sample's roll; fixed, so that the bytes do not depend on the date. */
export const ROLL_YEAR = 2025

const HOMES: ReadonlySet<Use> = new Set(['house', 'duplex', 'condo', 'mobile'])

export function isHome(use: Use): boolean {
  return HOMES.has(use)
}

type Building = { area: number; year: number; units: number; fields: SampleRow }

/** Returns `undefined` for vacant land. */
export function drawBuilding(random: Random, place: Place): Building | undefined {
  const { use, plat } = place
  if (use === 'vacant' || use === 'public') return undefined
  if (use === 'farm' && place.number === 0) return undefined
  const year = Math.min(ROLL_YEAR - 1, plat.built + random.between(-3, 6))
  const area = Math.max(420, Math.round(uses[use].area * (0.35 + 0.65 * random.factor())))
  const units = use === 'apartments' ? random.between(4, 180) : use === 'duplex' ? 2 : 1
  const effective = random.chance(0.2) ? Math.min(ROLL_YEAR - 1, year + random.between(5, 30)) : ''
  const fields: SampleRow = {
    buildingCount: use === 'apartments' ? 1 + Math.floor(units / 24) : 1,
    unitCount: units,
    buildingArea: area,
    yearBuilt: year,
    effectiveYearBuilt: effective,
    stories: use === 'house' ? random.pick([1, 1, 1, 1.5, 2, 2]) : random.pick([1, 1, 2, 3]),
    constructionType: random.pick(['WOOD FRAME', 'WOOD FRAME', 'MASONRY']),
    wallType: random.pick(['VINYL SIDING', 'BRICK', 'WOOD SIDING', 'STUCCO', 'FIBER CEMENT']),
    roofType: random.pick(['ASPHALT SHINGLE', 'ASPHALT SHINGLE', 'METAL', 'TILE']),
    heatingType: random.pick(['FORCED AIR', 'FORCED AIR', 'HEAT PUMP', 'HOT WATER']),
    coolingType: random.chance(0.8) ? 'CENTRAL' : '',
  }
  return {
    area,
    year,
    units,
    fields: isHome(use) ? { ...fields, ...rooms(random, area, use) } : fields,
  }
}

function rooms(random: Random, area: number, use: Use): SampleRow {
  const bedrooms = Math.max(1, Math.min(7, Math.round(area / 620) + random.between(-1, 1)))
  const ground = use === 'house' || use === 'duplex'
  return {
    totalBedrooms: bedrooms,
    totalBathrooms: Math.max(1, bedrooms - 1) + (random.chance(0.4) ? 0.5 : 0),
    foundationType: random.pick(['CONCRETE', 'SLAB', 'CRAWL SPACE', 'BLOCK']),
    basementType: ground ? random.pick(['FULL', 'PARTIAL', 'NONE', 'NONE']) : '',
    garageCount: ground ? random.pick([0, 1, 2, 2, 3]) : 0,
    fireplaceCount: random.chance(0.3) ? 1 : 0,
    pool: ground && random.chance(0.06),
  }
}

/** The land of a parcel, in square feet and acres. */
export function drawLand(
  random: Random,
  { lot, use, shape }: Place,
): { areaSqFt: number; fields: SampleRow } {
  if (use === 'condo') return { areaSqFt: 0, fields: {} }
  if (lot.rural) {
    const areaSqFt = Math.round(lot.acres * 43_560)
    return { areaSqFt, fields: { acres: lot.acres, landArea: areaSqFt } }
  }
  // A deed is rounded differently from the map.
  const frontage = shape.frontageFt + random.between(-1, 1)
  const depth = shape.depthFt + random.between(-1, 1)
  const areaSqFt = frontage * depth
  const acres = Math.round(areaSqFt / 43.56) / 1000
  return { areaSqFt, fields: { acres, landArea: areaSqFt, frontage, depthSize: depth } }
}

/** Market values in whole hundreds of dollars. */
export function appraise(place: Place, building: Building | undefined, areaSqFt: number) {
  const { plat, lot, use } = place
  const perFoot = lot.rural ? 0.25 : plat.price / 16
  const land = hundreds(use === 'condo' ? plat.price * 110 : areaSqFt * perFoot + 4000)
  const age = building ? Math.min(80, ROLL_YEAR - building.year) : 0
  const worn = 1 - age / 140
  const built = building ? hundreds(building.area * plat.price * worn * uses[use].worth) : 0
  return { land, built, market: land + built }
}

/** Draws the newest transfer: most within ten years; one deed in four has no price. */
export function drawSale(
  random: Random,
  style: RollStyle,
  { place, market, owner }: { place: Place; market: number; owner: Owner },
): { held: number; fields: SampleRow } {
  const since = Math.min(38, ROLL_YEAR - place.plat.built + 2)
  const held = Math.max(0, Math.floor(random.unit() * random.unit() * since))
  if (owner.kind === 'government' || random.chance(0.08)) return { held: 30, fields: {} }
  const arms = random.chance(0.74)
  const price = arms
    ? hundreds((market / (1 + held * 0.05)) * (0.85 + random.unit() * 0.3))
    : random.pick([0, 0, 1, 10])
  const month = random.between(1, 12)
  const day = random.between(1, 28)
  const year = ROLL_YEAR - 1 - held
  const date = writeDate(year, month, day)
  const seller = arms && place.plat.builder !== '' && held < 4 ? place.plat.builder : ''
  const book = pad(1200 + (38 - held) * 90 + random.below(90), 4)
  return {
    held,
    fields: {
      ownershipStartDate: date,
      transferDate: date,
      transferPrice: price,
      recordingDate: writeDate(year, month, Math.min(28, day + random.between(0, 9))),
      transferDocType: arms ? random.pick(['WD', 'WD', 'SWD']) : random.pick(['QCD', 'TRD', 'WD']),
      transferDocNum: `${year}${pad(random.below(1_000_000), 6)}`,
      bookNum: year < 2015 ? book : '',
      pageNum: year < 2015 ? pad(random.between(1, 1999), 4) : '',
      grantor: seller || writePerson(drawPerson(random, style, random.chance(0.3)), style),
      grantee: owner.name1,
      saleQualificationCode: arms ? 'Q' : 'U',
    },
  }
}

/** Days from the newest sale that `drawSale` can draw to a day, `YYYY-MM-DD`; 0 without one. */
export function daysAfterSales(salesEnd: string | undefined): number {
  if (salesEnd === undefined) return 0
  return Math.round((Date.parse(salesEnd) - Date.UTC(ROLL_YEAR - 1, 11, 28)) / DAY_MS)
}

/** Moves the dates of a drawn sale by some days. */
export function moveSale(sale: ReturnType<typeof drawSale>, days: number): typeof sale {
  if (days === 0) return sale
  const move = (date: unknown) => {
    const text = String(date)
    const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
    const moved = new Date(Date.parse(iso) + days * DAY_MS).toISOString()
    return moved.slice(0, 10).replaceAll('-', '')
  }
  const dated = SALE_DATES.filter((name) => sale.fields[name] !== undefined)
  const fields = Object.fromEntries(dated.map((name) => [name, move(sale.fields[name])]))
  return { ...sale, fields: { ...sale.fields, ...fields } }
}

const SALE_DATES = ['ownershipStartDate', 'transferDate', 'recordingDate'] as const

function hundreds(value: number): number {
  return Math.round(value / 100) * 100
}
