/**
 * The notifier process of a node: finds events that an operator should know and sends notices. No
 * request waits for it. It ends when its parent ends or asks it to.
 */
import { flushCompileCache } from 'node:module'
import { BEAT_MS } from '../base/liveness.ts'
import { deliverNotices, waitAfter } from '../notify/deliver.ts'
import { watchOnce } from '../notify/watch.ts'
import { openAccounts } from '../store/open.ts'
import { type FromChild, NOTIFIER_ORDER, type NotifierOrder } from './messages.ts'

const WATCH_MS = 30_000
const SEND_MS = 1000
const TIMEOUT_MS = 10_000

const { config } = JSON.parse(process.env[NOTIFIER_ORDER] ?? '{}') as NotifierOrder
const send = (message: FromChild) => process.send?.(message)
const alarm = (text: string) => send({ kind: 'alarm', text: `notices: ${text}` })

process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit(0))

const accounts = await openAccounts(config)
const receiver = {
  dataDir: config.data,
  url: config.notifyUrl ?? '',
  secret: config.notifySecret ?? '',
  now: Date.now,
  timeoutMs: TIMEOUT_MS,
  alarm,
}
setInterval(() => send({ kind: 'alive' }), BEAT_MS)
process.on('message', () => process.exit(0))
void watch()
void deliver(0)
// Nothing is left to write at the exit: docs/decisions/benches-and-start.md.
flushCompileCache()

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
