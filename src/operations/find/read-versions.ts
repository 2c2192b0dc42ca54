/** Reads the versions of parcels by their ids, and what differs between two of them. */

import type { ChangeGroup } from '../../base/model/changes.ts'
import { fieldOfSlot, listChanges } from '../../record/changes.ts'
import { decodeSlot } from '../../record/stored.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { readChain, type VersionForm, type VersionRow } from '../../store/versions/versions.ts'

/** A version while it lasted; `form` is absent while there was no parcel. */
export type Version = {
  id: number
  form: VersionForm | undefined
  loadedAt: number
  /** The change that began it; `undefined` for the oldest that is kept. */
  began: VersionRow | undefined
  /** The change that ended it; `undefined` for the present one. */
  ended: VersionRow | undefined
}

/** Reads the versions of parcels by their ids, in any order. */
export async function readVersions(
  parcels: ParcelReader,
  state: string,
  ids: number[],
): Promise<Version[]> {
  if (ids.length === 0) return []
  const [rows, forms] = await Promise.all([
    parcels.versionsOf(state, ids),
    parcels.formsOf(state, ids),
  ])
  const byId = Map.groupBy(rows, ({ id }) => id)
  const present = new Map(forms.map((form) => [form.id, form]))
  return ids.flatMap((id) => {
    const form = present.get(id)
    const chain = readChain(form, byId.get(id) ?? [])
    return chain.map((one, at) => ({
      ...{ id, form: one.form, ended: one.row, began: chain[at + 1]?.row },
      loadedAt: one.row === undefined ? (form?.loadedAt ?? 0) : one.row.loadedAt,
    }))
  })
}

export function asStored({ id, form, loadedAt }: Version): StoredParcel | undefined {
  if (form === undefined) return undefined
  return { id, loadedAt, fieldValues: form.fieldValues, geometry: form.geometry, owned: null }
}

/** A field with its values; null where it has none. */
export type FieldChange = { field: string; group: ChangeGroup; from: unknown; to: unknown }

/** Lists the fields that differ, in the order of their slots; the polygon as `geometry`, last. */
export function listFieldChanges(before: VersionForm, after: VersionForm): FieldChange[] {
  const changed = listChanges(before.fieldValues, after.fieldValues).map((one): FieldChange => {
    const { name: field, group } = fieldOfSlot(one.slot)
    const [from, to] = [decodeSlot(one.slot, one.before), decodeSlot(one.slot, one.after)]
    return { field, group, from, to }
  })
  if (before.geometry === after.geometry) return changed
  const [from, to] = [before.geometry, after.geometry].map((text) => text && JSON.parse(text))
  return [...changed, { field: 'geometry', group: 'geometry', from, to }]
}
