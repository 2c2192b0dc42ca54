/** The landing page, conformance, collections, queryables and schema. */
import { readTable } from '../../base/tables.ts'
import type { RequestContext } from '../../operations/operation.ts'
import { describeCollection, findCollection, listCollections, sourceOf } from './collections.ts'
import { GEOMETRY, isQueryable, schemaOf } from './fields.ts'
import { fill } from './frame.ts'
import type { OgcAnswer, OgcAnswers, OgcRequest } from './request.ts'

/** The conformance classes; docs/ogc.md lists their abstract tests. */
const CONFORMANCE = readTable('ogc-conformance.txt')

export const DOCUMENT_ANSWERS: OgcAnswers = {
  ogcLanding: async ({ base }) => ({
    title: 'Platbook',
    json: fill('landing', { base, conformsTo: CONFORMANCE }),
  }),
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

async function answerCollections(
  asked: OgcRequest,
  { parcels }: RequestContext,
): Promise<OgcAnswer> {
  const found = await listCollections(parcels)
  const collections = found.map((one) => describeCollection(one, asked))
  return { title: 'Collections', json: fill('collections', { base: asked.base, collections }) }
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
  return {
    title: onlyQueryables ? 'Queryables' : 'Schema',
    type: 'application/schema+json',
    json: fill('schema', {
      ...{ base, id, kind: onlyQueryables ? 'queryables' : 'schema' },
      properties: { ...(readable.hasGeometry && { [GEOMETRY]: fill('geometry') }), ...properties },
    }),
  }
}
