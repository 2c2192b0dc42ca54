/**
 * What an export reads of a store: the rolls as they stand at one moment, whatever imports do
 * meanwhile.
 */
import type { StoredParcel } from './store.ts'

/** Which parcels are exported. */
export type ExportScope = {
  /** Two letters. */
  state: string
  /** Five-digit county FIPS code; `undefined`: the whole state. */
  fips: number | undefined
  /** Epoch seconds: only parcels whose record changed then or later; `undefined`: all. */
  changedSince: number | undefined
}

/** A parcel's id and its point in ten millionths of a degree; `null`: no point. */
export type ExportPlace = { id: number; x: number | null; y: number | null }

export type ExportReader = {
  /** The ids and points of the parcels in ascending order of ids, some thousand at a time. */
  places(scope: ExportScope): AsyncIterable<ExportPlace[]>
  /** The parcels of these ids of one state, in the order asked. Throws when one is missing. */
  records(state: string, ids: readonly number[]): Promise<StoredParcel[]>
  close(): Promise<void>
}

/** Puts parcels in the order of the ids asked. Throws when one is missing. */
export function inOrder(parcels: readonly StoredParcel[], ids: readonly number[]): StoredParcel[] {
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]))
  return ids.map((id) => {
    const parcel = byId.get(id)
    if (parcel === undefined) throw new Error(`the record ${id} is missing`)
    return parcel
  })
}
