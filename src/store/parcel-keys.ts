/**
 * The keys under which a parcel is found, as one JSON text: kept beside the record, so that a
 * refresh can tell whether they changed and take back just the old ones.
 */
import { hash } from 'node:crypto'
import type { AlternateKey } from '../model/address.ts'
import type { OwnerIndex } from '../model/owner.ts'

const SITUS_KINDS = { own: 0, range: 1, highway: 2 } as const
/** How owner heads are distinguished in both stores. */
export const HEAD_KINDS = { person: 0, organization: 1 } as const

/** What finds a parcel, as the engines give it. */
type ParcelKeys = {
  /** Upper-cased and trimmed. */
  alternateIds: string[]
  /** Its own situs addresses, each with the alternates of its strict key. */
  situs: { key: string; looseKey: string; unitKey: string; alternates: AlternateKey[] }[]
  /** As `encodeOwners` writes them. */
  owners: string
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

/**
 * Writes the keys of a parcel; equal keys give equal texts. By hand, which takes a third of the
 * time of a list of lists.
 */
export function encodeKeys({ alternateIds, situs, owners }: ParcelKeys): string {
  let own = ''
  let alternates = ''
  for (const { key, looseKey, unitKey, alternates: others } of situs) {
    if (key === '') continue
    own += `${own === '' ? '' : ','}[${quote(key)},${quote(looseKey)},${quote(unitKey)}]`
    for (const other of others) {
      const comma = alternates === '' ? '' : ','
      alternates += `${comma}[${quote(other.key)},${SITUS_KINDS[other.kind]},${quote(key)},${quote(unitKey)}]`
    }
  }
  const ids = alternateIds.length === 0 ? '[]' : JSON.stringify(alternateIds)
  return `{"i":${ids},"s":[${own}],"a":[${alternates}],${owners}}`
}

/** The part of the keys that owners make. */
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

/** The owners' part of the keys as `encodeKeys` writes them. */
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

/** Texts that JSON writes as they are, which nearly all keys are. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** The first entry of the owners' part of keys: one letter sequence per slot, head and rest. */
const FIRST_HEAD = /"h":\[\[1,([01]),"([^"]*)","([^"]*)"\]/
/** Hex digits of an owner's number: 44 bits. With the state's it stays a whole number. */
const OWNER_DIGITS = 11
/** More than any state's FIPS code. */
const STATES = 128

/**
 * A number for the canonical owner of the first slot, the same wherever that owner stands; 0:
 * nobody is named, or a person by the surname alone. `keys`: as `encodeOwners` writes them. Of ten
 * million owners three pairs share a number.
 */
export function ownerOf(keys: string): number {
  const [, kind, head, rest] = FIRST_HEAD.exec(keys) ?? []
  if (kind === undefined || (Number(kind) === HEAD_KINDS.person && rest === '')) return 0
  return Number.parseInt(hash('sha1', `${kind} ${head} ${rest}`).slice(0, OWNER_DIGITS), 16)
}

/** The same within a state, by the FIPS code of a county: what counts of owners are kept under. */
export function ownerInState(owner: number, fips: number): number {
  return owner === 0 ? 0 : owner * STATES + Math.floor(fips / 1000)
}
