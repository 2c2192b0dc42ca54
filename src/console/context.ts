/** What the console's pages share: stores, requests and routes, and how an operation is run. */
import { performance } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { type AccountsData, withAccounts } from '../accounts/accounts-data.ts'
import { Refusal } from '../base/errors.ts'
import { nextTurn } from '../base/event-loop.ts'
import type { Account } from '../base/model/account.ts'
import { type Basemaps, openBasemaps } from '../basemap/archives.ts'
import type { Tile } from '../geo/tile.ts'
import { makeLocalContext } from '../operations/context.ts'
import {
  type Operation,
  type PathValues,
  type RequestContext,
  STUDY_TIMES,
} from '../operations/operation.ts'
import { OPERATIONS } from '../operations/operations.ts'
import { readLonePoints } from '../operations/places/tile-parts.ts'
import { openAsOf } from '../operations/time/as-of.ts'
import { watchPending } from '../privacy/guarded-parcels.ts'
import { countyByFips } from '../regions/counties.ts'
import { createTileBuilder } from '../render/tiles/builder.ts'
import type { Config } from '../settings/config.ts'
import type { OpenStore } from '../store/accounts/opened.ts'
import type { Prices } from '../store/accounts-store.ts'
import { type ConsoleStore, openConsoleStore, type Role } from '../store/console-store.ts'
import { openStore } from '../store/open.ts'
import type { ParcelReader } from '../store/store.ts'
import { createJobs, type Jobs } from './jobs.ts'
import type { PageReply } from './show/html.ts'
import { splitId } from './show/record-words.ts'
import type { FlatRecord } from './show/words.ts'
import { hostName } from './sign-in/guard.ts'
import type { SignedIn } from './sign-in/sessions.ts'

export type ConsoleContext = {
  config: Config
  /** Address of the API: `http://127.0.0.1:8080`. */
  service: string
  /** Host names of the console besides addresses and localhost. */
  hosts: string[]
  store: ConsoleStore
  /** Returns the parcels that may be shown now. */
  parcels(): Promise<ParcelReader>
  /** Tokens by operation, for prices set by the operator. */
  prices(): Promise<Prices>
  /** Epoch milliseconds. */
  now(): number
  /** Writes a log line without owners' names and keys. */
  report(line: string): void
  /** Opens the accounts for one task, as commands do. */
  accounts<Result>(
    work: (data: AccountsData) => Promise<Result>,
    reading?: boolean,
  ): Promise<Result>
  /** Records an operator's action in the operator log. */
  note(operator: string, action: string, subject: string): Promise<void>
  jobs: Jobs
  ask(operationId: string, query: Record<string, string>, more?: AskMore): Promise<Asked>
  /** Returns the gzip bytes of a tile with the parcels that have a point but no polygon. */
  pointTile(tile: Tile, year?: string): Promise<Buffer | undefined>
  /** Streets and water under the parcels. */
  basemaps: Basemaps
  close(): Promise<void>
}

/** What the path names, and how many parcels a page of a shape has. */
type AskMore = { path?: PathValues; pageSize?: number }
type Asking = AskMore & { operationId: string; query: Record<string, string> }

/** The answer of an operation, run without key and charge. */
export type Asked = {
  operation: Operation
  query: Record<string, string>
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: answers of any operation
  body: any
  /** For a body that is not JSON. */
  bytes: Buffer | undefined
  /** The refusal's text for callers. */
  refusal: string | undefined
  ms: number
}

/** The caller that the console acts as: flat records, no token limit. */
const CONSOLE_ACCOUNT: Account = { id: '', name: 'console', facts: DEFAULT_FACTS }

