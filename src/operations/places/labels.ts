/** Mailing labels of owners, for notices. */
import { renderParcel } from '../../render/render.ts'
import type { StoredParcel } from '../../store/store.ts'

const TEXTS = {
  ownerName: 'ownerName',
  careOf: 'ownerCareOf',
  ownerStreet: 'ownerStreet',
  ownerCity: 'ownerCity',
  ownerState: 'ownerState',
  ownerZipCode: 'ownerZipCode',
} as const

type Label = Record<string, string | null | string[]> & { propertyIds: string[] }

/**
 * One label per owner and mailing address, in the order of the parcels, with the ids of all its
 * parcels.
 *
 * Owners are distinguished by their recorded names, blanks and case aside. The care-of is that of
 * the first parcel that has one. Parcels without an owner and an address have no label. Throws when
 * a stored record is damaged.
 */
export function makeLabels(parcels: readonly StoredParcel[]): Label[] {
  const labels = new Map<string, Label>()
  for (const parcel of parcels) {
    const record = JSON.parse(renderParcel(parcel, 'flat')) as Record<string, string | null>
    const texts = Object.entries(TEXTS).map(([name, flat]) => [name, record[flat] ?? null] as const)
    const known = texts.filter(([name, text]) => name !== 'careOf' && text !== null)
    if (known.length === 0) continue
    const key = JSON.stringify(known.map(([name, text]) => [name, comparable(text ?? '')]))
    const label = labels.get(key) ?? { ...Object.fromEntries(texts), propertyIds: [] }
    label.careOf ??= record.ownerCareOf ?? null
    label.propertyIds.push(String(record.propertyId))
    labels.set(key, label)
  }
  return [...labels.values()]
}

function comparable(text: string): string {
  return text.toUpperCase().replace(/\s+/g, ' ').trim()
}
