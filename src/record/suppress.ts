/**
 * Which parcels a suppression means, by the keys under which searches find them, and what of their record is hidden then.
 *
 * A name, an address or a property ID is kept as HMAC-SHA-256 under a secret. A keyed checksum of 32 bits (HalfSipHash) comes
 * first: it tells in some 0.1 µs that a parcel is not meant, which is so for nearly all. docs/privacy.md says what is caught.
 */
import { createHmac } from 'node:crypto'
import { COVERAGE_FIELDS, type CoverageField } from '../model/coverage.ts'
import type { OwnerHead } from '../model/owner.ts'
import type { SuppressionRules, SuppressionScope } from '../store/suppressions.ts'
import type { Parcel } from './parcel.ts'

/** What of a parcel is matched. */
export type Suppressible = {
  state: string
  fips: number
  /** Folded by `foldCity`; `''` where the county numbers its parcels. */
  municipality: string
  strippedKey: string
  /** The keys, or the part of them, that hold the owners as `encodeOwners` writes them. */
  owners: string
  situs: readonly { key: string; unitKey: string }[]
}

/** What is hidden: bits that are joined. */
export const HIDDEN = { none: 0, owner: 1, address: 2, all: 4 } as const

const BITS: Record<SuppressionScope, number> = { owner: 1, address: 2, both: 4 }

/** A form that is hashed, and what its checksum is made of: the checksum knows no place and no middle name. */
export type SuppressedForm = { base: string; forms: string[] }

/** Where a suppression holds; `''` and 0: everywhere. */
export type Place = { state: string; fips: number }

/**
 * The forms of a person: the surname's joined form, the first given name, the initial of the second. A recorded name without a
 * second one is the same person; so is any second one where none was asked.
 */
export function personForm(
  surname: string,
  given: readonly string[],
  place: Place,
): SuppressedForm {
  const [first = '', second] = given
  const middle = second === undefined ? ['*'] : ['', second.charAt(0)]
  return {
    base: `0${surname}|${first}`,
    forms: middle.map((initial) => `${whereOf(place)}|0${surname}|${first}|${initial}`),
  }
}

export function organizationForm(head: string, rest: string, place: Place): SuppressedForm {
  const base = `1${head}|${rest}`
  return { base, forms: [`${whereOf(place)}|${base}`] }
}

export function addressForm(key: string, unitKey: string, place: Place): SuppressedForm {
  const base = `2${key}|${unitKey}`
  return { base, forms: [`${whereOf(place)}|${base}`] }
}

/** `propertyId`: its letters and digits count. */
export function propertyForm(propertyId: string): SuppressedForm {
  const base = `3${propertyId.toUpperCase().replace(/[^A-Z0-9]/g, '')}`
  return { base, forms: [`|${base}`] }
}

function whereOf({ state, fips }: Place): string {
  return fips === 0 ? state : `${state}${fips}`
}

/** Hashes under a secret. */
function openHasher(secret: Uint8Array) {
  const seed = createHmac('sha256', secret).update('platbook suppression tag').digest()
  const [key0, key1] = [seed.readInt32LE(0), seed.readInt32LE(4)]
  return {
    tag: (base: string) => halfSip(key0, key1, base),
    hash: (form: string) => createHmac('sha256', secret).update(form).digest('hex'),
  }
}

const HASH_DIGITS = 64
const TAG_DIGITS = 8

/** The hashes of forms as a suppression keeps them. */
export function hashForms(secret: Uint8Array, all: SuppressedForm[]): string {
  const { tag, hash } = openHasher(secret)
  const entries = all.flatMap(({ base, forms }) =>
    forms.map((form) => hash(form) + tag(base).toString(16).padStart(TAG_DIGITS, '0')),
  )
  return [...new Set(entries)].join('')
}

/** All forms under which a suppression may mean a parcel. */
export function listForms(parcel: Suppressible): SuppressedForm[] {
  return placesOf(parcel).flatMap((place) => [
    ...listBases(parcel.owners, () => true).flatMap((head) => recordedForms(head, place)),
    ...parcel.situs.map(({ key, unitKey }) => addressForm(key, unitKey, place)),
    propertyForm(propertyText(parcel)),
  ])
}

function placesOf({ state, fips }: Place): Place[] {
  return [
    { state: '', fips: 0 },
    { state, fips: 0 },
    { state, fips },
  ]
}

/** Bits of the filter in front of the hashes: 2 MB. */
const FILTER_BITS = 24

