/** `GET /public/tiles.json`: what a map needs to request tiles. */
import { unite } from '../../geo/sphere.ts'
import { answerOf } from '../../record/json-schema.ts'
import type { CountyCoverage } from '../../store/store.ts'
import { defineOperation, replyWithEtag } from '../operation.ts'
import { roundTo } from './place-parameters.ts'
import { TILE_ZOOM_MAX } from './tile.ts'
import { LABELS_FROM, PARCELS_FROM } from './tile-parts.ts'

/** While nothing is loaded, tiles cover the whole world. */
const WORLD = [-180, -85.0511, 180, 85.0511]

const PARCEL_FIELDS = {
  propertyId: 'String',
  address: 'String',
  useCode: 'String',
  value: 'Number',
}

const LAYERS = [
  {
    id: 'parcels',
    description: 'Polygons of parcels.',
    minzoom: PARCELS_FROM,
    maxzoom: TILE_ZOOM_MAX,
    fields: PARCEL_FIELDS,
  },
  {
    id: 'labels',
    description: 'A point per parcel.',
    minzoom: LABELS_FROM,
    maxzoom: TILE_ZOOM_MAX,
    fields: PARCEL_FIELDS,
  },
  {
    id: 'density',
    description: 'Points with the number of parcels around them.',
    minzoom: 0,
    maxzoom: PARCELS_FROM - 1,
    fields: { parcels: 'Number' },
  },
]

export const tileJson = defineOperation({
  operationId: 'tileJson',
  path: '/public/tiles.json/',
  parameters: {},
  answers: { schema: answerOf('tileJson') },
  refusals: [304, 503],
  check: () => undefined,
  async find(_query, context) {
    const { parcels, publicUrl } = context
    return replyWithEtag(`"tiles-${await parcels.version()}"`, context, async () => {
      const counties = await parcels.coverage({ partial: true })
      const body = JSON.stringify({
        tilejson: '3.0.0',
        name: 'Platbook',
        scheme: 'xyz',
        tiles: [`${publicUrl ?? ''}/public/tiles/{z}/{x}/{y}`],
        minzoom: 0,
        maxzoom: TILE_ZOOM_MAX,
        bounds: unite(counties) ?? WORLD,
        center: centerOf(counties),
        vector_layers: LAYERS,
      })
      return { body, headers: {} }
    })
  },
})

/** The middle of the county with the most parcels: between counties there may be nothing. */
function centerOf(counties: CountyCoverage[]): [longitude: number, latitude: number, zoom: number] {
  const placed = counties.filter(({ bounds }) => bounds !== null)
  const [largest] = placed.sort((a, b) => b.parcels - a.parcels || a.fips - b.fips)
  if (!largest?.bounds) return [0, 0, 3]
  const [west, south, east, north] = largest.bounds
  return [roundTo((west + east) / 2, 6), roundTo((south + north) / 2, 6), 11]
}
