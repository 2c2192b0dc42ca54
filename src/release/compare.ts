/** Compares the row groups of two releases, one at a time. */
import { type Digests, type Group, openGroups, type Row } from './row-groups.ts'

export type ReleasePaths = { old: string; now: string }

type Which = keyof ReleasePaths

/** Answers what a comparison needs to know of a group. A group that is not there has no rows. */
export type GroupReader = {
  /** Changed rows; `undefined` where the group's rows are not those of the old one. */
  compare(at: number): Promise<{ id: string; old: Row; now: Row }[] | undefined>
  digest(which: Which, at: number): Promise<{ ids: readonly string[]; digests: Digests }>
  rows(which: Which, at: number, indexes: readonly number[]): Promise<Row[]>
  /** Property IDs of a group of the new file. */
  ids(at: number): Promise<readonly string[]>
}

export async function openReader(paths: ReleasePaths): Promise<GroupReader & { groups: number }> {
  const files = { old: await openGroups(paths.old), now: await openGroups(paths.now) }
  return {
    groups: Math.max(files.old.count, files.now.count),
    async compare(at) {
      const [old, now] = [await files.old.load(at), await files.now.load(at)]
      return old !== undefined && now?.hasSame(old, 'propertyId')
        ? await compareRows(old, now)
        : undefined
    },
    async digest(which, at) {
      const group = await files[which].load(at)
      if (group === undefined) return { ids: [], digests: [new Uint32Array(), new Uint32Array()] }
      return { ids: await group.ids(), digests: await group.digest(group.columns) }
    },
    async rows(which, at, indexes) {
      const group = await files[which].load(at)
      return (await group?.rows(indexes, group.columns)) ?? []
    },
    ids: async (at) => (await (await files.now.load(at))?.ids()) ?? [],
  }
}

async function compareRows(old: Group, now: Group) {
  const differing = [...new Set([...old.columns, ...now.columns])].filter(
    (name) => !now.hasSame(old, name),
  )
  const [one, other] = [await old.digest(differing), await now.digest(differing)]
  const ids = await now.ids()
  const indexes = ids.flatMap((_, at) => (isSame(one, at, other, at) ? [] : [at]))
  const rows = await now.rows(indexes, now.columns)
  const parts = await old.rows(indexes, differing)
  // A column that only the new file has is unknown in the old one.
  const unknown = Object.fromEntries(differing.map((name) => [name, null]))
  return rows.map((row, index) => ({
    id: ids[indexes[index] as number] as string,
    old: { ...row, ...unknown, ...parts[index] },
    now: row,
  }))
}

export function isSame(one: Digests, at: number, other: Digests, there: number): boolean {
  return one[0][at] === other[0][there] && one[1][at] === other[1][there]
}