/** Makes what tells which of its fields a parcel has to hide: bits of `HIDDEN`. */
export function openMatcher({ secret, rules }: SuppressionRules): (parcel: Suppressible) => number {
  const { tag, hash } = openHasher(secret)
  const filter = new Uint32Array(2 ** (FILTER_BITS - 5))
  const scopes = new Map<string, number>()
  const kinds = new Set<string>()
  for (const rule of rules) {
    kinds.add(rule.kind)
    for (let at = 0; at < rule.hashes.length; at += HASH_DIGITS + TAG_DIGITS) {
      const key = rule.hashes.slice(at, at + HASH_DIGITS)
      const own = rule.hashes.slice(at + HASH_DIGITS, at + HASH_DIGITS + TAG_DIGITS)
      const bit = Number.parseInt(own, 16) >>> (32 - FILTER_BITS)
      filter[bit >>> 5] = (filter[bit >>> 5] as number) | (1 << (bit & 31))
      scopes.set(key, (scopes.get(key) ?? 0) | BITS[rule.scope])
    }
  }
  const mayBe = (base: string) => {
    const bit = tag(base) >>> (32 - FILTER_BITS)
    return ((filter[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
  }
  const scopeOf = ({ base, forms }: SuppressedForm) =>
    mayBe(base) ? forms.reduce((bits, form) => bits | (scopes.get(hash(form)) ?? 0), 0) : 0
  /** The owners of the last parcel, which the next often has too. */
  let lastOwners = ''
  let lastHeads: OwnerHead[] = []
  return (parcel) => {
    let bits = 0
    const places = placesOf(parcel)
    if (kinds.has('owner') && parcel.owners !== '') {
      if (parcel.owners !== lastOwners) {
        lastOwners = parcel.owners
        lastHeads = listBases(parcel.owners, mayBe)
      }
      for (const head of lastHeads) {
        for (const place of places) {
          for (const form of recordedForms(head, place)) bits |= scopeOf(form)
        }
      }
    }
    if (kinds.has('address')) {
      for (const { key, unitKey } of parcel.situs) {
        if (key === '' || !mayBe(`2${key}|${unitKey}`)) continue
        for (const place of places) bits |= scopeOf(addressForm(key, unitKey, place))
      }
    }
    if (kinds.has('property')) bits |= scopeOf(propertyForm(propertyText(parcel)))
    return bits
  }
}

function propertyText({ fips, municipality, strippedKey }: Suppressible): string {
  return `${String(fips).padStart(5, '0')}${municipality}${strippedKey}`
}

/** The names among encoded owners that the filter lets through, read without parsing the rest. */
function listBases(owners: string, mayBe: (base: string) => boolean) {
  const found: OwnerHead[] = []
  const end = owners.indexOf('"w":[')
  for (let at = owners.indexOf('"h":[') + 5; ; ) {
    const open = owners.indexOf(',"', at)
    if (open === -1 || open >= end - 1) return found
    const close = owners.indexOf('","', open + 2)
    const stop = owners.indexOf('"]', close + 3)
    if (close === -1 || stop === -1) return found
    const kind = owners.charAt(open - 1)
    const head = owners.slice(open + 2, close)
    const rest = owners.slice(close + 3, stop)
    at = stop + 2
    if (kind === '1') {
      for (const [surname, given] of trustNames(head, rest)) {
        if (!mayBe(`0${surname}|${given}`)) continue
        found.push({ slot: 1, kind: 'person', head: surname, rest: given })
      }
    }
    for (const person of kind === '0' ? rest.split(' / ') : [rest]) {
      const blank = kind === '0' ? person.indexOf(' ') : -1
      const base = `${kind}${head}|${blank === -1 ? person : person.slice(0, blank)}`
      if (!mayBe(base)) continue
      found.push({ slot: 1, kind: kind === '0' ? 'person' : 'organization', head, rest: person })
    }
  }
}

const TRUST_WORDS = new Set([
  'TRUST',
  'REV',
  'REVOCABLE',
  'LIVING',
  'IRREVOCABLE',
  'IRREV',
  'THE',
  'OF',
])

/** `ZYXWELL QAZMER REV TRUST` is read as an organization: its two words may be a person's in either order. */
function trustNames(head: string, rest: string): [surname: string, given: string][] {
  if (!rest.includes('TRUST')) return []
  const words = [head, ...rest.split(' ')].filter((word) => !TRUST_WORDS.has(word))
  const [first, second, ...more] = words.filter((word) => word.length > 1)
  if (first === undefined || second === undefined || more.length > 0) return []
  return [
    [first, second],
    [second, first],
  ]
}

/** A recorded name as a suppression may mean it: with its second given name's initial, or with any. */
function recordedForms({ kind, head, rest }: OwnerHead, place: Place): SuppressedForm[] {
  if (kind === 'organization') return [organizationForm(head, rest, place)]
  const [first = '', second = ''] = rest.split(' ')
  const base = `0${head}|${first}`
  const where = whereOf(place)
  return [{ base, forms: [second.charAt(0), '*'].map((one) => `${where}|${base}|${one}`) }]
}

const OWNER_FIELDS = [
  ...(['ownerName', 'ownerName2', 'ownerType', 'careOf', 'ownerOccupied', 'ownerStreet'] as const),
  ...(['ownerCity', 'ownerState', 'ownerZipCode', 'ownerZipCodePlusFour', 'ownerCountry'] as const),
]
const ADDRESS_FIELDS = [
  ...(['address', 'addressRaw', 'streetNumber', 'streetNumberHigh', 'streetName'] as const),
  ...(['streetDirectionPrefix', 'streetType', 'streetDirectionSuffix', 'unitType'] as const),
  ...([
    'unitNumberStripped',
    'city',
    'zipCode',
    'zipCodePlusFour',
    'latitude',
    'longitude',
    'ownerOccupied',
  ] as const),
  ...(['ownerStreet', 'ownerCity', 'ownerState', 'ownerZipCode', 'ownerZipCodePlusFour'] as const),
]

/** Hides what the bits say, and the columns of `extra` that repeat it; says so in `suppressed`. */
export function hideFields(parcel: Parcel, bits: number): void {
  const fields = [
    ...(bits & HIDDEN.owner ? OWNER_FIELDS : []),
    ...(bits & HIDDEN.address ? ADDRESS_FIELDS : []),
  ]
  const values = parcel as unknown as Record<string, unknown>
  const hidden = fields.flatMap((name) => wordsOf(values[name]))
  for (const name of fields) values[name] = null
  if (bits & HIDDEN.owner) {
    parcel.transfers = parcel.transfers.map((transfer) => {
      hidden.push(...wordsOf(transfer.grantor), ...wordsOf(transfer.grantee))
      return { ...transfer, grantor: null, grantee: null }
    })
  }
  if (bits & HIDDEN.address) {
    hidden.push(...parcel.alternateAddresses.flatMap(wordsOf))
    parcel.alternateAddresses = []
    parcel.addressAssigned = false
  }
  const kept = Object.entries(parcel.extra).filter(([name, text]) => {
    const own = wordsOf(text)
    return (
      !/^ownerName[12]$/.test(name) && !hidden.some((words) => own.some((one) => meet(one, words)))
    )
  })
  parcel.extra = Object.fromEntries(kept)
  const before = parcel.suppressed
  parcel.suppressed = [
    ...(bits & HIDDEN.owner || before.includes('owner') ? ['owner'] : []),
    ...(bits & HIDDEN.address || before.includes('address') ? ['address'] : []),
  ]
}

/** A text's words in one line, of texts that could tell a person: shorter ones are in every column. */
function wordsOf(value: unknown): string[] {
  if (typeof value !== 'string') return []
  const words = value.toUpperCase().match(/[A-Z0-9]+/g) ?? []
  return words.join(' ').length < 4 ? [] : [words.join(' ')]
}

/** Whether one text repeats the other, or all its words in another order. */
function meet(one: string, other: string): boolean {
  if (` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `)) return true
  const [words, others] = [new Set(one.split(' ')), other.split(' ')]
  return others.length > 1 && others.every((word) => words.has(word))
}

const OWNER_BITS = bitsOf('owner', 'mailingAddress')
const ADDRESS_BITS = bitsOf(
  'address',
  'coordinates',
  'city',
  'zipCode',
  'geometry',
  'mailingAddress',
)

/** The coverage fields that are left: see `parcels.filled`. */
export function filledAfter(filled: number, bits: number): number {
  const without =
    (bits & HIDDEN.owner ? OWNER_BITS : 0) | (bits & HIDDEN.address ? ADDRESS_BITS : 0)
  return filled & ~without
}

function bitsOf(...fields: CoverageField[]): number {
  return fields.reduce((bits, field) => bits | (1 << COVERAGE_FIELDS.indexOf(field)), 0)
}

/** HalfSipHash-2-4 of a text's UTF-16 units, two to a word: unsigned, 32 bits. Source: Aumasson and Bernstein, SipHash. */
function halfSip(key0: number, key1: number, text: string): number {
  let v0 = key0
  let v1 = key1
  let v2 = 0x6c796765 ^ key0
  let v3 = 0x74656462 ^ key1
  const round = () => {
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
  }
  const { length } = text
  for (let at = 0; at <= length; at += 2) {
    const low = at < length ? text.charCodeAt(at) : 0xffff
    const high = at + 1 < length ? text.charCodeAt(at + 1) : length & 0xffff
    const word = low | (high << 16)
    v3 ^= word
    round()
    round()
    v0 ^= word
  }
  v2 ^= 0xff
  for (let count = 0; count < 4; count += 1) round()
  return (v1 ^ v3) >>> 0
}
