/** An address lookup with the explanation of its answer, and how explanations name a parcel. */
import { type AddressExplanation, explainLookup } from '../../address/explain-lookup.ts'
import { type AskedAddress, type Finding, lookUpAddress } from '../../address/lookup.ts'
import type { LookupTrace } from '../../address/trace.ts'
import type { TailReading } from '../../base/model/address.ts'
import { renderParcel } from '../../render/render.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { markMunicipalities } from '../municipalities.ts'
import { type Reply, type RequestContext, showProperty } from '../operation.ts'

/** Most parcels named by property ID; further ones are named by address. */
const NAMED_MAX = 20

type ExplainedFinding = { finding: Finding; explain: AddressExplanation }

export async function explainAddress(
  asked: AskedAddress,
  whole: TailReading | undefined,
  parcels: ParcelReader,
): Promise<ExplainedFinding> {
  const trace: LookupTrace = { steps: [] }
  const finding = await lookUpAddress(
    asked,
    markMunicipalities(asked, parcels, whole),
    whole,
    trace,
  )
  const found = trace.steps.flatMap((step) => step.found.map(({ id }) => id)).reverse()
  const answer = finding.outcome === 'found' ? [finding.hit.id] : []
  const ids = [...new Set([...answer, ...found])].slice(0, NAMED_MAX)
  const named = new Map<number, string>()
  for (const parcel of await parcels.byIds(asked.state, ids)) {
    named.set(parcel.id, describeParcel(parcel))
  }
  return { finding, explain: explainLookup(asked, trace, finding, ({ id }) => named.get(id)) }
}

/** Returns the explanation when the county is not in the state and no lookup is made. */
export function explainUnknownCounty(state: string, county: string): { words: string[] } {
  return {
    words: [`"${county}" is not a county of ${state}, so nothing was looked for.`, 'Answer: none.'],
  }
}

/** Returns the parcel's ID and place. Throws when the stored record is damaged. */
export function nameParcel(
  parcel: StoredParcel,
): { propertyId: string } & Record<'address' | 'city' | 'county' | 'zipCode', string | null> {
  const { propertyId, address, city, county, zipCode } = JSON.parse(renderParcel(parcel, 'flat'))
  return { propertyId, address, city, county, zipCode }
}

/** The same in one line: `55025-0709-1 (100 MAIN ST, MADISON 53703)`. */
export function describeParcel(parcel: StoredParcel): string {
  const { propertyId, address, city, zipCode } = nameParcel(parcel)
  const place = [city, zipCode].filter(Boolean).join(' ')
  const shown = [address, place].filter(Boolean).join(', ')
  return shown === '' ? propertyId : `${propertyId} (${shown})`
}

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
