/** Compares the feed of changes with all watches, and stores the events. */
import { createHash } from 'node:crypto'
import { closing } from '../base/at-end.ts'
import { nextTurn } from '../base/event-loop.ts'
import {
  keysOfForm,
  keysOfProperty,
  openMatch,
  termsOf,
  type WatchedCounty,
  type WatchMatch,
} from '../operations/watches/match.ts'
import { type Pair, type PairReader, readPairs } from '../operations/watches/pairs.ts'
import { makeEvent } from '../operations/watches/show-event.ts'
import { propertyIdOf } from '../record/stored.ts'
import type { StoredEvent, Watch } from '../store/accounts/watch-store.ts'
import type { StoredChange } from '../store/changes.ts'
import type { ImportEntry } from '../store/history.ts'
import { isPaused, type WatchWorld } from './open-world.ts'

type NewEvent = Omit<StoredEvent, 'number'>

/** Changes compared at a time. */
const PAGE = 500
/** Changes of a state compared before the next state has its turn. */
const TURN = 20_000

/** Watches that are not of listed parcels, by the terms of what fits. */
type Index = {
  version: number
  byTerm: Map<string, Indexed[]>
  /** Those that no term finds. */
  others: Indexed[]
  all: Indexed[]
}
type Indexed = { watch: Watch; match: WatchMatch }

/** How far a state was compared; `paused`: a suppression is waiting. */
type Reached = 'end' | 'more' | 'paused'

export function openFinder(world: WatchWorld) {
  const { watches } = world.accounts
  let index: Index = { version: 0, byTerm: new Map(), others: [], all: [] }
  let compared = ''
  let entries: Entries = new Map()

  /** Imports by id, those of the changes among them. */
  async function entriesOf(changes: readonly StoredChange[]): Promise<Entries> {
    if (!changes.every((change) => entries.has(change.import))) entries = await readEntries(world)
    return entries
  }

  async function findOf(state: string, position: number): Promise<Reached> {
    let from = position
    for (let count = 0; count < TURN; count += PAGE) {
      if (await isPaused(world)) return 'paused'
      const question = { state, fips: undefined, groups: undefined, since: 0 }
      const page = await world.parcels.changes({ ...question, after: from, limit: PAGE })
      const { changes, last } = page
      const to = changes.at(-1)?.sequence ?? Math.max(last, from)
      if (to === from) return 'end'
      const made = noteImports(changes, await entriesOf(changes))
      const events = await matchPage(world, index, state, made)
      if (!(await watches.addEvents({ state, from, to }, events))) return 'more'
      from = to
      // Requests and deliveries have their turn.
      await nextTurn()
      if (changes.length < PAGE) return 'end'
    }
    return 'more'
  }

  return {
    /** Stores new events; true if there may be more. After a throw the next call finds them. */
    async find() {
      const version = await watches.version()
      if (version === 0) {
        compared = ''
        return false
      }
      const rolls = await world.parcels.version()
      if (version !== index.version) index = await readIndex(world, version)
      if (rolls === compared) return false
      const positions = await watches.positions()
      const loaded = (await world.parcels.coverage()).map(({ state }) => state)
      const reached = new Set<Reached>()
      for (const state of new Set([...loaded, ...positions.keys()])) {
        reached.add(await findOf(state, positions.get(state) ?? 0))
      }
      if (reached.size === 0 || (reached.size === 1 && reached.has('end'))) compared = rolls
      return reached.has('more') && !reached.has('paused')
    },
  }
}

async function readIndex({ accounts }: WatchWorld, version: number): Promise<Index> {
  const all = (await accounts.watches.conditions()).map((watch) => ({
    watch,
    match: openMatch(watch),
  }))
  const byTerm = new Map<string, Indexed[]>()
  for (const one of all) {
    for (const term of new Set(one.match.terms)) {
      byTerm.getOrInsertComputed(term, () => []).push(one)
    }
  }
  const others = all.filter(({ match }) => match.terms === undefined)
  return { version, byTerm, others, all }
}

type Made = { change: StoredChange; entry: ImportEntry }

type Entries = ReadonlyMap<number, ImportEntry>

/** A suppression is noted in the feed without an import of its own, and is no event. */
function noteImports(changes: readonly StoredChange[], entries: Entries): Made[] {
  return changes.flatMap((change): Made[] => {
    const entry = entries.get(change.import)
    return entry?.loadedAt === change.loadedAt ? [{ change, entry }] : []
  })
}

