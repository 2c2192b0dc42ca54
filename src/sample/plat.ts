/** Draws neighbourhoods and their parcels, one after another without end. */
import type { Land } from './land.ts'
import type { LotShape } from './lots.ts'
import { STREET_ENDS, STREET_NAMES, STREET_STARTS } from './name-lists.ts'
import { companyName } from './owner.ts'
import { type Random, Ranks, weighted } from './random.ts'
import type { City, Layout, Lot, RollStyle, Use } from './roll-style.ts'
import { layouts, streetSuffixes } from './tables.ts'

type Plat = {
  layout: Layout
  city: City
  zip: string
  name: string
  /** Its position in degrees if it were alone. */
  lat: number
  lon: number
  /** Median year of construction. */
  built: number
  /** US dollars per square foot of living area. */
  price: number
  /** Seller of the lots in a young neighbourhood, or `''`. */
  builder: string
  tract: string
  section: number
  township: number
  range: number
}

/** A parcel with its place; building and owner are drawn later. */
export type Place = {
  plat: Plat
  lot: Lot
  use: Use
  street: string
  /** Plain house number; 0 for none. */
  number: number
  unit: string | null
  /** Its middle, degrees. */
  lat: number
  lon: number
  shape: LotShape
  /** The middle of its street along the block. */
  line: [lon: number, lat: number][]
}

/** Yields the parcels of a county in the order of their blocks; the same for the same `random`. */
export function* drawPlaces(style: RollStyle, random: Random, land: Land): Generator<Place> {
  const streets = new Streets(style, random)
  const drawLayout = weighted(style.layouts)
  const drawCity = weighted(style.cities.map((city) => [city, city.weight] as const))
  const ground: Ground = { streets, land, block: 0, serial: 0 }
  for (;;) {
    const plat = drawPlat(style, random, drawLayout(random), drawCity(random))
    const shape = layouts[plat.layout]
    const blocks = random.between(...shape.blocks)
    for (let platBlock = 1; platBlock <= blocks; platBlock++) {
      yield* drawBlock(random, ground, plat, platBlock)
      ground.block++
    }
  }
}

const drawUse = Object.fromEntries(
  Object.entries(layouts).map(([layout, shape]) => [layout, weighted(shape.uses)]),
) as Record<Layout, (random: Random) => Use>

function drawPlat(style: RollStyle, random: Random, layout: Layout, city: City): Plat {
  const [south, west, north, east] = style.box
  const rural = layout === 'rural'
  const reach = city.weight > 30 ? 0.08 : 0.025
  const lat = rural ? south + random.unit() * (north - south) : city.lat + random.spread() * reach
  const lon = rural ? west + random.unit() * (east - west) : city.lon + random.spread() * reach
  const young = layout === 'town' ? 0 : random.unit()
  const built = layout === 'town' ? random.between(1895, 1962) : 1955 + Math.floor(young * 70)
  const fresh = built > 2012 && layout === 'subdivision'
  const name = `${random.pick(STREET_STARTS)} ${random.pick(STREET_ENDS)}`
  return {
    layout,
    city,
    zip: random.pick(city.zips),
    name: random.chance(0.3)
      ? `${name} ${random.pick(['FIRST ADDITION', 'ESTATES', 'UNIT 2'])}`
      : name,
    lat: clamp(lat, south, north),
    lon: clamp(lon, west, east),
    built,
    price: Math.round(190 * random.factor()),
    builder: fresh ? companyName(random, style) : '',
    tract: `${random.between(1, 140)}.0${random.between(1, 4)}`,
    section: random.between(1, 36),
    township: random.between(5, 9),
    range: random.between(6, 12),
  }
}

/** What the blocks of a county share: its streets and land, and the numbers given so far. */
type Ground = { streets: Streets; land: Land; block: number; serial: number }

function* drawBlock(
  random: Random,
  ground: Ground,
  plat: Plat,
  platBlock: number,
): Generator<Place> {
  const { layout } = plat
  const { lots, step } = layouts[layout]
  const count = random.between(...lots)
  const { street, from } = ground.streets.claim(plat.city.name, layout, step * count + 1)
  const { shapes, line } = ground.land.claim({ ...plat, upright: random.chance(0.5) }, count)
  const units = step === 0 ? unitNames(random, layout, count) : undefined
  for (let lot = 1; lot <= count; lot++) {
    const use = drawUse[layout](random)
    const shape = shapes[lot - 1] as LotShape
    const rural = layout === 'rural'
    yield {
      plat,
      lot: {
        block: ground.block,
        lot,
        serial: ground.serial++,
        plat: plat.name,
        platBlock,
        section: plat.section,
        township: plat.township,
        range: plat.range,
        unit: use === 'condo' ? (units?.[lot - 1] ?? null) : null,
        rural,
        acres: rural ? deedAcres(shape, random) : 0,
      },
      use,
      street,
      // Neighbours are on both sides: even, odd, even.
      number: hasNumber(random, use) ? from + (lot - 1) * step + (step > 0 ? 1 - (lot % 2) : 0) : 0,
      unit: units?.[lot - 1] ?? null,
      ...middleOf(shape),
      shape,
      line,
    }
  }
}

