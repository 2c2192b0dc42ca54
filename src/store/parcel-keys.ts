/** A parcel's lookup keys as one JSON text, by which a refresh finds those that changed. */
import { numberText } from '../base/fold.ts'
import type { AlternateKey } from '../base/model/address.ts'
import type { OwnerIndex } from '../base/model/owner.ts'
import { quote } from '../record/stored.ts'

const SITUS_KINDS = { own: 0, range: 1, highway: 2 } as const
/** Numbers of the kinds of owner heads in both stores. */
export const HEAD_KINDS = { person: 0, organization: 1 } as const

/** The lookup keys of a parcel, as the engines make them. */
type ParcelKeys = {
  /** Upper-cased and trimmed. */
  alternateIds: string[]
  /** Its situs addresses, each with the alternates of its strict key. */
  situs: { key: string; looseKey: string; unitKey: string; alternates: AlternateKey[] }[]
  /** In the form of `encodeOwners`. */
  owners: string
}

/** The decoded text. */
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

/** Encodes keys; equal keys give equal texts. Three times as fast as stringifying lists. */
export function encodeKeys({ alternateIds, situs, owners }: ParcelKeys): string {
  let own = ''
  let alternates = ''
  for (const { key, looseKey, unitKey, alternates: others } of situs) {
    if (key === '') continue
    own += `${own === '' ? '' : ','}[${quote(key)},${quote(looseKey)},${quote(unitKey)}]`
    for (const other of others) {
      const comma = alternates === '' ? '' : ','
      const kind = SITUS_KINDS[other.kind]
      alternates += `${comma}[${quote(other.key)},${kind},${quote(key)},${quote(unitKey)}]`
    }
  }
  const ids = alternateIds.length === 0 ? '[]' : JSON.stringify(alternateIds)
  return `{"i":${ids},"s":[${own}],"a":[${alternates}],${owners}}`
}

export function encodeOwners(owners: OwnerIndex): string {
  let heads = ''
  for (const { slot, kind, head, rest } of owners.heads) {
    heads += `${heads === '' ? '' : ','}[${slot},${HEAD_KINDS[kind]},${quote(head)},${quote(rest)}]`
  }
  let words = ''
  for (const { slot, word } of owners.words) {
    words += `${words === '' ? '' : ','}[${slot},${quote(word)}]`
  }
  return `"h":[${heads}],"w":[${words}]`
}

/** Decodes the owners' part of keys written by `encodeKeys`. */
export function decodeOwners(keys: string): OwnerIndex {
  const { h, w } = JSON.parse(keys) as EncodedKeys
  return {
    heads: h.map(([slot, kind, head, rest]) => ({
      slot: slot as 1 | 2,
      kind: kind === HEAD_KINDS.person ? 'person' : 'organization',
      head,
      rest,
    })),
    words: w.map(([slot, word]) => ({ slot: slot as 1 | 2, word })),
  }
}

/** An owner's number stays a safe integer with the state's number. */
const OWNER_BITS = 44
/** Greater than any state's FIPS code. */
const STATES = 128

/**
 * Returns a number for the first slot's canonical owner; 0 without one, or with a surname alone.
 * Among ten million owners three pairs collide.
 */
export function ownerOf({ heads: [first] }: OwnerIndex): number {
  if (first?.slot !== 1 || (first.kind === 'person' && first.rest === '')) return 0
  return numberText(`${HEAD_KINDS[first.kind]} ${first.head} ${first.rest}`) % 2 ** OWNER_BITS
}

/** Combines the number with the state of a county's FIPS code; owner counts are stored under it. */
export function ownerInState(owner: number, fips: number): number {
  return owner === 0 ? 0 : owner * STATES + Math.floor(fips / 1000)
}
