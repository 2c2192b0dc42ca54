/**
 * The land of a county as a grid of squares for blocks of lots. A city grows from its middle; farms
 * have squares of their own. Lengths are metres from the southwest corner.
 */
import { drawNature, drawPark, FREE_LAND, type GroundFeature } from './ground.ts'
import { cutBlock, type LotShape, type Piece } from './lots.ts'
import { Random } from './random.ts'
import type { City, Layout, RollStyle } from './roll-style.ts'

/** Side of a square in meters, streets included. */
const SIDE = 220
/** Squares along each side of a farm block. */
const FARM = 4
/** Attempts to place a farm block before it moves to the edge of its city. */
const FARM_TRIES = 12
/** Share of squares left free: parks, ponds, schools. */
const FREE_SHARE = 0.05
const METERS_PER_DEGREE = 111_132
/** Points of a street, which bends with the land, beyond its first. */
const STREET_STEPS = 8

/** A requested place in degrees, and whether its streets run from south to north. */
type Wish = { city: City; layout: Layout; lat: number; lon: number; upright: boolean }

type Growth = {
  /** Squares adjacent to the city, including used ones. */
  edge: number[]
  /** A square with one half free. */
  half: Piece | undefined
}

/** Allocates the land of a county. Memory grows with the squares, not with the parcels. */
export class Land {
  readonly #random: Random
  readonly #south: number
  readonly #west: number
  readonly #columns: number
  readonly #rows: number
  readonly #metersEast: number
  readonly #taken = new Set<number>()
  readonly #cities = new Map<string, Growth>()
  readonly #middle: number
  readonly #free: number[] = []

  /** Uses its own random stream, so that other random draws of a county do not affect it. */
  constructor(style: RollStyle, seed: number) {
    const [south, west, north, east] = style.box
    this.#random = new Random(seed, `${style.state} ${style.county} land`)
    this.#south = south
    this.#west = west
    this.#metersEast = METERS_PER_DEGREE * cosine((south + north) / 2)
    this.#columns = Math.floor(((east - west) * this.#metersEast) / SIDE)
    this.#rows = Math.floor(((north - south) * METERS_PER_DEGREE) / SIDE)
    const [{ lat, lon }] = style.cities as [City]
    this.#middle = this.#squareAt(lat, lon)
    for (const { column, row, columns, rows } of Object.values(FREE_LAND)) {
      for (let at = 0; at < columns * rows; at++) {
        const up = row + Math.floor(at / columns)
        this.#taken.add(this.#middle + up * this.#columns + column + (at % columns))
      }
    }
  }

  /** The lake, the creek and the parks on the land that no parcel has. */
  drawNature(): Iterable<GroundFeature> {
    const { x, y, width: side } = this.#pieceOf(this.#middle, 1)
    return drawNature({ x, y, side }, (east, north) => this.#toDegrees(east, north))
  }

  /** The squares that were left free so far, as parks. */
  drawFree(): GroundFeature[] {
    return this.#free.map((square) => {
      const { x, y, width: side } = this.#pieceOf(square, 1)
      return drawPark({ x, y, side }, (east, north) => this.#toDegrees(east, north))
    })
  }

