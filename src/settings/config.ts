/**
 * The table of settings: name, default, unit and one sentence each. Read once, in `cli/main.ts`.
 */
import { availableParallelism } from 'node:os'
import { readNetworks } from '../base/networks.ts'
import {
  readAbsoluteUrl,
  readAddresses,
  readAnchor,
  readBasemap,
  readBaseUrl,
  readBoolean,
  readContact,
  readDatabase,
  readHost,
  readInteger,
  readNames,
  readOrigins,
  readPrices,
  readSecret,
} from './setting-values.ts'

/** All settings, read once and then passed as arguments. */
export type Config = {
  data: string
  databaseUrl: string | null
  /** One address or several, separated by commas. */
  readDatabaseUrl: string | null
  /** Databases of states that are not in `databaseUrl`. */
  host: string
  port: number
  workers: number
  adminPort: number | null
  consolePort: number
  consoleHost: string
  consoleUrl: string | null
  /** An address, then further origins that its map reads from, with blanks between them. */
  basemapUrl: string | null
  prices: 'own' | 'contract'
  billingUrl: string | null
  publicUrl: string | null
  docsUrl: string
  keySecret: string | null
  apiKey: string | null
  /** A path or an http address. */
  anchorUrl: string | null
  searchTimeMs: number
  ownerTimeMs: number
  patienceMs: number
  drainMs: number
  addressShare: number
  trustProxy: string | null
  acceptBearer: boolean
  corsOrigins: string | null
  /** Names of fields. */
  publicFields: readonly string[] | null
  /** Requests a minute. */
  publicRate: number
  releases: string | null
  tlsCert: string | null
  tlsKey: string | null
  accessLog: string | null
  accessLogMb: number
  tracesUrl: string | null
  /** 0 to 1. */
  tracesShare: number
  contact: string | null
  stripeKey: string | null
  /** Newest first. */
  stripeWebhookSecrets: readonly string[] | null
  stripeApi: string | null
  stripeLive: boolean
  billingStaleHours: number
  notifyUrl: string | null
  notifySecret: string | null
  /** Private addresses that watches may be delivered to: networks; `all`; null: none. */
  watchPrivate: string | null
  changesDays: number
  /** Imports of a scope whose effect is kept; 0: none, `null`: all. */
  history: number | null
  /** Which answers are audited. */
  audit: AuditMode
  auditDays: number
  filesDays: number
  /** In the form of `readRecipe`. */
  registryHash: string | null
}

export type AuditMode = 'names' | 'all' | 'off'

/** Processes that receive settings. The ledger process receives only its location. */
export type Receiver = 'worker' | 'console' | 'billing' | 'notifier'

export type Setting = {
  key: keyof Config
  /** Environment variable. */
  name: string
  /**
   * Marks a secret, the path of one, or an address that may contain a token. Only these processes
   * receive it; the others, and commands that the console starts, do not. Its value may be null.
   */
  secretOf?: readonly Receiver[]
  /** As a person would write it; `''` for none. */
  default: string
  unit: string
  about: string
  read(text: string): Config[keyof Config]
}

const text = (value: string) => (value === '' ? null : value)
const port = (value: string) => readInteger(value, 0, 65_535)

