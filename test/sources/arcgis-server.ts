/** A small ArcGIS server with the faults of real ones, each a switch. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Feature = { id: number; attributes: Record<string, unknown>; geometry?: unknown }

export type Faults = {
  idField: string
  /** Rows carry the id under the field's name without the table's. */
  shortIdName: boolean
  maxRecordCount: number
  /** Maximum rows of an answer, if lower than `maxRecordCount`. */
  reallyAtMost: number
  supportsPagination: boolean
  ignoresOffset: boolean
  ignoresOrder: boolean
  ignoresWhere: boolean
  refusesOffset: boolean
  refusesIds: boolean
  refusesStatistics: boolean
  refusesCount: boolean
  refusesOutSr: boolean
  refusesOrder: boolean
  /** More rows than this with shapes are refused. */
  mostShapes: number
  /** Whether exceededTransferLimit is omitted. */
  hidesLimit: boolean
  /** One answer with rows in this many is short and has the flag. */
  shortEvery: number
  emptyEvery: number
  /** One answer in this many is one of these instead; 0: never. */
  errorEvery: number
  htmlEvery: number
  cutEvery: number
  busyEvery: number
  dropEvery: number
  /** Ids of rows that turn every answer with them into an error. */
  poison: number[]
  poisonCode: number
  /** Ids that are counted but never returned. */
  withheld: number[]
  token: string | null
  /** The layer gains a row after this many answers; 0: never. */
  growsAfter: number
  geometryType: string
  group: boolean
  /** Time of the last edit, epoch milliseconds; `null`: not stated. */
  lastEdited: number | null
  /** Fields besides the id. */
  fields: unknown[]
}

export const NO_FAULTS: Faults = {
  idField: 'OBJECTID',
  shortIdName: false,
  maxRecordCount: 50,
  reallyAtMost: 1_000_000,
  supportsPagination: true,
  ignoresOffset: false,
  ignoresOrder: false,
  ignoresWhere: false,
  refusesOffset: false,
  refusesIds: false,
  refusesStatistics: false,
  refusesCount: false,
  refusesOutSr: false,
  refusesOrder: false,
  mostShapes: 1_000_000,
  hidesLimit: false,
  shortEvery: 0,
  emptyEvery: 0,
  errorEvery: 0,
  htmlEvery: 0,
  cutEvery: 0,
  busyEvery: 0,
  dropEvery: 0,
  poison: [],
  poisonCode: 500,
  withheld: [],
  token: null,
  growsAfter: 0,
  geometryType: 'esriGeometryPolygon',
  group: false,
  lastEdited: null,
  fields: [
    { name: 'PIN', type: 'esriFieldTypeString', alias: 'Parcel number' },
    {
      name: 'CLASS',
      type: 'esriFieldTypeString',
      alias: 'Class',
      domain: { type: 'codedValue', codedValues: [{ code: 'R', name: 'Residential' }] },
    },
  ],
}

export type ArcgisServer = {
  /** Address of layer 0. */
  address: string
  /** Parameters of every request, in order. */
  requests: Record<string, string>[]
  headers: IncomingMessage['headers'][]
  features: Feature[]
  faults: Faults
  close(): Promise<void>
}

