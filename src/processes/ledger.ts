/**
 * The ledger process: accepts charges from all workers on a Unix socket and writes them in groups.
 * It ends when its parent ends or asks it to.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { BEAT_MS } from '../base/liveness.ts'
import { createAuditKeeper } from '../ledger/audit-keeper.ts'
import type { Fault } from '../ledger/chain.ts'
import { startHeartbeat } from '../ledger/heartbeat.ts'
import type { ChargeOutcome } from '../ledger/ledger.ts'
import { countUnwritten } from '../ledger/pending-charges.ts'
import {
  type LeasedMessage,
  type LeaseMessage,
  type OutcomeMessage,
  readLines,
  sendLine,
  type ToLedger,
  ticks,
  type UseMessage,
} from '../ledger/protocol.ts'
import { createRateWindows, type Lease } from '../ledger/rates/rate-windows.ts'
import { createSharedWindows, type SharedWindows, TIDY_MS } from '../ledger/rates/shared-windows.ts'
import { type LedgerWriter, openLedgerWriter } from '../ledger/writer.ts'
import type { GrantStore } from '../store/accounts-store.ts'
import { type KeptHeads, namePlace, readHeads } from '../store/heads.ts'
import { openLedger } from '../store/open.ts'
import { alarm, describe, endBy, fail, sayReady, takeOrder } from './child.ts'
import type { LedgerOrder } from './messages.ts'

const DRAIN_MS = 1000
let stopping = false
const { socketPath, place, heads, auditDays } = takeOrder<LedgerOrder>(() => {
  // The parent and its workers are gone, so this process removes the socket's folder.
  rmSync(dirname(socketPath), { recursive: true, force: true })
  process.exit(0)
})
const reportAudit = (error: unknown) => alarm(`audit: ${describe(error)}`)

const opened = await open().catch(fail)
const noted = await readNoted().catch(fail)
const noteUnwritten = countUnwritten((text) => alarm(`ledger: ${text}`), ticks)
const writer = await openLedgerWriter(opened.store, Date.now, {
  onFault: ({ id, account, seq, problem }) => {
    const text = `ledger: ${describePlace({ id, account, seq })}${problem}`
    process.send?.({ kind: 'fault', text })
  },
  steadyMs: ticks,
  onClock: (text) => alarm(`ledger: ${text}`),
  onError: (error, charges) => noteUnwritten(charges, describe(error)),
  noted,
  keeper: createAuditKeeper(opened.audit, { days: auditDays, now: Date.now, onError: reportAudit }),
}).catch(fail)
// Recorded heads must not be overwritten while they show that rows are missing.
const heartbeat =
  writer.fault() === undefined
    ? startHeartbeat(opened.store, heads, Date.now, (error, place) =>
        alarm(`ledger: cannot write the newest hashes to ${namePlace(place)}: ${describe(error)}`),
      )
    : undefined
const closing: (() => Promise<void>)[] = []
const windows = openWindows(opened.grants)
const servers: Server[] = []
endBy(stop)
await listen()
sayReady()
setInterval(() => {
  if (!existsSync(socketPath)) void restoreSocket()
}, BEAT_MS).unref()

async function listen(): Promise<void> {
  const server = createServer((socket) => serve(socket, writer))
  server.on('error', fail)
  // A killed process has left its socket file.
  rmSync(socketPath, { force: true })
  server.listen(socketPath)
  await once(server, 'listening')
  servers.push(server)
}

/** Creates the socket again if something, such as a cleaner of /tmp, removed it. */
async function restoreSocket(): Promise<void> {
  if (stopping) return
  alarm(`ledger: the socket ${socketPath} vanished; making it again`)
  // Open connections stay. Closing comes first because it removes the socket's path.
  servers.at(-1)?.close()
  mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 })
  await listen()
}

async function open() {
  return openLedger(place)
}

/** An unreadable place is reported and the ledger serves: a remote address may be down. */
async function readNoted(): Promise<KeptHeads[]> {
  const noted: KeptHeads[] = []
  for (const one of heads) {
    try {
      const kept = await readHeads(one)
      if (kept !== undefined) noted.push(kept)
    } catch (error) {
      alarm(`ledger: ${describe(error)}`)
    }
  }
  return noted
}

function describePlace({ id, account, seq }: Pick<Fault, 'id' | 'account' | 'seq'>): string {
  if (id === null && account === null && seq === null) return ''
  return `id ${id}, account ${account}, row ${seq}: `
}

/** Returns this node's own windows, or those shared with other nodes. */
function openWindows(grants: GrantStore | undefined): Pick<SharedWindows, 'lease' | 'giveBack'> {
  if (grants === undefined) {
    const own = createRateWindows()
    const lease: SharedWindows['lease'] = (...asked) => own.lease(...asked, ticks())
    return { lease, giveBack: own.giveBack }
  }
  const reportAlone = (error: unknown) =>
    alarm(`rate limits: this node counts by itself: ${describe(error)}`)
  const shared = createSharedWindows({ store: grants, steadyMs: ticks, onAlone: reportAlone })
  setInterval(() => void shared.tidy(), TIDY_MS).unref()
  closing.push(() => shared.close())
  return shared
}

/** Answers at once, not after a group of charges, because requests are waiting. */
function answerLeases(socket: Socket, asked: LeaseMessage[]): void {
  const leases: LeasedMessage[] = []
  for (const { number, account, limit, want } of asked) {
    const lease = windows.lease(account, limit, want)
    if (lease instanceof Promise) void lease.then((late) => answerLate(number, account, late))
    else leases.push({ number, lease })
  }
  if (leases.length > 0) sendLine(socket, { leases })

  function answerLate(number: number, account: string, lease: Lease): void {
    if (socket.destroyed) windows.giveBack(account, lease.slot, lease.count)
    else sendLine(socket, { leases: [{ number, lease }] })
  }
}

function serve(socket: Socket, ledger: LedgerWriter): void {
  let outbox: OutcomeMessage[] = []
  socket.on('error', () => undefined)
  readLines<ToLedger>(
    socket,
    ({ charges = [], uses = [], notes = [], leases = [], returns = [] }) => {
      for (const { account, slot, count } of returns) windows.giveBack(account, slot, count)
      if (leases.length > 0) answerLeases(socket, leases)
      for (const { number, until, charge } of charges) {
        // A caller that has cancelled or disconnected is not charged.
        const stillWanted = () => ticks() < until && !socket.destroyed
        void ledger.charge(charge, stillWanted).then((outcome) => post(number, outcome))
      }
      if (notes.length > 0) ledger.noteAudit(notes)
      if (uses.length > 0) ledger.noteUses(uses.map(readUse))
    },
  )

  /** All outcomes of one group for one worker are sent in one message. */
  function post(number: number, outcome: ChargeOutcome): void {
    outbox.push({ number, outcome })
    if (outbox.length > 1) return
    setImmediate(flush)
  }

  function flush(): void {
    const outcomes = outbox
    outbox = []
    if (!socket.destroyed) sendLine(socket, { outcomes })
  }
}

function readUse({ keyId, at, rehash }: UseMessage) {
  if (rehash === undefined) return { keyId, at }
  return { keyId, at, rehash: { hash: Buffer.from(rehash.hash, 'hex'), secretId: rehash.secretId } }
}

/** Workers have closed by now; their last messages may still be unread. */
async function stop(): Promise<void> {
  stopping = true
  await Promise.race([
    Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))),
    new Promise((resolve) => setTimeout(resolve, DRAIN_MS)),
  ])
  await writer.close()
  await heartbeat?.stop()
  for (const close of closing) await close()
  await opened.close()
}
