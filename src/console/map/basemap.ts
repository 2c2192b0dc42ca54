/** What is drawn under parcels: `platbook basemap`, the operator's own map, or street names. */
import { SAMPLE_ARCHIVE } from '../../basemap/archives.ts'
import { isTile, type Tile } from '../../geo/tile.ts'
import { decodeParcel } from '../../record/stored.ts'
import { findState } from '../../regions/states.ts'
import { SAMPLE_SOURCE } from '../../sample/columns.ts'
import type { Config } from '../../settings/config.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import type { PageReply } from '../show/html.ts'
import { STREETS_ZOOM, streetTiles } from './street-names.ts'

const TILE_TYPE = 'application/vnd.mapbox-vector-tile'
/** Headers of a tile that is packed. */
export const GZIP = { 'content-encoding': 'gzip' }
/** Longest search for a county's first parcel, in milliseconds. */
const READ_MS = 1000
/** Paths of tiles contain a mark of their version. */
const FOR_EVER = 'private, max-age=31536000, immutable'

/** Returns the operator's own map; `undefined` for none. `origins`: which it is read from. */
export function ownMapOf({ basemapUrl }: Config) {
  if (basemapUrl === null) return undefined
  const [address = '', ...others] = basemapUrl.split(' ')
  return { address, origins: [new URL(address.replace(/[{}]/g, '')).origin, ...others] }
}

export function addBasemapRoutes(routes: Routes, context: ConsoleContext): void {
  const { basemaps, config } = context
  const own = ownMapOf(config)?.address ?? null

  routes.get('/basemap.json', async () => {
    const hasSample = await isSampleLoaded(context)
    const archives = (await basemaps.list())
      .filter(({ state }) => state !== SAMPLE_ARCHIVE || hasSample)
      .map((one) => ({ ...one, fips: fipsOf(one.state) }))
    return { json: { own, archives } }
  })

  routes.get('/basemap/:state/:mark/:z/:x/:y', async ({ params }) => {
    const tile = readTile(params)
    const bytes = tile && (await basemaps.tile(params.state ?? '', tile))
    return sendTile(bytes, { ...GZIP, 'cache-control': FOR_EVER })
  })

  const streets = streetTiles(context)
  routes.get('/streets/:z/:x/:y', async ({ params }) => {
    const tile = readTile(params)
    return sendTile(tile?.z === STREETS_ZOOM ? await streets(tile) : undefined)
  })
}

/** The sample's streets must not be under other parcels. */
async function isSampleLoaded(context: ConsoleContext): Promise<boolean> {
  const parcels = await context.parcels()
  for (const { state, fips } of await parcels.coverage({ partial: true })) {
    const filter = { state, fips, assignedOnly: false }
    const page = await parcels.page(
      filter,
      { afterId: 0, skip: 0, limit: 1 },
      performance.now() + READ_MS,
    )
    const [first] = page.parcels
    const name = first && decodeParcel(first.fieldValues).sourceName
    if (name?.startsWith(SAMPLE_SOURCE)) return true
  }
  return false
}

/** With which the codes of the state's counties begin. */
const fipsOf = (state: string) => String(findState(state)?.fips ?? '').padStart(2, '0')

/** Reads a tile's numbers; `undefined` when there is no such tile. */
export function readTile({ z, x, y }: Record<string, string>): Tile | undefined {
  const tile = { z: Number(z), x: Number(x), y: Number(y) }
  return isTile(tile) ? tile : undefined
}

/** Answers a tile, or that there is none. */
export function sendTile(
  bytes: Buffer | undefined,
  headers: Record<string, string> = {},
): PageReply {
  if (bytes === undefined) return { bytes: '', type: TILE_TYPE, status: 204 }
  return { bytes, type: TILE_TYPE, headers }
}
