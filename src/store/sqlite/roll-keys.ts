/**
 * The keys under which a parcel is found, as one JSON text: kept beside the record, so that a refresh can tell whether
 * they changed and take back just the old ones.
 *
 * `i`: alternate parcel IDs; `s`: situs addresses `[key, looseKey, unit]`; `a`: their alternates
 * `[key, kind, ownKey, unit]`; `h`: owner heads `[slot, kind, head, rest]`; `w`: owner words `[slot, word]`.
 */
import type { StagedParcel } from '../store.ts'

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

/**
 * One table that is filled from the keys: its columns, and the same columns as read from the element `e` of the JSON list `list`,
 * for the parcel `p` with its `id`, `state` and `fips`. `primary`: how many columns make its primary key.
 */
export type KeyTable = {
  table: string
  list: 'i' | 's' | 'a' | 'h' | 'w'
  columns: string
  values: string
  primary: number
}

export const KEY_TABLES: KeyTable[] = [
  {
    table: 'alternate_ids',
    list: 'i',
    columns: 'fips, key, id',
    values: 'p.fips, e.value, p.id',
    primary: 3,
  },
  {
    table: 'situs',
    list: 's',
    columns: 'state, key, id, unit, kind, own_key',
    values: "p.state, e.value ->> 0, p.id, e.value ->> 2, 0, ''",
    primary: 6,
  },
  {
    table: 'situs',
    list: 'a',
    columns: 'state, key, id, unit, kind, own_key',
    values: 'p.state, e.value ->> 0, p.id, e.value ->> 3, e.value ->> 1, e.value ->> 2',
    primary: 6,
  },
  {
    table: 'owner_heads',
    list: 'h',
    columns: 'state, head, id, slot, kind, fips, rest',
    values: 'p.state, e.value ->> 2, p.id, e.value ->> 0, e.value ->> 1, p.fips, e.value ->> 3',
    primary: 5,
  },
  {
    table: 'owner_words',
    list: 'w',
    columns: 'state, word, id, slot, fips',
    values: 'p.state, e.value ->> 1, p.id, e.value ->> 0, p.fips',
    primary: 4,
  },
]
