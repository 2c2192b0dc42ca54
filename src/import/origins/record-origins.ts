/** After a load, stores where its parcels come from. */
import { countyByFips } from '../../regions/counties.ts'
import type { SaleTestWriter } from '../../store/changes.ts'
import { openExportAt } from '../../store/open-rolls.ts'
import { type OriginDocument, writeOrigins } from '../../store/origins/origins.ts'
import { type KeptRows, LineSet } from './kept-rows.ts'
import type { Origins } from './origins.ts'

type Recorded = {
  origins: Origins
  kept: KeptRows | undefined
  scopes: readonly { fips: number; municipality: string }[]
  isWhole: boolean
  document: Omit<OriginDocument, 'parts' | 'joined'>
  /** A data folder, or the address of a database. */
  place: string
}

/** Throws what the store throws. */
export async function recordOrigins(
  { origins, kept, scopes, isWhole, document, place }: Recorded,
  writer: SaleTestWriter,
): Promise<void> {
  const own = { ...document, ...origins.describe() }
  const states = Map.groupBy(scopes, ({ fips }) => countyByFips(fips)?.state ?? '')
  for (const [state, list] of states) {
    const counties = new Set(list.map(({ fips }) => fips))
    const isOwn = states.size === 1 ? undefined : await testIds(place, state, counties)
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

/** Returns the test which ids are of some counties, for a roll of several states. */
async function testIds(place: string, state: string, counties: ReadonlySet<number>) {
  const found = new Set<number>()
  const reader = await openExportAt(place)
  try {
    for (const fips of counties) {
      for await (const slice of reader.places({ state, fips, changedSince: undefined })) {
        for (const { id } of slice) found.add(id)
      }
    }
  } finally {
    await reader.close()
  }
  return (id: number) => found.has(id)
}
