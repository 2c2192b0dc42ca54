/**
 * The table of settings: name, default, unit and one sentence each. Read once, in `cli/main.ts`.
 */
import { availableParallelism } from 'node:os'
import { readNetworks } from '../base/network/networks.ts'
import {
  readAbsoluteUrl,
  readAddresses,
  readAnchor,
  readBasemap,
  readBaseUrl,
  readBoolean,
  readContact,
  readDatabase,
  readFolder,
  readHost,
  readInteger,
  readNames,
  readOrigins,
  readPrices,
  readSecret,
} from './setting-values.ts'

export type AuditMode = 'names' | 'all' | 'off'

/** Processes that receive settings. The ledger process receives only its location. */
export type Receiver = 'worker' | 'console' | 'billing' | 'notifier'

const text = (value: string) => (value === '' ? null : value)
const port = (value: string) => readInteger(value, 0, 65_535)

type Facts<Value> = {
  unit: string
  /** As a person would write it; none without one. */
  default?: string
  /**
   * Marks a secret, the path of one, or an address that may contain a token. Only these processes
   * receive it; the others, and commands that the console starts, do not. Its value may be null.
   */
  secretOf?: readonly Receiver[]
  read(text: string): Value
}

const setting = <Value>(facts: Facts<Value>, about: string) => ({ default: '', ...facts, about })

