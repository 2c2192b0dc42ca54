/**
 * The settings: how each is read. `tables/settings.tsv` has their units, defaults and sentences.
 * Read once, in `cli/main.ts`.
 */
import { availableParallelism } from 'node:os'
import { readNetworks } from '../base/network/networks.ts'
import { readTable } from '../base/tables.ts'
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
export type Receiver = (typeof RECEIVERS)[number]
const RECEIVERS = ['worker', 'console', 'billing', 'notifier'] as const

const text = (value: string) => (value === '' ? null : value)
const whole = (least: number, most: number) => (value: string) => readInteger(value, least, most)
const port = whole(0, 65_535)

/** What each setting's text becomes. A secret may be null. */
const READERS = {
  data: readFolder,
  databaseUrl: readDatabase,
  /** One address or several, separated by commas. */
  readDatabaseUrl: readAddresses,
  host: readHost,
  port,
  workers: whole(1, 256),
  adminPort: (value: string) => (value === '' ? null : port(value)),
  consolePort: port,
  consoleHost: readHost,
  consoleUrl: readBaseUrl,
  /** An address, then further origins that its map reads from, with blanks between them. */
  basemapUrl: readBasemap,
  prices: readPrices,
  billingUrl: readAbsoluteUrl,
  publicUrl: readBaseUrl,
  apiKey: text,
  keySecret: readSecret,
  /** A path or an http address. The primary gives it to the ledger process too. */
  anchorUrl: readAnchor,
  searchTimeMs: whole(1, 60_000),
  ownerTimeMs: whole(1, 60_000),
  patienceMs: whole(1, 60_000),
  drainMs: whole(0, 60_000),
  addressShare: whole(1, 100),
  trustProxy: readTrusted,
  acceptBearer: readBoolean,
  corsOrigins: readOrigins,
  publicFields: readNames,
  /** Requests a minute. */
  publicRate: whole(1, 1_000_000),
  releases: text,
  tlsCert: text,
  tlsKey: text,
  accessLog: text,
  tracesUrl: readAbsoluteUrl,
  /** 0 to 1. */
  tracesShare: (value: string) => readInteger(value, 0, 100) / 100,
  contact: readContact,
  changesDays: whole(1, 400),
  /** Imports of a scope whose effect is kept; 0: none, `null`: all. */
  history: readHistory,
  audit: readAuditMode,
  auditDays: whole(1, 36_500),
  filesDays: whole(1, 36_500),
  /** In the form of `readRecipe`. */
  registryHash: text,
  stripeKey: text,
  stripeWebhookSecret: readSecrets,
  stripeApi: readAbsoluteUrl,
  stripeLive: readBoolean,
  billingStaleHours: whole(1, 8760),
  notifyUrl: readAbsoluteUrl,
  notifySecret: readSecret,
  /** Private addresses that watches may be delivered to: networks; `all`; null: none. */
  watchPrivate: readPrivate,
}

export type Config = { [Key in keyof typeof READERS]: ReturnType<(typeof READERS)[Key]> }

export type Setting = {
  key: keyof Config
  /** Environment variable: `PLATBOOK_READ_DATABASE_URL` for `readDatabaseUrl`. */
  name: string
  unit: string
  /** As a person would write it; `''` without one. */
  default: string
  /**
   * Marks a secret, the path of one, or an address that may contain a token. Only these processes
   * receive it; the others, and commands that the console starts, do not.
   */
  secretOf: readonly Receiver[] | undefined
  /** One sentence. */
  about: string
  read(text: string): Config[keyof Config]
}

export const SETTINGS: Setting[] = readTable('settings.tsv').map((line) => {
  const [name = '', unit = '', preset = '', receivers = '', about = ''] = line.split('\t')
  const key = name as keyof Config
  return {
    key,
    name: `PLATBOOK_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
    unit,
    default: preset === 'cores' ? String(availableParallelism()) : preset,
    secretOf:
      receivers === '' ? undefined : RECEIVERS.filter((one) => receivers.split(' ').includes(one)),
    about,
    read: READERS[key],
  }
})

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

function readTrusted(value: string): string | null {
  readNetworks(value)
  return text(value)
}

/** Newest first. */
function readSecrets(value: string): string[] | null {
  const secrets = value.split(',').flatMap((one) => one.trim() || [])
  return secrets.length === 0 ? null : secrets
}

function readHistory(value: string): number | null {
  if (value === 'all') return null
  if (value === 'off') return 0
  if (/^[a-z]/i.test(value)) throw new Error('all, off or a whole number from 1 to 1000')
  return readInteger(value, 1, 1000)
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
