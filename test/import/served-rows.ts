/** Loads the invented rows of a mapping, and lists every value that is served for them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { decodeParcel } from '../../src/record/stored.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { fixture, importRoll, makeFolder, type Options } from './small-roll.ts'

/** What a load of a mapping's rows did, and its parcels by county and parcel ID. */
export type Served = {
  /** Arguments that the rows need besides the mapping, since a layout of any county has none. */
  options?: Options
  /** The files of a layout that has several. */
  files?: string[]
  report: { rows: number; loaded: number; duplicates: number; skipped: number; rejected: number }
  parcels: Record<string, Record<string, unknown>>
}

/**
 * Loads the files of a mapping and reads all of it back. By default these are `NAME.csv`, or
 * `NAME.txt` where the layout has fixed width.
 */
export async function loadServed(
  t: TestContext,
  mapping: string,
  { options = {}, files }: Pick<Served, 'options' | 'files'> = {},
): Promise<Served> {
  const data = makeFolder(t)
  const only = existsSync(fixture(`${mapping}.csv`)) ? `${mapping}.csv` : `${mapping}.txt`
  const report = await importRoll(data, (files ?? [only]).map(fixture), { ...options, mapping })
  const { rows, loaded, duplicates, skipped, rejected, unread } = report
  if (Object.keys(unread).length > 0) throw new Error(`${mapping}: ${JSON.stringify(unread)}`)
  const db = openDatabase(join(data, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  t.after(() => db.close())
  const stored = db
    .prepare(
      'SELECT fips, field_values AS fieldValues FROM parcels JOIN records USING (id) ORDER BY id',
    )
    .all()
  const parcels = stored.map(({ fips, fieldValues }) => {
    // How names are read is tested with the owner engine.
    const { ownerFirstName: _, ownerLastName: __, ...parcel } = decodeParcel(String(fieldValues))
    return [`${String(fips).padStart(5, '0')} ${parcel.parcelId}`, keepTold(parcel)] as const
  })
  return {
    report: { rows, loaded, duplicates, skipped, rejected },
    parcels: Object.fromEntries(parcels),
  }
}

/** Removes unknown values: `null`, empty lists and empty objects. */
function keepTold(record: object): Record<string, unknown> {
  const values = Object.entries(record).flatMap(([name, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return []
    if (Array.isArray(value) && typeof value[0] === 'object') return [[name, value.map(keepTold)]]
    const isEmpty = typeof value === 'object' && Object.keys(value).length === 0
    return isEmpty ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}
