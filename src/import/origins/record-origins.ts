/** After a load, stores where its parcels come from. */
import { countyByFips } from '../../regions/counties.ts'
import type { SaleTestWriter } from '../../store/changes.ts'
import { openParcelsAt } from '../../store/open.ts'
import { type OriginDocument, writeOrigins } from '../../store/origins/origins.ts'
import { type KeptRows, LineSet } from './kept-rows.ts'
import type { Origins } from './origins.ts'

type Recorded = {
  origins: Origins
  kept: KeptRows | undefined
  /** The scopes of the roll. */
  scopes: readonly { fips: number; municipality: string }[]
  isWhole: boolean
  document: Omit<OriginDocument, 'parts' | 'joined'>
  /** A data folder, or the address of a database. */
  place: string
}

const AT_ONCE = 1000

/** Throws what the store throws. */
export async function recordOrigins(
  { origins, kept, scopes, isWhole, document, place }: Recorded,
  writer: SaleTestWriter,
): Promise<void> {
  const own = { ...document, ...origins.describe() }
  const states = Map.groupBy(scopes, ({ fips }) => countyByFips(fips)?.state ?? '')
  for (const [state, list] of states) {
    const isOwn = states.size === 1 ? undefined : await testIds(place, state, origins.ids())
    const used = new LineSet()
    if (kept !== undefined) origins.addLines(used, isOwn)
    await writer.withOrigins(state, (rows) =>
      writeOrigins(rows, {
        document: own,
        scopes: JSON.stringify(list.map(({ fips, municipality }) => [fips, municipality])),
        isWhole,
        blocks: origins.blocks(isOwn),
        kept: kept?.chunks(used) ?? [],
      }),
    )
  }
}

/** Returns the test which ids are of a state, for a roll of several. */
async function testIds(place: string, state: string, ids: readonly number[]) {
  const found = new Set<number>()
  const { parcels, close } = openParcelsAt(place)
  try {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = await parcels.byIds(state, ids.slice(at, at + AT_ONCE))
      for (const { id } of some) found.add(id)
    }
  } finally {
    await close()
  }
  return (id: number) => found.has(id)
}
