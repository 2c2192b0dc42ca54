/** `GET /public/suggest/`: what a beginning may become: addresses, owners, parcels and places. */
import { showKey } from '../../address/forgive.ts'
import { directionalOf } from '../../address/parse/directionals.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { refuse } from '../../base/errors.ts'
import { foldLetters, stripParcelId } from '../../base/fold.ts'
import { makeOwnerQuestion, type OwnerParams } from '../../owner/owner-question.ts'
import { answerOf } from '../../record/json-schema.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { countyByFips, findCounty } from '../../regions/counties.ts'
import { openFactTable } from '../../store/facts/table.ts'
import type { StoredParcel } from '../../store/store.ts'
import { listNumberPrefixes, listPrefixes, splitNumber } from '../find/address-prefixes.ts'
import { beginHeads, findOwners, PREFIX_MIN } from '../find/find-owners.ts'
import { defineOperation, type PausingContext, type Reply } from '../operation.ts'
import { param, STATE } from '../shared-parameters.ts'
import { leaveHidden } from './hidden.ts'
import { nameOwner } from './owner-groups.ts'
import {
  type NameKind,
  namesFrom,
  namesNear,
  type PlaceName,
  type PlaceNames,
  readPlaceNames,
} from './place-names.ts'

const KINDS = ['address', 'owner', 'parcelId', 'subdivision', 'city'] as const
type Kind = (typeof KINDS)[number]

/** Loaded states that are searched when none is named. */
const STATES_MAX = 8

export const suggest = defineOperation({
  operationId: 'suggest',
  path: '/public/suggest/',
  parameters: {
    q: {
      type: 'string',
      required: true,
    },
    state: { ...STATE, required: false },
    county: param.text,
    kinds: param.words(KINDS),
    limit: param.upTo(20, 8),
  },
  answers: { schema: answerOf('suggest', { kind: { enum: [...KINDS] } }) },
  refusals: [400, 503],
  check({ q, state, county, kinds, limit }) {
    const text = foldLetters(q).trim().replace(/\s+/g, ' ')
    if (text.length < 2) throw refuse.badRequest('q must have 2 characters or more')
    if (county !== undefined && state === undefined) {
      throw refuse.badRequest('state is required when county is given')
    }
    const fips = county === undefined ? undefined : (findCounty(state ?? '', county)?.fips ?? -1)
    const wanted = (kinds ?? KINDS.filter((kind) => kind !== 'owner')) as readonly Kind[]
    return { text, state, fips, kinds: KINDS.filter((kind) => wanted.includes(kind)), limit }
  },
  find: (asked, context) => context.queueSearch((pause) => answer(asked, { ...context, pause })),
})

type Asked = {
  text: string
  state: string | undefined
  fips: number | undefined
  kinds: readonly Kind[]
  limit: number
}

type Suggestion = {
  kind: Kind
  text: string
  detail: string | null
  state: string
  county: string | null
  propertyId: string | null
}

/** Suggestions of one kind, and the records that they name owners of. */
type Found = { exact: Suggestion[]; near: Suggestion[]; seen: StoredParcel[] }

async function answer(asked: Asked, context: PausingContext): Promise<Reply> {
  const found: Found[] = []
  for (const state of await listStates(asked, context)) {
    const names = remember(async () =>
      readPlaceNames(state, await openFactTable(context.parcels, state), context.pause),
    )
    for (const kind of asked.kinds)
      found.push(await FIND[kind](state, asked, { ...context, names }))
  }
  const begun = takeInTurn(found.map((one) => one.exact))
  // `MADISON` is the city before it is `MADISON ST`.
  const isWhole = (one: Suggestion) => Number(one.text.toUpperCase() === asked.text)
  const exact = begun.sort((a, b) => isWhole(b) - isWhole(a))
  const near = takeInTurn(found.map((one) => one.near))
  const suggestions = [...exact, ...near].slice(0, asked.limit)
  const body = JSON.stringify({ suggestions })
  return { body, headers: {}, seen: found.flatMap(({ seen }) => seen) }
}

async function listStates({ state }: Asked, { parcels }: PausingContext): Promise<string[]> {
  if (state !== undefined) return [state]
  const states = (await parcels.coverage()).map((county) => county.state)
  return [...new Set(states)].sort().slice(0, STATES_MAX)
}

/** The first of each list, then the second of each, and so on. */
function takeInTurn<One>(lists: readonly One[][]): One[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
}

