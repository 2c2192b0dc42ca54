/** What an export reads: a consistent snapshot of the rolls, whatever imports do meanwhile. */
import type { StoredParcel } from './store.ts'

/** Selects the parcels of an export. */
export type ExportScope = {
  /** Two letters. */
  state: string
  /** Five-digit county FIPS code; `undefined` for the whole state. */
  fips: number | undefined
  /** Epoch seconds: only parcels whose record changed since; `undefined` for all. */
  changedSince: number | undefined
}

/** A parcel's id and its point in ten-millionths of a degree; `null` without a point. */
export type ExportPlace = { id: number; x: number | null; y: number | null }

export type ExportReader = {
  /** Ids and points of the parcels in the order of their identity, some thousand at a time. */
  places(scope: ExportScope): AsyncIterable<ExportPlace[]>
  /** The parcels with these ids in one state, in the given order. Throws when one is missing. */
  records(state: string, ids: readonly number[]): Promise<StoredParcel[]>
  close(): Promise<void>
}

/** Sorts parcels by the order of the given ids. Throws when one is missing. */
export function inOrder(parcels: readonly StoredParcel[], ids: readonly number[]): StoredParcel[] {
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]))
  return ids.map((id) => {
    const parcel = byId.get(id)
    if (parcel === undefined) throw new Error(`the record ${id} is missing`)
    return parcel
  })
}
