/** Watches: what an account wants to hear of, and the events that were found. */
import { type CallOptions, type Query, send, type Transport } from './request.ts'

/** What is watched: one of the four members that are named after kinds. */
export type WatchAsked = {
  name?: string
  groups?: readonly string[]
  /** Where events are sent; null: they are only asked for. */
  url?: string | null
} & (
  | {
      kind: 'parcels'
      propertyIds: readonly (string | { state: string; county: string; parcelId: string })[]
    }
  | { kind: 'owner'; owner: string | Record<string, unknown>; state?: string; county?: string }
  | { kind: 'shape'; shape: object | readonly number[] | string }
  | { kind: 'search'; search: string }
)

export type WatchDelivery = {
  /** Its `webhook-id`. */
  id: string
  status: 'pending' | 'delivered' | 'failed'
  events: number
  attempts: number
  answer: string | null
  nextAttemptAt: string | null
  createdAt: string
  endedAt: string | null
}

export type Watch = {
  id: string
  name: string
  kind: 'parcels' | 'owner' | 'shape' | 'search'
  propertyIds?: string[]
  parcels?: number
  owner?: string | Record<string, unknown>
  state?: string
  county?: string
  shape?: object
  search?: string
  groups: string[]
  url: string | null
  status: 'active' | 'failing'
  createdAt: string
  /** Only when it was made or rotated. */
  secret?: string
  oldSecretUntil?: string
  /** Only when one watch is read. */
  deliveries?: WatchDelivery[]
}

export type WatchEvent = {
  id: string
  /** `parcel.changed`, `added`, `removed`, `split` …, or `county.loaded`. */
  type: string
  watch: string
  propertyId: string | null
  county?: string
  at: string
  groups: string[]
  /** Of a parcel that was split, merged or renumbered: the IDs of what it became. */
  children?: string[]
  changes: { field: string; from: unknown; to: unknown }[]
}

/** A page of events; `nextCursor` continues, also after the last one. */
export type WatchEvents = {
  events: WatchEvent[]
  metadata: { limit: number; count: number; nextCursor: string }
}

/** What a change of a watch may send: members that stay are left out. */
export type WatchPatch = Partial<Pick<WatchAsked, 'name' | 'groups' | 'url'>> & {
  propertyIds?: readonly (string | { state: string; county: string; parcelId: string })[]
  owner?: string | Record<string, unknown>
  state?: string
  county?: string
  shape?: object | readonly number[] | string
  search?: string
  rotateSecret?: boolean
  status?: 'active'
}

const PATH = '/public/watches/'

/** The watches of one account. Throws like the other methods, a 404 too. */
export class Watches {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Makes a watch. The answer alone has its `secret`. */
  create(asked: WatchAsked, options: CallOptions = {}): Promise<Watch & { secret: string }> {
    return this.#send('POST', PATH, options, { body: asked })
  }

  /** The account's watches, without the parcels that they list. */
  async list(options: CallOptions = {}): Promise<Watch[]> {
    return (await this.#send<{ watches: Watch[] }>('GET', PATH, options)).watches
  }

  /** One watch, with its newest deliveries. */
  get(id: string, options: CallOptions = {}): Promise<Watch> {
    return this.#send('GET', pathOf(id), options)
  }

  /** Changes the members that are sent. */
  update(id: string, change: WatchPatch, options: CallOptions = {}): Promise<Watch> {
    return this.#send('PATCH', pathOf(id), options, { body: change })
  }

  /** Deletes a watch with its events. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#send('DELETE', pathOf(id), options)
  }

  /** A page of events after a cursor; without one the oldest that are kept. */
  events(
    id: string,
    query: { cursor?: string; limit?: number } = {},
    options: CallOptions = {},
  ): Promise<WatchEvents> {
    return this.#send('GET', `${pathOf(id)}events/`, options, { query })
  }

  /** Sends a test event at once. */
  test(id: string, options: CallOptions = {}): Promise<{ delivered: boolean; answer: string }> {
    return this.#send('POST', `${pathOf(id)}test/`, options, { body: {} })
  }

  async #send<Value>(
    method: string,
    path: string,
    options: CallOptions,
    { query = {}, body }: { query?: Query; body?: object } = {},
  ): Promise<Value> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await send(this.#transport, { method, path, query, ...sent }, options)).body as Value
  }
}

function pathOf(id: string): string {
  return `${PATH}${encodeURIComponent(id)}/`
}
