/** What a parcel came from and became, from the links that imports found. */
import { foldCity, stripParcelId } from '../../base/fold.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { EVIDENCE, LINK_KINDS } from '../../store/lineage/link.ts'
import type { EncodedKeys } from '../../store/parcel-keys.ts'
import type { ParcelReader } from '../../store/store.ts'
import {
  type LineageRow,
  parcelKeyOf,
  showDay,
  type VersionForm,
} from '../../store/versions/versions.ts'
import { readVersions, type Version } from './read-versions.ts'

/** A relative as the answer shows it. `relatives`: its own ones, of the next generation. */
export type Relative = {
  propertyId: string
  at: string
  kind: (typeof LINK_KINDS)[number]
  shareOfParent: number | null
  shareOfChild: number | null
  evidence: (typeof EVIDENCE)[number][]
  relatives: Relative[] | undefined
}

export type Relation = 'parent' | 'child'

/** Relatives of all generations together. */
export const RELATIVES_MAX = 1000
/** A child covers its parent from this share on. */
const COVERED = 9000
/** Successors of successors. */
const GENERATIONS_MAX = 5

/** A parcel: its ids, and its property ID at the time that is meant. */
type Person = { ids: number[]; propertyId: string }

/** `left`: relatives that may still be listed. */
type Walk = {
  parcels: ParcelReader
  state: string
  relation: Relation
  /** Lets other requests have their turn. */
  pause: () => Promise<void>
  left: number
}

/** Lists parents or children, newest first, with `generations` of theirs; none that is hidden. */
export async function listRelatives(
  walk: Walk,
  person: Person,
  generations: number,
): Promise<Relative[]> {
  await walk.pause()
  const links = await readLinks(walk, person)
  const found: Relative[] = []
  for (const { row, relative, evidence } of links) {
    if (walk.left <= 0) break
    walk.left -= 1
    const propertyId = propertyIdOf(relative.form.fieldValues)
    const next = { ids: [relative.id], propertyId }
    const relatives = generations > 1 ? await listRelatives(walk, next, generations - 1) : undefined
    found.push({
      ...{ propertyId, at: showDay(row.day), kind: LINK_KINDS[row.kind] ?? 'split' },
      ...{ shareOfParent: asShare(row.shareOfParent), shareOfChild: asShare(row.shareOfChild) },
      ...{ evidence, relatives },
    })
  }
  return found
}

function asShare(tenThousandths: number | null): number | null {
  return tenThousandths === null ? null : tenThousandths / 10_000
}

type Linked = { id: number; form: VersionForm }
type ReadLink = { row: LineageRow; relative: Linked; evidence: Relative['evidence'] }

/** The links of a parcel, each with its relative's record at the time of the link. */
async function readLinks(
  { parcels, state, relation }: Walk,
  { ids, propertyId }: Person,
): Promise<ReadLink[]> {
  const other = relation === 'parent' ? 'child' : 'parent'
  const rows = (await parcels.lineageOf(state, ids)).filter((row) => ids.includes(row[other]))
  const named = [...new Set(rows.flatMap(({ parent, child }) => [parent, child]))]
  const versions = Map.groupBy(await readVersions(parcels, state, named), ({ id }) => id)
  return rows.flatMap((row) => {
    const parent = formOf(versions.get(row.parent) ?? [], row, 'before')
    const child = formOf(versions.get(row.child) ?? [], row, 'after')
    if (parent === undefined || child === undefined) return []
    const [own, form] = relation === 'parent' ? [child, parent] : [parent, child]
    if (propertyIdOf(own.fieldValues) !== propertyId) return []
    const relative = { id: row[relation], form }
    return { row, relative, evidence: showEvidence(row, parent, child) }
  })
}

/** The record just before a roll, or from it on. */
export function formOf(
  versions: Version[],
  at: LineageRow,
  side: 'before' | 'after',
): VersionForm | undefined {
  const order = (row: Version['began']) =>
    row === undefined ? undefined : row.day - at.day || row.import - at.import
  return versions.find(({ began, ended }) => {
    const [from, to] = [order(began) ?? -1, order(ended) ?? 1]
    return side === 'before' ? from < 0 && to >= 0 : from <= 0 && to > 0
  })?.form
}

/** What speaks for a link and is not hidden in either record. */
function showEvidence(
  { evidence }: LineageRow,
  parent: VersionForm,
  child: VersionForm,
): Relative['evidence'] {
  const keys = [parent, child].map((form): EncodedKeys => JSON.parse(form.keys))
  const isShown = (name: Relative['evidence'][number]) =>
    (name !== 'owner' || keys.every(({ h }) => h.length > 0)) &&
    (name !== 'address' || keys.every(({ s }) => s.length > 0))
  return EVIDENCE.filter((name, at) => (evidence & (1 << at)) !== 0 && isShown(name))
}

const readParcelId = openFields(['parcelId', 'municipality'])

/** An ID that no parcel has any more. `municipality`: that assigned it; `undefined`: any. */
type RetiredId = { fips: number; parcelId: string; municipality?: string }

/** Finds the present parcel that alone covers a retired one, over several rolls if need be. */
export async function findSuccessor(
  parcels: ParcelReader,
  state: string,
  { fips, parcelId: asked, municipality: of }: RetiredId,
): Promise<number | undefined> {
  const strippedKey = stripParcelId(asked)
  let ids = await parcels.pastIds(state, [parcelKeyOf(fips, strippedKey)])
  let isOwn = ({ fieldValues }: VersionForm) => {
    const { parcelId, municipality } = readParcelId(fieldValues)
    if (of !== undefined && foldCity(municipality ?? '') !== foldCity(of)) return false
    return stripParcelId(parcelId ?? '') === strippedKey
  }
  const after = { day: Number.NEGATIVE_INFINITY, import: 0 }
  for (let generation = 0; generation < GENERATIONS_MAX; generation += 1) {
    const rows = (await parcels.lineageOf(state, ids)).filter(
      (row) => ids.includes(row.parent) && (row.day - after.day || row.import - after.import) > 0,
    )
    const versions = await readVersions(parcels, state, [...new Set(rows.map((row) => row.parent))])
    const byId = Map.groupBy(versions, ({ id }) => id)
    const children = rows.filter((row) => {
      const form = formOf(byId.get(row.parent) ?? [], row, 'before')
      return form !== undefined && isOwn(form)
    })
    const [only, another] = children
    if (only === undefined || another !== undefined) return undefined
    if ((only.shareOfParent ?? COVERED) < COVERED) return undefined
    const [present] = await readVersions(parcels, state, [only.child])
    if (present?.form !== undefined) return only.child
    ids = [only.child]
    Object.assign(after, { day: only.day, import: only.import })
    isOwn = () => true
  }
  return undefined
}
