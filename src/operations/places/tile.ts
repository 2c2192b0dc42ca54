/** `GET /public/tiles/{z}/{x}/{y}`: vector tiles of parcels. */
import { refuse } from '../../base/errors.ts'
import { isTile } from '../../geo/tile.ts'
import { defineOperation, type Reply, replyWithEtag } from '../operation.ts'
import { AS_OF_YEAR } from '../time/as-of.ts'
import { readTileParts } from './tile-parts.ts'

const TILE_TYPE = 'application/vnd.mapbox-vector-tile'

/** Raised with each change of the tiles' content. */
const FORM = 4

/** Maps make deeper tiles from those of this zoom. */
export const TILE_ZOOM_MAX = 18

const IN_PATH = { in: 'path', type: 'integer', minimum: 0, required: true } as const

export const tile = defineOperation({
  operationId: 'tile',
  path: '/public/tiles/:z/:x/:y/',
  parameters: {
    z: { ...IN_PATH, maximum: 22 },
    x: IN_PATH,
    y: IN_PATH,
    asOf: AS_OF_YEAR,
  },
  answers: undefined,
  contentType: TILE_TYPE,
  refusals: [204, 304, 400, 503],
  check(asked) {
    if (!isTile(asked)) throw refuse.badRequest('x and y must be less than 2 to the power of z')
    return asked
  },
  async find(asked, context) {
    const { parcels, tiles, queueSearch } = context
    const stored = await parcels.version()
    const version = asked.asOf === undefined ? stored : `${stored}-of-${asked.asOf}`
    const etag = `"tile-${FORM}-${version}"`
    return replyWithEtag(etag, context, async (): Promise<Reply> => {
      const bytes =
        asked.z > TILE_ZOOM_MAX
          ? undefined
          : await queueSearch(async (pause) =>
              tiles.build(asked, version, () => readTileParts(parcels, asked, pause)),
            )
      if (bytes === undefined) return { status: 204, body: '', headers: {} }
      return { body: bytes, headers: { 'content-type': TILE_TYPE, 'content-encoding': 'gzip' } }
    })
  },
})
