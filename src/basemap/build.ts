/** Builds the tiles of a basemap, zoom 0 to 14, as one PMTiles archive. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import { closing } from '../base/at-end.ts'
import { beginFile, type NewFile } from '../export/new-file.ts'
import { boxOfTile, type Tile } from '../geo/tile.ts'
import { LayerWriter, TILE_BUFFER, TILE_EXTENT } from '../geo/vector-tile.ts'
import { makeTemporary } from '../import/temporary.ts'
import { beginArchive } from '../release/pmtiles.ts'
import { childrenOf, sortTiles } from '../release/tiles.ts'
import { archivePath } from './archives.ts'
import { type FeatureStore, type KeptFeature, openFeatureStore } from './feature-store.ts'
import { LAYERS, type LayerName } from './kinds.ts'

/** Maps draw the tiles of this zoom at those above it too. */
const ZOOM_MAX = 14
const KEYS = ['kind', 'name']
const MARGIN = TILE_BUFFER / TILE_EXTENT

type BasemapJob = {
  name: string
  attribution: string
  features: FeatureStore
  counts: Record<string, number>
  /** A file for the tiles until their directory is known. */
  draft: string
  /** Called with each zoom before it is written; may throw. */
  onZoom(zoom: number): void
}

type Making = {
  /** Who made the features. */
  attribution: string
  fill(features: FeatureStore): Promise<void>
  onZoom?(zoom: number): void
}
type Made = { counts: Record<string, number>; tiles: number; bytes: number }

/** Makes an archive of what `fill` adds. `undefined`: it has no tiles, and an old archive stays. */
export async function makeArchive(
  name: string,
  data: string,
  { attribution, fill, onZoom = () => undefined }: Making,
): Promise<Made | undefined> {
  const folder = makeTemporary()
  const features = openFeatureStore(join(folder.path, 'features.db'))
  const file = await beginFile(archivePath(data, name), true)
  try {
    await fill(features)
    const counts = features.counts()
    const draft = join(folder.path, 'tiles')
    const job = { name, attribution, features, counts, draft, onZoom }
    const tiles = await writeBasemap(file, job)
    if (tiles === 0) return undefined
    const bytes = await file.finish()
    chmodSync(archivePath(data, name), 0o600)
    return { counts, tiles, bytes }
  } finally {
    await file.discard()
    features.close()
    folder.remove()
  }
}

/** Writes the archive. Returns its number of tiles; 0: nothing was written. */
async function writeBasemap(file: NewFile, job: BasemapJob): Promise<number> {
  const { name, attribution, features, counts, draft, onZoom } = job
  const bounds = features.bounds()
  if (bounds === undefined) return 0
  await using archive = closing(await beginArchive(draft))
  let count = 0
  let wanted: Tile[] = [{ z: 0, x: 0, y: 0 }]
  for (let z = 0; z <= ZOOM_MAX; z += 1) {
    onZoom(z)
    const next: Tile[] = []
    for (const tile of sortTiles(wanted)) {
      const box = boxOfTile(tile, MARGIN)
      if (!features.hasAny(box)) continue
      next.push(...childrenOf(tile))
      const bytes = drawTile(tile, features.find(box, z))
      if (bytes === undefined) continue
      await archive.add(tile, gzipSync(bytes))
      count += 1
    }
    wanted = next
  }
  const layers = LAYERS.filter((id) => id in counts).map((id) => ({
    id,
    fields: { kind: 'String', name: 'String' },
  }))
  const metadata = {
    ...{ name: `Basemap of ${name}`, format: 'pbf', attribution },
    vector_layers: layers,
  }
  await archive.finish(file, { bounds, minZoom: 0, maxZoom: ZOOM_MAX, metadata })
  return count
}

/** Returns an uncompressed tile; `undefined` when it is empty. */
function drawTile(tile: Tile, features: KeptFeature[]): Uint8Array | undefined {
  const layers = new Map<LayerName, LayerWriter>()
  for (const { layer, kind, name, corners } of features) {
    const writer = layers.getOrInsertComputed(
      layer,
      () => new LayerWriter(layer, KEYS, tile, false),
    )
    const values = [kind, name]
    const { values: degrees } = corners
    if (layer === 'places') writer.addPoint(degrees[0] as number, degrees[1] as number, values)
    else if (layer === 'land' || layer === 'water') writer.addRings(corners, values)
    else writer.addLine(degrees, values)
  }
  const bytes = new PbfWriter(new Uint8Array(65_536))
  for (const name of LAYERS) layers.get(name)?.writeInto(bytes)
  return bytes.pos === 0 ? undefined : bytes.finish()
}
