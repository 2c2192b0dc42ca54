/** Where the projections of US rolls apply, as `tables/projection-extents.txt` has it. */
import type { DegreeBox } from '../../base/model/coverage.ts'
import { readTable } from '../../base/tables.ts'

/** A projection with its area of use in degrees; `state` is `--` for several. */
export type Extent = DegreeBox & { epsg: number; state: string; name: string }

export const EXTENTS: readonly Extent[] = readTable('projection-extents.txt').map((line) => {
  const [epsg, state = '', south, west, north, east, ...name] = line.split(' ')
  return {
    epsg: Number(epsg),
    state,
    south: Number(south),
    west: Number(west),
    north: Number(north),
    east: Number(east),
    name: name.join(' '),
  }
})
