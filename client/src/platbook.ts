/** The client: a method per operation of the API. */
import { NotFoundError } from './errors.ts'
import { OPERATIONS, type Operations } from './generated.ts'
import { PropertyList } from './list.ts'
import { type Answer, type CallOptions, type Meta, type Query, send, type Transport } from './request.ts'

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
    if (!URL.canParse(options.baseUrl)) throw new TypeError(`baseUrl is no address: ${options.baseUrl}`)
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

METHODS
  /**
   * Any path of the service, with any parameters: for what has no method yet.
   *
   * Gives the body as it is, with `meta`. Throws like the other methods, a 404 too.
   */
  async raw(path: string, query: Query = {}, options: CallOptions = {}): Promise<Answer> {
    const operation = Object.values(OPERATIONS).find((one) => samePath(one.path, path))
    const costs = operation?.costs ?? false
    return send(this.#transport, { path: path.startsWith('/') ? path : `/${path}`, query, costs }, options)
  }

  async #one<N extends Name, Value>(
    name: N,
    query: Query,
    options: CallOptions,
  ): Promise<WithMeta<Value> | null> {
    const { path, costs, field } = OPERATIONS[name] as { path: string; costs: boolean; field?: string }
    try {
      const { body, meta } = await send(this.#transport, { path, query, costs }, options)
      const value = field === undefined ? body : (body as Record<string, unknown>)[field]
      return Object.defineProperty(value as object, 'meta', { value: meta }) as WithMeta<Value>
    } catch (error) {
      if (error instanceof NotFoundError && !this.#throwOnMissing) return null
      throw error
    }
  }

  #list<N extends Name, Item, Metadata>(
    name: N,
    query: Query,
    options: CallOptions,
  ): PropertyList<Item, Metadata> {
    const { path, costs, paging } = OPERATIONS[name] as { path: string; costs: boolean; paging?: never }
    const ask = (page: Query) => send(this.#transport, { path, query: page, costs }, options)
    return new PropertyList<Item, Metadata>(ask, query, paging ?? { list: 'properties', by: 'none', limitMax: 100 })
  }
}

function samePath(one: string, other: string): boolean {
  const bare = (path: string) => path.replace(/^\/|\/$/g, '')
  return bare(one) === bare(other)
}
