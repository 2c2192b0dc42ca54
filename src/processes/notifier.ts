/**
 * The notifier process of a node: finds events that an operator should know and sends notices. No
 * request waits for it. It ends when its parent ends or asks it to.
 */
import { deliverNotices, waitAfter } from '../notify/deliver.ts'
import { watchOnce } from '../notify/watch.ts'
import { openAccounts } from '../store/open.ts'
import * as child from './child.ts'
import type { NotifierOrder } from './messages.ts'

const WATCH_MS = 30_000
const SEND_MS = 1000
const TIMEOUT_MS = 10_000

const { config } = child.takeOrder<NotifierOrder>()
const alarm = (text: string) => child.alarm(`notices: ${text}`)

const accounts = await openAccounts(config)
const receiver = {
  dataDir: config.data,
  url: config.notifyUrl ?? '',
  secret: config.notifySecret ?? '',
  now: Date.now,
  timeoutMs: TIMEOUT_MS,
  alarm,
}
void watch()
void deliver(0)
child.endBy(() => undefined)
child.sayReady()

async function watch(): Promise<void> {
  try {
    await watchOnce(config.data, accounts, Date.now())
  } catch (error) {
    alarm(`nothing could be looked for: ${(error as Error).message}`)
  }
  setTimeout(() => void watch(), WATCH_MS)
}

/**
 * `failures`: in a row. Checks every second while the receiver answers, and less often while it
 * does not.
 */
async function deliver(failures: number): Promise<void> {
  let next = failures + 1
  try {
    if (await deliverNotices(receiver)) next = 0
  } catch (error) {
    alarm((error as Error).message)
  }
  if (next === 3) alarm('the receiver of PLATBOOK_NOTIFY_URL does not take them; they are kept')
  setTimeout(() => void deliver(next), next === 0 ? SEND_MS : waitAfter(next))
}
