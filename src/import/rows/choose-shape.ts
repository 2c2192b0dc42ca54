/** Which of several polygons of one parcel is its own. */

/** One square metre in acres: a polygon below it is a remnant of a cut. */
const REMNANT_ACRES = 1 / 4046.8564224

/**
 * The place of the polygon that a parcel keeps, by their areas in acres; `null`: no polygon, or one
 * that has no area.
 *
 * The one whose area is nearest to the recorded area, else the largest; of equal ones the first. A
 * polygon under a square metre never beats another. -1: there is no polygon.
 */
export function chooseShape(
  acres: readonly (number | null)[],
  recordedAcres: number | null,
): number {
  let best = -1
  let bestRank = Number.NEGATIVE_INFINITY
  acres.forEach((area, at) => {
    if (area === null) return
    const rank =
      area < REMNANT_ACRES
        ? Number.MIN_SAFE_INTEGER
        : recordedAcres === null
          ? area
          : -Math.abs(area - recordedAcres)
    if (rank <= bestRank) return
    best = at
    bestRank = rank
  })
  return best
}
