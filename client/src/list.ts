/** Lists that come in pages: properties one by one, page by page, or all at once. */
import { BadRequestError, NotFoundError } from './errors.ts'
import type { Answer, Meta, Query } from './request.ts'

/** One page of a list. */
export type Page<Item, Metadata = Record<string, unknown>> = {
  items: Item[]
  metadata: Metadata
  meta: Meta
}

/** How an operation's pages follow each other. */
export type Paging = {
  /** Name of the list in the body. */
  list: string
  by: 'cursor' | 'offset' | 'none'
}

/** Owner searches on v3 reads end here: offset and limit together may not be more. */
const WINDOW = 200

/**
 * The answer of a list operation. Nothing is asked before it is read.
 *
 * `for await (const property of list)` reads page after page; `list.pages()` gives whole pages;
 * `list.all({ max })` gives an array. Each of them begins anew, and a list read twice asks, and
 * pays, twice.
 */
export class PropertyList<Item, Metadata = Record<string, unknown>> implements AsyncIterable<Item> {
  readonly #ask: (query: Query) => Promise<Answer>
  readonly #query: Query
  readonly #paging: Paging

  constructor(ask: (query: Query) => Promise<Answer>, query: Query, paging: Paging) {
    this.#ask = ask
    this.#query = query
    this.#paging = paging
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }

  /**
   * Page after page. A list without matches is one empty page, or none where the service answers
   * 404.
   */
  async *pages(): AsyncGenerator<Page<Item, Metadata>, void, undefined> {
    let query: Query | undefined = this.#first()
    while (query !== undefined) {
      const page: Page<Item, Metadata> | undefined = await this.#read(query)
      if (page === undefined) return
      yield page
      query = this.#next(query, page)
    }
  }

  /** Everything as an array; at most `max` items, and no page beyond them is asked. */
  async all({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}): Promise<Item[]> {
    const items: Item[] = []
    if (max <= 0) return items
    for await (const page of this.pages()) {
      items.push(...page.items)
      if (items.length >= max) return items.slice(0, max)
    }
    return items
  }

  #first(): Query {
    const { by } = this.#paging
    if (by !== 'cursor' || this.#query.cursor != null || this.#query.offset != null)
      return this.#query
    return { ...this.#query, cursor: '' }
  }

  /** `undefined` where there is nothing, or nothing more. */
  async #read(query: Query): Promise<Page<Item, Metadata> | undefined> {
    try {
      const { body, meta } = await this.#ask(query)
      const whole = body as Record<string, unknown> & { metadata?: Metadata }
      const items = (whole[this.#paging.list] ?? []) as Item[]
      return { items, metadata: whole.metadata ?? ({} as Metadata), meta }
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      // The window's end is a 400; what stood before it was given already.
      const isLater = Number(query.offset ?? 0) > Number(this.#query.offset ?? 0)
      if (error instanceof BadRequestError && isLater && this.#paging.by === 'offset')
        return undefined
      throw error
    }
  }

  #next(query: Query, page: Page<Item, Metadata>): Query | undefined {
    const listMetadata = page.metadata as { nextCursor?: unknown; limit?: unknown }
    if (this.#paging.by === 'cursor' && query.cursor != null) {
      // The cursor of the changes never ends: where nothing is left it stays as it is.
      if (typeof listMetadata.nextCursor !== 'string' || listMetadata.nextCursor === query.cursor)
        return undefined
      // A day to begin with has no place beside the cursor of a later page.
      const { since: _begin, ...rest } = query
      return { ...rest, cursor: listMetadata.nextCursor }
    }
    if (this.#paging.by === 'none') return undefined
    const limit = Number(listMetadata.limit)
    // A page without a limit of its own is the whole list.
    if (!(page.items.length >= limit)) return undefined
    const offset = Number(query.offset ?? 0) + page.items.length
    const next = { ...query, offset }
    // The last page of the window may be shorter than the others.
    return offset < WINDOW && offset + limit > WINDOW ? { ...next, limit: WINDOW - offset } : next
  }
}
