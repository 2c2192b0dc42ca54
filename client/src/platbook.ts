/** The client: a method per operation of the API. */
import { NotFoundError } from './errors.ts'
import { OPERATIONS, type Operations } from './generated.ts'
import { type Paging, PropertyList } from './list.ts'
import {
  type Answer,
  type CallOptions,
  type Meta,
  type Query,
  send,
  type Transport,
} from './request.ts'

export type PlatbookOptions = {
  /** Address of the service, such as `https://plat.example.org`; a path in front of `/public` is kept. */
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

/** An answer with what its headers say. `meta` is no part of the JSON: it is not enumerable. */
export type WithMeta<Value> = Value & { readonly meta: Meta }

type Name = keyof Operations
type Parameters<N extends Name> = Operations[N]['parameters']
type Metadata<N extends Name> = Operations[N] extends { metadata: infer Told } ? Told : never

/**
 * A client of one service with one key. Safe to share: it holds no state between calls.
 *
 * `Property` is the layout of the account's records: `FlatProperty` unless the account is set to nested ones.
 *
 * @example
 * const platbook = new Platbook({ baseUrl: 'http://127.0.0.1:8080', key: 'pbk_…' })
 * const property = await platbook.addressLookup({ state: 'FL', address: '2200 NW 15th Rd' })
 */
export class Platbook<Property = Operations['addressLookup']['property']> {
  readonly #transport: Transport
  readonly #throwOnMissing: boolean

  constructor(options: PlatbookOptions) {
    if (!URL.canParse(options.baseUrl))
      throw new TypeError(`baseUrl is no address: ${options.baseUrl}`)
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
  }

  /** The property at a street address; `null` when there is none. */
  addressLookup(parameters: Parameters<'addressLookup'>, options: CallOptions = {}) {
    return this.#one<Property>('addressLookup', parameters, options)
  }

  /** The property with a parcel ID; `null` when there is none. */
  parcelIdLookup(parameters: Parameters<'parcelIdLookup'>, options: CallOptions = {}) {
    return this.#one<Property>('parcelIdLookup', parameters, options)
  }

  /** The properties of a state that meet all filters, by ascending record id. */
  propertySearch(parameters: Parameters<'propertySearch'>, options: CallOptions = {}) {
    return this.#list<Property, Metadata<'propertySearch'>>('propertySearch', parameters, options)
  }

  /** The properties of a recorded owner, in pages of up to 100. */
  ownerSearch(parameters: Parameters<'ownerSearch'>, options: CallOptions = {}) {
    return this.#list<Property, Metadata<'ownerSearch'>>('ownerSearch', parameters, options)
  }

  /** The properties of a recorded owner, by county too, in pages of up to 25. */
  premiumOwnerSearch(parameters: Parameters<'premiumOwnerSearch'>, options: CallOptions = {}) {
    return this.#list<Property, Metadata<'premiumOwnerSearch'>>(
      'premiumOwnerSearch',
      parameters,
      options,
    )
  }

  /** What the account has used in the current period. */
  async usage(options: CallOptions = {}) {
    return this.#one<Operations['usage']['answer']>('usage', {}, options)
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

  async #one<Value>(
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

  #list<Item, Metadata>(
    name: Name,
    query: Query,
    options: CallOptions,
  ): PropertyList<Item, Metadata> {
    const { path, paging } = OPERATIONS[name] as { path: string; paging: Paging }
    const ask = (page: Query) => send(this.#transport, { path, query: page }, options)
    return new PropertyList<Item, Metadata>(ask, query, paging)
  }
}
