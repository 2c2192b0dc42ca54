/** Mailing labels of owners, for notices. */
import { renderParcel } from '../../render/render.ts'
import type { StoredParcel } from '../../store/store.ts'

const TEXTS = [
  ...['ownerName', 'careOf', 'ownerStreet', 'ownerCity', 'ownerState', 'ownerZipCode'],
] as const

type Label = Record<string, string | null | string[]> & { propertyIds: string[] }

/**
 * One label per owner and mailing address, in the order of the parcels, with the ids of all its
 * parcels.
 *
 * Owners are distinguished by their recorded names, blanks and case aside. Parcels without an owner
 * and an address have no label. Throws when a stored record is damaged.
 */
export function makeLabels(parcels: readonly StoredParcel[]): Label[] {
  const labels = new Map<string, Label>()
  for (const parcel of parcels) {
    const record = JSON.parse(renderParcel(parcel, 'flat')) as Record<string, string | null>
    const texts = TEXTS.map((name) => record[name] ?? null)
    if (texts.every((text) => text === null)) continue
    const key = JSON.stringify(texts.map((text) => text?.toUpperCase().replace(/\s+/g, ' ').trim()))
    const label = labels.get(key) ?? {
      ...Object.fromEntries(TEXTS.map((name, at) => [name, texts[at] ?? null])),
      propertyIds: [],
    }
    label.propertyIds.push(String(record.propertyId))
    labels.set(key, label)
  }
  return [...labels.values()]
}
