/**
 * The notifier process of a node: sends notices of events to operators, and keeps the watches of
 * accounts. Only requests to watches wait for it. It ends when its parent ends or asks it to.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectLedger } from '../ledger/client.ts'
import { deliverNotices, waitAfter } from '../notify/deliver.ts'
import { watchOnce } from '../notify/watch.ts'
import { openAccounts, openParcels } from '../store/open.ts'
import { serveDesk } from '../watches/socket.ts'
import * as child from './child.ts'
import type { NotifierOrder } from './messages.ts'

const WATCH_MS = 30_000
const SEND_MS = 1000
const TIDY_MS = 3_600_000
const TIMEOUT_MS = 10_000

const { config, socketPath, ledgerSocket } = child.takeOrder<NotifierOrder>()
const alarm = (text: string) => child.alarm(`notices: ${text}`)
const alarmOfWatches = (text: string) => child.alarm(`watches: ${text}`)

const accounts = await openAccounts(config)
const ledger = connectLedger(ledgerSocket)
let watches: Promise<Watches> | undefined
serveDesk(
  socketPath,
  async (asked) => (await loadWatches()).desk(asked),
  (error) => alarmOfWatches(child.describe(error)),
)
const receiver = {
  dataDir: config.data,
  url: config.notifyUrl ?? '',
  secret: config.notifySecret ?? '',
  now: Date.now,
  timeoutMs: TIMEOUT_MS,
  alarm,
}
if (config.notifyUrl !== null) {
  void watch()
  void deliver(0)
}
void repeat('events were not found', SEND_MS, async () => {
  const keeper = await keeperIfAny()
  while (await keeper?.find()) await sleep(1)
})
void repeat('events were not sent', SEND_MS, async () => (await keeperIfAny())?.send())
void repeat('old events were not forgotten', TIDY_MS, async () => (await keeperIfAny())?.tidy())
child.endBy(() => undefined)
child.sayReady()

type Watches = Awaited<ReturnType<typeof openWatches>>

/** Loads what keeps watches, which is more than all else here, for the first watch. */
async function openWatches() {
  const [{ openDesk }, { openKeeper }, { openMeter }, { openWatchWorld }] = await Promise.all([
    import('../watches/desk.ts'),
    import('../watches/keeper.ts'),
    import('../watches/meter.ts'),
    import('../watches/open-world.ts'),
  ])
  const stores = { accounts, parcels: openParcels(config).parcels }
  const world = openWatchWorld(config, stores, { now: Date.now, alarm: alarmOfWatches })
  const meter = openMeter(config, accounts.reader, { ledger, now: Date.now })
  return { desk: openDesk(world), keeper: openKeeper(world, meter) }
}

function loadWatches(): Promise<Watches> {
  watches ??= openWatches().catch((error) => {
    watches = undefined
    throw error
  })
  return watches
}

async function keeperIfAny() {
  const isAny = watches !== undefined || (await accounts.watches.version()) > 0
  return isAny ? (await loadWatches()).keeper : undefined
}

/** Works again and again. A fault is reported once, until the work succeeds. */
async function repeat(fault: string, everyMs: number, work: () => Promise<unknown>): Promise<void> {
  for (let isReported = false; ; await sleep(everyMs)) {
    try {
      await work()
      isReported = false
    } catch (error) {
      if (!isReported) alarmOfWatches(`${fault}: ${child.describe(error)}`)
      isReported = true
    }
  }
}

async function watch(): Promise<void> {
  try {
    await watchOnce(config.data, accounts, Date.now())
  } catch (error) {
    alarm(`nothing could be looked for: ${(error as Error).message}`)
  }
  setTimeout(() => void watch(), WATCH_MS)
}

/** `failures`: in a row. Looks every second while the receiver answers, else less often. */
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
