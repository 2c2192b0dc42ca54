/** The client: a method per operation of the API. */
import { NotFoundError, PlatbookError } from './errors.ts'
import { type FlatProperty, Methods, OPERATIONS, type Operations } from './generated.ts'
import { type Paging, PropertyList } from './list.ts'
import {
  type Answer,
  type CallOptions,
  type Query,
  send,
  type Transport,
  type WithMeta,
} from './request.ts'
import { Watches } from './watches.ts'

export type PlatbookOptions = {
  /**
   * Address of the service, such as `https://plat.example.org`; a path in front of `/public` is
   * kept.
   */
  baseUrl: string
  /** API key, sent as it is. */
  key: string
  /** Milliseconds for each try; 30,000 by default. */
  timeoutMs?: number
  /** Further tries after the first one; 2 by default. */
  retries?: number
  /** In place of the platform's `fetch`: for proxies and tests. */
  fetch?: typeof fetch
  /** Lookups that find nothing throw `NotFoundError` in place of giving `null`. */
  throwOnMissing?: boolean
}

type Name = keyof Operations

/** One lookup of a batch. */
export type BatchRow = Query & { id?: string | number }

/**
 * What a row of a batch came to: the answer of its lookup, with the status it would have had alone.
 */
export type BatchResult<Property> = {
  id?: string | number
  status: 200 | 300 | 400 | 404
  match?: string
  property?: Property
  properties?: Property[]
  error?: string
}

/** Rows of one request. */
const BATCH_MAX = 1000

/**
 * A client of one service with one key. Safe to share: it holds no state between calls.
 *
 * `Property` is the layout of the account's records: `FlatProperty` unless the account is set to
 * nested ones.
 *
 * @example const platbook = new Platbook({ baseUrl: 'http://127.0.0.1:8080', key: 'pbk_…' }) const
 * property = await platbook.addressLookup({ state: 'FL', address: '2200 NW 15th Rd' })
 */
export class Platbook<Property = FlatProperty> extends Methods<Property> {
  readonly #transport: Transport
  /** What the account wants to hear of. */
  readonly watches: Watches
  readonly #throwOnMissing: boolean

  constructor(options: PlatbookOptions) {
    super()
    if (!URL.canParse(options.baseUrl))
      throw new TypeError(`baseUrl is not an address: ${options.baseUrl}`)
    if (typeof options.key !== 'string' || options.key === '') throw new TypeError('key is missing')
    this.#transport = {
      baseUrl: options.baseUrl,
      key: options.key,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 2,
      // Called as a method of another object, a browser's `fetch` throws.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    }
    this.#throwOnMissing = options.throwOnMissing ?? false
    this.watches = new Watches(this.#transport)
  }

  /**
   * Many lookups at once, each with its own status; a thousand a request.
   *
   * A row has the parameters of an address lookup, a parcel ID lookup or a point lookup, and an
   * `id` of your own. Results are in the order of the rows. When a later request fails, for example
   * at the cap, the error has the results so far in `results`.
   */
  async batch(
    rows: readonly BatchRow[],
    options: CallOptions = {},
  ): Promise<BatchResult<Property>[]> {
    const results: BatchResult<Property>[] = []
    for (let from = 0; from < rows.length; from += BATCH_MAX) {
      const body = JSON.stringify(rows.slice(from, from + BATCH_MAX))
      const request = { path: '/public/batch/', query: {}, body }
      const answer = await send(this.#transport, request, options).catch((error: unknown) => {
        if (error instanceof PlatbookError) error.results = results
        throw error
      })
      results.push(...(answer.body as { results: BatchResult<Property>[] }).results)
    }
    return results
  }

  /**
   * Any path of the service, with any parameters: for what has no method yet.
   *
   * Gives the body as it is, with `meta`. Throws like the other methods, a 404 too.
   */
  async raw(path: string, query: Query = {}, options: CallOptions = {}): Promise<Answer> {
    const rooted = path.startsWith('/') ? path : `/${path}`
    return send(this.#transport, { path: rooted, query }, options)
  }

  /** Counts, sums and medians of parcels by group. */
  summary(
    parameters: Operations['propertySummary']['parameters'],
    options: CallOptions = {},
  ): Promise<Operations['propertySummary']['answer']> {
    return this.#whole('propertySummary', parameters, options)
  }

  /** The owners that share addresses with the owner of a property: nodes and edges. */
  network(
    parameters: Operations['ownerNetwork']['parameters'],
    options: CallOptions = {},
  ): Promise<Operations['ownerNetwork']['answer']> {
    return this.#whole('ownerNetwork', parameters, options)
  }

  /** What a property was in each roll, and what changed between them; null for an unknown one. */
  history(
    parameters: Operations['propertyHistory']['parameters'],
    options: CallOptions = {},
  ): Promise<WithMeta<Operations['propertyHistory']['answer']> | null> {
    return this.one('propertyHistory', parameters, options)
  }

  /** What a property was made of and what it became; null for an unknown one. */
  lineage(
    parameters: Operations['propertyLineage']['parameters'],
    options: CallOptions = {},
  ): Promise<WithMeta<Operations['propertyLineage']['answer']> | null> {
    return this.one('propertyLineage', parameters, options)
  }

  async #whole<Value>(name: Name, query: Query, options: CallOptions): Promise<Value> {
    const { path } = OPERATIONS[name]
    return (await send(this.#transport, { path, query }, options)).body as Value
  }

  protected async one<Value>(
    name: Name,
    query: Query,
    options: CallOptions,
  ): Promise<WithMeta<Value> | null> {
    const { path, field } = OPERATIONS[name] as { path: string; field?: string }
    try {
      const { body, meta } = await send(this.#transport, { path, query }, options)
      const value = field === undefined ? body : (body as Record<string, unknown>)[field]
      return Object.defineProperty(value as object, 'meta', { value: meta }) as WithMeta<Value>
    } catch (error) {
      if (error instanceof NotFoundError && !this.#throwOnMissing) return null
      throw error
    }
  }

  protected list<Item, Metadata>(
    name: Name,
    query: Query,
    options: CallOptions,
  ): PropertyList<Item, Metadata> {
    const { path, paging } = OPERATIONS[name] as { path: string; paging: Paging }
    const ask = (page: Query) => send(this.#transport, { path, query: page }, options)
    return new PropertyList<Item, Metadata>(ask, query, paging)
  }
}
