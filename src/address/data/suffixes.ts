/** Street suffixes: those of USPS Publication 28, appendix C1, and those of rolls. A line each. */
import { readTable } from '../../base/tables.ts'

export const PUB28_C1 = readTable('street-suffixes.txt')
export const ROLL_SUFFIXES = readTable('roll-suffixes.txt')
