/** The landing page, conformance, collections, queryables and schema. */
import { readTable } from '../../base/tables.ts'
import type { RequestContext } from '../../operations/operation.ts'
import { describeCollection, findCollection, listCollections, sourceOf } from './collections.ts'
import { GEOMETRY, isQueryable, schemaOf } from './fields.ts'
import type { OgcAnswer, OgcAnswers, OgcRequest } from './request.ts'

/** The conformance classes; docs/ogc.md lists their abstract tests. */
const CONFORMANCE = readTable('ogc-conformance.txt')

export const DOCUMENT_ANSWERS: OgcAnswers = {
  ogcLanding: async (asked) => describeLanding(asked),
  ogcConformance: async () => ({ title: 'Conformance', json: { conformsTo: CONFORMANCE } }),
  ogcCollections: answerCollections,
  async ogcCollection(asked, { parcels }) {
    const collection = await findCollection(parcels, asked.path.collectionId ?? '')
    const own = await sourceOf(collection, parcels)
    const json = { ...describeCollection(collection, asked), ...own }
    return { title: json.title, json }
  },
  ogcQueryables: (asked, context) => answerSchema(asked, context, true),
  ogcSchema: (asked, context) => answerSchema(asked, context, false),
}

function describeLanding({ base }: OgcRequest): OgcAnswer {
  const json = 'application/json'
  const links = [
    ['self', '/', json, 'This page'],
    ['alternate', '/?f=html', 'text/html', 'This page as HTML'],
    ['conformance', '/conformance', json, 'Conformance classes'],
    ['service-desc', '/api', 'application/vnd.oai.openapi+json;version=3.0', 'OpenAPI document'],
    ['service-doc', '/api?f=html', 'text/html', 'OpenAPI document as HTML'],
    ['data', '/collections', json, 'Collections'],
    ['http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector', '/tiles', json, 'Vector tiles'],
  ].map(([rel, path, type, title]) => ({ href: `${base}${path}`, rel, type, title }))
  return {
    title: 'Platbook',
    json: {
      title: 'Platbook',
      description: "Parcels of assessors' rolls, a collection per state.",
      conformsTo: CONFORMANCE,
      links,
    },
  }
}

async function answerCollections(
  asked: OgcRequest,
  { parcels }: RequestContext,
): Promise<OgcAnswer> {
  const collections = await listCollections(parcels)
  const href = `${asked.base}/collections`
  const links = [
    { href, rel: 'self', type: 'application/json', title: 'This list' },
    { href: `${href}?f=html`, rel: 'alternate', type: 'text/html', title: 'This list as HTML' },
  ]
  const json = { links, collections: collections.map((one) => describeCollection(one, asked)) }
  return { title: 'Collections', json }
}

async function answerSchema(
  { base, path, readable }: OgcRequest,
  { parcels }: RequestContext,
  onlyQueryables: boolean,
): Promise<OgcAnswer> {
  const { id } = await findCollection(parcels, path.collectionId ?? '')
  const fields = onlyQueryables ? readable.fields.filter(isQueryable) : readable.fields
  const properties = Object.fromEntries(
    fields.map((field) => {
      const role = !onlyQueryables && field.name === 'propertyId' && { 'x-ogc-role': 'id' }
      return [field.name, { ...schemaOf(field), ...role }]
    }),
  )
  const geometry = {
    title: GEOMETRY,
    description: 'The polygon where one is loaded, else the point.',
    format: 'geometry-any',
    'x-ogc-role': 'primary-geometry',
  }
  return {
    title: onlyQueryables ? 'Queryables' : 'Schema',
    type: 'application/schema+json',
    json: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${base}/collections/${id}/${onlyQueryables ? 'queryables' : 'schema'}`,
      title: `Parcels of ${id}`,
      type: 'object',
      properties: { ...(readable.hasGeometry && { [GEOMETRY]: geometry }), ...properties },
      additionalProperties: false,
    },
  }
}
