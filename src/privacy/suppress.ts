/** Creates suppressions and applies them to stored parcels. */
import { randomBytes } from 'node:crypto'
import { canonicalAddress } from '../address/canonical.ts'
import { closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import type { NameOrder, OwnerHead, OwnerIndex, OwnerQuestion } from '../base/model/owner.ts'
import {
  REGISTERED,
  type Suppression,
  type SuppressionKind,
  type SuppressionRules,
  type SuppressionScope,
} from '../base/model/suppression.ts'
import { indexOwners, readOwners } from '../owner/canonical.ts'
import { decodeParcel, encodeParcel, propertyIdOf } from '../record/stored.ts'
import type { Config } from '../settings/config.ts'
import { hasData, openParcels } from '../store/open.ts'
import { openRewriter } from '../store/open-rolls.ts'
import { decodeOwners, type EncodedKeys, encodeOwners } from '../store/parcel-keys.ts'
import type { KeptKeys, KeptParcel, Rewritten } from '../store/rolls/rewrite.ts'
import type { RollRewriter } from '../store/rolls/rewrite-rolls.ts'
import type { ParcelReader } from '../store/store.ts'
import { type Hider, openHider } from './hide.ts'
import { filledAfter, HIDDEN } from './hide-fields.ts'
import {
  addressForm,
  hashForms,
  listForms,
  organizationForm,
  type Place,
  personForm,
  propertyForm,
  recipeForm,
  registryForm,
  type SuppressedForm,
} from './matcher.ts'
import { type MentionHider, openRowTest } from './mentions.ts'
import { loadSuppressionSecret, rulesOf, type SuppressionSettings } from './rules.ts'

export type AskedSuppression = {
  kind: SuppressionKind
  /** The name, the street line or the property ID in clear; it is not stored. */
  text: string
  /** `text` is a registry's hash of the name or address. */
  isHash?: boolean
  scope: SuppressionScope
  place: Place
  basis: string
  until: string | null
  nameOrder: NameOrder
}

/** Creates a suppression. Throws `CommandError` for a text that is no name, address or ID. */
export function makeSuppression(
  asked: AskedSuppression,
  settings: SuppressionSettings,
  now: number,
): Suppression {
  const { kind, scope, place, basis, until } = asked
  const forms = formsOf(asked, settings.registryHash)
  const secret = loadSuppressionSecret(settings.data, true)
  return {
    id: `${asked.isHash ? REGISTERED : 'sup_'}${randomBytes(6).toString('hex')}`,
    kind,
    scope,
    ...place,
    hashes: hashForms(secret, forms),
    basis,
    createdAt: now,
    until,
    endedAt: null,
  }
}

function formsOf(
  { kind, text, place, nameOrder, isHash }: AskedSuppression,
  recipe: string | null,
): SuppressedForm[] {
  // The recipe's own form comes first, because `rulesOf` compares it.
  if (isHash && recipe !== null) return [recipeForm(recipe), registryForm(text, place)]
  if (kind === 'property') return [propertyForm(text)]
  if (kind === 'address') {
    const { key, unitKey } = canonicalAddress(text, place)
    if (key === '') throw new CommandError(`"${text}" names no street`)
    return [addressForm(key, unitKey, place)]
  }
  const heads = headsOf(text, nameOrder)
  if (heads.length === 0) throw new CommandError(`"${text}" names nobody`)
  return heads.map((head) =>
    head.kind === 'person'
      ? personForm(head.head, head.rest.split(' / ')[0]?.split(' ') ?? [], place)
      : organizationForm(head.head, head.rest, place),
  )
}

/** Returns the heads of a name, which is read in every order when none is stated. */
function headsOf(name: string, order: NameOrder): OwnerHead[] {
  const orders: NameOrder[] = order === 'mixed' ? ['mixed', 'last-first', 'first-last'] : [order]
  const heads = orders.flatMap((one) => readName(name, one).heads)
  return [...new Map(heads.map((head) => [JSON.stringify(head), head])).values()]
}

/** Reads the name as searches do. */
function readName(name: string, order: NameOrder): OwnerIndex {
  return indexOwners(readOwners([name, null], order))
}

/** Returns the active suppressions that match a name or street line in `place` or a part of it. */
export function testText(
  text: string,
  { place, order }: { place: Place; order: NameOrder },
  suppressions: Suppression[],
  settings: SuppressionSettings,
): Suppression[] {
  const rules = rulesOf(suppressions, settings)
  if (rules === undefined) return []
  const parts = suppressions.filter(
    ({ state, fips }) =>
      [state, ''].includes(place.state) && (place.fips === 0 || place.fips === fips),
  )
  const places = new Map([place, ...parts].map((one) => [`${one.state} ${one.fips}`, one]))
  const owners = encodeOwners(readName(text, order))
  const forms = [...places.values()].flatMap(({ state, fips }) => {
    const { key, unitKey } = canonicalAddress(text, { state, fips })
    const situs = key === '' ? [] : [{ key, unitKey }]
    const parcel = { state, fips, municipality: '', strippedKey: '', owners, situs, zip: '' }
    return listForms(parcel, rules.recipe)
  })
  const split = (hashes: string) => hashes.match(/.{72}/g) ?? []
  const asked = new Set(split(hashForms(rules.secret, [...forms, propertyForm(text)])))
  return suppressions.filter(
    ({ endedAt, hashes }) => endedAt === null && split(hashes).some((hash) => asked.has(hash)),
  )
}

/** `near`: property IDs of owners that nearly have the name, and are shown. */
export type Enforced = Rewritten & { near: string[] }

/** Applies suppressions to stored records. `asked`: texts that find parcels without a scan. */
export async function enforce(
  config: Config,
  suppressions: Suppression[],
  now: number,
  asked?: AskedSuppression,
): Promise<Enforced> {
  const none = { changed: 0, removed: 0, near: [] }
  const rules = (await hasData(config)) ? rulesOf(suppressions, config) : undefined
  if (rules === undefined) return none
  const hider = openHider(rules)
  const { match, mentions } = hider
  await using rewriter = closing(await openRewriter(config))
  const seconds = Math.floor(now / 1000)
  const sum = { ...none }
  const near = new Set<string>()
  const isNear = asked === undefined ? () => false : openNear(asked)
  const isHiddenRow = openRowTest(match)
  let hidden: { state: string; id: number }[] = []
  const rewrite = (kept: KeptParcel) => {
    const next = hideKept(kept, hider)
    if (next !== undefined) hidden.push({ state: kept.state, id: kept.id })
    if (next === undefined && isNear(kept.keys)) near.add(propertyIdOf(kept.fieldValues))
    return next
  }
  for (;;) {
    const owned =
      asked === undefined
        ? await rewriter.scan((kept) => match(matched(kept)) !== HIDDEN.none)
        : await findParcels(config, asked)
    const named = await findMentions(rewriter, rules, mentions)
    const found = [
      ...new Map([...owned, ...named].map((one) => [`${one.state} ${one.id}`, one])).values(),
    ]
    const from = performance.now()
    hidden = []
    const { changed, removed } = await rewriter.rewrite(found, rewrite, seconds)
    await rewriter.hideRows(hidden, isHiddenRow)
    sum.changed += changed
    sum.removed += removed
    // It may have waited for an import, which may have changed matching parcels.
    const isSame = changed + removed === 0 || performance.now() - from < WAITED_MS
    if (isSame) return { ...sum, near: [...near] }
  }
}

function matched(kept: KeptKeys) {
  const { s } = JSON.parse(kept.keys) as EncodedKeys
  return { ...kept, owners: kept.keys, situs: s.map(([key, , unitKey]) => ({ key, unitKey })) }
}

/** Finds other people's parcels that name a suppressed person or home. */
async function findMentions(
  rewriter: RollRewriter,
  { rules }: SuppressionRules,
  { isNamed }: MentionHider,
): Promise<{ state: string; id: number }[]> {
  if (rules.every(({ kind }) => kind === 'property')) return []
  return rewriter.scanRecords(({ fieldValues, ...place }) => isNamed(fieldValues, place))
}

function hideKept(
  kept: KeptParcel,
  { match, mentions, hide }: Hider,
): KeptParcel | 'removed' | undefined {
  const bits = match(matched(kept))
  if (bits & HIDDEN.all) return 'removed'
  if (bits === HIDDEN.none && !mentions.isNamed(kept.fieldValues, kept)) return undefined
  const parcel = decodeParcel(kept.fieldValues)
  hide(parcel, bits, { ...kept, owners: kept.keys })
  const keys = JSON.parse(kept.keys) as EncodedKeys
  if (bits & HIDDEN.owner) Object.assign(keys, { h: [], w: [] })
  if (bits & HIDDEN.address) Object.assign(keys, { s: [], a: [] })
  const next = { ...kept, fieldValues: encodeParcel(parcel), keys: JSON.stringify(keys) }
  next.filled = filledAfter(kept.filled, bits, parcel.ownerStreet === null)
  if (bits & HIDDEN.owner) next.owner = 0
  if (!(bits & HIDDEN.address)) return next
  const nowhere = { city: '', zip: '', unit: '', assigned: false, x: null, y: null, cell: null }
  return { ...next, ...nowhere, geometry: null }
}

/** Finds parcels that a suppression may match by the search indexes: never too few. */
async function findParcels(config: Config, asked: AskedSuppression) {
  await using store = closing(openParcels(config))
  const { place } = asked
  const loaded = await store.parcels.coverage(
    place.state === '' ? undefined : { states: [place.state] },
  )
  const states = place.state === '' ? loaded.map(({ state }) => state) : [place.state]
  const found: { state: string; id: number }[] = []
  for (const state of new Set(states)) {
    for (const id of await findIn(store.parcels, state, asked)) found.push({ state, id })
  }
  return found
}

/** A rewriting that took longer is repeated, for rows that an import has written meanwhile. */
const WAITED_MS = 1000
const MOST = 1_000_000
const PATIENCE_MS = 600_000

async function findIn(
  parcels: ParcelReader,
  state: string,
  { kind, text, place, nameOrder }: AskedSuppression,
): Promise<number[]> {
  if (kind === 'address') {
    const { key } = canonicalAddress(text, place)
    return (await parcels.bySitusKey(state, key)).map(({ id }) => id)
  }
  if (kind === 'property') {
    const [, fips = '', id = ''] = /^(\d{5})-(.*)$/s.exec(text.trim()) ?? []
    // With a municipality's own numbers, the part after the municipality is the ID.
    const stripped = id.split('-').map((_, at, parts) => parts.slice(at).join(''))
    const keys = stripped.map((one) => one.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    const found = await Promise.all(keys.map((key) => parcels.byParcelId(state, Number(fips), key)))
    return found.flat().map((one) => one.id)
  }
  const fips = place.fips === 0 ? undefined : place.fips
  const ids = new Set<number>()
  const deadline = performance.now() + PATIENCE_MS
  const questions = new Map<string, OwnerQuestion>()
  for (const { kind: of, head, rest } of headsOf(text, nameOrder)) {
    const [first = ''] = rest.split(' ')
    const lastName =
      of === 'organization'
        ? { personHeads: [], organizationHeads: [{ head, restStart: rest }] }
        : { personHeads: [head], organizationHeads: [], ...(first && { givenPrefixes: [first] }) }
    // Words also find other readings, companies and trusts.
    const contains = [head, first].filter((word) => word !== '').map((word) => ({ forms: [word] }))
    const initial = [{ forms: [head] }, { forms: [first.charAt(0)] }]
    const asked = of === 'organization' ? [{ lastName }] : [{ lastName }, { contains }]
    if (first !== '') asked.push({ contains: initial })
    for (const question of asked) questions.set(JSON.stringify(question), question)
  }
  for (const question of questions.values()) {
    const search = { state, fips, question, skip: 0, limit: MOST, deadline }
    const { hits } = await parcels.byOwner(search)
    for (const { id } of hits) ids.add(id)
  }
  return [...ids]
}

/** Returns the test whether a slot has the words of the name, or an initial for the given name. */
function openNear({ kind, text, nameOrder }: AskedSuppression): (keys: string) => boolean {
  if (kind !== 'owner') return () => false
  const wanted = headsOf(text, nameOrder).map(({ head, rest }) => [head, rest.split(' ')[0] ?? ''])
  return (keys) => {
    const slots = Map.groupBy(decodeOwners(keys).words, ({ slot }) => slot)
    return [...slots.values()].some((slot) => {
      const words = new Set(slot.map(({ word }) => word))
      return wanted.some(
        ([head = '', first = '']) =>
          words.has(head) && (words.has(first) || words.has(first.charAt(0))),
      )
    })
  }
}