/** Every setting: its unit, default, parser, and one sentence. */
const TABLE = {
  data: setting(
    { unit: 'folder', default: './data', read: readFolder },
    'Folder of the server secret and rejected rows, and of parcels.db and accounts.db of ' +
      'the embedded store.',
  ),
  databaseUrl: setting(
    { unit: 'URL', read: readDatabase },
    'PostgreSQL 15 or later instead of the embedded store, such as ' +
      'postgres://user@host:5432/name.',
  ),
  /** One address or several, separated by commas. */
  readDatabaseUrl: setting(
    { unit: 'URLs', read: readAddresses },
    'Standbys of that database, separated by commas, from which parcels are read in turn; ' +
      'keys and the ledger are always read from the primary.',
  ),
  host: setting(
    { unit: 'address', default: '127.0.0.1', read: readHost },
    'The address the service listens on.',
  ),
  port: setting(
    { unit: 'port', default: '8080', read: port },
    'The port the service listens on; 0 picks a free one.',
  ),
  workers: setting(
    {
      unit: 'processes',
      default: String(availableParallelism()),
      read: (value) => readInteger(value, 1, 256),
    },
    'How many processes serve HTTP on the one port; the default is the number of cores.',
  ),
  adminPort: setting(
    { unit: 'port', read: (value) => (value === '' ? null : port(value)) },
    'Where /metrics answers, on 127.0.0.1; without it /metrics is on the service port.',
  ),
  consolePort: setting(
    { unit: 'port', default: '8081', read: port },
    'The port of the console; 0 picks a free one.',
  ),
  consoleHost: setting(
    { unit: 'address', default: '127.0.0.1', read: readHost },
    'The address the console listens on; if other machines can reach it, put an HTTPS proxy ' +
      'in front.',
  ),
  consoleUrl: setting(
    { unit: 'URL', read: readBaseUrl },
    'The address at which a proxy serves the console, such as https://console.example.',
  ),
  /** An address, then further origins that its map reads from, with blanks between them. */
  basemapUrl: setting(
    { unit: 'URL', read: readBasemap },
    "A map of your own under the console's parcels: a MapLibre style, or picture tiles with " +
      '{z}, {x} and {y}. Further origins that the style reads from follow after blanks.',
  ),
  prices: setting(
    { unit: 'own or contract', default: 'own', read: readPrices },
    'Tokens of operations without a price of the operator: their own, or one for each successful ' +
      'request of any operation (contract).',
  ),
  billingUrl: setting(
    { unit: 'URL', read: readAbsoluteUrl },
    'The page where blocked callers settle their account; default: /account of the console at ' +
      'PLATBOOK_CONSOLE_URL, else /billing of the service.',
  ),
  publicUrl: setting(
    { unit: 'URL', read: readBaseUrl },
    'The address at which callers reach the service; without it a 403 gives the address of ' +
      'the socket that received the request, with /billing.',
  ),
  docsUrl: setting(
    { unit: 'URL', default: '/openapi.json', read: (value) => value },
    'Where the Link header of an offset page points; a path is below PLATBOOK_PUBLIC_URL.',
  ),
  apiKey: setting(
    { unit: 'API key', secretOf: [], read: text },
    'The key that platbook mcp and platbook enrich send with --url; the service does not read ' +
      'it.',
  ),
  keySecret: setting(
    {
      unit: 'text of 32 characters or more',
      secretOf: ['worker', 'console', 'notifier'],
      read: readSecret,
    },
    'Secret under which API keys are hashed; default: made on first start, kept in the data ' +
      'folder.',
  ),
  /** A path or an http address. The primary gives it to the ledger process too. */
  anchorUrl: setting(
    { unit: 'URL or path', secretOf: ['console'], read: readAnchor },
    'A second place outside the data folder where the newest rows of the ledger are noted: ' +
      'a file on another disk, or an address that takes PUT and GET.',
  ),
  searchTimeMs: setting(
    { unit: 'milliseconds', default: '1000', read: (value) => readInteger(value, 1, 60_000) },
    'How long a property search, a search by place or comparable sales may run. Then cursor ' +
      'pages answer with the parcels found so far, others with 503. Summaries, networks and ' +
      'ratio studies may take ten times as long.',
  ),
  ownerTimeMs: setting(
    { unit: 'milliseconds', default: '2000', read: (value) => readInteger(value, 1, 60_000) },
    'How long one owner search may run before it answers 503.',
  ),
  patienceMs: setting(
    { unit: 'milliseconds', default: '100', read: (value) => readInteger(value, 1, 60_000) },
    'How long a request may wait for an overloaded worker to read it; then it is answered ' +
      '503 at once.',
  ),
  drainMs: setting(
    { unit: 'milliseconds', default: '250', read: (value) => readInteger(value, 0, 60_000) },
    'How long after SIGTERM requests are still answered while /healthz is 503, so that load ' +
      'balancers send no new ones.',
  ),
  addressShare: setting(
    { unit: 'percent', default: '50', read: (value) => readInteger(value, 1, 100) },
    "Largest share of a worker's connections and active requests that one client address " +
      'may hold; set 100 behind a proxy that is not in PLATBOOK_TRUST_PROXY.',
  ),
  trustProxy: setting(
    {
      unit: 'addresses and networks',
      read: (value) => {
        readNetworks(value)
        return text(value)
      },
    },
    'Proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8, with commas between them.',
  ),
  acceptBearer: setting(
    { unit: 'true or false', default: 'true', read: readBoolean },
    'Whether a key is also taken from Authorization: Bearer KEY, as most HTTP tools send it.',
  ),
  corsOrigins: setting(
    { unit: 'origins', read: readOrigins },
    'Origins whose pages may call the service from a browser, such as https://app.example, ' +
      'with commas between them; * for all.',
  ),
  /** Names of fields. */
  publicFields: setting(
    { unit: 'fields', read: readNames },
    'Fields of the flat layout, and geometry, that anybody may read without a key through ' +
      '/ogc/, with commas between them; empty for none (docs/ogc.md).',
  ),
  /** Requests a minute. */
  publicRate: setting(
    {
      unit: 'requests a minute',
      default: '600',
      read: (value) => readInteger(value, 1, 1_000_000),
    },
    'How many requests without a key an address may send to /ogc/ a minute.',
  ),
  releases: setting(
    { unit: 'folder', read: text },
    'Folder of releases that anybody may read at /releases/; empty for none.',
  ),
  tlsCert: setting(
    { unit: 'file', read: text },
    'Certificate chain, PEM: the service port speaks HTTPS. Read again when it changes.',
  ),
  tlsKey: setting(
    { unit: 'file', secretOf: ['worker'], read: text },
    'Private key of the certificate, PEM. Read again when it changes.',
  ),
  accessLog: setting(
    { unit: 'file, or -', read: text },
    'Where a JSON line per request is written: a file, or - for standard output; without it ' +
      'there is no log of requests.',
  ),
  accessLogMb: setting(
    { unit: 'MB', default: '100', read: (value) => readInteger(value, 1, 100_000) },
    'Size above which that file is rotated; five older ones are kept.',
  ),
  tracesUrl: setting(
    { unit: 'URL', secretOf: ['worker'], read: readAbsoluteUrl },
    'Where OpenTelemetry traces are sent by OTLP over HTTP, such as ' +
      'http://127.0.0.1:4318/v1/traces; without it nothing is traced.',
  ),
  /** 0 to 1. */
  tracesShare: setting(
    { unit: '%', default: '100', read: (value) => readInteger(value, 0, 100) / 100 },
    'Share of requests that are traced.',
  ),
  contact: setting(
    { unit: 'address', read: readContact },
    'A mail or web address that downloads send in the User-Agent, so that operators of ' +
      'source servers can reach you.',
  ),
  changesDays: setting(
    { unit: 'days', default: '90', read: (value) => readInteger(value, 1, 400) },
    'How long the changes that imports made are kept for /public/changes/.',
  ),
  /** Imports of a scope whose effect is kept; 0: none, `null`: all. */
  history: setting(
    { unit: 'all, off or imports', default: 'all', read: readHistory },
    'How many imports of a county keep what they change or remove, so that earlier versions ' +
      'can be asked for (docs/time.md).',
  ),
  /** Which answers are audited. */
  audit: setting(
    { unit: 'names, all or off', default: 'names', read: readAuditMode },
    'Which requests the audit records: those that show parcels or cost a token, all with a ' +
      'key, or none.',
  ),
  auditDays: setting(
    { unit: 'days', default: '730', read: (value) => readInteger(value, 1, 36_500) },
    'How long the audit is kept.',
  ),
  filesDays: setting(
    { unit: 'days', default: '30', read: (value) => readInteger(value, 1, 36_500) },
    'How long rejected rows, and uploads that were not loaded, are kept.',
  ),
  /** In the form of `readRecipe`. */
  registryHash: setting(
    { unit: 'recipe', secretOf: ['console'], read: text },
    'How a registry hashes its list of people or homes for `suppress import`: ' +
      '`sha256:{SURNAME},{GIVEN}`.',
  ),
  stripeKey: setting(
    { unit: 'secret or restricted key', secretOf: ['billing'], read: text },
    'With it the billing facts of linked accounts come from Stripe; without it the operator ' +
      'sets them.',
  ),
  /** Newest first. */
  stripeWebhookSecret: setting(
    {
      unit: 'whsec_… of the endpoint',
      secretOf: ['billing'],
      read: (value) => {
        const secrets = value.split(',').flatMap((one) => one.trim() || [])
        return secrets.length === 0 ? null : secrets
      },
    },
    'Signing secrets of webhooks, separated by commas while one is replaced; without one ' +
      'events are read each minute.',
  ),
  stripeApi: setting(
    { unit: 'URL', read: readAbsoluteUrl },
    "Base address of Stripe's interface, for tests; default: Stripe's own.",
  ),
  stripeLive: setting(
    { unit: 'true or false', default: 'false', read: readBoolean },
    'Which mode of Stripe billing uses: true is live mode, false is test mode. Customers and ' +
      'events of the other mode are refused.',
  ),
  billingStaleHours: setting(
    { unit: 'hours', default: '72', read: (value) => readInteger(value, 1, 8760) },
    'How long the last known billing facts are valid when the provider cannot be reached; ' +
      'then billing is unavailable.',
  ),
  notifyUrl: setting(
    { unit: 'address', secretOf: ['notifier'], read: readAbsoluteUrl },
    'Where signed JSON is sent when something needs attention: caps, refused payments, a ' +
      'broken chain, failed syncs, due suppressions (docs/notices.md).',
  ),
  notifySecret: setting(
    { unit: 'secret', secretOf: ['notifier'], read: readSecret },
    'Signs what is sent to PLATBOOK_NOTIFY_URL; at least 32 characters.',
  ),
  /** Private addresses that watches may be delivered to: networks; `all`; null: none. */
  watchPrivate: setting(
    { unit: 'networks, all, or nothing', read: readPrivate },
    'Addresses outside the public internet that events of watches may be sent to, such as ' +
      '10.1.0.0/16, with commas between them (docs/watches.md).',
  ),
}

