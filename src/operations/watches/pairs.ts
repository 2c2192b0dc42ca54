/** What parcels were before and after an import, for watches. */
import type { ParcelReader } from '../../store/store.ts'
import { readChain, type VersionForm } from '../../store/versions/versions.ts'

/** A parcel before and after an import; `undefined`: there was none, or is none. */
export type Pair = { before: VersionForm | undefined; after: VersionForm | undefined }

/** Finds what a parcel was around an import. */
export type PairReader = {
  /** `undefined`: nothing is kept of what the import did to the parcel. */
  pairOf(id: number, importId: number): Pair | undefined
  /** The present parcel. */
  presentOf(id: number): VersionForm | undefined
}

/** Reads the versions of parcels of a state. */
export async function readPairs(
  parcels: ParcelReader,
  state: string,
  ids: readonly number[],
): Promise<PairReader> {
  const own = [...new Set(ids)].filter((id) => id > 0)
  if (own.length === 0) return { pairOf: () => undefined, presentOf: () => undefined }
  const [rows, forms] = await Promise.all([
    parcels.versionsOf(state, own),
    parcels.formsOf(state, own),
  ])
  const present = new Map(forms.map((form) => [form.id, form]))
  const byId = Map.groupBy(rows, ({ id }) => id)
  return {
    presentOf: (id) => present.get(id),
    pairOf(id, importId) {
      const chain = readChain(present.get(id), byId.get(id) ?? [])
      const at = chain.findIndex(({ row }) => row?.import === importId)
      return at < 1 ? undefined : { before: chain[at]?.form, after: chain[at - 1]?.form }
    },
  }
}
