/** Owner search over earlier rolls: a reader whose owner search also finds former parcels. */
import { stripParcelId } from '../../base/fold.ts'
import type { OwnerQuestion } from '../../base/model/owner.ts'
import { withinOneEdit } from '../../base/word-edits.ts'
import { meetsQuestion } from '../../owner/meets-question.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { decodeOwners } from '../../store/parcel-keys.ts'
import type {
  FoundOwners,
  OwnerHit,
  OwnerSearch,
  ParcelReader,
  StoredParcel,
} from '../../store/store.ts'
import { headKeyOf, showDay, wordKeyOf } from '../../store/versions/versions.ts'
import { readPropertyId } from '../find/find-parcel.ts'
import { asStored, readVersions, type Version } from '../find/read-versions.ts'
import { findTimeline } from '../find/timeline.ts'

/** Earlier keys of a beginning that are compared at most, and parcels read at a time. */
const KEYS_MAX = 50_000
const SLICE = 500
/** Letters at the beginning of a word in which no edit is allowed. */
const SAME_LETTERS = 2

const readPlace = openFields(['fips', 'parcelId'])

/** A time in which a name held a property; `to`: null while it does. */
export type Held = { propertyId: string; from: string | null; to: string | null }

/**
 * Returns a reader whose `byOwner` finds what a name holds, then what it held, exact first. A
 * removed parcel is its last version.
 */
export function openFormer(parcels: ParcelReader): ParcelReader {
  return {
    ...parcels,
    async byOwner(search) {
      const { skip, limit } = search
      const want = skip + limit
      const { page: _, ...all } = search
      const held = await parcels.byOwner({ ...all, skip: 0, limit: want })
      if (!held.complete || held.hits.length >= want) {
        return { hits: held.hits.slice(skip), complete: held.complete }
      }
      const former = await findFormer(search, parcels)
      const known = new Set(held.hits.map(({ id }) => id))
      const hits = [...held.hits, ...former.hits.filter(({ id }) => !known.has(id))]
      return { hits: hits.slice(skip, want), complete: former.complete }
    },
    async headsFrom(state, start, limit, kind) {
      const own = await parcels.headsFrom(state, start, limit, kind)
      const past = await parcels.pastKeys(state, headKeyOf(start), limit)
      return [...new Set([...own, ...past.map((key) => key.slice(1))])].sort().slice(0, limit)
    },
    async byIds(state, ids) {
      const present = new Map((await parcels.byIds(state, ids)).map((one) => [one.id, one]))
      const removed = await readLast(
        parcels,
        state,
        ids.filter((id) => !present.has(id)),
      )
      return ids.flatMap((id) => present.get(id) ?? removed.get(id) ?? [])
    },
  }
}

/** The newest versions of parcels that were removed, by id. */
async function readLast(
  parcels: ParcelReader,
  state: string,
  ids: number[],
): Promise<Map<number, StoredParcel>> {
  const last = new Map<number, StoredParcel>()
  for (const version of await readVersions(parcels, state, ids)) {
    const stored = asStored(version)
    if (stored !== undefined && !last.has(stored.id)) last.set(stored.id, stored)
  }
  return last
}

async function findFormer(search: OwnerSearch, parcels: ParcelReader): Promise<FoundOwners> {
  const { state, fips, question, deadline } = search
  const ids = await listCandidates(question, state, parcels)
  const found = new Map<number, OwnerHit>()
  for (let from = 0; from < ids.length; from += SLICE) {
    if (performance.now() > deadline) return { hits: [], complete: false }
    const versions = await readVersions(parcels, state, ids.slice(from, from + SLICE))
    for (const [id, own] of Map.groupBy(versions, (version) => version.id)) {
      const placed = own.filter(({ form }) => isIn(form?.fieldValues, fips))
      const fuzzy = [false, true].find((near) => placed.some((one) => isHeld(one, question, near)))
      if (fuzzy === undefined) continue
      const shown = await findShown(own, state, parcels)
      const known = found.get(shown ?? id)
      if (known?.fuzzy !== false) found.set(shown ?? id, { id: shown ?? id, fuzzy })
    }
  }
  const hits = [...found.values()].sort((a, b) => Number(a.fuzzy) - Number(b.fuzzy) || a.id - b.id)
  return { hits, complete: true }
}