const isOfCounty = ({ change, entry }: Made) => change.what === 'loaded' || entry.kind === 'unload'

async function matchPage(
  world: WatchWorld,
  index: Index,
  state: string,
  made: readonly Made[],
): Promise<NewEvent[]> {
  const ofCounties = made.filter(isOfCounty)
  const ofParcels = made.filter((one) => !isOfCounty(one))
  return [
    ...(await matchCounties(world, index, state, ofCounties)),
    ...(await matchParcels(world, index, state, ofParcels)),
  ]
}

async function readEntries({ openHistory }: WatchWorld): Promise<Entries> {
  await using history = closing(await openHistory())
  return new Map((await history.list()).map((entry) => [entry.id, entry]))
}

/** A county that was loaded or unloaded is one event, whatever it has. */
async function matchCounties(
  world: WatchWorld,
  index: Index,
  state: string,
  made: readonly Made[],
): Promise<NewEvent[]> {
  const first = new Map(made.map((one) => [`${one.change.import} ${one.change.fips}`, one]))
  const events: NewEvent[] = []
  for (const { change, entry } of first.values()) {
    const { fips } = change
    const county = await readCounty(world, state, fips)
    const listing = await world.accounts.watches.watchersIn(fips)
    const watches = [
      ...(await world.accounts.watches.byIds(listing)),
      ...index.all.filter(({ match }) => match.mayBeIn(county)).map(({ watch }) => watch),
    ]
    const what = entry.kind === 'unload' ? 'unloaded' : 'loaded'
    for (const watch of watches.filter((one) => hears(one, state, change))) {
      const own = { ...change, what, id: -fips, propertyId: null, groups: 0 }
      events.push(noteEvent(watch, state, own))
    }
  }
  return events
}

async function readCounty(
  { parcels }: WatchWorld,
  state: string,
  fips: number,
): Promise<WatchedCounty> {
  const counties = await parcels.coverage({ states: [state] })
  const bounds = counties.find((one) => one.fips === fips)?.bounds
  if (!bounds) return { state, fips, bounds: null }
  const [west, south, east, north] = bounds
  return { state, fips, bounds: { west, south, east, north } }
}

/** A watch hears of what was committed after it was made. */
function hears({ starts }: Watch, state: string, { sequence }: StoredChange): boolean {
  return sequence > (starts[state] ?? 0)
}

function noteEvent(
  watch: Watch,
  state: string,
  change: Omit<StoredChange, 'what'> & { what: string; id: number },
): NewEvent {
  const { id: parcel, import: importId } = change
  const name = `${watch.id} ${state} ${parcel} ${importId}`
  const digest = createHash('sha256').update(name).digest('hex')
  return {
    id: `evt_${digest.slice(0, 24)}`,
    watchId: watch.id,
    state,
    parcel,
    import: importId,
    what: change.what,
    propertyId: change.propertyId,
    fips: change.fips,
    groups: change.groups,
    at: change.loadedAt * 1000,
  }
}

/** Of these, a parcel keeps its ID. */
const PLAIN: ReadonlySet<string> = new Set(['added', 'changed', 'removed'])

async function matchParcels(
  world: WatchWorld,
  index: Index,
  state: string,
  made: readonly Made[],
): Promise<NewEvent[]> {
  if (made.length === 0) return []
  const { watches } = world.accounts
  const keysOf = new Map(
    made.map(({ change }) => [
      change.sequence,
      keysOfProperty(change.propertyId ?? '', change.municipality),
    ]),
  )
  const listed = await watches.watchersOf([...keysOf.values()].flat())
  const listedByKey = Map.groupBy(listed, ({ key }) => key)
  const isRead = index.all.length > 0
  const read = made.filter(
    ({ change }) =>
      isRead ||
      !PLAIN.has(change.what) ||
      keysOf.get(change.sequence)?.some((key) => listedByKey.has(key)) === true,
  )
  const pairs = await readPairs(
    world.parcels,
    state,
    read.map(({ change }) => change.id ?? 0),
  )
  const former = await watchersOfFormer(world, pairs, read)
  const known = new Map(
    (await watches.byIds([...listed, ...former].map(({ watchId }) => watchId))).map((one) => [
      one.id,
      one,
    ]),
  )
  const events: NewEvent[] = []
  for (const [at, one] of read.entries()) {
    // Many shapes of many points take long; requests have their turn.
    if (at % 20 === 19) await nextTurn()
    const pair = await pairOf(world, pairs, state, one)
    const own = keysOf.get(one.change.sequence) ?? []
    const listing = [
      ...own.flatMap((key) => listedByKey.get(key) ?? []),
      ...former.filter(({ sequence }) => sequence === one.change.sequence),
    ].flatMap(({ watchId }) => known.get(watchId) ?? [])
    if (pair !== undefined) events.push(...matchPair(index, listing, state, { ...one, pair }))
  }
  return [...events, ...(await matchUndone(world, state, made))]
}

