/**
 * Which parcels a suppression means, by the keys under which searches find them.
 *
 * A name, an address or a property ID is kept as HMAC-SHA-256 under a secret. A keyed checksum of
 * 32 bits (HalfSipHash) comes first: it tells in some 0.1 µs that a parcel is not meant, which is
 * so for nearly all. docs/privacy.md says what is caught.
 */
import { createHmac } from 'node:crypto'
import type { OwnerHead } from '../model/owner.ts'
import type { SuppressionRules, SuppressionScope } from '../model/suppression.ts'
import { halfSip } from './half-sip.ts'
import { type Recipe, type RecipeValues, readRecipe } from './registry-recipe.ts'
import { trustNames } from './trust-names.ts'

/** What of a parcel is matched. */
type Suppressible = {
  state: string
  fips: number
  /** Folded by `foldCity`; `''` where the county numbers its parcels. */
  municipality: string
  strippedKey: string
  /** The keys, or the part of them, that hold the owners as `encodeOwners` writes them. */
  owners: string
  situs: readonly { key: string; unitKey: string }[]
  /** Of its address; `''`: not recorded. Registries may hash it. */
  zip: string
}

const BITS: Record<SuppressionScope, number> = { owner: 1, address: 2, both: 4 }

/**
 * A form that is hashed, and what its checksum is made of: the checksum knows no place and no
 * middle name.
 */
export type SuppressedForm = { base: string; forms: string[] }

/** Where a suppression holds; `''` and 0: everywhere. */
export type Place = { state: string; fips: number }

/**
 * The forms of a person: the surname's joined form, the first given name, the initial of the
 * second. A recorded name without a second one is the same person; so is any second one where none
 * was asked.
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

/** The form of an organization: its first canonical word, and the words after it. */
export function organizationForm(head: string, rest: string, place: Place): SuppressedForm {
  const base = `1${head}|${rest}`
  return { base, forms: [`${whereOf(place)}|${base}`] }
}

/** The form of an address: its strict key with its unit. */
export function addressForm(key: string, unitKey: string, place: Place): SuppressedForm {
  const base = `2${key}|${unitKey}`
  return { base, forms: [`${whereOf(place)}|${base}`] }
}

/** `propertyId`: its letters and digits count. */
export function propertyForm(propertyId: string): SuppressedForm {
  const base = `3${propertyId.toUpperCase().replace(/[^A-Z0-9]/g, '')}`
  return { base, forms: [`|${base}`] }
}

/** The form of a hash as a registry lists it, in lower case. */
export function registryForm(listed: string, place: Place): SuppressedForm {
  const base = `5${listed}`
  return { base, forms: [`${whereOf(place)}|${base}`] }
}

/** Tells under which recipe a registry's hashes were listed. */
export function recipeForm(recipe: string): SuppressedForm {
  const base = `6${recipe}`
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
    tag: (base: string, more?: string) => halfSip(key0, key1, base, more),
    hash: (form: string) => createHmac('sha256', secret).update(form).digest('hex'),
  }
}

const HASH_DIGITS = 64
const TAG_DIGITS = 8
/** Digits of a form as a suppression keeps it. */
export const FORM_DIGITS = HASH_DIGITS + TAG_DIGITS

/** The hashes of forms as a suppression keeps them. */
export function hashForms(secret: Uint8Array, all: SuppressedForm[]): string {
  const { tag, hash } = openHasher(secret)
  const entries = all.flatMap(({ base, forms }) =>
    forms.map((form) => hash(form) + tag(base).toString(16).padStart(TAG_DIGITS, '0')),
  )
  return [...new Set(entries)].join('')
}

/**
 * All forms under which a suppression may mean a parcel. `recipe`: of the registry, where there is
 * one.
 */