  /**
   * Cuts the next block of a city into lots, by number. `line`: its street. The block is near the
   * wish if that touches the city. Blocks overlap when all land is used.
   */
  claim(wish: Wish, lots: number): { shapes: LotShape[]; line: [lon: number, lat: number][] } {
    const piece = this.#choose(wish)
    const shapes = cutBlock(this.#random, wish.layout, lots, piece).map((lot) => ({
      ...lot,
      ring: lot.ring.map(([x, y]) => this.#toDegrees(x, y)),
    }))
    const { x, y, width, height, upright } = piece
    const line = Array.from({ length: STREET_STEPS + 1 }, (_, step) => {
      const along = (width * step) / STREET_STEPS
      return upright
        ? this.#toDegrees(x + height / 2, y + along)
        : this.#toDegrees(x + along, y + height / 2)
    })
    return { shapes, line }
  }

  #choose({ city, layout, lat, lon, upright }: Wish): Piece {
    const wish = this.#squareAt(lat, lon)
    if (layout === 'rural') {
      const farm = this.#findFarm(wish)
      if (farm !== undefined) return this.#pieceOf(farm, FARM)
    }
    const growth = this.#growthOf(city)
    const isHalf = layout === 'town' || layout === 'subdivision' || layout === 'condo'
    if (isHalf && growth.half !== undefined) {
      const { half } = growth
      growth.half = undefined
      return half
    }
    const whole = this.#pieceOf(this.#grow(growth, this.#squareAt(city.lat, city.lon), wish), 1)
    if (!isHalf) return whole
    const part = { ...whole, height: SIDE / 2, upright }
    growth.half = upright ? { ...part, x: part.x + SIDE / 2 } : { ...part, y: part.y + SIDE / 2 }
    return part
  }

  /** Returns a free farm block at the wish or elsewhere; `undefined` when none was found. */
  #findFarm(wish: number): number | undefined {
    let [column, row] = [wish % this.#columns, Math.floor(wish / this.#columns)]
    for (let tried = 0; tried < FARM_TRIES; tried++) {
      const corner = this.#farmSquares(column, row)
      if (corner.every((square) => !this.#taken.has(square))) {
        for (const square of corner) this.#taken.add(square)
        return corner[0]
      }
      column = this.#random.below(this.#columns - FARM)
      row = this.#random.below(this.#rows - FARM)
    }
    return undefined
  }

  /** Returns the squares of the farm block that contains a square, the southwest one first. */
  #farmSquares(column: number, row: number): number[] {
    const left = Math.min(column - (column % FARM), this.#columns - FARM)
    const bottom = Math.min(row - (row % FARM), this.#rows - FARM)
    return Array.from(
      { length: FARM * FARM },
      (_, at) => (bottom + Math.floor(at / FARM)) * this.#columns + left + (at % FARM),
    )
  }

  #growthOf(city: City): Growth {
    return this.#cities.getOrInsertComputed(city.name, () => ({
      edge: [this.#squareAt(city.lat, city.lon)],
      half: undefined,
    }))
  }

  /** Returns the square at the city's edge that is nearest to its middle and to the wish. */
  #grow({ edge }: Growth, middle: number, wish: number): number {
    for (;;) {
      if (edge.length === 0) edge.push(...this.#anywhere())
      let best = this.#random.below(edge.length)
      for (let tried = 0; tried < 3; tried++) {
        const other = this.#random.below(edge.length)
        if (this.#cost(edge[other], middle, wish) < this.#cost(edge[best], middle, wish))
          best = other
      }
      const square = edge[best] as number
      edge[best] = edge[edge.length - 1] as number
      edge.pop()
      const isTaken = this.#taken.has(square)
      // The middle of a city may be used by a farm or another city; it still grows from there.
      if (isTaken && edge.length > 0) continue
      this.#taken.add(square)
      edge.push(...this.#neighbours(square).filter((next) => !this.#taken.has(next)))
      if (isTaken) continue
      if (!this.#random.chance(FREE_SHARE)) return square
      this.#free.push(square)
    }
  }

  #cost(square: number | undefined, middle: number, wish: number): number {
    const [column, row] = this.#split(square ?? middle)
    const away = ([x, y]: [number, number]) => (x - column) * (x - column) + (y - row) * (y - row)
    return 3 * away(this.#split(middle)) + away(this.#split(wish))
  }

  /** Where to continue when a city is enclosed; when the county is full, over used land. */
  #anywhere(): number[] {
    const total = this.#columns * this.#rows
    if (this.#taken.size >= total) this.#taken.clear()
    return Array.from({ length: 8 }, () => this.#random.below(total))
  }

  #neighbours(square: number): number[] {
    const [column, row] = this.#split(square)
    return [
      ...(column > 0 ? [square - 1] : []),
      ...(column < this.#columns - 1 ? [square + 1] : []),
      ...(row > 0 ? [square - this.#columns] : []),
      ...(row < this.#rows - 1 ? [square + this.#columns] : []),
    ]
  }

  #split(square: number): [column: number, row: number] {
    return [square % this.#columns, Math.floor(square / this.#columns)]
  }

  #squareAt(lat: number, lon: number): number {
    const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value))
    const column = Math.floor(((lon - this.#west) * this.#metersEast) / SIDE)
    const row = Math.floor(((lat - this.#south) * METERS_PER_DEGREE) / SIDE)
    return within(row, this.#rows) * this.#columns + within(column, this.#columns)
  }

  #pieceOf(square: number, squares: number): Piece {
    const [column, row] = this.#split(square)
    const side = squares * SIDE
    return { x: column * SIDE, y: row * SIDE, width: side, height: side, upright: false }
  }

  /** Bends streets slightly, all of a county's in the same waves: lots still touch, areas stay. */
  #toDegrees(x: number, y: number): [lon: number, lat: number] {
    const east = x + 45 * wave(y / 1300) + 150 * wave(y / 9100)
    const north = y + 35 * wave(east / 1700) + 120 * wave(east / 7900)
    return [this.#west + east / this.#metersEast, this.#south + north / METERS_PER_DEGREE]
  }
}

/** Two parabolas instead of a sine: -1 to 1 with a period of 1. */
function wave(at: number): number {
  const part = at - Math.floor(at)
  return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
}

/** Cosine of degrees by its series: `Math.cos` may differ in its last bit between machines. */
function cosine(degrees: number): number {
  const angle = degrees * 0.017453292519943295
  const square = angle * angle
  return 1 - square / 2 + (square * square) / 24 - (square * square * square) / 720
}
