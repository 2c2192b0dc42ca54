/** Compares the row groups of two releases, one at a time. */
import { type Digests, openGroups, type Row } from './row-groups.ts'

export type ReleasePaths = { old: string; now: string }

type Which = keyof ReleasePaths

/** More rows than a group of a release has. A place is `group * GROUP_MAX + index`. */
export const GROUP_MAX = 1_000_000

/** Changes of a group: the index of each in the new file, and its place in the old one. */
export type Part = {
  group: number
  rows: readonly { index: number | undefined; from: number | undefined }[]
  /** The columns that may differ; `undefined`: all. */
  columns: readonly string[] | undefined
}

export type Described = {
  propertyId: string
  change: 'added' | 'changed' | 'removed'
  fields: string[]
  old: Row | null
  now: Row | null
  lineage: string[]
}

/** Answers what a comparison needs to know of a group. A group that is not there has no rows. */
export type GroupReader = {
  /** Changed rows; `undefined` where the group's rows are not those of the old one. */
  compare(at: number): Promise<{ indexes: number[]; columns: string[] } | undefined>
  digest(which: Which, at: number): Promise<{ ids: readonly string[]; digests: Digests }>
  describe(part: Part): Promise<Described[]>
}

export async function openReader(paths: ReleasePaths): Promise<GroupReader & { groups: number }> {
  const files = { old: await openGroups(paths.old), now: await openGroups(paths.now) }
  return {
    groups: Math.max(files.old.count, files.now.count),
    async compare(at) {
      const [old, now] = [await files.old.load(at), await files.now.load(at)]
      if (old === undefined || !now?.hasSame(old, 'propertyId')) return undefined
      const columns = [...new Set([...old.columns, ...now.columns])].filter(
        (name) => !now.hasSame(old, name),
      )
      if (columns.length === 0) return { indexes: [], columns }
      const [one, other] = [await old.digest(columns), await now.digest(columns)]
      const all = Array.from(one[0], (_, index) => index)
      return { indexes: all.filter((index) => !isSame(one, index, other, index)), columns }
    },
    async digest(which, at) {
      const group = await files[which].load(at)
      if (group === undefined) return { ids: [], digests: [new Uint32Array(), new Uint32Array()] }
      return { ids: await group.ids(), digests: await group.digest(group.columns) }
    },
    async describe({ group, rows, columns }) {
      const now = rows.some(({ index }) => index !== undefined) && (await files.now.load(group))
      const indexes = rows.flatMap(({ index }) => index ?? [])
      const news = now ? await now.rows(indexes, now.columns) : []
      const olds = await readOld(rows, columns)
      // A column that only the new file has is unknown in the old one.
      const unknown = Object.fromEntries((columns ?? []).map((name) => [name, null]))
      let next = 0
      return rows.map(({ index, from }) => {
        const row = index === undefined ? undefined : news[next++]
        const old = from === undefined ? undefined : olds.get(from)
        return describeRow(columns === undefined ? old : { ...row, ...unknown, ...old }, row)
      })
    },
  }

  /** Reads rows of the old file by their places. */
  async function readOld(rows: Part['rows'], columns: Part['columns']): Promise<Map<number, Row>> {
    const places = rows.flatMap(({ from }) => from ?? [])
    const found = new Map<number, Row>()
    for (const [at, own] of Map.groupBy(places, (place) => Math.floor(place / GROUP_MAX))) {
      const group = await files.old.load(at)
      const indexes = own.map((place) => place % GROUP_MAX)
      const read = (await group?.rows(indexes, columns ?? group.columns)) ?? []
      for (const [index, row] of read.entries()) found.set(own[index] as number, row)
    }
    return found
  }
}

export function isSame(one: Digests, at: number, other: Digests, there: number): boolean {
  return one[0][at] === other[0][there] && one[1][at] === other[1][there]
}

/** Of an added or changed parcel the new row is whole, so that a follower needs nothing else. */
function describeRow(old: Row | undefined, now: Row | undefined): Described {
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
    .filter((name) => old?.[name] !== now?.[name] && show(old?.[name]) !== show(now?.[name]))
    .sort()
  const pick = (row: Row, of: readonly string[]) =>
    Object.fromEntries(of.map((name) => [name, JSON.parse(show(row[name]))]))
  const known = (row: Row) => Object.keys(row).filter((name) => isKnown(row[name]))
  return {
    propertyId: String((now ?? old)?.propertyId),
    change: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed',
    fields: old === undefined || now === undefined ? [] : names,
    old: old === undefined ? null : pick(old, names),
    now: now === undefined ? null : pick(now, known(now)),
    lineage: (now?.formerParcelIds as string[] | null | undefined) ?? [],
  }
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined
}

function show(value: unknown): string {
  return JSON.stringify(value ?? null, (_, one) => {
    if (typeof one === 'bigint') return Number(one)
    return one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one
  })
}