export function openContext(
  config: Config,
  service: string,
  report: (line: string) => void,
  now: () => number = Date.now,
): ConsoleContext {
  const open = openStore(config)
  const store = openConsoleStore(config.data)
  const context: ConsoleContext = {
    config,
    service,
    hosts: [config.consoleHost, hostOf(config.consoleUrl)].flatMap((name) => name ?? []),
    store,
    parcels: watchPending(config, open.parcels, open.accounts, (error) =>
      report(`parcels cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
    ),
    prices: () => open.accounts.prices(),
    now,
    report,
    accounts: (work, reading = false) => withAccounts({ config }, work, { reading }),
    note: (operator, action, subject) =>
      context.accounts(({ admin }) =>
        admin.noteAction(operator, JSON.stringify({ action, subject })),
      ),
    jobs: createJobs(config, now),
    ask: (operationId, query, more) => ask(context, open, { operationId, query, ...more }),
    async pointTile(tile, year) {
      const parcels = openAsOf(await context.parcels(), year)
      const version = `points ${await parcels.version()} ${year}`
      return tiles.build(tile, version, () => readLonePoints(parcels, tile, nextTurn))
    },
    basemaps: openBasemaps(config.data),
    async close() {
      context.jobs.close()
      await context.basemaps.close()
      store.close()
      await open.close()
    },
  }
  return context
}

/** Returns the operation with an id; `undefined` when this version has none. */
export function operationOf(operationId: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.operationId === operationId)
}

/** Starts its thread with the first tile. */
const tiles = createTileBuilder()

async function ask(
  { config, now, parcels }: ConsoleContext,
  open: OpenStore,
  { operationId, query, path, pageSize }: Asking,
): Promise<Asked> {
  const operation = operationOf(operationId)
  if (operation === undefined) throw new Error(`no operation ${operationId}`)
  const startedAt = performance.now()
  const request: RequestContext = {
    ...makeLocalContext(await parcels(), config),
    ...{ accounts: open.accounts, account: CONSOLE_ACCOUNT, now: now(), startedAt, pageSize },
    tiles,
    // A selection may be the first to read the columns.
    searchTimeMs: config.searchTimeMs * (pageSize === undefined ? 1 : STUDY_TIMES),
  }
  const asked = { operation, query, bytes: undefined, body: undefined, headers: {} }
  const ms = () => Math.round((performance.now() - startedAt) * 10) / 10
  try {
    const text = new URLSearchParams(query).toString()
    const reply = await operation.read(text, CONSOLE_ACCOUNT.facts, path)(request)
    const isJson = operation.contentType === undefined && reply.body.length > 0
    // Copied, because the renderer reuses its buffer.
    const bytes = Buffer.from(reply.body as Buffer)
    return {
      ...asked,
      status: reply.status ?? 200,
      headers: reply.headers,
      body: isJson ? JSON.parse(bytes.toString()) : undefined,
      bytes: isJson ? undefined : bytes,
      refusal: undefined,
      ms: ms(),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = { 'bad-request': 400, unavailable: 503, ambiguous: 300 }[error.kind as string]
    return {
      ...asked,
      status: status ?? 404,
      headers: { ...error.headers },
      body: error.details,
      refusal: error.message,
      ms: ms(),
    }
  }
}

function hostOf(url: string | null): string | undefined {
  return url === null ? undefined : hostName(new URL(url).host)
}

/** Asks for the parcel of a property ID, such as `12001-00001-000-001`. */
export function askForParcel(
  context: ConsoleContext,
  propertyId: string,
  more: { explain?: 'true'; asOf?: string } = {},
): Promise<Asked> {
  const { fips, parcelId } = splitId(propertyId)
  const state = countyByFips(Number(fips))?.state ?? ''
  return context.ask('parcelIdLookup', { state, county: fips, parcelId, ...more })
}

/** Returns the records of an answer; for a 300 the candidates. */
export function recordsOf({ status, body }: Asked): FlatRecord[] {
  if (status === 300) return body?.candidates ?? []
  if (status !== 200) return []
  return body?.properties ?? (body?.property === undefined ? [] : [body.property])
}

export type PageRequest = {
  params: Record<string, string>
  query: URLSearchParams
  /** A form's fields; its CSRF token was checked. */
  form: URLSearchParams
  signedIn: SignedIn
  /** The token of who may change something; `undefined` for a viewer. */
  csrf: string | undefined
  raw: FastifyRequest
}

/** Answers a request of the console. A thrown refusal becomes an error page. */
export type Page = (request: PageRequest) => Promise<PageReply>

/** Adds pages: viewers see, operators change. `as`: adds those of another least role. */
export type Routes = {
  get(path: string, page: Page): void
  post(path: string, page: Page): void
  as(role: Role): Routes
}