/** `names`: those of the state, read when they are first needed. */
type NamingContext = PausingContext & { names(): Promise<PlaceNames> }
type Find = (state: string, asked: Asked, context: NamingContext) => Promise<Found>

function remember<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let known: Promise<Result> | undefined
  return () => {
    known ??= read()
    return known
  }
}

const FIND: Record<Kind, Find> = {
  address: findAddresses,
  owner: findOwnerNames,
  parcelId: findParcelIds,
  subdivision: (state, asked, context) => findNames('subdivision', state, asked, context),
  city: (state, asked, context) => findNames('city', state, asked, context),
}

async function findAddresses(state: string, asked: Asked, context: NamingContext): Promise<Found> {
  const { text, limit } = asked
  const [[number], rest] = splitNumber(text)
  if (number === undefined) return findNames('address', state, asked, context)
  const prefixes = rest === '' ? listNumberPrefixes(text) : listPrefixes(text)
  const exact = await findLines(state, prefixes, asked, context)
  if (exact.length >= limit) return { exact, near: [], seen: [] }
  // Streets that begin with a number: `220TH ST`.
  const named = await findNames('address', state, asked, context)
  if (rest === '') return { ...named, exact: [...exact, ...named.exact] }
  const wanted = { fips: undefined, most: NEAR_NAMES_MAX }
  const { address } = await context.names()
  const streets = new Set(namesNear(address, rest, wanted).map(({ line }) => line))
  const lines = [...streets].slice(0, NEAR_STREETS_MAX).map((line) => `${number}|${line}`)
  const near = await findLines(state, lines, asked, context)
  return { exact: [...exact, ...named.exact], near, seen: [] }
}

/** Streets near a text on which a number is looked up. */
const NEAR_STREETS_MAX = 24
/** Names among which these streets are: one is named in each of its cities. */
const NEAR_NAMES_MAX = 500

const NOTHING: Found = { exact: [], near: [], seen: [] }
const readSite = openFields(['address', 'city', 'fips'])

/** Keys that are read where only those of one county count. */
const COUNTY_KEYS_MAX = 100

/** Addresses whose keys begin with one of these, in their order. */
async function findLines(
  state: string,
  prefixes: readonly string[],
  { fips, limit }: Asked,
  { parcels }: PausingContext,
): Promise<Suggestion[]> {
  const keys = new Set<string>()
  const most = fips === undefined ? limit : COUNTY_KEYS_MAX
  for (const prefix of prefixes) {
    if (keys.size >= most) break
    for (const { key } of await parcels.addressesWithPrefix(state, prefix, most)) keys.add(key)
  }
  const found: Suggestion[] = []
  const shown = new Set<number>()
  for (const key of keys) {
    const hits = await parcels.bySitusKey(state, key)
    const own = hits.filter((hit) => fips === undefined || hit.fips === fips)
    const places = Map.groupBy(own, (hit) => `${hit.fips} ${hit.city}`)
    for (const [first, ...others] of places.values()) {
      const [record] = first === undefined ? [] : await parcels.byIds(state, [first.id])
      // A range also has keys of its ends.
      if (record === undefined || (others.length === 0 && shown.has(record.id))) continue
      shown.add(record.id)
      const { city, fips: county } = readSite(record.fieldValues)
      found.push({
        kind: 'address',
        text: showKey(key),
        detail: city,
        ...{ state, county: countyByFips(county)?.name ?? null },
        propertyId: others.length === 0 ? propertyIdOf(record.fieldValues) : null,
      })
    }
    if (found.length >= limit) break
  }
  return found
}

async function findNames(
  kind: NameKind,
  state: string,
  { text, fips, limit }: Asked,
  context: NamingContext,
): Promise<Found> {
  const { parcels } = context
  const names = (await context.names())[kind]
  // A street is also listed without its direction, so that half of them may be others.
  const wanted = { fips, most: limit * 2 }
  const short = kind === 'address' ? abbreviate(text) : text
  const show = async (found: PlaceName[]) => {
    const texts = new Map<string, PlaceName>()
    for (const one of found) {
      texts.set(`${one.text}\n${one.city}\n${one.fips}`, one)
      if (texts.size === limit) break
    }
    const first = [...texts.values()]
    const open = await leaveHidden(first, ({ id }) => id, PLACE_FACTS, { state, parcels })
    return open.map((one) => showName(one, state))
  }
  const begun = namesFrom(names, text, wanted)
  if (short !== text) begun.push(...namesFrom(names, short, wanted))
  const exact = await show(begun)
  // As many exact ones leave no room for others.
  const near = exact.length >= limit ? [] : await show(namesNear(names, text, wanted))
  return { exact, near, seen: [] }
}

