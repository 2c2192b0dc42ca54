/** The first pass over a roll: learns its surnames, given names and cities, if rows need them. */
import { learnNames } from '../owner/evidence.ts'
import { compilePlan } from './mapping/plan.ts'
import { CityLearner, readsOneLine } from './rows/cities.ts'
import { readNames } from './rows/normalize.ts'
import type { BatchSetup } from './threads/batch.ts'
import { type Walk, walkRows } from './walk.ts'

/** What the first pass learned. */
type Learned = Pick<BatchSetup, 'evidence' | 'cities'>

/** A pass that only learns cities ends after this many rows when no address needs them. */
const CITY_ROWS = 5000

/** Reads owner names of mixed order and cities of one-line addresses, if there are any. */
export async function learnRoll(
  walk: Walk & { job: Omit<BatchSetup, 'evidence' | 'cities'> },
): Promise<Learned> {
  const { job } = walk
  const order = job.forcedOrder ?? job.mapping.nameOrder ?? 'mixed'
  // Each row may state the order of its names.
  const isByRow = job.forcedOrder === undefined && job.mapping.fields.nameOrder !== undefined
  const learner = order === 'mixed' || isByRow ? learnNames() : undefined
  const cities = readsOneLine(job.mapping) ? new CityLearner(job.mapping) : undefined
  if (learner === undefined && cities === undefined) return { evidence: undefined }
  let columns: readonly string[] | undefined
  let plan: ReturnType<typeof compilePlan> | undefined
  let mixed = 0
  for await (const batch of walkRows(walk, 'learning the names of the roll')) {
    if (plan === undefined || batch.columns !== columns) {
      plan = compilePlan(job, batch.columns, batch.file)
      columns = batch.columns
    }
    for (const row of batch.rows) {
      cities?.add(row, batch.columns)
      if (learner === undefined) continue
      const names = readNames(row, plan, order, job.forcedOrder)
      if (names.order !== 'mixed' || (names.slot1 ?? names.slot2) === null) continue
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