/** Watches that list a parcel by the ID that it had before. */
async function watchersOfFormer(
  { accounts }: WatchWorld,
  pairs: PairReader,
  made: readonly Made[],
) {
  const former = made.flatMap(({ change }) => {
    const before = pairs.pairOf(change.id ?? 0, change.import)?.before
    if (before === undefined || propertyIdOf(before.fieldValues) === change.propertyId) return []
    return keysOfForm(before).map((key) => ({ key, sequence: change.sequence }))
  })
  if (former.length === 0) return []
  const listed = await accounts.watches.watchersOf(former.map(({ key }) => key))
  const byKey = Map.groupBy(listed, ({ key }) => key)
  return former.flatMap(({ key, sequence }) =>
    (byKey.get(key) ?? []).map(({ watchId }) => ({ watchId, sequence })),
  )
}

/** What a parcel was before and after; `undefined` when nothing of it has changed. */
async function pairOf(
  { parcels, keep }: WatchWorld,
  pairs: PairReader,
  state: string,
  { change, entry }: Made,
): Promise<Pair | undefined> {
  const id = change.id ?? 0
  const pair = pairs.pairOf(id, change.import)
  if (pair !== undefined || entry.kind !== 'import') return pair
  const isKept =
    keep !== 0 &&
    (await parcels.vintages(state, change.fips)).some((one) => one.import === change.import)
  if (isKept) return undefined
  // Without history the present alone is known.
  const present = pairs.presentOf(id)
  return { before: change.what === 'added' ? undefined : present, after: present }
}

function matchPair(
  index: Index,
  listing: readonly Watch[],
  state: string,
  { change, pair }: Made & { pair: Pair },
): NewEvent[] {
  const forms = [pair.before, pair.after].filter((form) => form !== undefined)
  const found = new Map<string, { watch: Watch; match: WatchMatch | undefined }>()
  for (const watch of listing) found.set(watch.id, { watch, match: undefined })
  for (const term of new Set(forms.flatMap(termsOf))) {
    for (const one of index.byTerm.get(term) ?? []) found.set(one.watch.id, one)
  }
  for (const one of index.others) found.set(one.watch.id, one)
  return [...found.values()].flatMap(({ watch, match }) => {
    if (!hears(watch, state, change)) return []
    const event = noteEvent(watch, state, { ...change, id: change.id ?? 0 })
    const isUnknown = forms.length === 0 || pair.before === pair.after
    const isHeard = isUnknown
      ? hearsUnknown({ watch, match }, event, pair)
      : makeEvent(watch, event, pair, match) !== undefined
    return isHeard ? [event] : []
  })
}

/** Without history: listed parcels, and what the present record means. */
function hearsUnknown(
  { watch, match }: { watch: Watch; match: WatchMatch | undefined },
  { what, groups, at }: NewEvent,
  { after }: Pair,
): boolean {
  if (what === 'changed' && (groups & watch.groups) === 0) return false
  return match === undefined || (after !== undefined && match.fits(after, at))
}

/** Who heard of an import hears that it was undone. */
async function matchUndone(
  { accounts }: WatchWorld,
  state: string,
  made: readonly Made[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  const undone = Map.groupBy(
    made.filter(({ entry }) => entry.kind === 'undo'),
    ({ entry }) => entry.undoes ?? 0,
  )
  for (const [importId, own] of undone) {
    const byId = new Map(own.map(({ change }) => [change.id ?? 0, change]))
    const heard = await accounts.watches.eventsOfImport(state, importId, [...byId.keys()])
    const watches = await accounts.watches.byIds(heard.map(({ watchId }) => watchId))
    const known = new Map(watches.map((watch) => [watch.id, watch]))
    for (const { watchId, parcel } of heard) {
      const [watch, change] = [known.get(watchId), byId.get(parcel)]
      if (watch === undefined || change === undefined) continue
      events.push(noteEvent(watch, state, { ...change, id: parcel }))
    }
  }
  return events
}