/** Every setting: variable, default, unit, one sentence, and parser. */
export const SETTINGS: Setting[] = [
  {
    key: 'data',
    name: 'PLATBOOK_DATA',
    default: './data',
    unit: 'folder',
    about:
      'Folder of the server secret and rejected rows, and of parcels.db and accounts.db of ' +
      'the embedded store.',
    read: (value) => value,
  },
  {
    key: 'databaseUrl',
    name: 'PLATBOOK_DATABASE_URL',
    default: '',
    unit: 'URL',
    about:
      'PostgreSQL 15 or later instead of the embedded store, such as ' +
      'postgres://user@host:5432/name.',
    read: readDatabase,
  },
  {
    key: 'readDatabaseUrl',
    name: 'PLATBOOK_READ_DATABASE_URL',
    default: '',
    unit: 'URLs',
    about:
      'Standbys of that database, separated by commas, from which parcels are read in turn; ' +
      'keys and the ledger are always read from the primary.',
    read: readAddresses,
  },
  {
    key: 'host',
    name: 'PLATBOOK_HOST',
    default: '127.0.0.1',
    unit: 'address',
    about: 'The address the service listens on.',
    read: readHost,
  },
  {
    key: 'port',
    name: 'PLATBOOK_PORT',
    default: '8080',
    unit: 'port',
    about: 'The port the service listens on; 0 picks a free one.',
    read: port,
  },
  {
    key: 'workers',
    name: 'PLATBOOK_WORKERS',
    default: String(availableParallelism()),
    unit: 'processes',
    about: 'How many processes serve HTTP on the one port; the default is the number of cores.',
    read: (value) => readInteger(value, 1, 256),
  },
  {
    key: 'adminPort',
    name: 'PLATBOOK_ADMIN_PORT',
    default: '',
    unit: 'port',
    about: 'Where /metrics answers, on 127.0.0.1; without it /metrics is on the service port.',
    read: (value) => (value === '' ? null : port(value)),
  },
  {
    key: 'consolePort',
    name: 'PLATBOOK_CONSOLE_PORT',
    default: '8081',
    unit: 'port',
    about: 'The port of the console; 0 picks a free one.',
    read: port,
  },
  {
    key: 'consoleHost',
    name: 'PLATBOOK_CONSOLE_HOST',
    default: '127.0.0.1',
    unit: 'address',
    about:
      'The address the console listens on; if other machines can reach it, put an HTTPS proxy ' +
      'in front.',
    read: readHost,
  },
  {
    key: 'consoleUrl',
    name: 'PLATBOOK_CONSOLE_URL',
    default: '',
    unit: 'URL',
    about: 'The address at which a proxy serves the console, such as https://console.example.',
    read: readBaseUrl,
  },
  {
    key: 'basemapUrl',
    name: 'PLATBOOK_BASEMAP_URL',
    default: '',
    unit: 'URL',
    about:
      "A map of your own under the console's parcels: a MapLibre style, or picture tiles with " +
      '{z}, {x} and {y}. Further origins that the style reads from follow after blanks.',
    read: readBasemap,
  },
  {
    key: 'prices',
    name: 'PLATBOOK_PRICES',
    default: 'own',
    unit: 'own or contract',
    about:
      'Tokens of operations without a price of the operator: their own, or one for each successful ' +
      'request of any operation (contract).',
    read: readPrices,
  },
  {
    key: 'billingUrl',
    name: 'PLATBOOK_BILLING_URL',
    default: '',
    unit: 'URL',
    about:
      'The page where blocked callers settle their account; default: /account of the console at ' +
      'PLATBOOK_CONSOLE_URL, else /billing of the service.',
    read: readAbsoluteUrl,
  },
  {
    key: 'publicUrl',
    name: 'PLATBOOK_PUBLIC_URL',
    default: '',
    unit: 'URL',
    about:
      'The address at which callers reach the service; without it a 403 gives the address of ' +
      'the socket that received the request, with /billing.',
    read: readBaseUrl,
  },
  {
    key: 'docsUrl',
    name: 'PLATBOOK_DOCS_URL',
    default: '/openapi.json',
    unit: 'URL',
    about: 'Where the Link header of an offset page points; a path is below PLATBOOK_PUBLIC_URL.',
    read: (value) => value,
  },
  {
    key: 'apiKey',
    name: 'PLATBOOK_API_KEY',
    secretOf: [],
    default: '',
    unit: 'API key',
    about:
      'The key that platbook mcp and platbook enrich send with --url; the service does not read ' +
      'it.',
    read: text,
  },
  {
    key: 'keySecret',
    name: 'PLATBOOK_KEY_SECRET',
    secretOf: ['worker', 'console', 'notifier'],
    default: '',
    unit: 'text of 32 characters or more',
    about:
      'Secret under which API keys are hashed; default: made on first start, kept in the data ' +
      'folder.',
    read: readSecret,
  },
  {
    key: 'anchorUrl',
    name: 'PLATBOOK_ANCHOR_URL',
    // The primary gives it to the ledger process too.
    secretOf: ['console'],
    default: '',
    unit: 'URL or path',
    about:
      'A second place outside the data folder where the newest rows of the ledger are noted: ' +
      'a file on another disk, or an address that takes PUT and GET.',
    read: readAnchor,
  },
  {
    key: 'searchTimeMs',
    name: 'PLATBOOK_SEARCH_TIME_MS',
    default: '1000',
    unit: 'milliseconds',
    about:
      'How long a property search, a search by place or comparable sales may run. Then cursor ' +
      'pages answer with the parcels found so far, others with 503.',
    read: (value) => readInteger(value, 1, 60_000),
  },
  {
    key: 'ownerTimeMs',
    name: 'PLATBOOK_OWNER_TIME_MS',
    default: '2000',
    unit: 'milliseconds',
    about: 'How long one owner search may run before it answers 503.',
    read: (value) => readInteger(value, 1, 60_000),
  },
  {
    key: 'patienceMs',
    name: 'PLATBOOK_PATIENCE_MS',
    default: '100',
    unit: 'milliseconds',
    about:
      'How long a request may wait for an overloaded worker to read it; then it is answered ' +
      '503 at once.',
    read: (value) => readInteger(value, 1, 60_000),
  },
  {
    key: 'drainMs',
    name: 'PLATBOOK_DRAIN_MS',
    default: '250',
    unit: 'milliseconds',
    about:
      'How long after SIGTERM requests are still answered while /healthz is 503, so that load ' +
      'balancers send no new ones.',
    read: (value) => readInteger(value, 0, 60_000),
  },
  {
    key: 'addressShare',
    name: 'PLATBOOK_ADDRESS_SHARE',
    default: '50',
    unit: 'percent',
    about:
      "Largest share of a worker's connections and active requests that one client address " +
      'may hold; set 100 behind a proxy that is not in PLATBOOK_TRUST_PROXY.',
    read: (value) => readInteger(value, 1, 100),
  },
  {
    key: 'trustProxy',
    name: 'PLATBOOK_TRUST_PROXY',
    default: '',
    unit: 'addresses and networks',
    about:
      'Proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8, with commas between them.',
    read: (value) => {
      readNetworks(value)
      return text(value)
    },
  },
  {
    key: 'acceptBearer',
    name: 'PLATBOOK_ACCEPT_BEARER',
    default: 'true',
    unit: 'true or false',
    about:
      'Whether a key is also taken from Authorization: Bearer KEY, as most HTTP tools send it.',
    read: readBoolean,
  },
  {
    key: 'corsOrigins',
    name: 'PLATBOOK_CORS_ORIGINS',
    default: '',
    unit: 'origins',
    about:
      'Origins whose pages may call the service from a browser, such as https://app.example, ' +
      'with commas between them; * for all.',
    read: readOrigins,
  },
  {
    key: 'publicFields',
    name: 'PLATBOOK_PUBLIC_FIELDS',
    default: '',
    unit: 'fields',
    about:
      'Fields of the flat layout, and geometry, that anybody may read without a key through ' +
      '/ogc/, with commas between them; empty for none (docs/ogc.md).',
    read: readNames,
  },
  {
    key: 'publicRate',
    name: 'PLATBOOK_PUBLIC_RATE',
    default: '600',
    unit: 'requests a minute',
    about: 'How many requests without a key an address may send to /ogc/ a minute.',
    read: (value) => readInteger(value, 1, 1_000_000),
  },
  {
    key: 'releases',
    name: 'PLATBOOK_RELEASES',
    default: '',
    unit: 'folder',
    about: 'Folder of releases that anybody may read at /releases/; empty for none.',
    read: text,
  },
  {
    key: 'tlsCert',
    name: 'PLATBOOK_TLS_CERT',
    default: '',
    unit: 'file',
    about: 'Certificate chain, PEM: the service port speaks HTTPS. Read again when it changes.',
    read: text,
  },
  {
    key: 'tlsKey',
    name: 'PLATBOOK_TLS_KEY',
    secretOf: ['worker'],
    default: '',
    unit: 'file',
    about: 'Private key of the certificate, PEM. Read again when it changes.',
    read: text,
  },
  {
    key: 'accessLog',
    name: 'PLATBOOK_ACCESS_LOG',
    default: '',
    unit: 'file, or -',
    about:
      'Where a JSON line per request is written: a file, or - for standard output; without it ' +
      'there is no log of requests.',
    read: text,
  },
  {
    key: 'accessLogMb',
    name: 'PLATBOOK_ACCESS_LOG_MB',
    default: '100',
    unit: 'MB',
    about: 'Size above which that file is rotated; five older ones are kept.',
    read: (value) => readInteger(value, 1, 100_000),
  },
  {
    key: 'tracesUrl',
    name: 'PLATBOOK_TRACES_URL',
    secretOf: ['worker'],
    default: '',
    unit: 'URL',
    about:
      'Where OpenTelemetry traces are sent by OTLP over HTTP, such as ' +
      'http://127.0.0.1:4318/v1/traces; without it nothing is traced.',
    read: readAbsoluteUrl,
  },
  {
    key: 'tracesShare',
    name: 'PLATBOOK_TRACES_SHARE',
    default: '100',
    unit: '%',
    about: 'Share of requests that are traced.',
    read: (value) => readInteger(value, 0, 100) / 100,
  },
  {
    key: 'contact',
    name: 'PLATBOOK_CONTACT',
    default: '',
    unit: 'address',
    about:
      'A mail or web address that downloads send in the User-Agent, so that operators of ' +
      'source servers can reach you.',
    read: readContact,
  },
  {
    key: 'changesDays',
    name: 'PLATBOOK_CHANGES_DAYS',
    default: '90',
    unit: 'days',
    about: 'How long the changes that imports made are kept for /public/changes/.',
    read: (value) => readInteger(value, 1, 400),
  },
  {
    key: 'history',
    name: 'PLATBOOK_HISTORY',
    default: 'all',
    unit: 'all, off or imports',
    about:
      'How many imports of a county keep what they change or remove, so that earlier versions ' +
      'can be asked for (docs/time.md).',
    read: readHistory,
  },
  {
    key: 'audit',
    name: 'PLATBOOK_AUDIT',
    default: 'names',
    unit: 'names, all or off',
    about:
      'Which requests the audit records: those that show parcels or cost a token, all with a ' +
      'key, or none.',
    read: readAuditMode,
  },
  {
    key: 'auditDays',
    name: 'PLATBOOK_AUDIT_DAYS',
    default: '730',
    unit: 'days',
    about: 'How long the audit is kept.',
    read: (value) => readInteger(value, 1, 36_500),
  },
  {
    key: 'filesDays',
    name: 'PLATBOOK_FILES_DAYS',
    default: '30',
    unit: 'days',
    about: 'How long rejected rows, and uploads that were not loaded, are kept.',
    read: (value) => readInteger(value, 1, 36_500),
  },
  {
    key: 'registryHash',
    name: 'PLATBOOK_REGISTRY_HASH',
    secretOf: ['console'],
    default: '',
    unit: 'recipe',
    about:
      'How a registry hashes its list of people or homes for `suppress import`: ' +
      '`sha256:{SURNAME},{GIVEN}`.',
    read: text,
  },
  {
    key: 'stripeKey',
    name: 'PLATBOOK_STRIPE_KEY',
    secretOf: ['billing'],
    default: '',
    unit: 'secret or restricted key',
    about:
      'With it the billing facts of linked accounts come from Stripe; without it the operator ' +
      'sets them.',
    read: text,
  },
  {
    key: 'stripeWebhookSecrets',
    name: 'PLATBOOK_STRIPE_WEBHOOK_SECRET',
    secretOf: ['billing'],
    default: '',
    unit: 'whsec_… of the endpoint',
    about:
      'Signing secrets of webhooks, separated by commas while one is replaced; without one ' +
      'events are read each minute.',
    read: (value) => {
      const secrets = value.split(',').flatMap((one) => one.trim() || [])
      return secrets.length === 0 ? null : secrets
    },
  },
  {
    key: 'stripeApi',
    name: 'PLATBOOK_STRIPE_API',
    default: '',
    unit: 'URL',
    about: "Base address of Stripe's interface, for tests; default: Stripe's own.",
    read: readAbsoluteUrl,
  },
  {
    key: 'stripeLive',
    name: 'PLATBOOK_STRIPE_LIVE',
    default: 'false',
    unit: 'true or false',
    about:
      'Which mode of Stripe billing uses: true is live mode, false is test mode. Customers and ' +
      'events of the other mode are refused.',
    read: readBoolean,
  },
  {
    key: 'billingStaleHours',
    name: 'PLATBOOK_BILLING_STALE_HOURS',
    default: '72',
    unit: 'hours',
    about:
      'How long the last known billing facts are valid when the provider cannot be reached; ' +
      'then billing is unavailable.',
    read: (value) => readInteger(value, 1, 8760),
  },
  {
    key: 'notifyUrl',
    name: 'PLATBOOK_NOTIFY_URL',
    secretOf: ['notifier'],
    default: '',
    unit: 'address',
    about:
      'Where signed JSON is sent when something needs attention: caps, refused payments, a ' +
      'broken chain, failed syncs, due suppressions (docs/notices.md).',
    read: readAbsoluteUrl,
  },
  {
    key: 'notifySecret',
    name: 'PLATBOOK_NOTIFY_SECRET',
    secretOf: ['notifier'],
    default: '',
    unit: 'secret',
    about: 'Signs what is sent to PLATBOOK_NOTIFY_URL; at least 32 characters.',
    read: readSecret,
  },
  {
    key: 'watchPrivate',
    name: 'PLATBOOK_WATCH_PRIVATE',
    default: '',
    unit: 'networks, all, or nothing',
    about:
      'Addresses outside the public internet that events of watches may be sent to, such as ' +
      '10.1.0.0/16, with commas between them (docs/watches.md).',
    read: readPrivate,
  },
]

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
