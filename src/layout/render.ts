/** A parcel as an account sees it: chosen layout, JSON text. Decision D1. */
import type { AccountFacts } from '../model/account.ts'
import type { StoredParcel } from '../store/store.ts'
import { buildTemplate } from './template.ts'
import { FLAT } from './v2-flat.ts'
import { NESTED } from './v3-nested.ts'

export type Layout = 'nested' | 'flat'

const show = { nested: buildTemplate(NESTED), flat: buildTemplate(FLAT) }

/** Nested only for accounts with the nested shape on v3 reads; everything else is flat (D1). */
export function layoutOf(facts: Pick<AccountFacts, 'dataReads' | 'responseShape'>): Layout {
  return facts.responseShape === 'nested' && facts.dataReads === 'v3' ? 'nested' : 'flat'
}

/** Renders one record as JSON text; a few microseconds, decision 011. */
export function renderParcel(parcel: StoredParcel, layout: Layout): string {
  return show[layout]({
    leaves: parcel.leaves,
    id: parcel.id,
    loadedAt: loadedAtText(parcel.loadedAt),
    geometry: parcel.geometry ?? '',
  })
}

let lastSeconds = -1
let lastText = ''

/** Rolls load many parcels at one moment, so the last answer is mostly the next. */
function loadedAtText(seconds: number): string {
  if (seconds !== lastSeconds) {
    lastSeconds = seconds
    lastText = `"${new Date(seconds * 1000).toISOString()}"`
  }
  return lastText
}
