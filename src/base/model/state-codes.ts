import { readTable } from '../tables.ts'

/** The two letters of the states, DC and the territories, by FIPS code. */
export const STATE_CODES: readonly string[] = readTable('states.tsv').map(
  (line) => line.split('\t')[1] ?? '',
)
