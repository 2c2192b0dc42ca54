/** Explains the answer of an owner search by asking the store what each key finds. */
import type { OwnerQuestion, OwnerTrace } from '../../base/model/owner.ts'
import {
  type AskedNames,
  explainSearch,
  listOwnerKeys,
  type OwnerKey,
} from '../../owner/explain-search.ts'
import { countyByFips } from '../../regions/counties.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { describeParcel } from './explain-address.ts'

/** Most keys counted, of each kind. */
const KEYS_MAX = 20

type AnsweredSearch = {
  state: string
  fips: number | undefined
  names: AskedNames
  question: OwnerQuestion
  trace: OwnerTrace
  found: StoredParcel[]
  /** Number of matching parcels, as far as the search went. */
  hits: number
  offset: number
  deadline: number
}

/** Explains a search by at most four questions to the store. Rejects when the reader does. */
export async function explainOwners(search: AnsweredSearch, parcels: ParcelReader) {
  const { state, fips, names, question, trace, found } = search
  const keys = listOwnerKeys(question)
  const tried = await countKeys(parcels, state, keys)
  await dropUnrecorded(parcels, state, trace)
  const ids = found.map(({ id }) => id)
  const owners = new Map((await parcels.ownersOf(state, ids)).map((one) => [one.id, one.owners]))
  const results = found.map((parcel) => ({
    parcel: describeParcel(parcel),
    index: owners.get(parcel.id) ?? { heads: [], words: [] },
  }))
  return explainSearch({
    names,
    question,
    county: fips === undefined ? undefined : countyByFips(fips)?.name,
    tried,
    trace,
    results,
    leftOut: [...describeOtherPages(search), ...(await explainFilters(search, parcels))],
  })
}

/** Removes words that no parcel has any more: the word list may have them, but not an answer. */
async function dropUnrecorded(
  parcels: ParcelReader,
  state: string,
  trace: OwnerTrace,
): Promise<void> {
  if (trace.near.length === 0) return
  const { names, words } = await parcels.countOwnerKeys(state, trace.near, trace.near)
  trace.near = trace.near.filter((_, at) => (names[at] ?? 0) + (words[at] ?? 0) > 0)
}

async function countKeys(
  parcels: ParcelReader,
  state: string,
  keys: { names: string[]; words: string[] },
): Promise<OwnerKey[]> {
  const [names, words] = [keys.names.slice(0, KEYS_MAX), keys.words.slice(0, KEYS_MAX)]
  const counts = await parcels.countOwnerKeys(state, names, words)
  return [
    ...names.map((key, at): OwnerKey => ({ kind: 'name', key, found: counts.names[at] ?? 0 })),
    ...words.map((key, at): OwnerKey => ({ kind: 'word', key, found: counts.words[at] ?? 0 })),
  ]
}

function describeOtherPages({ found, hits, offset }: AnsweredSearch): string[] {
  const after = hits - offset - found.length
  return [
    ...(offset > 0 && hits > 0 ? [`Not on this page: the first ${offset}, by offset.`] : []),
    ...(after > 0 && found.length > 0
      ? [`Not on this page: ${after} more match the names; use offset.`]
      : []),
  ]
}

/** Repeats the search without each filter, and names those without which it would find more. */
async function explainFilters(
  { state, fips, question, found, names, deadline, hits }: AnsweredSearch,
  parcels: ParcelReader,
): Promise<string[]> {
  const isThere = async (asked: OwnerQuestion, county: number | undefined, skip: number) => {
    const search = { state, fips: county, question: asked, skip, limit: 1, deadline }
    return (await parcels.byOwner(search)).hits.length > 0
  }
  const sentences: string[] = []
  const isPage = found.length > 0
  if (fips !== undefined && (await isThere(question, undefined, hits))) {
    sentences.push(
      `Left out by the county: ${isPage ? 'further parcels' : 'parcels'} elsewhere in ` +
        `${state} match the names.`,
    )
  }
  const { lastName, contains } = question
  if (lastName?.givenPrefixes !== undefined && !isPage) {
    const { givenPrefixes: _, ...surname } = lastName
    const bare = { ...question, lastName: surname }
    if (await isThere(bare, fips, 0)) {
      sentences.push(
        'Left out by firstName: there are owners of that name without a given name that ' +
          `begins with ${names.firstName}.`,
      )
    }
  }
  if (
    lastName !== undefined &&
    contains !== undefined &&
    !isPage &&
    (await isThere({ lastName }, fips, 0))
  ) {
    sentences.push(
      'Left out by nameContains: there are owners of that lastName whose name lacks a ' +
        'word that was asked.',
    )
  }
  return sentences
}