/** The acres of a deed differ from the map's by up to 3 %. */
function deedAcres({ acres }: LotShape, random: Random): number {
  return Math.round((acres * (99 + random.factor())) / 10) / 10
}

function middleOf({ ring }: LotShape): { lat: number; lon: number } {
  const [a, b, c, d] = ring as [Corner, Corner, Corner, Corner]
  return { lon: (a[0] + b[0] + c[0] + d[0]) / 4, lat: (a[1] + b[1] + c[1] + d[1]) / 4 }
}

type Corner = [lon: number, lat: number]

/** Land without a building often has no number yet. */
function hasNumber(random: Random, use: Use): boolean {
  if (use === 'vacant') return random.chance(0.4)
  if (use === 'farm') return random.chance(0.5)
  if (use === 'public') return random.chance(0.35)
  return true
}

function unitNames(random: Random, layout: Layout, count: number): string[] {
  const numbering = layout === 'court' ? 0 : random.unit()
  const perFloor = random.between(4, 12)
  return Array.from({ length: count }, (_, at) => {
    if (numbering < 0.3) return String(at + 1)
    if (numbering < 0.75) return String((Math.floor(at / perFloor) + 1) * 100 + (at % perFloor) + 1)
    const letter = String.fromCharCode(65 + (at % 8))
    return numbering < 0.9
      ? `${Math.floor(at / 8) + 1}${letter}`
      : `${letter}${Math.floor(at / 8) + 1}`
  })
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

/** A part of a street with its first plain number. */
type Stretch = { street: string; from: number }

/** Remembers the streets of a city, so that no house number is assigned twice. */
class Streets {
  readonly #style: RollStyle
  readonly #random: Random
  /** The first unassigned number by city and street, of which there are few. */
  readonly #next = new Map<string, number>()

  constructor(style: RollStyle, random: Random) {
    this.#style = style
    this.#random = random
  }

  /** Returns the next `numbers` house numbers of some street in the city, new or already used. */
  claim(city: string, layout: Layout, numbers: number): Stretch {
    const [low, high] = layout === 'rural' ? this.#style.ruralNumbers : TOWN_NUMBERS
    for (;;) {
      const street = this.#draw(layout)
      const key = `${city}|${street}`
      const blocks = Math.floor((high - low) / 400)
      const from = this.#next.get(key) ?? low + 100 * this.#random.below(blocks)
      const next = from + Math.ceil(numbers / 100) * 100
      if (next > high) continue
      this.#next.set(key, next)
      return { street, from }
    }
  }

  #draw(layout: Layout): string {
    const style = this.#style
    const random = this.#random
    const own =
      layout === 'rural'
        ? style.ruralRoad(random)
        : layout === 'strip'
          ? random.pick(style.stripStreets)
          : style.street(layout, random)
    // Highways fill up in a large sample; an ordinary name sometimes lets every claim end.
    if (own !== '' && random.chance(0.9)) return own
    return ordinaryStreet(layout, random)
  }
}

const TOWN_NUMBERS = [100, 14_000] as const
const NAME_RANKS = new Ranks(STREET_NAMES.length, 5)
const drawSuffix = weighted(streetSuffixes)

function ordinaryStreet(layout: Layout, random: Random): string {
  const name = streetName(layout, random)
  const points = POINTS[layout] ?? 0
  const before = random.chance(points) ? `${random.pick(['N', 'S', 'E', 'W'])} ` : ''
  const after = before === '' && random.chance(0.01) ? ` ${random.pick(['N', 'S', 'E', 'W'])}` : ''
  if (name === 'BROADWAY') return `${before}${name}`
  const suffix =
    layout === 'rural' ? random.pick(['RD', 'RD', 'RD', 'LN', 'DR']) : drawSuffix(random)
  return `${before}${name} ${suffix}${after}`
}

/** Share of streets with a direction before their name. */
const POINTS: Partial<Record<Layout, number>> = {
  town: 0.3,
  strip: 0.4,
  subdivision: 0.05,
  condo: 0.1,
}

function streetName(layout: Layout, random: Random): string {
  const share = random.unit()
  const known = layout === 'town' || layout === 'strip' ? 0.62 : 0.25
  if (share < known) return STREET_NAMES[NAME_RANKS.draw(random)] ?? 'MAIN'
  if (layout === 'town' && share < known + 0.14)
    return ORDINALS[random.below(ORDINALS.length)] ?? '1ST'
  const start = random.pick(STREET_STARTS)
  const end = random.pick(STREET_ENDS)
  return end.length < 6 && random.chance(0.45) ? start + end : `${start} ${end}`
}

const ORDINALS = (
  '1ST 2ND 3RD 4TH 5TH 6TH 7TH 8TH 9TH 10TH 11TH 12TH 13TH 14TH 15TH 16TH FIRST ' +
  'SECOND THIRD FOURTH'
).split(/\s+/)
