/** The columns of a sample: flat names of the record, as the mapping `platbook` reads them. */
import { listOf } from './name-lists.ts'

/** With which each parcel's `sourceName` begins. */
export const SAMPLE_SOURCE = 'Generated sample'

export const SAMPLE_COLUMNS = listOf('columns')

/** The place of each column in a row. */
const POSITIONS = new Map(SAMPLE_COLUMNS.map((column, at) => [column, at]))

/** Returns the place of a column in a row. Throws for one that a sample does not have. */
export function placeOf(column: string): number {
  const place = POSITIONS.get(column)
  if (place === undefined) throw new Error(`A sample has no column ${column}`)
  return place
}

/** Some of a parcel's fields by column; one that is left out stays empty in the file. */
export type SampleRow = Record<string, string | number | boolean>
