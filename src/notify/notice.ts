/**
 * Notices sent to the operator's own address (docs/notices.md). Waiting ones are files in the
 * folder `notices` of the data folder, so that a restart loses none.
 */
import { createHash, createHmac } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../base/private-files.ts'
import { readJson, replaceFile } from '../base/safe-files.ts'

type NoticeData = {
  /**
   * An account has used 80 or 100 % of included tokens and overage cap. `period`: its first day.
   */
  cap: { account: string; period: string; percent: 80 | 100; used: number; limit: number }
  /**
   * The billing provider could not collect a payment or verify a card. `type`: the provider's name
   * of the event.
   */
  payment_refused: { account: string; event: string; type: string }
  /** A row of the ledger does not match the one before it, or rows are missing. */
  chain_broken: { text: string }
  /** A source of the catalogue could not be synced. */
  sync_failed: { source: string; error: string }
  /** A subscription has ended, and no invoice takes the overage of a period (its first day). */
  overage_unbilled: { account: string; customer: string; period: string; tokens: number }
  /** The review day of a suppression has passed. */
  suppression_due: { suppression: string; until: string }
}

type NoticeKind = keyof NoticeData

export type Notice<Kind extends NoticeKind = NoticeKind> = {
  /** Constant for the same event, however often it is sent. */
  id: string
  kind: Kind
  /** ISO time of detection. */
  at: string
  data: NoticeData[Kind]
}

/** Creates a notice. `key`: identifies the event among those of its kind. */
export function makeNotice<Kind extends NoticeKind>(
  kind: Kind,
  key: string,
  data: NoticeData[Kind],
  now: number,
): Notice<Kind> {
  const digest = createHash('sha256').update(`${kind}\n${key}`).digest('hex')
  return { id: `ntc_${digest.slice(0, 24)}`, kind, at: new Date(now).toISOString(), data }
}

/**
 * The header `Platbook-Signature`: `t=` seconds, `v1=` HMAC-SHA-256 of the seconds, a dot and the
 * body, in hex.
 */
export function signNotice(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/** Most waiting notices; further ones are dropped. */
const WAITING_MAX = 10_000

/**
 * Stores a notice until it is sent; replaces a waiting one of the same id. `false`: too many are
 * waiting.
 */
export function addNotice(dataDir: string, notice: Notice): boolean {
  const folder = folderOf(dataDir)
  makePrivateFolder(dataDir)
  makePrivateFolder(folder)
  if (listNames(folder).length >= WAITING_MAX) return false
  const path = join(folder, `${notice.id}.json`)
  replaceFile(path, JSON.stringify(notice))
  return true
}

/** Returns the waiting notices, oldest first; ignores files that are not notices. */
export function listNotices(dataDir: string): Notice[] {
  const folder = folderOf(dataDir)
  return listNames(folder)
    .flatMap((name) => readJson<Notice>(join(folder, name)) ?? [])
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

export function removeNotice(dataDir: string, id: string): void {
  rmSync(join(folderOf(dataDir), `${id}.json`), { force: true })
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'notices')
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^ntc_[0-9a-f]+\.json$/.test(name))
  } catch {
    return []
  }
}
