/** A request to a path of `/ogc/`, and what its pages answer. */
import { refuse } from '../../base/errors.ts'
import type { PathValues, Reply, RequestContext } from '../../operations/operation.ts'
import type { StoredParcel } from '../../store/store.ts'
import type { Readable } from './fields.ts'

export type OgcRequest = {
  /** Address of the landing page, without a slash at its end. */
  base: string
  format: 'json' | 'html'
  /** The query without `f`. */
  params: ReadonlyMap<string, string>
  path: PathValues
  readable: Readable
  /** Whether it came without a key. */
  isPublic: boolean
}

/** Text that follows an answer's body, and the parcels that it shows. */
export type Part = { text: string; seen: readonly StoredParcel[] }

/** A document, or bytes with their headers. */
export type OgcAnswer =
  | { title: string; json: object; type?: string }
  | (Reply & { rest?: AsyncGenerator<Part> })

export type OgcPage = {
  operationId: string
  /** Below `/ogc`; `:name` is a path parameter. */
  path: string
  about: string
  /** Names of its query parameters; with `*` also the queryable properties. */
  parameters: readonly string[]
  /** Answered without a key: it shows nothing of what is loaded. */
  isOpen?: true
  answer(asked: OgcRequest, context: RequestContext): Promise<OgcAnswer>
}

/** Answers of pages by their operation; `OfCollection` is not part of the name. */
export type OgcAnswers = Readonly<Record<string, OgcPage['answer']>>

/** Reads a query of which each name may come once. Throws *bad request*. */
export function readParams(query: string, known: (name: string) => boolean): Map<string, string> {
  const params = new Map<string, string>()
  for (const [name, text] of new URLSearchParams(`&${query}`)) {
    if (name === '') continue
    if (!known(name)) throw refuse.badRequest(`"${name}" is not a parameter of this path`)
    if (params.has(name)) throw refuse.badRequest(`${name} is given twice`)
    if (text.length > TEXT_MAX) throw refuse.badRequest(`${name} is too long`)
    params.set(name, text)
  }
  return params
}

/** Filters with polygons are longer than other parameters. */
const TEXT_MAX = 6000

/** Writes the address of a path with a query; parameters that are undefined are left out. */
export function addressOf(path: string, params: Iterable<readonly [string, string]>): string {
  const query = new URLSearchParams([...params].map(([name, text]) => [name, text])).toString()
  return query === '' ? path : `${path}?${query}`
}
