/** The first of two passes: learns surnames, given names and cities from the roll itself. */
import { learnNames } from '../owner/evidence.ts'
import { compilePlan } from './mapping/plan.ts'
import type { Progress } from './report/progress.ts'
import { CityLearner, readsOneLine } from './rows/cities.ts'
import { readNames } from './rows/normalize.ts'
import type { BatchSetup } from './threads/batch.ts'
import { type WalkJob, walkRows } from './walk.ts'

type LearnJob = WalkJob & Omit<BatchSetup, 'evidence' | 'cities'>

/**
 * Reports whether each row may state the order of its names. If so, the first pass is skipped until
 * a row is found that does not state it.
 */
export function statesNameOrder(job: Pick<LearnJob, 'forcedOrder' | 'mapping'>): boolean {
  return job.forcedOrder === undefined && job.mapping.fields.nameOrder !== undefined
}

/**
 * Thrown when a row's name order is unclear although the first pass was skipped. The load starts
 * again with the first pass.
 */
export class NameOrderMissing extends Error {}

/** What the first pass learned. */
type Learned = Pick<BatchSetup, 'evidence' | 'cities'>

/** A pass that only learns cities ends after this many rows when no address needs them. */
const CITY_ROWS = 5000

/**
 * Reads the owner names of all rows whose name order is mixed, and the cities of rows with one-line
 * addresses.
 *
 * `ordered`: assume that every row states its name order. Returns at once when there is nothing to
 * learn.
 */
export async function learnRoll(
  job: LearnJob,
  progress: Progress,
  ordered: boolean,
): Promise<Learned> {
  const order = job.forcedOrder ?? job.mapping.nameOrder ?? 'mixed'
  const learner = !ordered && (order === 'mixed' || statesNameOrder(job)) ? learnNames() : undefined
  const cities = readsOneLine(job.mapping) ? new CityLearner(job.mapping) : undefined
  if (learner === undefined && cities === undefined) return { evidence: undefined }
  let columns: readonly string[] | undefined
  let plan: ReturnType<typeof compilePlan> | undefined
  let mixed = 0
  for await (const batch of walkRows(job, progress, 'learning the names of the roll')) {
    if (plan === undefined || batch.columns !== columns) {
      plan = compilePlan(job, batch.columns, batch.file)
      columns = batch.columns
    }
    for (const row of batch.rows) {
      cities?.add(row, batch.columns)
      if (learner === undefined) continue
      const names = readNames(row, plan, order, job.forcedOrder)
      if (names.order !== 'mixed') continue
      mixed += 1
      learner.add(names.slot1, names.slot2)
    }
    if (learner === undefined && cities?.inDoubt !== true && batch.firstRow > CITY_ROWS) break
  }
  return {
    evidence: mixed === 0 ? undefined : learner?.finish(),
    cities: cities?.finish(),
  }
}
