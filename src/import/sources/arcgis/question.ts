/** Builds the query for a layer's rows: the parameters that are the same for every page. */
import type { Web } from '../web.ts'
import { type Layer, listOf } from './layer.ts'
import { type Json, query, RefusedQuery } from './query.ts'
import { makeRowReader, type Row } from './rows.ts'

export type Question = {
  web: Web
  layer: Layer
  /** Returns the rows that a query selects. `tries`: attempts; fewer for parts of a failed page. */
  rows(parameters: Record<string, string>, tries?: number): Promise<Answer>
  /** Returns an answer without rows: counts, lists of ids, statistics. */
  facts(parameters: Record<string, string>): Promise<Json>
  /** Whether rows have come. */
  isSettled(): boolean
}

type Answer = {
  rows: Row[]
  /** The server says that there are more rows. */
  more: boolean
}

/** The server does not support this way of paging; another may work. */
export class BrokenPaging extends Error {}

/**
 * Builds the query functions. Points, and centres that the server computes, are always requested,
 * polygons with `geometry` until no way gives them. Without `outSR` the layer's projection comes.
 */
export function makeQuestion(web: Web, layer: Layer, geometry: boolean): Question {
  const url = new URL(layer.url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/query`
  const address = url.href
  const forms = shapeForms(layer, geometry).map((form) => ({
    form,
    read: makeRowReader(layer, form.outSR === undefined),
  }))
  let at = 0
  let isSettled = false
  return {
    web,
    layer,
    isSettled: () => isSettled,
    facts: (parameters) => query(web, address, { where: '1=1', ...parameters }),
    async rows(parameters, tries) {
      for (;;) {
        const { form, read } = forms[at] as (typeof forms)[number]
        try {
          const all = { where: '1=1', outFields: '*', ...form, ...parameters }
          const answer = await query(web, address, all, tries)
          if (!Array.isArray(answer.features)) throw new RefusedQuery('the server answers no rows')
          isSettled = true
          return { rows: read(answer), more: answer.exceededTransferLimit === true }
        } catch (error) {
          // A rejection before the first good answer is due to the parameters, later to the rows.
          if (!(error instanceof RefusedQuery) || isSettled || at + 1 >= forms.length) throw error
          at += 1
        }
      }
    },
  }
}

/** Counts all rows, by their ids when the server does not count; `null` when it does neither. */
export async function countAll(question: Question): Promise<number | null> {
  const count = await countRows(question)
  if (count !== null) return count
  const { objectIds } = await askUnlessRefused(question, { returnIdsOnly: 'true' })
  return Array.isArray(objectIds) ? objectIds.length : null
}

/** Counts the rows that a condition selects; `null` when the server does not count. */
export async function countRows(question: Question, where?: string): Promise<number | null> {
  const { count, features } = await askUnlessRefused(question, {
    ...(where !== undefined && { where }),
    returnCountOnly: 'true',
  })
  const [first] = listOf(features)
  const reported = count ?? (first?.attributes as Json | undefined)?.count
  return typeof reported === 'number' && reported >= 0 ? reported : null
}

/** Asks for facts; none where the server refuses the question. */
async function askUnlessRefused({ facts }: Question, parameters: Record<string, string>) {
  try {
    return await facts(parameters)
  } catch (error) {
    if (error instanceof RefusedQuery) return {}
    throw error
  }
}

function shapeForms(layer: Layer, geometry: boolean): Record<string, string>[] {
  const wanted = layer.geometry === 'point' || (geometry && layer.geometry === 'polygon')
  const centre = !wanted && layer.geometry === 'polygon' && layer.centroids
  if (!wanted && !centre)
    return [{ returnGeometry: 'false', outSR: '4326' }, { returnGeometry: 'false' }]
  const shape: Record<string, string> = wanted
    ? { returnGeometry: 'true' }
    : { returnGeometry: 'false', returnCentroid: 'true' }
  const exact = { geometryPrecision: '7', returnZ: 'false', returnM: 'false' }
  const forms = [{ ...shape, outSR: '4326', ...exact }, { ...shape, outSR: '4326' }, shape]
  return wanted && layer.geometry === 'polygon' ? forms : [...forms, { returnGeometry: 'false' }]
}
