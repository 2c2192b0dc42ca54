/**
 * Finds the suppressions that match a parcel, by the keys that searches use (docs/privacy.md). A
 * name, address or ID is stored as HMAC-SHA-256. A keyed 32-bit checksum (HalfSipHash) is compared
 * first: in some 0.1 µs it excludes nearly all parcels.
 */
import { createHmac } from 'node:crypto'
import type { OwnerHead } from '../base/model/owner.ts'
import { type SuppressionRules, TAG_DIGITS } from '../base/model/suppression.ts'
import { fipsCode } from '../regions/counties.ts'
import { tabulateForms } from './form-table.ts'
import { halfSip } from './half-sip.ts'
import { organizationReadings, personReadings } from './other-readings.ts'
import { type Recipe, type RecipeValues, readRecipe } from './registry-recipe.ts'

/** The parts of a parcel that are matched. */
type Suppressible = {
  state: string
  fips: number
  /** Folded by `foldCity`; `''` when the county numbers its parcels. */
  municipality: string
  strippedKey: string
  /** The keys with the owners, in the form of `encodeOwners`. */
  owners: string
  situs: readonly { key: string; unitKey: string }[]
  /** ZIP of its address; `''` when unknown. Registries may hash it. */
  zip: string
}

/** A hashed form, and the input of its checksum, which omits place and middle name. */
export type SuppressedForm = { base: string; forms: string[] }

/** Where a suppression holds; `''` and 0: everywhere. */
export type Place = { state: string; fips: number }

/**
 * The forms of a person: joined surname, first given name, initial of the second. A recorded name
 * without a second one matches; so does any second one when the suppression has none.
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

/** The form of a hash in a registry's list, in lower case. */
export function registryForm(listed: string, place: Place): SuppressedForm {
  const base = `5${listed}`
  return { base, forms: [`${whereOf(place)}|${base}`] }
}

/** The form that identifies the recipe of a registry's hashes. */
export function recipeForm(recipe: string): SuppressedForm {
  const base = `6${recipe}`
  return { base, forms: [`|${base}`] }
}

function whereOf({ state, fips }: Place): string {
  return fips === 0 ? state : `${state}${fips}`
}

function openHasher(secret: Uint8Array) {
  const seed = createHmac('sha256', secret).update('platbook suppression tag').digest()
  const [key0, key1] = [seed.readInt32LE(0), seed.readInt32LE(4)]
  return {
    tag: (base: string, more?: string) => halfSip(key0, key1, base, more),
    hash: (form: string) => createHmac('sha256', secret).update(form).digest('hex'),
  }
}

export function hashForms(secret: Uint8Array, all: SuppressedForm[]): string {
  const { tag, hash } = openHasher(secret)
  const entries = all.flatMap(({ base, forms }) =>
    forms.map((form) => hash(form) + tag(base).toString(16).padStart(TAG_DIGITS, '0')),
  )
  return [...new Set(entries)].join('')
}

/** Returns all forms that may match a parcel. `recipe`: the registry's, if there is one. */
export function listForms(parcel: Suppressible, recipe?: string): SuppressedForm[] {
  const listed = recipe === undefined ? [] : listHashes(parcel, readRecipe(recipe))
  return placesOf(parcel).flatMap((place) => [
    ...listed.map((hash) => registryForm(hash, place)),
    ...listBases(parcel.owners).flatMap((head) => recordedForms(head, place)),
    ...parcel.situs.map(({ key, unitKey }) => addressForm(key, unitKey, place)),
    propertyForm(propertyText(parcel)),
  ])
}