export function listForms(parcel: Suppressible, recipe?: string): SuppressedForm[] {
  const listed = recipe === undefined ? [] : listHashes(parcel, readRecipe(recipe))
  return placesOf(parcel).flatMap((place) => [
    ...listed.map((hash) => registryForm(hash, place)),
    ...listBases(parcel.owners, () => true).flatMap((head) => recordedForms(head, place)),
    ...parcel.situs.map(({ key, unitKey }) => addressForm(key, unitKey, place)),
    propertyForm(propertyText(parcel)),
  ])
}

/**
 * The names among encoded owners, as other texts of a record may repeat them: of a person surname
 * and first given name, of an organization all words.
 */
export function listNames(owners: string): string[] {
  return listBases(owners, () => true).flatMap(({ kind, head, rest }) => {
    const more = kind === 'person' ? (rest.split(' ')[0] ?? '') : rest
    return more.length < 2 ? [] : [`${head} ${more}`]
  })
}

/** The hashes of a parcel's persons or addresses as a registry makes them. */
function listHashes(parcel: Suppressible, recipe: Recipe): string[] {
  const { state, zip } = parcel
  const place = { state, zip, fips: String(parcel.fips).padStart(5, '0') }
  const blank = { surname: '', given: '', middle: '', address: '', unit: '' }
  const values: RecipeValues[] =
    recipe.kind === 'address'
      ? parcel.situs.map(({ key, unitKey }) => ({
          ...{ ...blank, ...place, unit: unitKey },
          address: key.split('|').filter(Boolean).join(' '),
        }))
      : listBases(parcel.owners, () => true).flatMap(({ kind, head, rest }) => {
          if (kind !== 'person') return []
          const [given = '', middle = ''] = rest.split(' ')
          const own = { ...blank, ...place, surname: head, given }
          // A list may have been made of a name without its middle name.
          return middle === '' ? [own] : [own, { ...own, middle }]
        })
  return values.flatMap((one) => recipe.hashOf(one) ?? [])
}

function placesOf({ state, fips }: Place): Place[] {
  return [
    { state: '', fips: 0 },
    { state, fips: 0 },
    { state, fips },
  ]
}

/**
 * Tells which of its fields a parcel has to hide: bits of `HIDDEN`.
 *
 * `kinds`: of the suppressions that it knows. `personsOf`: tests the persons of a joined surname; the
 * test is false if no person of that first given name is suppressed. It takes 0.1 µs.
 */
export type Matcher = ((parcel: Suppressible) => number) & {
  kinds: ReadonlySet<string>
  personsOf(surname: string): (given: string) => boolean
}

/** Makes a matcher of suppressions; some 0.2 µs for each of them. */
export function openMatcher({ secret, rules, recipe }: SuppressionRules): Matcher {
  const { tag, hash } = openHasher(secret)
  const forms = tabulateForms(rules)
  const kinds = new Set(rules.map(({ kind }) => kind))
  const mayBe = (base: string) => forms.holds(tag(base))
  const scopeOf = ({ base, forms: own }: SuppressedForm) => {
    const checksum = tag(base)
    if (!forms.holds(checksum)) return 0
    return own.reduce((bits, form) => bits | forms.scopesOf(checksum, hash(form)), 0)
  }
  /** The owners of the last parcel, which the next often has too. */
  let lastOwners = ''
  let lastHeads: OwnerHead[] = []
  const registry = recipe === undefined ? undefined : readRecipe(recipe)
  const match = (parcel: Suppressible) => {
    let bits = 0
    if (kinds.has('owner') && parcel.owners !== '') {
      if (parcel.owners !== lastOwners) {
        lastOwners = parcel.owners
        lastHeads = listBases(parcel.owners, mayBe)
      }
      for (const head of lastHeads) {
        for (const place of placesOf(parcel)) {
          for (const form of recordedForms(head, place)) bits |= scopeOf(form)
        }
      }
    }
    if (kinds.has('address')) {
      for (const { key, unitKey } of parcel.situs) {
        if (key === '' || !mayBe(`2${key}|${unitKey}`)) continue
        for (const place of placesOf(parcel)) bits |= scopeOf(addressForm(key, unitKey, place))
      }
    }
    if (kinds.has('property')) bits |= scopeOf(propertyForm(propertyText(parcel)))
    if (registry !== undefined) {
      for (const listed of listHashes(parcel, registry)) {
        for (const place of placesOf(parcel)) bits |= scopeOf(registryForm(listed, place))
      }
    }
    return bits
  }
  // The words of a name do not tell what a registry hashes.
  const isHashed = registry?.kind === 'owner'
  const personsOf = (surname: string) => {
    const base = `0${surname}|`
    return (given: string) => isHashed || forms.holds(tag(base, given))
  }
  return Object.assign(match, { kinds, personsOf })
}

