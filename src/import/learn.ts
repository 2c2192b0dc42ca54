/** The first of two passes, where names stand in either order: what the roll itself shows of its surnames and given names. */
import type { NameEvidence } from '../model/owner.ts'
import { learnNames } from '../owner/evidence.ts'
import { compilePlan } from './mapping/plan.ts'
import type { Progress } from './report/progress.ts'
import { readNames } from './rows/normalize.ts'
import type { BatchSetup } from './threads/batch.ts'
import { type WalkJob, walkRows } from './walk.ts'

type LearnJob = WalkJob & Omit<BatchSetup, 'evidence'>

/** Whether each row may tell the order of its names: then nothing need be learned before a row that does not. */
export function tellsOrder(job: Pick<LearnJob, 'forcedOrder' | 'mapping'>): boolean {
  return job.forcedOrder === undefined && job.mapping.fields.nameOrder !== undefined
}

/** A row whose names stand in either order, in a roll whose rows were taken to tell it: the load begins anew, and learns first. */
export class OrderUntold extends Error {}

/** Reads the owner names of all rows whose order is mixed; `undefined` when the order is known for all. */
export async function learnRoll(
  job: LearnJob,
  progress: Progress,
): Promise<NameEvidence | undefined> {
  const order = job.forcedOrder ?? job.mapping.nameOrder ?? 'mixed'
  if (order !== 'mixed' && !tellsOrder(job)) return undefined
  const learner = learnNames()
  let columns: readonly string[] | undefined
  let plan: ReturnType<typeof compilePlan> | undefined
  let mixed = 0
  for await (const batch of walkRows(job, progress, 'learning the names of the roll')) {
    if (plan === undefined || batch.columns !== columns) {
      plan = compilePlan(job, batch.columns, batch.file)
      columns = batch.columns
    }
    for (const row of batch.rows) {
      const names = readNames(row, plan, order, job.forcedOrder)
      if (names.order !== 'mixed') continue
      mixed += 1
      learner.add(names.slot1, names.slot2)
    }
  }
  return mixed === 0 ? undefined : learner.finish()
}