const PLACE_FACTS = ['street', 'subdivision', 'city'] as const

/** Writes the direction and the type of a street as address keys do. */
function abbreviate(street: string): string {
  const words = street.split(' ')
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length > 1) words[0] = directionalOf(first) ?? first
  if (words.length > 1) words[words.length - 1] = suffixOf(last) ?? last
  return words.join(' ')
}

function showName({ kind, text, city, fips, parcels }: PlaceName, state: string): Suggestion {
  const count = `${parcels} ${parcels === 1 ? 'parcel' : 'parcels'}`
  return {
    ...{ kind, text, detail: city === '' ? count : `${city}, ${count}`, state },
    ...{ county: countyByFips(fips)?.name ?? null, propertyId: null },
  }
}

/** Parcels that are read for names of owners. */
const OWNED_MAX = 40

async function findOwnerNames(
  state: string,
  asked: Asked,
  context: PausingContext,
): Promise<Found> {
  const { text, fips, limit } = asked
  if (text.replace(/[^A-Z0-9]/g, '').length < PREFIX_MIN) return NOTHING
  const { parcels, startedAt, ownerTimeMs } = context
  const search = { parcels, state, fips, deadline: startedAt + ownerTimeMs }
  const find = async (own: OwnerParams, question = makeOwnerQuestion(own)) => {
    if (question === undefined) return []
    const { hits } = await findOwners(own, question, { skip: 0, limit: OWNED_MAX }, search)
    return parcels.byIds(
      state,
      hits.map(({ id }) => id),
    )
  }
  const [isWord, name] = [!text.includes(' '), { lastName: text, fuzzy: false }]
  const records = await find(name, isWord ? await beginHeads(text, state, parcels) : undefined)
  const whole = text.slice(0, text.lastIndexOf(' '))
  if (records.length === 0 && !isWord) {
    const begun = await find({ ...name, lastName: whole })
    records.push(...begun.filter((one) => foldLetters(nameOwner(one, text) ?? '').startsWith(text)))
  }
  const exact = showOwners(records, state, text).slice(0, limit)
  const isNear = exact.length < limit && isWord && text.length >= 4
  const others = isNear ? await find({ ...name, fuzzy: true }) : []
  const known = new Set(exact.map((one) => one.text))
  const near = showOwners(others, state, text).filter((one) => !known.has(one.text))
  return { exact, near, seen: [...records, ...others] }
}

function showOwners(records: readonly StoredParcel[], state: string, text: string): Suggestion[] {
  const byName = Map.groupBy(records, (one) => nameOwner(one, text) ?? '')
  byName.delete('')
  return [...byName].flatMap(([text, [first]]) => {
    if (first === undefined) return []
    const { fips } = readSite(first.fieldValues)
    const parcels = first.owned?.parcels ?? 1
    return {
      kind: 'owner' as const,
      ...{ text, detail: `${parcels} ${parcels === 1 ? 'parcel' : 'parcels'}`, state },
      county: countyByFips(fips)?.name ?? null,
      propertyId: parcels === 1 ? propertyIdOf(first.fieldValues) : null,
    }
  })
}

async function findParcelIds(state: string, asked: Asked, context: PausingContext): Promise<Found> {
  const { text, fips, limit } = asked
  const start = stripParcelId(text)
  if (start.length < 2 || !/\d/.test(start)) return NOTHING
  const { parcels } = context
  const counties =
    fips === undefined
      ? (await parcels.coverage({ states: [state] })).filter((one) => one.state === state)
      : [{ fips }]
  const ids: number[] = []
  for (const county of counties) {
    if (ids.length >= limit) break
    ids.push(...(await parcels.parcelsFrom(state, county.fips, start, limit)))
  }
  const records = await parcels.byIds(state, ids.slice(0, limit))
  const exact = records.map(({ fieldValues }) => {
    const { parcelId, address, fips: county } = readParcel(fieldValues)
    return {
      kind: 'parcelId' as const,
      ...{ text: parcelId, detail: address, state },
      ...{ county: countyByFips(county)?.name ?? null, propertyId: propertyIdOf(fieldValues) },
    }
  })
  return { exact, near: [], seen: [] }
}

const readParcel = openFields(['parcelId', 'address', 'fips'])
