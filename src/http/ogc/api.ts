/** The OpenAPI 3.0 document of `/ogc/`, with a path for the items of each collection. */
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import type { RequestContext } from '../../operations/operation.ts'
import { listCollections } from './collections.ts'
import { isQueryable, schemaOf } from './fields.ts'
import { fill } from './frame.ts'
import { FILTER_LANGUAGES, LIMIT_DEFAULT, LIMIT_MAX } from './item-query.ts'
import { SORTABLE } from './narrow.ts'
import type { OgcAnswer, OgcPage, OgcRequest } from './request.ts'

/** Path parameters that are numbers; a tile matrix is a name, though here of digits. */
const WHOLE = new Set(['tileRow', 'tileCol'])

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
    json: fill('api', {
      ...{ version: PROGRAM_VERSION, base: asked.base, paths },
      security: [{ apiKey: [] }, { basic: [] }, ...(asked.isPublic ? [{}] : [])],
    }),
  }
}

function describe({ path, parameters, ...page }: OgcPage, { readable }: OgcRequest): object {
  const ofPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: WHOLE.has(name) ? 'integer' : 'string' },
    description: 'Part of the path.',
  }))
  const sortable = SORTABLE.filter((name) => readable.fields.some((one) => one.name === name))
  const known = fill('parameters', {
    ...{ limitMax: LIMIT_MAX, limitDefault: LIMIT_DEFAULT },
    orders: ['_id (default)', ...sortable].join(', '),
    // By this list GDAL 3.6 knows that filters may be sent; `cql-text` is its draft's name.
    ...{ filterLanguages: FILTER_LANGUAGES, filterLanguage: FILTER_LANGUAGES[0] },
  })
  const inQuery = (name: string, { description, ...more } = known[name]) => ({
    ...{ name, in: 'query', required: false, style: 'form', description, ...more },
  })
  const own = parameters.filter((name) => name !== '*').map((name) => inQuery(name))
  const fields = parameters.includes('*') ? readable.fields.filter(isQueryable) : []
  const queryables = fields.map((field) => {
    const { title: _, description, ...schema } = schemaOf(field)
    return inQuery(field.name, { description: `Only this value. ${description}`, schema })
  })
  return fill('operation', {
    ...{ operationId: page.operationId, about: page.about, content: contentOf(page) },
    security: page.isOpen ? [] : undefined,
    parameters: [...ofPath, ...own, ...queryables, inQuery('f')],
  })
}

function contentOf({ operationId }: Pick<OgcPage, 'operationId'>): object {
  if (operationId === 'ogcTile') return { 'application/vnd.mapbox-vector-tile': {} }
  const isGeo = operationId.startsWith('ogcItem')
  return { [isGeo ? 'application/geo+json' : 'application/json']: {}, 'text/html': {} }
}
