/**
 * The keys under which a parcel is found, as one JSON text: kept beside the record, so that a refresh can tell whether
 * they changed and take back just the old ones.
 */
import type { AlternateKey } from '../model/address.ts'
import type { OwnerIndex } from '../model/owner.ts'

export const SITUS_KINDS = { own: 0, range: 1, highway: 2 } as const
export const HEAD_KINDS = { person: 0, organization: 1 } as const

/** What finds a parcel, as the engines give it. */
export type ParcelKeys = {
  /** Upper-cased and trimmed. */
  alternateIds: string[]
  /** Its own situs addresses, each with the alternates of its strict key. */
  situs: { key: string; looseKey: string; unitKey: string; alternates: AlternateKey[] }[]
  owners: OwnerIndex
}

/** The text read back. */
export type EncodedKeys = {
  /** Alternate parcel IDs. */
  i: string[]
  /** Situs addresses: key, loose key, unit. */
  s: [string, string, string][]
  /** Their alternates: key, kind, own key, unit. */
  a: [string, number, string, string][]
  /** Owner heads: slot, kind, head, rest. */
  h: [number, number, string, string][]
  /** Owner words: slot, word. */
  w: [number, string][]
}

/** Writes the keys of a parcel; equal keys give equal texts. */
export function encodeKeys(keys: ParcelKeys): string {
  const situs = keys.situs.filter(({ key }) => key !== '')
  const encoded: EncodedKeys = {
    i: keys.alternateIds,
    s: situs.map(({ key, looseKey, unitKey }) => [key, looseKey, unitKey]),
    a: situs.flatMap(({ key, unitKey, alternates }) =>
      alternates.map((other): EncodedKeys['a'][number] => [
        other.key,
        SITUS_KINDS[other.kind],
        key,
        unitKey,
      ]),
    ),
    h: keys.owners.heads.map(({ slot, kind, head, rest }) => [slot, HEAD_KINDS[kind], head, rest]),
    w: keys.owners.words.map(({ slot, word }) => [slot, word]),
  }
  return JSON.stringify(encoded)
}
