/** The answer of a lookup with its explanation. */
import type { StoredParcel } from '../../store/store.ts'
import { type Reply, type RequestContext, showProperty } from '../operation.ts'

/** Adds where each value comes from to the explanation. Rejects when the store does. */
export async function showExplained(
  parcel: StoredParcel,
  headers: Record<string, string>,
  explain: object,
  { layout, account, parcels }: RequestContext,
): Promise<Reply> {
  // It reads mappings as an import does, and few callers ask for it.
  const { explainOrigins } = await import('./provenance.ts')
  const provenance = await explainOrigins({ parcel, layout, facts: account.facts, parcels })
  return showProperty(parcel, layout, headers, { ...explain, provenance })
}
