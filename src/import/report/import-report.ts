/** What an import reports. */
import type { RollChange } from '../../store/store.ts'
import type { PreviewReport } from '../preview.ts'
import type { RepeatTally } from '../repeats.ts'
import type { Outside } from './outside.ts'
import type { Rejects } from './rejects.ts'
import type { Tally } from './tally.ts'
import type { Unplaced } from './unplaced.ts'

/** An import's result. `rows`, `skipped`, `duplicates`, `rejected` count rows, others parcels. */
export type ImportReport = Omit<Tally, 'equalRows' | 'skips'> &
  Omit<RepeatTally, 'lines' | 'repeated'> &
  RollChange & {
    /** Why rows were skipped, the commonest reasons first. */
    skips: [string, number][]
    rejected: number
    rejectsFile: string | null
    /** Whether it is an earlier roll, for the history alone: no parcel changes. */
    isPast: boolean
    seconds: number
    /** Five-digit FIPS codes of the counties in the roll. */
    counties: string[]
    /** The commonest reasons of rejection. */
    reasons: [string, number][]
    /** The first rejected rows of each reason. */
    rejectedRows: ReturnType<Rejects['examples']>
    /** Rows that had a shape and got none, by reason, the commonest first. */
    unplaced: Unplaced[]
    /** Parcels whose point, ZIP code or city is outside their county. */
    outside: Outside[]
    /** Doubtful points about the files, a sentence each. */
    doubts: string[]
    /** Only for a dry run. */
    preview?: PreviewReport
    /** Only for a dry run: the sentence that would refuse the load. */
    refused?: string | null
    /** What failed after the roll was loaded, a sentence each; empty after a dry run. */
    warnings: string[]
  }
