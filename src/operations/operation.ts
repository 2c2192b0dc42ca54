/** What an operation of the API is made of; `http/answer.ts` walks it in this order. */

import type { Account, AccountFacts } from '../model/account.ts'
import type { Rendered } from '../render/output.ts'
import { type Layout, renderList, renderProperty } from '../render/render.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import type { ParcelReader, StoredParcel } from '../store/store.ts'
import { type Parameters, readParameters, type Values } from './parameters.ts'

/** What finding may use. */
export type Scene = {
  parcels: ParcelReader
  accounts: AccountReader
  account: Account
  /** Epoch milliseconds. */
  now: number
  /** When the work on the request began, by `performance.now()`: deadlines count from it. */
  startedAt: number
  /** How long a property search and an owner search may take, milliseconds. */
  searchTimeMs: number
  ownerTimeMs: number
  /** Where the page on deprecated offset paging stands. */
  docsUrl: string
}

/** JSON and the headers that go with it. */
export type Reply = { body: Rendered; headers: Record<string, string> }

/** An operation with its types folded away: what the door needs. */
export type Endpoint = {
  operationId: string
  path: string
  summary: string
  description: string
  parameters: Parameters
  tokenCost: 0 | 1
  /**
   * A probe of an index and no more: it runs as it is read; all others take turns. `remote`: where another process finds, so that nobody waits
   * here, and what many ask at once goes there together.
   */
  quick?: 'always' | 'remote'
  /** Shape of the 200 answer. */
  answers: 'property' | 'list' | 'usage'
  /** Status numbers it may answer beside 200, 401, 403, 405 and 500. */
  refusals: readonly (400 | 404 | 503)[]
  /** Reads the query; may refuse it with *bad request*. */
  read(queryString: string, facts: AccountFacts): Search
}

/** What finds the answer to one request. */
export type Search = {
  /** Of endpoints that cost nothing: what one probe of an index tells, before any turn is taken. `undefined`: `find` goes on from there. */
  probe?: (scene: Scene) => Promise<Find | undefined>
  find(scene: Scene): Promise<Find>
}

/** What was found, ready to be shown in the caller's layout. */
export type Find = (layout: Layout) => Reply

type Definition<Declared extends Parameters, Query> = Omit<Endpoint, 'read' | 'parameters'> & {
  parameters: Declared
  /** Parameters → query; may refuse. */
  check(values: Values<Declared>, facts: AccountFacts): Query
  probe?: (query: Query, scene: Scene) => Promise<Find | undefined>
  /** Query → what stands there; may refuse. */
  find(query: Query, scene: Scene): Promise<Find>
}

/** Defines an operation: keeps its parameter types together between `check` and `find`. */
export function defineEndpoint<const Declared extends Parameters, Query>(
  definition: Definition<Declared, Query>,
): Endpoint {
  const { check, probe, find, ...rest } = definition
  return {
    ...rest,
    read(queryString, facts) {
      const query = check(readParameters(definition.parameters, queryString), facts)
      const search: Search = { find: (scene) => find(query, scene) }
      if (probe !== undefined) search.probe = (scene) => probe(query, scene)
      return search
    },
  }
}

/** The single-property answer, contract part 2.2. */
export function showProperty(parcel: StoredParcel, headers: Record<string, string>): Find {
  return (layout) => ({ body: renderProperty(parcel, layout), headers })
}

/** The list answer, contract parts 2.3 and 2.4; metadata in the order given, undefined values left out. */
export function showList(
  parcels: StoredParcel[],
  metadata: Record<string, string | number | null | undefined>,
  headers: Record<string, string> = {},
): Find {
  return (layout) => ({
    body: renderList(parcels, layout, JSON.stringify(metadata)),
    headers,
  })
}