function isIn(fieldValues: string | undefined, fips: number | undefined): boolean {
  return fieldValues !== undefined && (fips === undefined || readPlace(fieldValues).fips === fips)
}

/** Reports whether a version has a slot that matches the question. */
export function isHeld(
  { form }: Pick<Version, 'form'>,
  question: OwnerQuestion,
  fuzzy: boolean,
): boolean {
  return (
    form !== undefined &&
    meetsQuestion(question, decodeOwners(form.keys), fuzzy ? 'fuzzy' : 'equal')
  )
}

/** The id under which the same property is shown: of the present roll, else its last one. */
async function findShown(
  versions: Version[],
  state: string,
  parcels: ParcelReader,
): Promise<number | undefined> {
  const [newest] = versions
  if (newest?.form !== undefined && newest.ended === undefined) return newest.id
  const last = versions.find(({ form }) => form !== undefined)?.form
  if (last === undefined) return undefined
  const { fips, parcelId } = readPlace(last.fieldValues)
  const alike = await parcels.byParcelId(state, fips, stripParcelId(parcelId))
  const propertyId = propertyIdOf(last.fieldValues)
  const present = alike.find((one) => propertyIdOf(one.fieldValues) === propertyId)
  if (present !== undefined) return present.id
  const id = readPropertyId(propertyId)
  const timeline = id && (await findTimeline({ kind: 'property', id }, parcels))
  return timeline?.versions.find(({ form }) => form !== undefined)?.id
}

/** Parcels of which an earlier version may match: those that have a key of each condition. */
export async function listCandidates(
  { lastName, contains = [] }: OwnerQuestion,
  state: string,
  parcels: ParcelReader,
): Promise<number[]> {
  const near = async (word: string | undefined, keyOf: (word: string) => string) => {
    if (word === undefined) return []
    const keys = await parcels.pastKeys(state, keyOf(word.slice(0, SAME_LETTERS)), KEYS_MAX)
    return keys.filter((key) => withinOneEdit(word, key.slice(1)))
  }
  const conditions: string[][] = []
  if (lastName !== undefined) {
    const { personHeads, organizationHeads, fuzzyWord } = lastName
    const heads = [...personHeads, ...organizationHeads.map(({ head }) => head)]
    conditions.push([...heads.map(headKeyOf), ...(await near(fuzzyWord, headKeyOf))])
  }
  for (const { forms, fuzzyWord } of contains) {
    conditions.push([...forms.map(wordKeyOf), ...(await near(fuzzyWord, wordKeyOf))])
  }
  let ids: Set<number> | undefined
  for (const keys of conditions) {
    const own = new Set(await parcels.pastIds(state, [...new Set(keys)]))
    ids = ids === undefined ? own : ids.intersection(own)
  }
  return [...(ids ?? [])]
}

/** Lists when the name of a question held each of these parcels, the latest time first. */
export async function listHeld(
  found: StoredParcel[],
  question: OwnerQuestion,
  parcels: ParcelReader,
): Promise<Held[]> {
  const held: Held[] = []
  for (const { fieldValues } of found) {
    const propertyId = propertyIdOf(fieldValues)
    const id = readPropertyId(propertyId)
    const timeline = id && (await findTimeline({ kind: 'property', id }, parcels))
    // While a suppression waits there is no history, and the parcel is held now.
    if (timeline === undefined || timeline.versions.length === 0) {
      held.push({ propertyId, from: null, to: null })
      continue
    }
    const [oldest] = timeline.vintages
    const isExact = timeline.versions.some((one) => isHeld(one, question, false))
    for (const [at, version] of timeline.versions.entries()) {
      if (!isHeld(version, question, !isExact)) continue
      const day = version.began?.day ?? oldest?.day
      const from = day === undefined ? null : showDay(day)
      const later = timeline.versions[at - 1]
      const last = held.at(-1)
      const isSame = later !== undefined && isHeld(later, question, !isExact)
      if (isSame && last?.propertyId === propertyId) last.from = from
      else {
        const to = version.ended === undefined ? null : showDay(version.ended.day)
        held.push({ propertyId, from, to })
      }
    }
  }
  return held
}
