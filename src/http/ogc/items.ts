/** `items` and one item: GeoJSON features as they are read, or rows of a page. */
import { refuse } from '../../base/errors.ts'
import { shapeOf } from '../../export/shape.ts'
import type { Point } from '../../geo/sphere.ts'
import { countParcels } from '../../operations/coverage.ts'
import { encodeRank } from '../../operations/cursor.ts'
import { findByPropertyId, readPropertyId } from '../../operations/find/find-parcel.ts'
import type { RequestContext } from '../../operations/operation.ts'
import type { Ranked } from '../../operations/questions/pick.ts'
import { findCollection } from './collections.ts'
import { type Crs, readCrs } from './crs.ts'
import { EVERYTHING, findField, type OgcField, readValues } from './fields.ts'
import { fill } from './frame.ts'
import { beginHtml, escapeHtml, HTML_END, HTML_HEADERS, showHtml } from './html.ts'
import { type ItemQuery, readItemQuery } from './item-query.ts'
import {
  addressOf,
  type OgcAnswer,
  type OgcAnswers,
  type OgcRequest,
  type Part,
} from './request.ts'
import { type Item, type ItemChunk, readItems } from './walk.ts'

export const ITEM_ANSWERS: OgcAnswers = { ogcItems: answerItems, ogcItem: answerItem }

const GEOJSON = 'application/geo+json'

async function answerItems(asked: OgcRequest, context: RequestContext): Promise<OgcAnswer> {
  const query = readItemQuery(asked)
  const collection = await findCollection(context.parcels, asked.path.collectionId ?? '')
  const { test } = query
  const total = test === undefined ? countParcels(collection.counties) : undefined
  const writer = asked.format === 'html' ? openRows(asked, query) : openFeatures(asked, query)
  const chunks = readItems({ ...query, state: collection.state }, context)
  const parts = writeParts(chunks, writer, total)
  // What is refused is refused before the answer begins.
  const { value: first } = await parts.next()
  const { text = '', seen = [] } = first ?? {}
  const headers = { 'content-crs': `<${query.crs.uri}>`, ...writer.headers }
  return { body: text, seen, headers, rest: parts }
}

type Writer = {
  headers: Record<string, string>
  begin: string
  item(item: Item, isFirst: boolean): string
  end(count: number, next: Ranked | undefined, total: number | undefined): string
}

async function* writeParts(
  chunks: AsyncGenerator<ItemChunk, void>,
  writer: Writer,
  total: number | undefined,
): AsyncGenerator<Part, undefined> {
  let [count, text] = [0, writer.begin]
  let next: Ranked | undefined
  for await (const chunk of chunks) {
    for (const item of chunk.items) {
      text += writer.item(item, count === 0)
      count += 1
    }
    next = chunk.next
    yield { text, seen: chunk.items.map(({ parcel }) => parcel) }
    text = ''
  }
  yield { text: writer.end(count, next, total), seen: [] }
  return undefined
}

function openFeatures(asked: OgcRequest, query: ItemQuery): Writer {
  return {
    headers: { 'content-type': GEOJSON },
    begin: '{"type":"FeatureCollection","features":[',
    item: (item, isFirst) => `${isFirst ? '' : ','}\n${writeFeature(item, asked, query)}`,
    end(numberReturned, next, numberMatched) {
      const rest = JSON.stringify({
        links: linksOf(asked, query, next),
        numberMatched,
        numberReturned,
      })
      return `],${rest.slice(1)}`
    },
  }
}

function openRows(asked: OgcRequest, query: ItemQuery): Writer {
  const { shown } = query
  const heads = shown.map(({ name }) => `<th>${escapeHtml(name)}</th>`).join('')
  const { base, path } = asked
  return {
    headers: HTML_HEADERS,
    begin: `${beginHtml('Parcels')}<table><tr>${heads}</tr>\n`,
    item({ values }) {
      const cells = shown.map(({ name, at }) => {
        const text = showHtml(values[at])
        if (name !== 'propertyId') return `<td>${text}</td>`
        const own = encodeURIComponent(String(values[at]))
        const href = `${base}/collections/${path.collectionId}/items/${own}?f=html`
        return `<td><a href="${escapeHtml(href)}">${text}</a></td>`
      })
      return `<tr>${cells.join('')}</tr>\n`
    },
    end: (count, next, total) =>
      `</table><p>${count}${total === undefined ? '' : ` of ${total}`} parcels</p>` +
      `${showHtml(linksOf(asked, query, next))}${HTML_END}`,
  }
}

