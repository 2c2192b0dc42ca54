/** Notifies the operator's address of a changed ledger or audit. */
import type { Config } from '../settings/config.ts'
import { deliverNotices } from './deliver.ts'
import { makeNotice } from './notice.ts'
import { addNotice } from './outbox.ts'

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
