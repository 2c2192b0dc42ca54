/** Vector tiles by OGC API Tiles: sets in WebMercatorQuad, over the tiles that exist. */
import { refuse } from '../../base/errors.ts'
import type { RequestContext } from '../../operations/operation.ts'
import { TILE_ZOOM_MAX, tile } from '../../operations/places/tile.ts'
import { FIELD } from '../../record/stored.ts'
import { readTileText } from '../../record/tile-text.ts'
import type { ParcelReader } from '../../store/store.ts'
import { findCollection } from './collections.ts'
import { findField, type Readable } from './fields.ts'
import { fill } from './frame.ts'
import type { OgcAnswer, OgcAnswers, OgcRequest } from './request.ts'

const MATRIX = 'WebMercatorQuad'

/** Tiles of everything, and of a collection: a tile shows all states that it covers. */
export const TILE_ANSWERS: OgcAnswers = {
  ...{ ogcTileSets: answerSets, ogcTileSet: answerSet, ogcTile: answerTile },
}

async function answerSets(asked: OgcRequest, context: RequestContext): Promise<OgcAnswer> {
  await checkPlace({ ...asked, path: { tileMatrixSetId: MATRIX, ...asked.path } }, context)
  return { title: 'Tile sets', json: { tilesets: [describeSet(asked)] } }
}

async function answerSet(asked: OgcRequest, context: RequestContext): Promise<OgcAnswer> {
  await checkPlace(asked, context)
  return { title: 'Tile set', json: describeSet(asked, fill('layers')) }
}

function describeSet({ base, path: { collectionId } }: OgcRequest, layers?: object) {
  const place = collectionId === undefined ? '' : `/collections/${collectionId}`
  return fill('tileSet', { own: `${base}${place}/tiles`, layers })
}

async function checkPlace({ path }: OgcRequest, { parcels }: RequestContext): Promise<void> {
  if (path.tileMatrixSetId !== MATRIX)
    throw refuse.notFound(`The only tile matrix set is ${MATRIX}`)
  if (path.collectionId !== undefined) await findCollection(parcels, path.collectionId)
}

async function answerTile(asked: OgcRequest, context: RequestContext): Promise<OgcAnswer> {
  const { path, readable, isPublic } = asked
  await checkPlace(asked, context)
  if (!readable.hasGeometry) findField({ ...readable, fields: [] }, 'geometry')
  const { tileMatrix: z = '', tileRow: y = '', tileCol: x = '' } = path
  if ([x, y, z].some((one) => !/^\d{1,8}$/.test(one)) || Number(z) > TILE_ZOOM_MAX) {
    throw refuse.notFound(`Tiles have whole numbers, and a zoom of 0 to ${TILE_ZOOM_MAX}`)
  }
  const find = tile.read('', context.account.facts, { z, x, y })
  return find(isPublic ? { ...context, parcels: hideTexts(context.parcels, readable) } : context)
}

/** Fields that the texts of a tile show. */
const SHOWN = {
  address: ['address'],
  useCode: ['useCode'],
  value: ['totalMarketValue', 'totalAssessedValue'],
} as const

/** Returns a reader whose tiles show only what anybody may read. */
function hideTexts(parcels: ParcelReader, { fields }: Readable): ParcelReader {
  const may = (names: readonly string[]) =>
    names.every((name) => fields.some((field) => field.name === name))
  const names = ['address', 'useCode', 'value'] as const
  const shown = names.filter((name) => may(SHOWN[name]))
  const only: Pick<ParcelReader, 'tileRows' | 'version'> = {
    async tileRows(state, ids) {
      const rows = await parcels.tileRows(state, ids)
      return rows.map((row) => {
        const texts = readTileText(row.text)
        const kept = names.map((name) => (shown.includes(name) ? texts[name] : ''))
        return { ...row, text: [texts.propertyId, ...kept].join(FIELD) }
      })
    },
    version: async () => `${await parcels.version()}-public-${shown.join('-')}`,
  }
  return Object.assign(Object.create(parcels), only) as ParcelReader
}