/**
 * The suppressed forms by their checksums: an open-addressing hash table of numbers, since a map of
 * texts takes as long to make as the import of some thousand parcels.
 */
function tabulateForms(rules: SuppressionRules['rules']) {
  const count = rules.reduce((sum, { hashes }) => sum + hashes.length / FORM_DIGITS, 0)
  const slots = 2 ** Math.ceil(Math.log2(count * 2 + 16))
  const tags = new Uint32Array(slots)
  const ruleOf = new Uint32Array(slots)
  const offsets = new Uint32Array(slots)
  // Stays in the processor's cache, and tells of nearly all checksums that they are not there.
  const bits = new Uint32Array(slots / 8)
  const spread = slots * 4 - 1
  const next = (slot: number) => (slot + 1) & (slots - 1)
  for (const [at, { hashes }] of rules.entries()) {
    for (let offset = 0; offset < hashes.length; offset += FORM_DIGITS) {
      const own = tagAt(hashes, offset + HASH_DIGITS)
      let slot = own & (slots - 1)
      while (tags[slot] !== 0) slot = next(slot)
      tags[slot] = own
      const bit = own & spread
      bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31))
      ruleOf[slot] = at
      offsets[slot] = offset
    }
  }
  return {
    /** Whether a form of that checksum is suppressed. */
    holds(checksum: number): boolean {
      const wanted = checksum || ZERO_TAG
      const bit = wanted & spread
      if (((bits[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false
      let slot = wanted & (slots - 1)
      while (tags[slot] !== wanted && tags[slot] !== 0) slot = next(slot)
      return tags[slot] === wanted
    },
    /** What is suppressed under a hash. */
    scopesOf(checksum: number, hash: string): number {
      const wanted = checksum || ZERO_TAG
      let scopes = 0
      for (let slot = wanted & (slots - 1); tags[slot] !== 0; slot = next(slot)) {
        if (tags[slot] !== wanted) continue
        const rule = rules[ruleOf[slot] as number] as SuppressionRules['rules'][number]
        if (rule.hashes.startsWith(hash, offsets[slot])) scopes |= BITS[rule.scope]
      }
      return scopes
    },
  }
}

/** Stands for the checksum 0, which marks an empty slot. */
const ZERO_TAG = 1

/** Reads the hex digits of a checksum. */
function tagAt(hashes: string, from: number): number {
  let tag = 0
  for (let at = from; at < from + TAG_DIGITS; at += 1) {
    const code = hashes.charCodeAt(at)
    // `0` is 0x30 and `a` 0x61.
    tag = (tag << 4) | (code < 0x3a ? code - 0x30 : code - 0x57)
  }
  return tag >>> 0 || ZERO_TAG
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

/**
 * A recorded name as a suppression may mean it: with its second given name's initial, or with any.
 */
function recordedForms({ kind, head, rest }: OwnerHead, place: Place): SuppressedForm[] {
  if (kind === 'organization') return [organizationForm(head, rest, place)]
  const [first = '', second = ''] = rest.split(' ')
  const base = `0${head}|${first}`
  const where = whereOf(place)
  return [{ base, forms: [second.charAt(0), '*'].map((one) => `${where}|${base}|${one}`) }]
}
