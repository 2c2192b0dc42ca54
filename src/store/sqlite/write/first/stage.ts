/** Writes the rows of a first load. */
import { tileTextOf } from '../../../../record/tile-text.ts'
import { writeBlocks } from '../../../facts/write.ts'
import type { EncodedKeys } from '../../../parcel-keys.ts'
import type { StagedParcel } from '../../../store.ts'
import { packOwned } from '../../owned.ts'
import { packKeys } from '../../packed-keys.ts'
import { checksumRecord } from '../../record-checksum.ts'
import { parcelValues, variantOf } from '../roll-common.ts'
import type { FirstLoad } from './load.ts'

/** Rows that are written before their facts: the caches of a processor do not hold both codes. */
const AT_ONCE = 32

/** Tables from which a dropped row is deleted by id. */
const BY_ID = ['main.parcels', 'main.records', 'staging.variants']

export async function stageFirst(load: FirstLoad, parcels: StagedParcel[]): Promise<void> {
  load.comparison = undefined
  for (let from = 0; from < parcels.length; from += AT_ONCE) {
    const some = parcels.slice(from, from + AT_ONCE)
    const first = load.lastId + 1
    for (const parcel of some) add(load, parcel)
    for (const [at, parcel] of some.entries()) load.facts.add(first + at, parcel)
  }
  load.parcels.flush()
  load.records.flush()
  await writeBlocks(load.sql, load.facts.take())
}

function add(load: FirstLoad, parcel: StagedParcel): void {
  load.lastId += 1
  const { lastId: id, loadedAt } = load
  load.ids.add(parcel.row, id)
  load.parcels.add(id, ...parcelValues(parcel))
  const { fieldValues, keys, geometry } = parcel
  const sum = checksumRecord({ id, loadedAt, fieldValues, geometry })
  const owned = packOwned(parcel)
  const tileText = geometry === null ? null : tileTextOf(fieldValues)
  const parsed: EncodedKeys = JSON.parse(keys)
  const values = [fieldValues, packKeys(keys, parsed), sum, owned, geometry, tileText]
  load.records.add(id, loadedAt, ...values)
  const variant = variantOf(parcel)
  if (variant !== '') load.variant.run(id, variant)
  load.keys.add(id, parcel.state, parcel.fips, parsed)
}

export function dropFirst(load: FirstLoad, rows: number[]): void {
  load.comparison = undefined
  const deletes = BY_ID.map((table) => load.db.prepare(`DELETE FROM ${table} WHERE id = ?`))
  for (const row of rows) {
    const id = load.ids.drop(row)
    if (id === undefined) continue
    for (const statement of deletes) statement.run(id)
    load.keys.drop(id)
    load.facts.drop(id)
  }
}
