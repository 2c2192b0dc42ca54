/** Squares of degrees by which polygons and points of the past are found. */
import type { DegreeBox as Box } from '../../base/model/coverage.ts'
import { boundsOf } from '../places.ts'

/** Longitude and latitude in degrees. */
type Point = readonly [number, number]

/** Sides of squares are 360 degrees by a power of two; these are the largest and the smallest. */
const POWERS = { least: 5, most: 16 }

/** The squares of every size that hold a point. */
export function cellsAt([x, y]: Point): string[] {
  return cellsOver({ west: x, south: y, east: x, north: y })
}

/** The squares of every size that meet a box: a polygon over it is listed under one of them. */
export function cellsOver({ west, south, east, north }: Box): string[] {
  const cells: string[] = []
  for (let power = POWERS.least; power <= POWERS.most; power += 1) {
    const [left, bottom] = squareAt([west, south], power)
    const [right, top] = squareAt([east, north], power)
    for (let x = left; x <= right; x += 1) {
      for (let y = bottom; y <= top; y += 1) cells.push(`c${power}/${x}/${y}`)
    }
  }
  return cells
}

/** Lists squares of the smallest size of which four hold a polygon, and the point's smallest. */
export function listCells(geometry: string | null, point: Point | undefined): string[] {
  const box = geometry === null ? undefined : boundsOf(JSON.parse(geometry).coordinates)
  const cells = box === undefined ? [] : coverBox(box)
  return point === undefined ? cells : [...cells, cellAt(point, POWERS.most)]
}

function coverBox({ west, south, east, north }: Box): string[] {
  for (let power = POWERS.most; ; power -= 1) {
    const [left, bottom] = squareAt([west, south], power)
    const [right, top] = squareAt([east, north], power)
    if (power > POWERS.least && (right - left > 1 || top - bottom > 1)) continue
    const corners: Point[] = [west, east].flatMap((x): Point[] => [
      [x, south],
      [x, north],
    ])
    return [...new Set(corners.map((corner) => cellAt(corner, power)))]
  }
}

function cellAt(point: Point, power: number): string {
  return `c${power}/${squareAt(point, power).join('/')}`
}

function squareAt([x, y]: Point, power: number): [x: number, y: number] {
  const side = 360 / 2 ** power
  return [Math.floor(x / side), Math.floor(y / side)]
}
