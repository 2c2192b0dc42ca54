/** What differs between two versions of a parcel, as history and watches show it. */
import type { ChangeGroup } from '../../base/model/changes.ts'
import { fieldOfSlot, listChanges } from '../../record/changes.ts'
import { decodeSlot } from '../../record/stored.ts'
import type { VersionForm } from '../../store/versions/versions.ts'

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
