/**
 * The parcels of a data folder as plain rows, each with its record as the service answers it: what
 * other servers are loaded with.
 */
import { newFacts } from '../../src/accounts/account-facts.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { countyByFips } from '../../src/regions/counties.ts'
import { renderParcel, shownTo } from '../../src/render/render.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openStore } from '../../src/store/open.ts'

export type RollRow = {
  id: number
  state: string
  county: string
  parcel_id: string
  address: string | null
  owner1: string | null
  owner2: string | null
  /** JSON text. */
  record: string
}

const BATCH = 1000

/** Batches of rows, county by county. */
export async function* readRoll(data: string): AsyncGenerator<RollRow[]> {
  const store = openStore({ ...readConfig({}), data })
  const layout = shownTo(newFacts([], Date.now()))
  try {
    for (const { state, fips } of await store.parcels.coverage()) {
      const county = countyByFips(fips)?.name ?? ''
      for (let after = 0; ; ) {
        const filter = { state, fips, assignedOnly: false }
        const page = await store.parcels.page(
          filter,
          { afterId: after, skip: 0, limit: BATCH },
          Number.MAX_SAFE_INTEGER,
        )
        yield page.parcels.map((stored) => {
          const { parcelId, address, ownerName, ownerName2 } = decodeParcel(stored.fieldValues)
          const record = renderParcel(stored, layout)
          const owners = { owner1: ownerName ?? null, owner2: ownerName2 ?? null }
          const place = { state, county, parcel_id: parcelId, address: address ?? null }
          return { id: stored.id, ...place, ...owners, record }
        })
        if (page.done) break
        after = page.lastId
      }
    }
  } finally {
    await store.close()
  }
}
