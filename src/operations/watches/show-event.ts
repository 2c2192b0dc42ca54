/** Makes an event of what an import did to a parcel, for one watch. */
import { type ChangeGroup, groupBit, groupsOf } from '../../base/model/changes.ts'
import { hiddenFieldsOf } from '../../privacy/hide-fields.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { fipsCode } from '../../regions/counties.ts'
import type { StoredEvent, Watch } from '../../store/accounts/watch-store.ts'
import type { VersionForm } from '../../store/versions/versions.ts'
import { type FieldChange, listFieldChanges } from '../find/read-versions.ts'
import type { WatchMatch } from './match.ts'
import type { Pair } from './pairs.ts'

export type WatchEvent = {
  id: string
  type: string
  watch: string
  propertyId: string | null
  county: string
  /** ISO time of the import. */
  at: string
  groups: ChangeGroup[]
  /** Property IDs of what a parcel became that was split, merged or renumbered. */
  children?: string[]
  changes: { field: string; from: unknown; to: unknown }[]
}

type Change = Pick<StoredEvent, 'id' | 'what' | 'propertyId' | 'fips' | 'at' | 'groups' | 'parcel'>

const readSuppressed = openFields(['suppressed'])

/**
 * Returns the event; `undefined` when the watch does not hear of it. What a suppression hides of a
 * record did not change as far as an event says. `match`: absent for a watch of listed parcels.
 */
export function makeEvent(
  watch: Pick<Watch, 'id' | 'groups'>,
  change: Change,
  pair: Pair,
  match: WatchMatch | undefined,
): WatchEvent | undefined {
  const { before, after, became } = pair
  const fits = (form: VersionForm | undefined) =>
    form !== undefined && (match === undefined || match.fits(form, change.at))
  if (!fits(before) && !fits(after)) return undefined
  const shown = before && after ? listVisible(before, after) : []
  const bits = shown.reduce((sum, { group }) => sum | groupBit(group), 0)
  if (before !== undefined && after !== undefined && (bits & watch.groups) === 0) return undefined
  const propertyId = propertyIdOf((after ?? before)?.fieldValues ?? '')
  const what = became?.what ?? change.what
  const event = bareEvent(watch, { ...change, what, propertyId, groups: bits })
  const changes = shown.map(({ field, from, to }) => ({ field, from, to }))
  return { ...event, ...(became && { children: became.children }), changes }
}

export function bareEvent(watch: Pick<Watch, 'id'>, change: Change): WatchEvent {
  return {
    id: change.id,
    type: change.parcel < 0 ? `county.${change.what}` : `parcel.${change.what}`,
    watch: watch.id,
    propertyId: change.propertyId,
    county: fipsCode(change.fips),
    at: new Date(change.at).toISOString(),
    groups: groupsOf(change.groups),
    changes: [],
  }
}

export function seenIn(events: readonly { propertyId: string | null }[]): { propertyId: string }[] {
  const ids = events.flatMap(({ propertyId }) => propertyId ?? [])
  return [...new Set(ids)].map((propertyId) => ({ propertyId }))
}

/** Lists what differs, without what a suppression hides, and without the suppression itself. */
function listVisible(before: VersionForm, after: VersionForm): FieldChange[] {
  const hidden = hiddenFieldsOf(readSuppressed(after.fieldValues).suppressed)
  const isHidden = ({ field, to }: FieldChange) =>
    field === 'suppressed' ||
    hidden.has(field) ||
    // Texts that repeat what is hidden are removed too.
    (hidden.size > 0 && (to === null || field === 'extra'))
  return listFieldChanges(before, after).filter((change) => !isHidden(change))
}