/** Returns the hashes of a parcel's persons or addresses by a registry's recipe. */
function listHashes(parcel: Suppressible, recipe: Recipe): string[] {
  const { state, zip } = parcel
  const place = { state, zip, fips: fipsCode(parcel.fips) }
  const blank = { surname: '', given: '', middle: '', address: '', unit: '' }
  const values: RecipeValues[] =
    recipe.kind === 'address'
      ? parcel.situs.map(({ key, unitKey }) => ({
          ...{ ...blank, ...place, unit: unitKey },
          address: key.split('|').filter(Boolean).join(' '),
        }))
      : listBases(parcel.owners).flatMap(({ kind, head, rest }) => {
          if (kind !== 'person') return []
          const [given = '', middle = ''] = rest.split(' ')
          const own = { ...blank, ...place, surname: head, given }
          // The list may omit middle names.
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
 * Returns which fields of a parcel must be hidden: bits of `HIDDEN`.
 *
 * `kinds`: of the suppressions. `personsOf`: tests the persons of a joined surname; false if none
 * of that first given name is suppressed. `namesOf`: all owners' names, and those with other
 * readings. `isHome`: whether an address of these keys may be suppressed. `isHashed`: whether a
 * registry's hashes of names are there, which no single word can be compared with.
 */
export type Matcher = ((parcel: Suppressible) => number) & {
  kinds: ReadonlySet<string>
  personsOf(surname: string): (given: string) => boolean
  namesOf(owners: string): OwnerNames
  isHome(key: string, unitKey: string): boolean
  isHashed: boolean
}

/**
 * Owners' names as other texts may repeat them, in upper case. `full`: surname and first given
 * name, or all words of an organization. `surnames`: joined.
 */
export type OwnerNames = { full: string[]; surnames: string[] }

/** Creates a matcher of suppressions; takes some 0.2 µs per suppression. */
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
  /** The owners of the last parcel, which are often those of the next one too. */
  let lastOwners = ''
  let lastHeads: Base[] = []
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
  const isHome = (key: string, unitKey: string) => mayBe(`2${key}|${unitKey}`)
  const isHashed = registry?.kind === 'owner'
  const personsOf = (surname: string) => {
    const base = `0${surname}|`
    return (given: string) => isHashed || forms.holds(tag(base, given))
  }
  const namesOf = (owners: string) => {
    const others = listBases(owners, mayBe).filter(({ isOther }) => isOther)
    return describeNames([...listBases(owners).filter(({ isOther }) => !isOther), ...others])
  }
  return Object.assign(match, { kinds, personsOf, namesOf, isHome, isHashed })
}

function describeNames(heads: readonly Base[]): OwnerNames {
  const full = heads.flatMap(({ kind, head, rest }) => {
    const more = kind === 'person' ? (rest.split(' ')[0] ?? '') : rest
    return more.length < 2 ? [] : [`${head} ${more}`]
  })
  const surnames = heads.flatMap(({ kind, head }) => (kind === 'person' ? [head] : []))
  return { full, surnames: [...new Set(surnames)].filter((name) => name.length > 1) }
}

function propertyText({ fips, municipality, strippedKey }: Suppressible): string {
  return `${fipsCode(fips)}${municipality}${strippedKey}`
}

/** A name to compare. `isOther`: by another reading than the import's. */
type Base = Pick<OwnerHead, 'kind' | 'head' | 'rest'> & { isOther: boolean }

/** Returns the names among encoded owners that pass the filter, without parsing the rest. */
function listBases(owners: string, mayBe: (base: string) => boolean = () => true): Base[] {
  const found: Base[] = []
  const end = owners.indexOf('"w":[')
  for (let at = owners.indexOf('"h":[') + 5; ; ) {
    const open = owners.indexOf(',"', at)
    if (open === -1 || open >= end - 1) return found
    const close = owners.indexOf('","', open + 2)
    const stop = owners.indexOf('"]', close + 3)
    if (close === -1 || stop === -1) return found
    const kind = owners.charAt(open - 1) === '0' ? 'person' : 'organization'
    const head = owners.slice(open + 2, close)
    const rest = owners.slice(close + 3, stop)
    at = stop + 2
    for (const own of kind === 'person' ? rest.split(' / ') : [rest]) {
      const base = { kind, head, rest: own, isOther: false } as const
      if (mayBe(baseOf(base))) found.push(base)
      const others = kind === 'person' ? personReadings(head, own) : organizationReadings(head, own)
      for (const [surname, given] of others) {
        const other = { kind: 'person', head: surname, rest: given, isOther: true } as const
        if (mayBe(baseOf(other))) found.push(other)
      }
    }
  }
}

/** Returns the input of a name's checksum. */
function baseOf({ kind, head, rest }: Base): string {
  if (kind === 'organization') return `1${head}|${rest}`
  const blank = rest.indexOf(' ')
  return `0${head}|${blank === -1 ? rest : rest.slice(0, blank)}`
}

/** Returns the forms of a recorded name: with its second given name's initial, and without. */
function recordedForms({ kind, head, rest }: Base, place: Place): SuppressedForm[] {
  if (kind === 'organization') return [organizationForm(head, rest, place)]
  const [first = '', second = ''] = rest.split(' ')
  const base = `0${head}|${first}`
  const where = whereOf(place)
  return [{ base, forms: [second.charAt(0), '*'].map((one) => `${where}|${base}|${one}`) }]
}
