/** A generated roll whose four counties are in one state, so that a question is about all of it. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SAMPLE_COLUMNS } from '../../src/sample/columns.ts'
import { generateSample } from '../../src/sample/generate.ts'
import { csvRow } from '../../src/sample/write.ts'

export const STATE = 'WI'
/** The county whose name each generated one gets. */
const COUNTIES: Record<string, string> = {
  DANE: 'DANE',
  DUPAGE: 'MILWAUKEE',
  ALACHUA: 'BROWN',
  TRAVIS: 'WAUKESHA',
}
const [STATE_AT, COUNTY_AT] = [SAMPLE_COLUMNS.indexOf('state'), SAMPLE_COLUMNS.indexOf('county')]

/** Writes the sample as CSV for the mapping `platbook`. */
export async function writeOneState(parcels: number, path: string): Promise<void> {
  await pipeline(Readable.from(drawRows(parcels)), createWriteStream(path))
}

function* drawRows(parcels: number): Generator<string> {
  yield csvRow(SAMPLE_COLUMNS)
  for (const row of generateSample({ parcels, seed: 1 })) {
    const county = COUNTIES[row[COUNTY_AT] ?? ''] ?? ''
    yield csvRow(row.with(STATE_AT, STATE).with(COUNTY_AT, county))
  }
}
