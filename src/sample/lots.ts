/** Cuts a block into lots: streets between them, two sides, uneven widths. */
import type { Random } from './random.ts'
import type { Layout } from './roll-style.ts'

/** A rectangle of land in meters. Its street runs along the width; `upright`: both are swapped. */
export type Piece = { x: number; y: number; width: number; height: number; upright: boolean }

export type LotShape = {
  /** Four corners, the first repeated at the end: longitude and latitude, or meters. */
  ring: [number, number][]
  frontageFt: number
  depthFt: number
  acres: number
}

/** A box on a piece: along its street, and across. */
type Box = { from: number; to: number; bottom: number; top: number }

const FEET_PER_METER = 3.280839895
const SQ_METERS_PER_ACRE = 4046.8564224

/** Half the width of a street, meters. */
const STREET = 9
const STRIP_STREET = 15

/** Cuts a piece into lots by number: odd ones on one side, even on the other. */
export function cutBlock(random: Random, layout: Layout, lots: number, piece: Piece): LotShape[] {
  const boxes = CUTS[layout](random, lots, piece)
  return boxes.map((box) => {
    const [width, depth] = [box.to - box.from, box.top - box.bottom]
    return {
      ring: ringOf(box, piece),
      frontageFt: Math.round(width * FEET_PER_METER),
      depthFt: Math.round(depth * FEET_PER_METER),
      acres: (width * depth) / SQ_METERS_PER_ACRE,
    }
  })
}

const CUTS: Record<Layout, (random: Random, lots: number, piece: Piece) => Box[]> = {
  town: (random, lots, piece) => cutSides(random, lots, piece, { uneven: 0.25 }),
  subdivision: (random, lots, piece) => cutSides(random, lots, piece, { uneven: 0.15 }),
  strip: (random, lots, piece) =>
    cutSides(random, lots, piece, { street: STRIP_STREET, uneven: 0.5 }),
  rural: (random, lots, piece) => cutSides(random, lots, piece, { uneven: 0.7 }),
  condo: (_random, lots, piece) => cutUnits(lots, piece, { depth: 14, most: 11, gap: 6 }),
  court: (_random, lots, piece) => cutUnits(lots, piece, { depth: 38, most: 20, gap: 0 }),
}

/** Both sides of a street, each cut into lots whose widths differ by `uneven`, 0 to 1. */
function cutSides(
  random: Random,
  lots: number,
  { width, height }: Piece,
  { street = STREET, uneven }: { street?: number; uneven: number },
): Box[] {
  const sides = [Math.ceil(lots / 2), Math.floor(lots / 2)].map((count) =>
    cutLine(random, count, [street, width - street], uneven),
  )
  return Array.from({ length: lots }, (_, at) => {
    const cuts = sides[at % 2] as number[]
    const place = Math.floor(at / 2)
    const [from, to] = [cuts[place] as number, cuts[place + 1] as number]
    const middle = height / 2
    return at % 2 === 0
      ? { from, to, bottom: middle + street, top: height }
      : { from, to, bottom: 0, top: middle - street }
  })
}

/** Returns the points at which a line is cut into `count` parts. */
function cutLine(
  random: Random,
  count: number,
  [from, to]: [number, number],
  uneven: number,
): number[] {
  const weights = Array.from({ length: count }, () => 1 + uneven * (2 * random.unit() - 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const cuts = [from]
  let sum = 0
  for (const weight of weights) {
    sum += weight
    cuts.push(from + ((to - from) * sum) / total)
  }
  return cuts
}

/** Four rows of small places of one size, in groups of six, on either side of two lanes. */
function cutUnits(
  lots: number,
  { width, height }: Piece,
  { depth, most, gap }: { depth: number; most: number; gap: number },
): Box[] {
  const perRow = Math.ceil(lots / 4)
  const groups = Math.floor((perRow - 1) / 6)
  const side = Math.min(most, (width - 2 * STREET - groups * gap) / perRow)
  const start = (width - perRow * side - groups * gap) / 2
  const lane = (height - 2 * STREET - 4 * depth) / 3
  return Array.from({ length: lots }, (_, at) => {
    const [row, place] = [Math.floor(at / perRow), at % perRow]
    const from = start + place * side + Math.floor(place / 6) * gap
    const bottom = STREET + row * (depth + lane)
    return { from, to: from + side, bottom, top: bottom + depth }
  })
}

function ringOf({ from, to, bottom, top }: Box, { x, y, upright }: Piece): [number, number][] {
  const corners: [number, number][] = [
    [from, bottom],
    [to, bottom],
    [to, top],
    [from, top],
    [from, bottom],
  ]
  // Swapping the sides reverses the ring.
  return upright
    ? corners.reverse().map(([along, across]) => [x + across, y + along])
    : corners.map(([along, across]) => [x + along, y + across])
}
