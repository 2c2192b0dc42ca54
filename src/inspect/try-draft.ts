/** Applies a draft to the kept rows and checks whether the result looks like a roll. */
import { CommandError } from '../base/errors.ts'
import { findUnmet, readExpectations, warnOfShares } from '../import/expect.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import { isSaid, type Outside, OutsideCounter } from '../import/report/outside.ts'
import { type Share, ShareCounter } from '../import/report/shares.ts'
import { CityLearner } from '../import/rows/cities.ts'
import { makeBatchReader } from '../import/threads/batch.ts'
import type { StagedParcel } from '../store/store.ts'
import type { Sample } from './sample/sample.ts'

/** Place for drafts that have none; the counts do not depend on it. */
const ANY = { state: 'NE', county: '001' }
const COUNTED = ['ownerState', 'ownerOccupied', 'residential']

/** `outside`: parcels outside their county, if the draft knows it. */
type Tried = { warnings: string[]; outside: Outside[] }

/**
 * Returns warnings about shares below the draft's expectations or unlikely in any roll, and about
 * parcels outside their county. None when the draft cannot be applied.
 */
export function tryDraft(sample: Sample, mapping: MappingDocument, today: string): Tried {
  const expectations = readExpectations(mapping.expect)
  const fields = new Set([...COUNTED, ...expectations.map(({ field }) => field)])
  const parcels = makeParcels(sample, mapping, today)
  const counter = new ShareCounter([...fields])
  counter.see(parcels)
  const shares: Share[] = counter.finish()
  const outside = new OutsideCounter()
  // Without a county the parcels are of a place that was made up.
  if ((mapping.county ?? mapping.fields.county) !== undefined) outside.see(parcels)
  const warnings = [...new Set([...findUnmet(expectations, shares), ...warnOfShares(shares)])]
  return { warnings, outside: outside.list().filter(isSaid) }
}

function makeParcels(sample: Sample, mapping: MappingDocument, today: string): StagedParcel[] {
  const parcels: StagedParcel[] = []
  const place = {
    state: mapping.state ?? (mapping.fields.state === undefined ? ANY.state : undefined),
    county: mapping.county ?? (mapping.fields.county === undefined ? ANY.county : undefined),
  }
  const setup = { mapping, ...place, today, ...UNTOLD }
  const columns = sample.columns.map(({ name }) => name)
  try {
    const learner = new CityLearner(mapping)
    for (const row of sample.kept) learner.add(row, columns)
    const cities = learner.finish()
    const batch = { file: sample.file, columns, rows: sample.kept, points: sample.points }
    makeBatchReader({ ...setup, cities }).read(batch, 1, undefined, (parcel) =>
      parcels.push(parcel),
    )
  } catch (error) {
    // A draft without a parcel ID cannot be applied; its own warnings say so.
    if (!(error instanceof CommandError)) throw error
  }
  return parcels
}

const UNTOLD = { forcedOrder: undefined, rollYear: undefined, evidence: undefined }
