/** Finds polygons that overlap, and holes that nothing fills, by points well inside polygons. */
import { areaSqMeters, boundsOf, holdsPoint, ringHolds, type Shape } from '../../geo/shape.ts'
import type { Box, Point } from '../../geo/sphere.ts'

/** Side of a cell, in degrees: some 200 metres. */
const CELL = 0.002

/** Corners of a polygon between which and its middle a point is kept. */
const CORNERS = 4

/** `drawing`: equal for equal polygons. */
type Inner = { x: number; y: number; owner: number; drawing: number }

/** Points of many polygons by cell. Holds some 400 bytes a polygon. */
export class Fabric {
  readonly #cells = new Map<number, Inner[]>()

  /** `owner`: a number of the parcel. */
  add(owner: number, shape: Shape): void {
    const drawing = drawingOf(shape)
    for (const [x, y] of pointsInside(shape)) {
      const key = cellOf(x, y)
      const cell = this.#cells.get(key)
      if (cell === undefined) this.#cells.set(key, [{ x, y, owner, drawing }])
      else cell.push({ x, y, owner, drawing })
    }
  }

  /**
   * Reports whether a point well inside another polygon is inside this one. Equal polygons, as of
   * condominium units, do not overlap.
   */
  overlaps(owner: number, shape: Shape): boolean {
    const drawing = drawingOf(shape)
    const bounds = boundsOf(shape)
    return (
      bounds !== undefined &&
      this.#near(bounds).some(
        (one) =>
          one.owner !== owner && one.drawing !== drawing && holdsPoint(shape, [one.x, one.y]),
      )
    )
  }

  /** Reports whether a hole of the polygon has no point of another parcel. */
  hasGap(owner: number, shape: Shape): boolean {
    return shape.some(([, ...holes]) =>
      holes.some((hole) => {
        const bounds = boundsOf([[hole]])
        const others = bounds === undefined ? [] : this.#near(bounds)
        return !others.some((one) => one.owner !== owner && ringHolds(hole, [one.x, one.y]))
      }),
    )
  }

  #near({ west, south, east, north }: Box): Inner[] {
    const found: Inner[] = []
    for (let x = Math.floor(west / CELL); x <= Math.floor(east / CELL); x += 1) {
      for (let y = Math.floor(south / CELL); y <= Math.floor(north / CELL); y += 1) {
        for (const one of this.#cells.get(x * 1_000_000 + y) ?? []) {
          if (one.x > west && one.x < east && one.y > south && one.y < north) found.push(one)
        }
      }
    }
    return found
  }
}

function drawingOf(shape: Shape): number {
  const { west, south, east, north } = boundsOf(shape) ?? { west: 0, south: 0, east: 0, north: 0 }
  return west + 3 * east + 7 * south + 11 * north + 100 * Math.abs(areaSqMeters(shape))
}

function cellOf(x: number, y: number): number {
  return Math.floor(x / CELL) * 1_000_000 + Math.floor(y / CELL)
}

/** The middle of the corners, and points between it and some corners, as far as they are inside. */
function pointsInside(shape: Shape): Point[] {
  return shape.flatMap((rings) => {
    const corners = (rings[0] ?? []).slice(1)
    if (corners.length < 3) return []
    const middle: Point = [
      corners.reduce((sum, [x]) => sum + x, 0) / corners.length,
      corners.reduce((sum, [, y]) => sum + y, 0) / corners.length,
    ]
    const step = Math.max(1, Math.floor(corners.length / CORNERS))
    const between = corners
      .filter((_, at) => at % step === 0)
      .slice(0, CORNERS)
      .map(
        ([x, y]): Point => [middle[0] + (x - middle[0]) * 0.8, middle[1] + (y - middle[1]) * 0.8],
      )
    return [middle, ...between].filter((point) => holdsPoint([rings], point))
  })
}
