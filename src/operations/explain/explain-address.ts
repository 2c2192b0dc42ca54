/** An address lookup with the explanation of its answer. */
import { type AddressExplanation, explainLookup } from '../../address/explain-lookup.ts'
import {
  type AskedAddress,
  type Finding,
  lookUpAddress,
  type Reading,
} from '../../address/lookup.ts'
import type { LookupTrace } from '../../address/trace.ts'
import type { ParcelReader } from '../../store/store.ts'
import { markMunicipalities } from '../municipalities.ts'
import { describeParcel } from './name-parcel.ts'

/** Most parcels named by property ID; further ones are named by address. */
const NAMED_MAX = 20

type ExplainedFinding = { finding: Finding; explain: AddressExplanation }

export async function explainAddress(
  asked: AskedAddress,
  whole: Reading | undefined,
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
