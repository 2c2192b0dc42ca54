/** Circles, boxes and polygons for the property test of places, each with what it holds. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { closeRing, crossesItself } from '../../src/geo/polyline.ts'
import { measureMiles, type Point } from '../../src/geo/sphere.ts'
import { needArea, readCircle } from '../../src/operations/places/area.ts'
import type { AreaQuestion } from '../../src/operations/places/area-page.ts'
import { toUnits } from '../../src/store/places.ts'

/** A town, and places where coordinates end. */
export const CENTERS: Point[] = [
  [-89.4, 43.07],
  [179.999, 52],
  [-179.9995, 51.99],
  [12, 89.996],
  [-140, -89.998],
]

type Corner = readonly [number, number]

export type Asked = { area: AreaQuestion['area']; holds(point: Point): boolean }

export const center = fc
  .tuple(
    fc.constantFrom(...CENTERS),
    fc.integer({ min: -30, max: 30 }),
    fc.integer({ min: -9, max: 9 }),
  )
  .map(
    ([[x, y], east, north]): Point => [
      Math.max(-180, Math.min(180, x + east / 1500)),
      Math.max(-90, Math.min(90, y + north / 1500)),
    ],
  )

const circles = fc
  .tuple(center, fc.double({ min: 0.01, max: 4, noNaN: true }))
  .map(([[longitude, latitude], radius]): Asked => {
    const area = readCircle({ latitude, longitude, radius })
    assert.ok(area !== undefined)
    return { area, holds: (point) => measureMiles([longitude, latitude], point) <= radius }
  })

const side = fc.integer({ min: 1, max: 3000 })
const boxes = fc.tuple(center, side, side).map(([[x, y], width, height]): Asked => {
  const west = Math.round(x * 1e5)
  const south = Math.round(y * 1e5)
  const [east, north] = [west + width, Math.min(90e5, south + height)]
  const around = east > 180e5 ? east - 360e5 : east
  const isIn = (value: number, low: number, high: number) => value >= low && value <= high
  return {
    area: needArea({
      bbox: [west, south, around, north].map((value) => (value / 1e5).toFixed(5)).join(),
      polygon: undefined,
    }),
    holds: ([longitude, latitude]) => {
      const [a, b] = [toUnits(longitude), toUnits(latitude)]
      const inside = isIn(a, west * 100, east * 100) || isIn(a + 360e7, west * 100, east * 100)
      return inside && isIn(b, south * 100, north * 100)
    },
  }
})

/** Corners by their direction from a middle, so that edges do not cross; many are concave. */
const polygons = (points: readonly Corner[]) =>
  fc
    .tuple(
      fc.constantFrom(...CENTERS),
      fc.tuple(fc.integer({ min: -1500, max: 1500 }), fc.integer({ min: -700, max: 700 })),
      fc.array(fc.integer({ min: 100, max: 2000 }), { minLength: 3, maxLength: 9 }),
    )
    .map(([center, step, reaches]) => placeCorners(center, step, reaches))
    .filter(isSimple)
    .filter((corners) => !standsBesideEdge(corners, points))
    .map((corners): Asked => {
      // Whole units, so that a point on an edge is on it exactly.
      const units = corners.map(([x, y]): Corner => [x * 100, y * 100])
      return {
        area: needArea({ bbox: undefined, polygon: encode(corners) }),
        holds: ([longitude, latitude]) =>
          holdsByTurns(units, [toUnits(longitude), toUnits(latitude)]),
      }
    })

/** Corners in hundred-thousandths of a degree around a place, kept on the earth. */
function placeCorners(center: Point, [east, north]: Corner, reaches: readonly number[]): Corner[] {
  const [x, y] = [Math.round(center[0] * 1e5) + east, Math.round(center[1] * 1e5) + north]
  return reaches.map((reach, at): Corner => {
    const angle = (2 * Math.PI * at) / reaches.length
    return [
      clamp(x + Math.round(reach * Math.cos(angle)), 180e5),
      clamp(y + Math.round(reach * Math.sin(angle) * 0.5), 90e5),
    ]
  })
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}

/** Clamped corners may lie on each other or on one line. */
function isSimple(corners: readonly Corner[]): boolean {
  const ring = closeRing(corners)
  return ring.length === corners.length + 1 && !crossesItself(ring)
}

/**
 * Reports whether a polygon holds a point, by the angles under which the point sees its edges: all
 * the way around from inside, none from outside. A point on an edge is inside.
 */
function holdsByTurns(corners: readonly Corner[], point: Corner): boolean {
  let turned = 0
  for (const [at, from] of corners.entries()) {
    const to = corners[(at + 1) % corners.length] as Corner
    const [ax, ay, bx, by] = [
      from[0] - point[0],
      from[1] - point[1],
      to[0] - point[0],
      to[1] - point[1],
    ]
    const [across, along] = [ax * by - ay * bx, ax * bx + ay * by]
    if (across === 0 && along <= 0) return true
    turned += Math.atan2(across, along)
  }
  return Math.abs(turned) > Math.PI
}

/**
 * Reports whether a point is less than two units from an edge. Edges are a unit wide, so either
 * answer is correct there.
 */
function standsBesideEdge(corners: readonly Corner[], points: readonly Corner[]): boolean {
  const units = corners.map(([x, y]): Corner => [x * 100, y * 100])
  return units.some((from, at) => {
    const to = units[(at + 1) % units.length] as Corner
    const length = Math.hypot(to[0] - from[0], to[1] - from[1])
    return points.some((point) => {
      const turn = Math.abs(cross(from, to, point))
      return turn > 0 && turn < 2 * length
    })
  })
}

/** Twice the signed area of a triangle. */
function cross([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/** An encoded polyline of whole hundred-thousandths of a degree. */
function encode(corners: readonly Corner[]): string {
  let [lastX, lastY] = [0, 0]
  return corners
    .map(([x, y]) => {
      const text = encodeNumber(y - lastY) + encodeNumber(x - lastX)
      lastX = x
      lastY = y
      return text
    })
    .join('')
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? -value * 2 - 1 : value * 2
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) {
    text += String.fromCharCode((rest % 32) + 32 + 63)
  }
  return text + String.fromCharCode(rest + 63)
}

/** Circles, boxes and polygons. `points`: no edge of a polygon passes beside one of them. */
export function anyArea(points: readonly Point[]): fc.Arbitrary<Asked> {
  const units = points.map(([x, y]): Corner => [toUnits(x), toUnits(y)])
  return fc.oneof(circles, boxes, polygons(units))
}
