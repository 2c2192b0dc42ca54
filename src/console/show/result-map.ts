/** A map next to a list of parcels, for those with a point. The list says the same as text. */
import { type Html, html } from './html.ts'
import { describeRecord } from './record-words.ts'
import type { FlatRecord } from './words.ts'

/** What a page with such a map needs. */
export const RESULT_MAP = { late: ['maplibre-gl.css', 'result-map.js'] }

/** Returns a map with a numbered point per record, or nothing when no record has a point. */
export function showResultMap(records: readonly FlatRecord[]): Html {
  const places = records.flatMap((record, at) => {
    const { latitude, longitude, propertyId } = record
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
    const { title } = describeRecord(record)
    return [{ number: at + 1, latitude, longitude, propertyId, title }]
  })
  if (places.length === 0) return html``
  return html`<div class="result-map" data-places="${JSON.stringify(places)}"
  role="region" aria-label="Map of these parcels. The list says the same."></div>`
}
