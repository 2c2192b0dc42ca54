/** Walks the Parquet files of two releases side by side, and finds the parcels that differ. */
import type { Digests } from './digests.ts'
import { openGroupsInThread } from './groups-in-thread.ts'
import { type Groups, openGroups, type Row } from './row-groups.ts'

/** A parcel that differs, in the old file and in the new one; `undefined` where it is not. */
type Pair = { old: Row | undefined; now: Row | undefined }

type Which = keyof Pair

/** Rows that are made at a time, and most rows that are kept of those without a partner. */
const ROWS_MAX = 4_000

/** Most rows that were added or removed in one place before the files are out of step. */
const AHEAD = 64

/** An open row group of a file, and the first of its rows that was not passed yet. */
type Side = {
  file: Groups
  group: number
  ids: string[]
  digests: Digests
  next: number
}

/** A row that had no partner where it was passed; `row`: where it was kept. */
type Place = { group: number; index: number; digest: number[]; row: Row | undefined }

type Places = { old: Place | undefined; now: Place | undefined }

type Aside = {
  /** By ID, in the order of the file. */
  old: Map<string, Place>
  now: Map<string, Place>
  /** Partners that were passed in different places, and differ. */
  moved: Places[]
  kept: number
}

/** Yields parcels with the same neighbours in both files, then others, then added, then removed. */
export async function* walkFiles(
  oldPath: string,
  newPath: string,
  inThreads: boolean,
): AsyncGenerator<Pair[]> {
  const open = inThreads ? openGroupsInThread : openGroups
  const opened: Groups[] = []
  try {
    for (const path of [oldPath, newPath]) opened.push(await open(path))
    const [old, now] = opened as [Groups, Groups]
    yield* walkGroups({ old, now })
  } finally {
    for (const one of opened) await one.close()
  }
}

async function* walkGroups(files: Record<Which, Groups>): AsyncGenerator<Pair[]> {
  const aside: Aside = { old: new Map(), now: new Map(), moved: [], kept: 0 }
  let [old, now] = await Promise.all([openSide(files.old, 0), openSide(files.now, 0)])
  while (!hasEnded(old) || !hasEnded(now)) {
    const { partners, alone } = pass(old, now)
    for (const some of divide(partners)) {
      yield join(
        pick(
          old,
          some.map(([index]) => index),
        ),
        pick(
          now,
          some.map(([, index]) => index),
        ),
      )
    }
    await setAside('old', old, alone.old, aside)
    await setAside('now', now, alone.now, aside)
    if (isPassed(old)) old = await openSide(files.old, old.group + 1)
    if (isPassed(now)) now = await openSide(files.now, now.group + 1)
  }
  const rest: Places[] = [
    ...aside.moved,
    ...aside.now.values().map((place) => ({ old: undefined, now: place })),
    ...aside.old.values().map((place) => ({ old: place, now: undefined })),
  ]
  for (const some of divide(rest)) {
    yield join(readRows(files.old, some, 'old'), readRows(files.now, some, 'now'))
  }
}

type Rows = Promise<(Row | undefined)[]>

async function join(old: Rows, now: Rows): Promise<Pair[]> {
  const [olds, news] = await Promise.all([old, now])
  return olds.map((row, at) => ({ old: row, now: news[at] }))
}

function pick({ file, group }: Side, indexes: readonly number[]): Promise<Row[]> {
  return file.pick(group, indexes)
}

/** Behind the last group there is one without rows. */
async function openSide(file: Groups, group: number): Promise<Side> {
  return { file, group, ...(await file.read(group)), next: 0 }
}

function isPassed({ next, ids }: Side): boolean {
  return next === ids.length
}

function hasEnded({ file, group }: Side): boolean {
  return group >= file.count
}

/** Passes rows of both until a group ends. Returns partners that differ, and rows without one. */
function pass(old: Side, now: Side) {
  const partners: [number, number][] = []
  const alone: Record<Which, number[]> = { old: [], now: [] }
  const skip = (which: Which, side: Side, count: number) => {
    for (let at = 0; at < count; at += 1) alone[which].push(side.next++)
  }
  while (!isPassed(old) && !isPassed(now)) {
    const found = findPartner(old, now)
    skip('old', old, found?.old ?? 1)
    skip('now', now, found?.now ?? 1)
    if (found === undefined) continue
    const isChanged = !isSame(digestOf(old, old.next), digestOf(now, now.next))
    if (isChanged) partners.push([old.next, now.next])
    old.next += 1
    now.next += 1
  }
  if (hasEnded(now)) skip('old', old, old.ids.length - old.next)
  if (hasEnded(old)) skip('now', now, now.ids.length - now.next)
  return { partners, alone }
}

/** Returns how many rows of one file to skip, so that the next ones are of the same parcel. */
function findPartner(old: Side, now: Side): Record<Which, number> | undefined {
  const [id, other] = [old.ids[old.next], now.ids[now.next]]
  for (let ahead = 0; ahead < AHEAD; ahead += 1) {
    if (old.ids[old.next + ahead] === other) return { old: ahead, now: 0 }
    if (now.ids[now.next + ahead] === id) return { old: 0, now: ahead }
  }
  return undefined
}

/** Looks for partners that were passed before. Keeps the values of the first rows without one. */
async function setAside(
  which: Which,
  side: Side,
  indexes: readonly number[],
  aside: Aside,
): Promise<void> {
  const others = aside[which === 'old' ? 'now' : 'old']
  const own: Place[] = []
  for (const index of indexes) {
    const id = side.ids[index] as string
    const digest = digestOf(side, index)
    const place: Place = { group: side.group, index, digest, row: undefined }
    const other = others.get(id)
    others.delete(id)
    if (other !== undefined && isSame(digest, other.digest)) continue
    own.push(place)
    if (other === undefined) aside[which].set(id, place)
    else aside.moved.push(which === 'old' ? { old: place, now: other } : { old: other, now: place })
  }
  aside.kept += own.length
  if (own.length === 0 || aside.kept > ROWS_MAX) return
  const rows = await pick(
    side,
    own.map(({ index }) => index),
  )
  for (const [at, place] of own.entries()) place.row = rows[at]
}

/** Returns the rows at some places of a file; reads each group once, of which one was not kept. */
async function readRows(
  file: Groups,
  places: readonly Places[],
  which: Which,
): Promise<(Row | undefined)[]> {
  const missing = places.flatMap(({ [which]: place }) => (place && !place.row ? [place] : []))
  const found = new Map<Place, Row | undefined>()
  for (const [group, some] of Map.groupBy(missing, (place) => place.group)) {
    const rows = await file.pick(
      group,
      some.map(({ index }) => index),
    )
    for (const [at, place] of some.entries()) found.set(place, rows[at])
  }
  return places.map(({ [which]: place }) => place && (place.row ?? found.get(place)))
}

function digestOf({ digests }: Side, index: number): [number, number] {
  return [digests[2 * index] as number, digests[2 * index + 1] as number]
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

function divide<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / ROWS_MAX) }, (_, at) =>
    items.slice(at * ROWS_MAX, (at + 1) * ROWS_MAX),
  )
}
