/**
 * Runs a draft over the rows that were kept, to see whether what comes out is what a roll is like.
 */

import { CommandError } from '../errors.ts'
import { findUnmet, readExpectations, warnOfShares } from '../import/expect.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import { type Share, ShareCounter } from '../import/report/shares.ts'
import { CityLearner } from '../import/rows/cities.ts'
import { makeBatchReader } from '../import/threads/batch.ts'
import type { StagedParcel } from '../store/store.ts'
import type { Sample } from './sample/sample.ts'

/** Place taken where a draft knows none: what is counted does not depend on it. */
const ANY = { state: 'NE', county: '001' }
const COUNTED = ['ownerState', 'ownerOccupied', 'residential']

/**
 * Sentences about shares that the draft does not reach or that no roll has; none when it cannot be
 * run.
 */
export function tryDraft(sample: Sample, mapping: MappingDocument, today: string): string[] {
  const expectations = readExpectations(mapping.expect)
  const fields = new Set([...COUNTED, ...expectations.map(({ field }) => field)])
  const shares = countShares(sample, mapping, today, [...fields])
  return [...new Set([...findUnmet(expectations, shares), ...warnOfShares(shares)])]
}

function countShares(
  sample: Sample,
  mapping: MappingDocument,
  today: string,
  fields: string[],
): Share[] {
  const counter = new ShareCounter(fields)
  const place = {
    state: mapping.state ?? (mapping.fields.state === undefined ? ANY.state : undefined),
    county: mapping.county ?? (mapping.fields.county === undefined ? ANY.county : undefined),
  }
  const setup = { mapping, ...place, today, ...UNTOLD }
  const columns = sample.columns.map(({ name }) => name)
  try {
    const parcels: StagedParcel[] = []
    const learner = new CityLearner(mapping)
    for (const row of sample.kept) learner.add(row, columns)
    const cities = learner.finish()
    const batch = { file: sample.file, columns, rows: sample.kept, points: sample.points }
    makeBatchReader({ ...setup, cities }).read(batch, 1, undefined, (parcel) =>
      parcels.push(parcel),
    )
    counter.see(parcels)
  } catch (error) {
    // A draft without a parcel ID is no mapping yet; its own warnings say so.
    if (!(error instanceof CommandError)) throw error
  }
  return counter.finish()
}

const UNTOLD = { forcedOrder: undefined, rollYear: undefined, evidence: undefined }
