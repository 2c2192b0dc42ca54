/** Rings and lines in the whole units of a tile: simplified, cut at its edges, and turned. */

/** x and y of each corner, one after the other; not closed. */
export type Ring = number[]

/**
 * Drops corners within a tolerance of the remaining line, by Douglas and Peucker; a ring of up to
 * four corners is unchanged. `tolerance`: in units, 0 keeps all.
 */
export function simplifyRing(ring: Ring, tolerance: number): Ring {
  const corners = ring.length / 2
  if (tolerance === 0 || corners <= 4) return ring
  const far = farthestFrom(ring, 0)
  return keepCorners(ring, [0, far, far, corners], tolerance)
}

/** `spans`: pairs of corners that stay, between which others may be dropped. */
function keepCorners(ring: Ring, spans: number[], tolerance: number): Ring {
  const corners = ring.length / 2
  const kept = new Uint8Array(corners)
  for (const end of spans) if (end < corners) kept[end] = 1
  while (spans.length > 0) {
    const to = spans.pop() as number
    const from = spans.pop() as number
    const split = splitAt(ring, from, to, tolerance)
    if (split === -1) continue
    kept[split] = 1
    spans.push(from, split, split, to)
  }
  const simple: Ring = []
  for (let at = 0; at < corners; at += 1) {
    if (kept[at] === 1) simple.push(ring[2 * at] as number, ring[2 * at + 1] as number)
  }
  return simple
}

function farthestFrom(ring: Ring, corner: number): number {
  const [x, y] = [ring[2 * corner] as number, ring[2 * corner + 1] as number]
  let [far, most] = [corner, 0]
  for (let at = 0; 2 * at < ring.length; at += 1) {
    const square = ((ring[2 * at] as number) - x) ** 2 + ((ring[2 * at + 1] as number) - y) ** 2
    if (square > most) [far, most] = [at, square]
  }
  return far
}

/** The corner farthest from the line of two others; -1 when all are within the tolerance. */
function splitAt(ring: Ring, from: number, to: number, tolerance: number): number {
  const end = 2 * to === ring.length ? 0 : to
  const [x, y] = [ring[2 * from] as number, ring[2 * from + 1] as number]
  const [dx, dy] = [(ring[2 * end] as number) - x, (ring[2 * end + 1] as number) - y]
  const length = Math.sqrt(dx * dx + dy * dy)
  // Distances times the length of the line, which needs no division.
  let split = -1
  let most = length === 0 ? tolerance : tolerance * length
  for (let at = from + 1; at < to; at += 1) {
    const ax = (ring[2 * at] as number) - x
    const ay = (ring[2 * at + 1] as number) - y
    const away = length === 0 ? Math.sqrt(ax * ax + ay * ay) : Math.abs(ax * dy - ay * dx)
    if (away <= most) continue
    split = at
    most = away
  }
  return split
}

/** Clips a ring to a square, by Sutherland and Hodgman; empty when no part is inside. */
export function clipRing(ring: Ring, low: number, high: number): Ring {
  let cut = ring
  for (const axis of [0, 1] as const) {
    cut = cutAt(cut, axis, low, 1)
    cut = cutAt(cut, axis, high, -1)
  }
  return cut
}

function cutAt(ring: Ring, axis: 0 | 1, limit: number, sign: 1 | -1): Ring {
  const cut: Ring = []
  const other = 1 - axis
  for (let at = 0; at < ring.length; at += 2) {
    const next = at + 2 === ring.length ? 0 : at + 2
    const [here, there] = [ring[at + axis] as number, ring[next + axis] as number]
    const isIn = sign * (here - limit) >= 0
    if (isIn) cut.push(ring[at] as number, ring[at + 1] as number)
    if (isIn === sign * (there - limit) >= 0) continue
    const share = (limit - here) / (there - here)
    const from = ring[at + other] as number
    const meets = Math.round(from + share * ((ring[next + other] as number) - from))
    if (axis === 0) cut.push(limit, meets)
    else cut.push(meets, limit)
  }
  return cut
}

/** Twice the area of a ring; positive when it runs clockwise on a screen, whose y grows down. */
export function doubleArea(ring: Ring): number {
  let sum = 0
  for (let at = 0; at < ring.length; at += 2) {
    const next = at + 2 === ring.length ? 0 : at + 2
    sum += (ring[at] as number) * (ring[next + 1] as number)
    sum -= (ring[next] as number) * (ring[at + 1] as number)
  }
  return sum
}

export function turnRing(ring: Ring): Ring {
  const turned: Ring = []
  for (let at = ring.length - 2; at >= 0; at -= 2) {
    turned.push(ring[at] as number, ring[at + 1] as number)
  }
  return turned
}

/** Drops corners within a tolerance of the remaining line. `tolerance`: in units, 0 keeps all. */
export function simplifyLine(line: Ring, tolerance: number): Ring {
  const corners = line.length / 2
  return tolerance === 0 || corners <= 2 ? line : keepCorners(line, [0, corners - 1], tolerance)
}

/** Returns the parts of a line within a square, its sides included. Source: Liang and Barsky. */
export function clipLine(line: Ring, low: number, high: number): Ring[] {
  const parts: Ring[] = []
  let part: Ring = []
  for (let at = 0; at + 3 < line.length; at += 2) {
    const inside = clipSpan(line, at, low, high)
    if (inside === undefined) continue
    const [ax, ay, bx, by] = inside
    const last = part.length
    if (last === 0 || part[last - 2] !== ax || part[last - 1] !== ay) {
      part = [ax, ay]
      parts.push(part)
    }
    if (ax !== bx || ay !== by) part.push(bx, by)
  }
  return parts.filter(({ length }) => length >= 4)
}

type Span = readonly [ax: number, ay: number, bx: number, by: number]

/** Returns the part of a line from one corner to the next that is in the square. */
function clipSpan(line: Ring, at: number, low: number, high: number): Span | undefined {
  const [ax, ay, bx, by] = line.slice(at, at + 4) as unknown as Span
  let [from, to] = [0, 1]
  for (const [start, way] of [
    [ax, bx - ax],
    [ay, by - ay],
  ] as const) {
    if (way === 0) {
      if (start < low || start > high) return undefined
      continue
    }
    const [one, other] = [(low - start) / way, (high - start) / way]
    from = Math.max(from, Math.min(one, other))
    to = Math.min(to, Math.max(one, other))
    if (from > to) return undefined
  }
  const cut = (share: number) =>
    [Math.round(ax + share * (bx - ax)), Math.round(ay + share * (by - ay))] as const
  return [...(from === 0 ? [ax, ay] : cut(from)), ...(to === 1 ? [bx, by] : cut(to))] as Span
}