export type Config = { [Key in keyof typeof TABLE]: ReturnType<(typeof TABLE)[Key]['read']> }

export type Setting = ReturnType<typeof setting<Config[keyof Config]>> & {
  key: keyof Config
  /** Environment variable: `PLATBOOK_READ_DATABASE_URL` for `readDatabaseUrl`. */
  name: string
}

export const SETTINGS: Setting[] = Object.entries(TABLE).map(([key, facts]) => ({
  key: key as keyof Config,
  name: `PLATBOOK_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
  ...facts,
}))

/** A variable with this ending names a file that holds the value. */
export const FILE_SUFFIX = '_FILE'

/** Variables with that ending: of secrets, and of addresses that may contain a password. */
export const FILE_NAMES: ReadonlySet<string> = new Set(
  SETTINGS.flatMap(({ name, secretOf, unit }) =>
    (secretOf !== undefined && unit !== 'file') || /_DATABASES?(?:_URL)?$/.test(name)
      ? `${name}${FILE_SUFFIX}`
      : [],
  ),
)

function readHistory(value: string): number | null {
  if (value === 'all') return null
  return value === 'off' ? 0 : readInteger(value, 1, 1000)
}

function readPrivate(value: string): string | null {
  if (value === '' || value === 'all') return value === '' ? null : value
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true' ? 'all' : null
  readNetworks(value)
  return value
}

function readAuditMode(value: string): AuditMode {
  if (value === 'names' || value === 'all' || value === 'off') return value
  throw new Error('names, all or off')
}
