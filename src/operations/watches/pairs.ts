/** What parcels were before and after an import, and what became of them, for watches. */
import { propertyIdOf } from '../../record/stored.ts'
import { LINK_KINDS } from '../../store/lineage/link.ts'
import type { ParcelReader } from '../../store/store.ts'
import { type LineageRow, readChain, type VersionForm } from '../../store/versions/versions.ts'
import { formOf } from '../find/lineage.ts'
import { readVersions } from '../find/read-versions.ts'

/** A parcel before and after an import; `undefined`: there was none, or is none. */
export type Pair = {
  before: VersionForm | undefined
  after: VersionForm | undefined
  /** What became of its land, where the import linked it. `children`: property IDs. */
  became?: { what: 'split' | 'merged' | 'renumbered'; children: string[] } | undefined
}

export type PairReader = {
  /** `undefined`: nothing is kept of what the import did to the parcel. */
  pairOf(id: number, importId: number): Pair | undefined
  presentOf(id: number): VersionForm | undefined
}

export async function readPairs(
  parcels: ParcelReader,
  state: string,
  ids: readonly number[],
): Promise<PairReader> {
  const own = [...new Set(ids)].filter((id) => id > 0)
  if (own.length === 0) return { pairOf: () => undefined, presentOf: () => undefined }
  const [rows, forms, becameOf] = await Promise.all([
    parcels.versionsOf(state, own),
    parcels.formsOf(state, own),
    readChildren(parcels, state, own),
  ])
  const present = new Map(forms.map((form) => [form.id, form]))
  const byId = Map.groupBy(rows, ({ id }) => id)
  return {
    presentOf: (id) => present.get(id),
    pairOf(id, importId) {
      const chain = readChain(present.get(id), byId.get(id) ?? [])
      const at = chain.findIndex(({ row }) => row?.import === importId)
      if (at < 1) return undefined
      const [before, after] = [chain[at]?.form, chain[at - 1]?.form]
      return { before, after, became: becameOf(id, importId, after !== undefined) }
    },
  }
}

/** Links of these kinds say what became of a parcel that was removed. */
const BECAME = { split: 'split', merge: 'merged', renumbered: 'renumbered' } as const

/** Returns what finds the children of a parcel. A child that is hidden is none. */
async function readChildren(parcels: ParcelReader, state: string, ids: number[]) {
  const parents = new Set(ids)
  const links = (await parcels.lineageOf(state, ids)).filter(
    ({ parent, child }) => parents.has(parent) && parent !== child,
  )
  const children = [...new Set(links.map(({ child }) => child))]
  const versions = Map.groupBy(await readVersions(parcels, state, children), ({ id }) => id)
  const kindOf = ({ kind }: LineageRow) => LINK_KINDS[kind] as keyof typeof BECAME | 'adjustment'
  const byParent = Map.groupBy(links, ({ parent }) => parent)
  return (id: number, importId: number, isLeft: boolean): Pair['became'] => {
    const own = (byParent.get(id) ?? []).flatMap((link) => {
      const form = formOf(versions.get(link.child) ?? [], link, 'after')
      if (form === undefined || link.import !== importId) return []
      return [{ kind: kindOf(link), propertyId: propertyIdOf(form.fieldValues) }]
    })
    const kind = own.find((one) => one.kind !== 'adjustment')?.kind
    if (kind === undefined || kind === 'adjustment' || (isLeft && kind !== 'split'))
      return undefined
    return { what: BECAME[kind], children: own.map(({ propertyId }) => propertyId) }
  }
}
