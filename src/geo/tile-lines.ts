/** Lines in the whole units of a tile: simplified, and cut at its edges. */
import { keepCorners, type Ring } from './tile-rings.ts'

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
