/** The roll of the parcel ID lookups. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRoll } from '../rolls.ts'

export const PATH = '/public/property/parcelId/'

const PLATBOOK = new URL('../../../mappings/platbook.json', import.meta.url)

export const PARCELS = makeRoll([
  { parcelId: '0709-123.A', altParcelIds: 'OLD-7; 07-09' },
  { parcelId: '07-09', county: 'Milwaukee' },
  { parcelId: '12-34' },
  { parcelId: '1-234' },
  { parcelId: '77/1', altParcelIds: '12-34; SHARED' },
  { parcelId: '77/2', altParcelIds: 'SHARED' },
  { parcelId: '88/1', formerParcelIds: '1000010101; 12-34' },
  { parcelId: '88/2', formerParcelIds: '1-000010101; 88/2' },
])

const town = { state: 'MA', county: 'Hampshire' }

/** Two towns of one county number their own parcels. */
export const TOWNS = makeRoll([
  { ...town, municipality: 'EASTBROOK', parcelId: '10-1' },
  { ...town, municipality: 'WESTBROOK', parcelId: '10-1' },
  { ...town, municipality: 'WESTBROOK', parcelId: '10-2' },
])

/**
 * The mapping `platbook` with the roll scope of such counties, as a document of its own in a
 * folder.
 */
export function writeTownMapping(folder: string): string {
  const file = join(folder, 'towns.json')
  const mapping = JSON.parse(readFileSync(PLATBOOK, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...mapping, name: 'towns', scope: 'municipality' }))
  return file
}
