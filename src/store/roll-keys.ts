/**
 * The keys under which a parcel is found, as one JSON text: kept beside the record, so that a refresh can tell whether
 * they changed and take back just the old ones.
 *
 * `i`: alternate parcel IDs; `s`: situs addresses `[key, looseKey, unit]`; `a`: their alternates
 * `[key, kind, ownKey, unit]`; `h`: owner heads `[slot, kind, head, rest]`; `w`: owner words `[slot, word]`.
 */
import type { StagedParcel } from './store.ts'

export const SITUS_KINDS = { own: 0, range: 1, highway: 2 } as const
export const HEAD_KINDS = { person: 0, organization: 1 } as const

/** Writes the keys of a parcel; equal keys give equal texts. */
export function encodeKeys(parcel: StagedParcel): string {
  const situs = parcel.situs.filter(({ key }) => key !== '')
  return JSON.stringify({
    i: parcel.alternateKeys,
    s: situs.map(({ key, looseKey, unitKey }) => [key, looseKey, unitKey]),
    a: situs.flatMap(({ key, unitKey, alternates }) =>
      alternates.map((other) => [other.key, SITUS_KINDS[other.kind], key, unitKey]),
    ),
    h: parcel.owners.heads.map(({ slot, kind, head, rest }) => [
      slot,
      HEAD_KINDS[kind],
      head,
      rest,
    ]),
    w: parcel.owners.words.map(({ slot, word }) => [slot, word]),
  })
}