function linksOf(
  { base, path, params, format }: OgcRequest,
  query: ItemQuery,
  next: Ranked | undefined,
) {
  const own = `${base}/collections/${path.collectionId}`
  const at = (f: string, more: readonly (readonly [string, string])[] = []) => {
    const kept = [...params].filter(([name]) => more.every(([other]) => other !== name))
    return addressOf(`${own}/items`, [...kept, ...more, ['f', f]])
  }
  const types = { json: GEOJSON, html: 'text/html' }
  const other = format === 'json' ? 'html' : 'json'
  return [
    { href: at(format), rel: 'self', type: types[format], title: 'This page' },
    { href: at(other), rel: 'alternate', type: types[other], title: `This page as ${other}` },
    { href: own, rel: 'collection', type: 'application/json', title: 'The collection' },
    ...(next === undefined
      ? []
      : [
          {
            href: at(format, [['cursor', encodeRank(next, query.name)]]),
            ...{ rel: 'next', type: types[format], title: 'The next page' },
          },
        ]),
  ]
}

async function answerItem(asked: OgcRequest, context: RequestContext): Promise<OgcAnswer> {
  const { params, path, readable, base } = asked
  const crs = readCrs('crs', params.get('crs'))
  const names = params.get('properties')?.split(',')
  const shown =
    names === undefined
      ? readable.fields
      : names.map((name) => findField(readable, name.trim(), 'properties'))
  const { state, id } = await findCollection(context.parcels, path.collectionId ?? '')
  const propertyId = readPropertyId(path.propertyId ?? '')
  const found =
    propertyId?.state === state ? await findByPropertyId(context.parcels, propertyId) : undefined
  if (found === undefined || found.match !== 'exact') {
    throw refuse.notFound('There is no such parcel in the collection')
  }
  const { parcel } = found
  const values = readValues(parcel)
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) => valueAt(values, name))
  const shape = shapeOf(parcel, latitude ?? null, longitude ?? null)
  const root = `${base}/collections/${id}`
  const own = `${root}/items/${encodeURIComponent(path.propertyId ?? '')}`
  const text = writeFeature({ parcel, values, shape }, asked, { shown, crs })
  const headers = { 'content-crs': `<${crs.uri}>` }
  const json = { ...JSON.parse(text), links: fill('itemLinks', { own, collection: root }) }
  if (asked.format === 'html') return { title: 'Parcel', json }
  return {
    body: JSON.stringify(json),
    seen: [parcel],
    headers: { ...headers, 'content-type': GEOJSON },
  }
}

function valueAt(values: readonly unknown[], name: string): number | null {
  const { at } = findField(EVERYTHING, name)
  return (values[at] ?? null) as number | null
}

/** Writes a feature. Values that are unknown are null. */
function writeFeature(
  { values, shape }: Item,
  { readable }: Pick<OgcRequest, 'readable'>,
  { shown, crs }: { shown: readonly OgcField[]; crs: Crs },
): string {
  const properties = Object.fromEntries(shown.map(({ name, at }) => [name, values[at] ?? null]))
  const geometry = shape === undefined || !readable.hasGeometry ? 'null' : project(shape.text, crs)
  const id = JSON.stringify(valueAt(values, 'propertyId'))
  return (
    `{"type":"Feature","id":${id},"geometry":${geometry},` +
    `"properties":${JSON.stringify(properties)}}`
  )
}

function project(text: string, { uri, write }: Crs): string {
  if (uri.endsWith('CRS84')) return text
  const geometry = JSON.parse(text) as { coordinates: unknown }
  const convert = (one: unknown): unknown => {
    if (!Array.isArray(one)) return one
    return typeof one[0] === 'number' ? write(one as unknown as Point) : one.map(convert)
  }
  return JSON.stringify({ ...geometry, coordinates: convert(geometry.coordinates) })
}
