/** The pass that makes parcels: every row is staged, skipped or rejected. */

import { countyByFips } from '../place/counties.ts'
import type { RollWriter } from '../store/store.ts'
import type { BatchReader } from './batch.ts'
import { Echoes } from './echoes.ts'
import { isBlank } from './normalize.ts'
import type { Progress } from './progress.ts'
import type { Rejects } from './rejects.ts'
import { type WalkJob, walkRows } from './walk.ts'

/** `echoes`: rows that are letter by letter an earlier one; they count as duplicates. */
export type Tally = {
  rows: number
  skipped: number
  echoes: number
  unread: Record<string, number>
}

/** Stages every row of the files. */
export async function stageRows(
  job: WalkJob,
  reader: BatchReader,
  writer: RollWriter,
  rejects: Rejects,
  progress: Progress,
): Promise<Tally> {
  const tally: Tally = { rows: 0, skipped: 0, echoes: 0, unread: {} }
  const echoes = new Echoes()
  for await (const batch of walkRows(job, progress, 'rows')) {
    tally.rows += batch.rows.length + batch.broken.length
    for (const { line, reason, text } of batch.broken) rejects.add(batch.file, line, reason, text)
    const fresh = batch.rows.map(
      (row, at) => isBlank(row) || !echoes.sees(row, (batch.points?.[at] ?? null) !== null),
    )
    tally.echoes += fresh.filter((isFresh) => !isFresh).length
    const result = reader.read(batch, batch.firstRow, fresh)
    for (const { index, reason } of result.rejected) {
      rejects.add(batch.file, batch.lines[index] ?? 0, reason, batch.rows[index] ?? [])
    }
    tally.skipped += result.skipped
    for (const [field, count] of Object.entries(result.unread)) {
      tally.unread[field] = (tally.unread[field] ?? 0) + count
    }
    writer.stage(result.parcels)
    const county = countyByFips(result.parcels.at(-1)?.fips ?? 0)
    if (county !== undefined) progress.county = `${county.name}, ${county.state}`
  }
  return tally
}
