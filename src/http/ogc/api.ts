/** The OpenAPI 3.0 document of `/ogc/`, with a path for the items of each collection. */
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import type { RequestContext } from '../../operations/operation.ts'
import { listCollections } from './collections.ts'
import { isQueryable, schemaOf } from './fields.ts'
import { FILTER_LANGUAGES, LIMIT_DEFAULT, LIMIT_MAX } from './item-query.ts'
import { SORTABLE } from './narrow.ts'
import type { OgcAnswer, OgcPage, OgcRequest } from './request.ts'

/** Path parameters that are numbers; a tile matrix is a name, though here of digits. */
const WHOLE = new Set(['tileRow', 'tileCol'])

const TEXTS: Record<string, string> = {
  bbox: 'Four numbers, or six with heights: only parcels that meet the box.',
  'bbox-crs': 'Coordinate system of bbox.',
  crs: 'Coordinate system of the answer.',
  datetime: 'A time, or two with / between them: only parcels whose roll year meets it.',
  properties: 'Names of the properties to show, with commas between them.',
  cursor: 'From the link to the next page.',
  filter: 'A filter in CQL2.',
  'filter-lang': 'cql2-text or cql2-json.',
  'filter-crs': 'Coordinate system of shapes in filter.',
}

/** `pages`: all paths, this one too. */
export async function describeApi(
  pages: readonly OgcPage[],
  asked: OgcRequest,
  { parcels }: RequestContext,
): Promise<OgcAnswer> {
  const paths: Record<string, object> = {}
  for (const page of pages) paths[page.path.replaceAll(/:(\w+)/g, '{$1}')] = describe(page, asked)
  const items = pages.find(({ operationId }) => operationId === 'ogcItems')
  for (const { id } of items === undefined ? [] : await listCollections(parcels)) {
    const own = { ...(items as OgcPage), operationId: `ogcItems-${id}` }
    paths[`/collections/${id}/items`] = describe({ ...own, path: '/' }, asked)
  }
  return {
    title: 'OpenAPI document',
    type: 'application/vnd.oai.openapi+json;version=3.0',
    json: {
      openapi: '3.0.3',
      info: {
        title: 'Platbook: OGC API',
        version: PROGRAM_VERSION,
        license: { name: 'See the licences of the collections' },
      },
      servers: [{ url: asked.base }],
      security: [{ apiKey: [] }, { basic: [] }, ...(asked.isPublic ? [{}] : [])],
      paths,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
          basic: { type: 'http', scheme: 'basic' },
        },
        schemas: {
          Problem: {
            type: 'object',
            properties: {
              title: { type: 'string' },
              status: { type: 'integer' },
              detail: { type: 'string' },
            },
            required: ['title', 'status'],
          },
        },
      },
    },
  }
}

function describe(page: OgcPage, { readable }: OgcRequest): object {
  const ofPath = [...page.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{
      name,
      in: 'path',
      required: true,
      schema: { type: WHOLE.has(name ?? '') ? 'integer' : 'string' },
    },
    description: 'Part of the path.',
  }))
  const sortable = SORTABLE.filter((name) => readable.fields.some((one) => one.name === name))
  const orders = ['_id (default)', ...sortable].join(', ')
  const sortby = `One of ${orders}; - before it for descending.`
  const own = page.parameters
    .filter((name) => name !== '*')
    .map((name) => describeParameter(name, { ...TEXTS, sortby }))
  const fields = page.parameters.includes('*') ? readable.fields.filter(isQueryable) : []
  const queryables = fields.map((field) => {
    const { title: _, description, ...schema } = schemaOf(field) as Record<string, unknown>
    return { ...inQuery(field.name, `Only this value. ${description}`), schema }
  })
  const format = {
    ...inQuery('f', 'Format of the answer.'),
    schema: { type: 'string', enum: ['json', 'html'] },
  }
  const problem = {
    description: 'The request is refused.',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
  return {
    get: {
      operationId: page.operationId,
      summary: page.about,
      ...(page.isOpen && { security: [] }),
      parameters: [...ofPath, ...own, ...queryables, format],
      responses: {
        200: { description: page.about, content: contentOf(page) },
        default: problem,
      },
    },
  }
}

function contentOf({ operationId }: OgcPage): object {
  if (operationId === 'ogcTile') return { 'application/vnd.mapbox-vector-tile': {} }
  const isGeo = operationId.startsWith('ogcItem')
  return { [isGeo ? 'application/geo+json' : 'application/json']: {}, 'text/html': {} }
}

function describeParameter(name: string, texts: Record<string, string>): object {
  if (name === 'limit') {
    const schema = { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }
    return { ...inQuery(name, 'Most parcels of a page.'), schema }
  }
  const text = inQuery(name, texts[name] ?? name)
  // By this list GDAL 3.6 knows that filters may be sent; `cql-text` is its draft's name.
  if (name === 'filter-lang') {
    const schema = { type: 'string', enum: FILTER_LANGUAGES, default: FILTER_LANGUAGES[0] }
    return { ...text, schema }
  }
  if (name !== 'bbox') return { ...text, schema: { type: 'string' } }
  const schema = { type: 'array', minItems: 4, maxItems: 6, items: { type: 'number' } }
  return { ...text, explode: false, schema }
}

function inQuery(name: string, description: string) {
  return { name, in: 'query', required: false, style: 'form', description }
}
