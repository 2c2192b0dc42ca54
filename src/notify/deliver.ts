/** Sends waiting notices to the operator's address. */
import { join } from 'node:path'
import { takeLock } from '../base/lock.ts'
import { makePrivateFolder } from '../base/private-files.ts'
import type { Config } from '../settings/config.ts'
import {
  addNotice,
  listNotices,
  makeNotice,
  type Notice,
  removeNotice,
  signNotice,
} from './notice.ts'
import { post } from './post.ts'

type Receiver = {
  dataDir: string
  url: string
  secret: string
  /** Epoch milliseconds. */
  now(): number
  /** Timeout of the receiver in milliseconds. */
  timeoutMs: number
  alarm(text: string): void
}

const FIRST_WAIT_MS = 1000
const WAIT_MAX_MS = 300_000
/** A notice that could not be sent for this long is dropped. */
const KEPT_MS = 7 * 86_400_000

/**
 * Sends every waiting notice, oldest first. Returns `false` when the receiver failed; the rest
 * waits.
 *
 * A notice is sent at least once: if the receiver's answer is lost, it gets the notice again with
 * the same id. If it refuses one notice (4xx), it still gets the others. Does nothing while another
 * process is sending. Never throws.
 */
export async function deliverNotices(receiver: Receiver): Promise<boolean> {
  const { dataDir, now, alarm } = receiver
  makePrivateFolder(dataDir)
  const unlock = takeLock(join(dataDir, 'notices.lock'))
  if (unlock === undefined) return true
  let isWhole = true
  try {
    for (const notice of listNotices(dataDir)) {
      const fault = await send(receiver, notice)
      if (fault === undefined) {
        removeNotice(dataDir, notice.id)
        continue
      }
      isWhole = false
      if (now() - Date.parse(notice.at) > KEPT_MS) {
        alarm(`notice ${notice.id} (${notice.kind}) was dropped after 7 days: ${fault.text}`)
        removeNotice(dataDir, notice.id)
      }
      if (!fault.isOwn) break
    }
  } finally {
    unlock()
  }
  return isWhole
}

/** Milliseconds to wait after failures in a row: 1 s, doubled up to 5 minutes. */
export function waitAfter(failures: number): number {
  return Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20))
}

/** `isOwn`: the receiver answers but refuses this notice. */
type Fault = { text: string; isOwn: boolean }

async function send(receiver: Receiver, notice: Notice): Promise<Fault | undefined> {
  const body = JSON.stringify(notice)
  const { url, secret, timeoutMs } = receiver
  const headers = {
    'content-type': 'application/json',
    'platbook-signature': signNotice(body, secret, receiver.now()),
  }
  // The operator's own receiver may be anywhere.
  const answer = await post({ url, headers, body, timeoutMs, mayCall: () => true })
  if ('fault' in answer) return { text: `the receiver: ${answer.fault}`, isOwn: false }
  const { status } = answer
  if (status >= 200 && status < 300) return undefined
  const isOwn = status >= 400 && status < 500 && ![408, 425, 429].includes(status)
  return { text: `the receiver answers ${status}`, isOwn }
}

type Reporter = {
  config: Config
  /** Epoch milliseconds. */
  now(): number
  report(line: string): void
}

const TIMEOUT_MS = 10_000

/**
 * Sends a notice `chain_broken`; an unsent one waits for the service. The same text is the same
 * notice. Does nothing without an address. Never throws.
 */
export async function sendBrokenChain(
  { config, now, report }: Reporter,
  text: string,
): Promise<void> {
  const { data: dataDir, notifyUrl: url, notifySecret: secret } = config
  if (url === null || secret === null) return
  try {
    addNotice(dataDir, makeNotice('chain_broken', text, { text }, now()))
  } catch (error) {
    report(`notices: a broken chain could not be noted: ${(error as Error).message}`)
    return
  }
  await deliverNotices({ dataDir, url, secret, now, timeoutMs: TIMEOUT_MS, alarm: report })
}