/** Starts a server with one layer of these features. */
export async function startArcgis(
  features: Feature[],
  faults: Partial<Faults> = {},
): Promise<ArcgisServer> {
  const state: ArcgisServer = {
    address: '',
    requests: [],
    headers: [],
    features: [...features],
    faults: { ...NO_FAULTS, ...faults },
    close: () => stop(server),
  }
  let answers = 0
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const parameters = Object.fromEntries(url.searchParams)
    if (request.method === 'POST') {
      let body = ''
      for await (const chunk of request) body += chunk
      Object.assign(parameters, Object.fromEntries(new URLSearchParams(body)))
    }
    state.requests.push(parameters)
    state.headers.push(request.headers)
    answers += 1
    if (answers === state.faults.growsAfter) {
      const id = Math.max(0, ...state.features.map((feature) => feature.id)) + 1
      state.features.push({ id, attributes: { PIN: `N${id}` } })
    }
    respond(state, url.pathname, parameters, answers, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  state.address = `http://127.0.0.1:${port}/arcgis/rest/services/Parcels/FeatureServer/0`
  return state
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function respond(
  state: ArcgisServer,
  path: string,
  parameters: Record<string, string>,
  number: number,
  response: ServerResponse,
): void {
  const { faults } = state
  const due = (every: number) => every > 0 && number % every === 0
  if (due(faults.dropEvery)) return void response.destroy()
  if (due(faults.busyEvery)) {
    response.writeHead(503, { 'retry-after': '1' })
    return void response.end('busy')
  }
  if (due(faults.htmlEvery)) {
    response.setHeader('content-type', 'text/html')
    return void response.end('<html><title>Request Rejected</title></html>')
  }
  const made = due(faults.errorEvery)
    ? { error: { code: 500, message: 'Error performing query operation', details: [] } }
    : answer(state, path, parameters, number)
  const text = JSON.stringify(made)
  response.setHeader('content-type', 'application/json;charset=UTF-8')
  response.end(due(faults.cutEvery) ? text.slice(0, text.length >> 1) : text)
}

const refused = (message: string, code = 400) => ({ error: { code, message, details: [] } })

function answer(state: ArcgisServer, path: string, asked: Record<string, string>, number: number) {
  const { faults } = state
  if (faults.token !== null && asked.token !== faults.token) return refused('Token Required', 499)
  if (!path.endsWith('/query')) return describe(faults)
  const rows = faults.ignoresWhere ? state.features : select(state.features, asked.where ?? '')
  if (asked.returnCountOnly === 'true') {
    return faults.refusesCount ? refused('Unable to complete operation.') : { count: rows.length }
  }
  if (asked.returnIdsOnly === 'true') {
    if (faults.refusesIds) return refused('Unable to complete operation.')
    return { objectIdFieldName: faults.idField, objectIds: rows.map(({ id }) => id) }
  }
  if (asked.outStatistics !== undefined) {
    if (faults.refusesStatistics) return refused('Statistics are not supported')
    const ids = rows.map(({ id }) => id)
    const attributes = { MIN_1: Math.min(...ids), MAX_1: Math.max(...ids) }
    return { features: [{ attributes }] }
  }
  return answerRows(rows, faults, asked, number)
}

function answerRows(
  rows: Feature[],
  faults: Faults,
  asked: Record<string, string>,
  number: number,
) {
  if (faults.refusesOutSr && asked.outSR !== undefined) return refused('Invalid outSR')
  const paged = asked.resultOffset !== undefined || asked.resultRecordCount !== undefined
  if (paged && faults.refusesOffset) return refused('Pagination is not supported.')
  const offset = faults.ignoresOffset ? 0 : Number(asked.resultOffset ?? 0)
  const isOrdered = asked.orderByFields !== undefined && !faults.ignoresOrder
  const ordered = isOrdered ? rows.toSorted((a, b) => a.id - b.id) : rows
  const most = Math.min(
    faults.maxRecordCount,
    faults.reallyAtMost,
    Number(asked.resultRecordCount ?? 1e9),
  )
  const due = (every: number) => every > 0 && number % every === 0
  const size = due(faults.emptyEvery) ? 0 : due(faults.shortEvery) ? most >> 1 : most
  const given = ordered.slice(offset, offset + size)
  if (faults.refusesOrder && asked.orderByFields !== undefined) return refused('Invalid order')
  if (asked.returnGeometry === 'true' && given.length > faults.mostShapes)
    return refused('Too large')
  if (given.some(({ id }) => faults.poison.includes(id)))
    return refused('Bad geometry', faults.poisonCode)
  const more = offset + given.length < ordered.length
  const short = faults.idField.slice(faults.idField.lastIndexOf('.') + 1)
  return {
    objectIdFieldName: faults.idField,
    features: given
      .filter(({ id }) => !faults.withheld.includes(id))
      .map(({ id, attributes, geometry }) => ({
        attributes: { [faults.shortIdName ? short : faults.idField]: id, ...attributes },
        ...(asked.returnGeometry !== 'false' && geometry !== undefined && { geometry }),
      })),
    ...(more && !faults.hidesLimit && { exceededTransferLimit: true }),
  }
}

function describe(faults: Faults) {
  if (faults.group) return { type: 'Group Layer', subLayers: [{ id: 3, name: 'Parcels' }] }
  return {
    type: 'Feature Layer',
    name: 'Parcels',
    capabilities: 'Map,Query,Data',
    geometryType: faults.geometryType,
    maxRecordCount: faults.maxRecordCount,
    ...(faults.lastEdited !== null && { editingInfo: { lastEditDate: faults.lastEdited } }),
    advancedQueryCapabilities: { supportsPagination: faults.supportsPagination },
    extent: { spatialReference: { wkid: 102100, latestWkid: 3857 } },
    fields: [
      { name: faults.idField, type: 'esriFieldTypeOID', alias: 'Object ID' },
      ...faults.fields,
    ],
  }
}

/** Understands `1=1` and bounds of the id. */
function select(features: Feature[], where: string): Feature[] {
  const bounds = [...where.matchAll(/(>=|<=|<|>) (-?\d+)/g)]
  return features.filter(({ id }) =>
    bounds.every(([, sign, text]) => {
      const bound = Number(text)
      if (sign === '>=') return id >= bound
      if (sign === '<=') return id <= bound
      return sign === '<' ? id < bound : id > bound
    }),
  )
}
