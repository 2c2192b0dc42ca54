/**
 * Records the newest rows ("heads") of ledger, operator log and audit outside the database. If the
 * newest rows are lost, or an older file is restored, these heads are no longer in it.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { replaceFile } from '../base/safe-files.ts'
import type { LedgerStore } from './accounts/ledger-rows.ts'
import type { NewestRows } from './accounts-store.ts'
import { EMPTY_HEAD, type LogHead } from './operator-log.ts'

/** `at`: when they were recorded, epoch milliseconds. */
type Heads = NewestRows & { at: number }

/** Heads recorded in a place: a path or an HTTP address. */
export type KeptHeads = Heads & { place: string }

const ANCHOR_MS = 3000
const ANCHOR_BYTES = 1_048_576
const HASH_DIGITS = 64

/** Path in the data folder; over PostgreSQL it names the database, as a folder may have several. */
export function headsPath({ data, databaseUrl }: HeadsConfig): string {
  if (databaseUrl === null) return join(data, 'accounts.heads')
  const { host, pathname, searchParams } = new URL(databaseUrl)
  const database = `${host}${pathname} ${searchParams.get('host') ?? ''}`
  return join(data, `accounts-${hash('sha256', database).slice(0, 8)}.heads`)
}

type HeadsConfig = { data: string; databaseUrl: string | null }

/** Where heads are recorded: in the data folder, and in a place that the operator may set. */
export function headsPlaces(config: HeadsConfig & { anchorUrl: string | null }): string[] {
  const own = headsPath(config)
  return config.anchorUrl === null ? [own] : [own, config.anchorUrl]
}

/** Names a place in messages: a path, or the setting, because an address may contain a token. */
export function namePlace(place: string): string {
  return isHttp(place) ? 'PLATBOOK_ANCHOR_URL' : place
}

/** Reads the heads in a place, if any were recorded. Throws `CommandError` when unreadable. */
export async function readHeads(place: string): Promise<KeptHeads | undefined> {
  const text = await (isHttp(place) ? getAnchor(place) : readOptional(place))
  if (text === undefined || text.trim() === '') return undefined
  try {
    const { at, ledger, operator, audit } = JSON.parse(text)
    const heads = { ledger: readHead(ledger), operator: readHead(operator), audit: readHead(audit) }
    return { place, at: Number(at), ...heads }
  } catch (error) {
    throw new CommandError(`${namePlace(place)} does not hold heads of a ledger`, 1, error)
  }
}

/** Reads the heads of all places; must be called before the database is read. */
export async function readNoted(config: Parameters<typeof headsPlaces>[0]): Promise<KeptHeads[]> {
  const noted = await Promise.all(headsPlaces(config).map(readHeads))
  return noted.filter((kept) => kept !== undefined)
}

/** Records heads in a place. A file is replaced atomically and is on disk when this returns. */
export async function writeHeads(
  place: string,
  { at, ledger, operator, audit }: Heads,
): Promise<void> {
  const heads = { ledger: showHead(ledger), operator: showHead(operator), audit: showHead(audit) }
  const text = `${JSON.stringify({ at, ...heads })}\n`
  if (isHttp(place)) await putAnchor(place, text)
  else replaceFile(place, text)
}

/** Describes the recorded heads that the store no longer has; `undefined` when it has them all. */
export async function findLoss(
  store: Pick<LedgerStore, 'newest' | 'entriesAfter' | 'operatorEntriesAfter'>,
  kept: KeptHeads,
): Promise<string | undefined> {
  const newest = await store.newest()
  const [entry] = await store.entriesAfter(kept.ledger.id - 1, 1)
  const [operatorEntry] = await store.operatorEntriesAfter(kept.operator.id - 1, 1)
  return (
    compare(kept, 'ledger', newest.ledger, entry) ??
    compare(kept, 'operator', newest.operator, operatorEntry)
  )
}

/** Records the newest rows, unless those recorded are newer, or not in the store: a loss. */
export async function noteHeads(
  store: Pick<LedgerStore, 'newest' | 'entriesAfter' | 'operatorEntriesAfter'>,
  place: string,
  at: number,
): Promise<void> {
  // Read first, because another process may record newer rows meanwhile.
  const newest = await store.newest()
  if (newest.ledger.id === 0 && newest.operator.id === 0) return
  const kept = await readHeads(place)
  if (kept !== undefined) {
    const logs = ['ledger', 'operator', 'audit'] as const
    if (logs.every((log) => sameHead(kept[log], newest[log]))) return
    if (logs.some((log) => kept[log].id > newest[log].id)) return
    if ((await findLoss(store, kept)) !== undefined) return
  }
  await writeHeads(place, { at, ...newest })
}

/** `name`: the file or database; `how`: what is wrong with it. */
export function explainEmptied(name: string, how: string): CommandError {
  return new CommandError(
    `${name} ${how}, but accounts.heads says that accounts, keys or charges were written: ` +
      'bring it back with platbook restore; to begin anew, move accounts.heads away',
  )
}

/** Reports whether a place is a web address and not a file. */
export function isHttp(place: string): boolean {
  return /^https?:\/\//i.test(place)
}

function compare(
  heads: KeptHeads,
  log: 'ledger' | 'operator',
  newest: LogHead,
  found: LogHead | undefined,
): string | undefined {
  const { place, at, [log]: kept } = heads
  const what = log === 'ledger' ? log : 'operator log'
  if (kept.id === 0) return undefined
  const when = new Date(at).toISOString()
  const noted = `${namePlace(place)} noted row ${kept.id} of the ${what} at ${when}`
  if (newest.id < kept.id) {
    const lost = kept.id - newest.id
    return (
      `the newest ${lost} rows of the ${what} are missing: ${noted}, the newest is ` +
      `${newest.id}`
    )
  }
  if (found !== undefined && sameHead(kept, found)) return undefined
  return `the ${what} is another one than it was: ${noted}, and that row is not as it was`
}

function sameHead(a: LogHead, b: LogHead): boolean {
  return a.id === b.id && (a.id === 0 || Buffer.compare(a.hash, b.hash) === 0)
}

function showHead({ id, hash }: LogHead) {
  return { id, hash: Buffer.from(hash).toString('hex') }
}

function readHead(value: { id: unknown; hash: unknown }): LogHead {
  const [id, hash] = [Number(value.id), String(value.hash)]
  if (!Number.isSafeInteger(id) || id < 0 || hash.length !== HASH_DIGITS) throw new Error('no head')
  return id === 0 ? EMPTY_HEAD : { id, hash: Buffer.from(hash, 'hex') }
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CommandError(`${path} cannot be read: ${message}`, 1, error)
  }
}

async function getAnchor(address: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANCHOR_MS)
    // The address may contain a token, which is for this server alone.
    const response = await fetch(address, { signal, redirect: 'manual' })
    if (response.status === 404 || response.status === 204) return undefined
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    return await readBounded(response)
  } catch (error) {
    throw new CommandError(`PLATBOOK_ANCHOR_URL cannot be read: ${(error as Error).message}`)
  }
}

/** Throws when the answer is larger than noted rows can be. */
async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > ANCHOR_BYTES) throw new Error('its answer is larger than 1 MiB')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

async function putAnchor(address: string, body: string): Promise<void> {
  const response = await fetch(address, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(ANCHOR_MS),
  })
  if (!response.ok) throw new Error(`PLATBOOK_ANCHOR_URL answers ${response.status} to PUT`)
}
