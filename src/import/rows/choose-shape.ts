/** Chooses the polygon that a parcel keeps. */

/** One square metre in acres. A smaller polygon is a remnant of a cut. */
const REMNANT_ACRES = 1 / 4046.8564224

/**
 * Returns the index of the polygon that a parcel keeps, or -1 when it has none. `areas` are in
 * acres; `null` for no polygon or one without area.
 *
 * Takes the area nearest to the recorded one, else the largest; the first of equals. A polygon
 * under a square metre never beats a larger one.
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
