/** `GET /public/tiles.json`: what a map needs to request tiles. */
import { readTable } from '../../base/tables.ts'
import { unite } from '../../geo/sphere.ts'
import { answerOf, fillIn } from '../../record/json-schema.ts'
import type { CountyCoverage } from '../../store/store.ts'
import { defineOperation, replyWithEtag } from '../operation.ts'
import { roundTo } from './place-parameters.ts'
import { TILE_ZOOM_MAX } from './tile.ts'
import { LABELS_FROM, PARCELS_FROM } from './tile-parts.ts'

/** While nothing is loaded, tiles cover the whole world. */
const WORLD = [-180, -85.0511, 180, 85.0511]

const DOCUMENT = readTable('tilejson.json').join('\n')

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
      const body = fillIn(DOCUMENT, {
        ...{ publicUrl: publicUrl ?? '', zoomMax: TILE_ZOOM_MAX },
        ...{ parcelsFrom: PARCELS_FROM, labelsFrom: LABELS_FROM, densityTo: PARCELS_FROM - 1 },
        ...{ bounds: unite(counties) ?? WORLD, center: centerOf(counties) },
      })
      return { body: JSON.stringify(body), headers: {} }
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
