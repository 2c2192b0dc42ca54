/** Reads the description of an ArcGIS layer. */
import { createHash } from 'node:crypto'
import { CommandError } from '../../../base/errors.ts'
import { type EsriField, readEsriFields } from '../../readers/coded.ts'
import { showAddress, type Web } from '../web.ts'
import { type Json, query } from './query.ts'

type Field = EsriField & { type: string }

export type Layer = {
  /** Address of the layer with the person's parameters, such as a token. */
  url: string
  title: string
  fields: Field[]
  /** Name of the object-id field; `undefined` when the layer has none. */
  idField: string | undefined
  /** Most rows in one answer. */
  pageSize: number
  pagination: boolean
  statistics: boolean
  centroids: boolean
  geometry: 'point' | 'polygon' | 'other' | 'none'
  /** EPSG or ESRI code of the layer's own projection. */
  wkid: number | undefined
  /** Epoch milliseconds. */
  lastEdited: number | null
  terms: string | null
}

/** Reports whether an address is that of a layer: it ends with the layer's number. */
export function isLayerAddress(address: string): boolean {
  return /\/(?:Feature|Map)Server\/\d+\/?$/i.test(pathOf(address))
}

/** Reports whether an address is that of a service, without a layer's number. */
export function isServiceAddress(address: string): boolean {
  return /\/(?:Feature|Map)Server\/?$/i.test(pathOf(address))
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : ''
}

/** Larger answers take longer in total, and 2,000 rows keep memory small. */
const PAGE_MAX = 2000
const PAGE_UNTOLD = 1000

/** Requests a layer's description. Throws `CommandError` without queryable rows. */
export async function describeLayer(web: Web, address: string): Promise<Layer> {
  const shown = showAddress(address)
  const metadata = await query(web, address, {})
  if (isServiceAddress(address)) throw nameLayers(metadata, shown)
  const fields = readFields(metadata.fields)
  if (fields.length === 0) {
    const below = listOf(metadata.subLayers).map(({ id, name }) => `${id} (${name})`)
    throw new CommandError(
      `${shown} is ${metadata.type ?? 'a layer'} without fields: its rows are in other ` +
        `layers of the service${below.length === 0 ? '' : `: ${below.join(', ')}`}`,
    )
  }
  const abilities = String(metadata.capabilities ?? 'Query')
  if (!/query|data/i.test(abilities)) {
    throw new CommandError(`${shown} allows drawing but no queries (capabilities: ${abilities})`)
  }
  const advanced = objectOf(metadata.advancedQueryCapabilities)
  const flag = (name: string) => (advanced[name] ?? metadata[name]) === true
  const largest = Number(metadata.maxRecordCount)
  const reference = objectOf(
    objectOf(metadata.extent).spatialReference ?? metadata.spatialReference,
  )
  return {
    url: address,
    title: String(metadata.name ?? ''),
    fields,
    idField: findIdField(metadata, fields),
    pageSize: largest >= 1 ? Math.min(Math.floor(largest), PAGE_MAX) : PAGE_UNTOLD,
    pagination: flag('supportsPagination'),
    statistics: advanced.supportsStatistics !== false && metadata.supportsStatistics !== false,
    centroids: flag('supportsReturningGeometryCentroid'),
    geometry: geometryOf(metadata.geometryType),
    wkid: Number(reference.latestWkid ?? reference.wkid) || undefined,
    lastEdited: Number(objectOf(metadata.editingInfo).lastEditDate) || null,
    terms: String(metadata.copyrightText ?? '').trim() || null,
  }
}

/** Lists address and name of a service's layers and tables. Throws as `describeLayer` does. */
export async function listLayers(
  web: Web,
  address: string,
): Promise<{ url: string; name: string }[]> {
  const metadata = await query(web, address, {})
  const found = [...listOf(metadata.layers), ...listOf(metadata.tables)]
  const layers = found.filter(
    ({ type, subLayerIds }) =>
      type !== 'Group Layer' && !(Array.isArray(subLayerIds) && subLayerIds.length > 0),
  )
  if (layers.length === 0) throw new CommandError(`${showAddress(address)} lists no layers`)
  return layers.map(({ id, name }) => {
    const url = new URL(address)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${id}`
    return { url: url.href, name: String(name ?? id) }
  })
}

export function digestFields(fields: Field[]): string {
  const text = fields.map(({ name, type }) => `${name} ${type}`).join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function readFields(metadata: unknown): Field[] {
  const types = new Map(listOf(metadata).map(({ name, type }) => [name, String(type ?? '')]))
  return readEsriFields(metadata).map((field) => ({ ...field, type: types.get(field.name) ?? '' }))
}

function findIdField(metadata: Json, fields: Field[]): string | undefined {
  const byType = fields.find(({ type }) => type === 'esriFieldTypeOID')?.name
  const named = typeof metadata.objectIdField === 'string' ? metadata.objectIdField : undefined
  const byName = fields.find(({ name }) => /(?:^|\.)(?:OBJECTID|FID|OID|OBJECTID_1)$/i.test(name))
  return byType ?? (named === '' ? undefined : named) ?? byName?.name
}

function geometryOf(type: unknown): Layer['geometry'] {
  if (type === 'esriGeometryPoint') return 'point'
  if (type === 'esriGeometryPolygon') return 'polygon'
  return typeof type === 'string' && type !== '' ? 'other' : 'none'
}

function nameLayers(metadata: Json, shown: string): CommandError {
  const layers = [...listOf(metadata.layers), ...listOf(metadata.tables)]
  const names = layers.map(({ id, name }) => `${id} (${name})`).join(', ')
  return new CommandError(
    `${shown} is a service of several layers; add the number of one, or use a mapping ` +
      `that reads the name of the layer: ${names}`,
  )
}

/** Returns a JSON value that is a list of objects; an empty list for anything else. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

/** Returns a JSON value that is an object; an empty one for anything else. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
