/**
 * Requests of four kinds for parcels spread evenly over a data folder, in an order that caches
 * cannot predict.
 */
import { readOwners } from '../../src/owner/canonical.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { countyByFips } from '../../src/regions/counties.ts'
import type { Config } from '../../src/settings/config.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openStore } from '../../src/store/open.ts'

export type Kind = 'parcelId' | 'address' | 'page25' | 'owner'

/** Paths with their parameters, and the plain values for servers with other paths. */
export type Query = { path: string; values: Record<string, string> }

/** Concurrent requests where speed is not measured. */
const AT_ONCE = 8

export type Queries = Record<Kind, Query[]>

const PATHS: Record<Kind, string> = {
  parcelId: '/public/property/parcelId/',
  address: '/public/property/address/',
  page25: '/public/property/search/',
  owner: '/public/premium/owner/',
}

/**
 * Returns at most `count` requests of each kind, equally many in every county. Some may answer 404:
 * `keepAnswered`.
 */
export async function makeQueries(
  data: string,
  count: number,
  settings: Partial<Config> = {},
): Promise<Queries> {
  const store = openStore({ ...readConfig({}), data, ...settings })
  const lists: Queries = { parcelId: [], address: [], page25: [], owner: [] }
  const add = (kind: Kind, values: Record<string, string>) =>
    lists[kind].push({ path: `${PATHS[kind]}?${new URLSearchParams(values)}`, values })
  const counties = await store.parcels.coverage()
  for (const { state, fips, parcels } of counties) {
    const county = countyByFips(fips)?.name ?? ''
    const step = Math.max(1, Math.floor((parcels * counties.length) / count))
    const filter = { state, fips, assignedOnly: true }
    let after = 0
    for (let at = 0; at < count / counties.length; at += 1) {
      const page = await store.parcels.page(
        filter,
        { afterId: after, skip: step - 1, limit: 1 },
        Number.MAX_SAFE_INTEGER,
      )
      const [stored] = page.parcels
      if (stored === undefined) break
      const cursor = cursorAfter(after)
      after = stored.id
      const parcel = decodeParcel(stored.fieldValues)
      add('parcelId', { state, county, parcelId: parcel.parcelId })
      add('page25', { state, limit: '25', cursor })
      const unit = parcel.unitNumberStripped
      add('address', { state, county, address: parcel.address ?? '', ...(unit && { unit }) })
      const { slots } = readOwners([parcel.ownerName, parcel.ownerName2], 'mixed')
      const surname = slots[0]?.persons[0]?.surname
      if (surname !== undefined) add('owner', { state, lastName: surname })
    }
  }
  await store.close()
  return lists
}

/** The cursor of the page after a record ID; a caller gets these from the service. */
export function cursorAfter(id: number): string {
  return Buffer.from(`{"lastId":"${id.toString(16).padStart(24, '0')}"}`).toString('base64url')
}

/**
 * Removes requests that are answered 404: an ambiguous address, a name that is read differently.
 */
export async function keepAnswered(lists: Queries, address: string, key: string): Promise<Queries> {
  const kept: Queries = { parcelId: [], address: [], page25: [], owner: [] }
  for (const [kind, queries] of Object.entries(lists) as [Kind, Query[]][]) {
    const statuses: number[] = []
    for (let at = 0; at < queries.length; at += AT_ONCE) {
      const some = queries.slice(at, at + AT_ONCE)
      const answers = await Promise.all(some.map(({ path }) => ask(address, path, key)))
      statuses.push(...answers.map(({ status }) => status))
    }
    kept[kind] = queries.filter((_, at) => statuses[at] === 200)
  }
  return kept
}

export async function ask(address: string, path: string, key: string) {
  const response = await fetch(address + path, { headers: { authorization: key } })
  return { status: response.status, text: await response.text() }
}
