/** Verifies the ledger: all on request, else what came since the last checkpoint. */
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import type { ChainHead } from '../store/accounts-store.ts'
import { findLoss, type KeptHeads } from '../store/heads.ts'
import {
  differingColumns,
  EMPTY_HEAD,
  LOGGED_KINDS,
  type LoggedKind,
  operatorHash,
} from '../store/operator-log.ts'
import { createChainCheck, type Fault, sameHead } from './chain.ts'

export type Verdict = {
  rows: number
  /** The last hash of each account's chain, to be kept elsewhere. */
  heads: Map<string, ChainHead>
  bad: Fault | undefined
}

/** docs/accounts.md: checkpoints keep the verification at the start short. */
export const CHECKPOINT_ROWS = 10_000
/** Rows hashed at once, some 8 µs each: as many as the largest group of charges. */
export const SLICE_ROWS = 1000

export const unreadLedger = (problem: string): Verdict => ({
  rows: 0,
  heads: new Map(),
  bad: { ...NOWHERE, problem },
})

/**
 * Verifies the whole ledger on one snapshot, with its heads, checkpoints and sums of usage.
 *
 * `kept`: last hashes by account of an earlier verification, in hex, each of which must be of a row
 * of its account. `noted`: heads from outside the database, read before this is called.
 * `onProgress`: rows verified.
 */
export function verifyLedger(
  store: LedgerStore,
  more: {
    kept?: Map<string, string>
    noted?: readonly KeptHeads[]
    onProgress?: (rows: number) => void
  } = {},
): Promise<Verdict> {
  return store.snapshot(async () => {
    const check = createChainCheck()
    const kept = new Map(more.kept)
    const checkpoints = await store.checkpoints()
    for (;;) {
      const entries = await store.entriesAfter(check.lastId, SLICE_ROWS)
      if (entries.length === 0) break
      for (const entry of entries) {
        const bad = check.take([entry]) ?? compareCheckpoint(entry.accountId)
        if (bad !== undefined) return { rows: check.lastId, heads: check.heads, bad }
        const hash = kept.get(entry.accountId)
        if (hash !== undefined && hash === Buffer.from(entry.hash).toString('hex'))
          kept.delete(entry.accountId)
      }
      more.onProgress?.(check.lastId)
    }
    const bad =
      check.compareHeads(await store.heads(false)) ??
      (await compareBeside()) ??
      (await checkNoted(store, more.noted ?? [])) ??
      (await checkOperatorLog(store))
    return { rows: check.lastId, heads: check.heads, bad }

    function compareCheckpoint(account: string): Fault | undefined {
      const checkpoint = checkpoints.get(account)
      const head = check.heads.get(account) as ChainHead
      if (checkpoint?.rows !== head.rows) return undefined
      checkpoints.delete(account)
      if (sameHead(checkpoint, head)) return undefined
      return {
        ...NOWHERE,
        account,
        seq: checkpoint.rows,
        problem: "the checkpoint's hash is not that of this row",
      }
    }

    async function compareBeside(): Promise<Fault | undefined> {
      for (const [account, { rows }] of checkpoints) {
        return { ...NOWHERE, account, seq: rows, problem: 'the checkpoint has no row' }
      }
      if ((await store.checkedId()) > check.lastId) {
        return { ...NOWHERE, id: check.lastId + 1, problem: 'row is cut off: it was verified once' }
      }
      const account = await store.accountWithWrongUsage()
      if (account !== undefined) {
        return { ...NOWHERE, account, problem: 'the sums by day are not those of the rows' }
      }
      for (const account of kept.keys()) {
        return {
          ...NOWHERE,
          account,
          problem: 'the newest hash kept elsewhere is not in the ledger: rows were rewritten',
        }
      }
      return undefined
    }
  })
}

/** Compares heads recorded outside the database, to detect lost rows. */
export async function checkNoted(
  store: LedgerStore,
  noted: readonly KeptHeads[],
): Promise<Fault | undefined> {
  for (const kept of noted) {
    const problem = await findLoss(store, kept)
    if (problem !== undefined) return faultOf(problem)
  }
  return undefined
}

const NOWHERE: Omit<Fault, 'problem'> = { id: null, account: null, seq: null }
const faultOf = (problem: string): Fault => ({ ...NOWHERE, problem })

/** Follows a growing ledger from its newest checkpoint, and makes the next one. */
export async function createFollower(store: LedgerStore) {
  let checkpointId = await store.checkedId()
  let check = createChainCheck(checkpointId)

  async function walkSlice(): Promise<{ bad: Fault | undefined; rows: number }> {
    const entries = await store.entriesAfter(check.lastId, SLICE_ROWS)
    await recall(entries.map((entry) => entry.accountId))
    // The checkpoint has moved: the recalled heads belong elsewhere; the next slice starts there.
    if ((await store.checkedId()) !== checkpointId) return { bad: undefined, rows: 0 }
    return { bad: check.take(entries), rows: entries.length }
  }

  /** Reads the checkpoint heads of accounts that were not read yet. */
  async function recall(accounts: Iterable<string>): Promise<void> {
    const unmet = new Set([...accounts].filter((account) => !check.heads.has(account)))
    for (const [account, head] of await store.checkpoints(unmet)) check.heads.set(account, head)
  }

  /** Several nodes verify; the first to make a checkpoint saves the others the rows before it. */
  async function skipVerified(): Promise<void> {
    const checkedId = await store.checkedId()
    if (checkedId === checkpointId) return
    checkpointId = checkedId
    check = createChainCheck(checkpointId)
  }

  async function checkpointIfDue(): Promise<void> {
    if (check.lastId - checkpointId < CHECKPOINT_ROWS) return
    await store.writeCheckpoint(check.lastId, check.heads)
    checkpointId = check.lastId
    // The heads so far are in the checkpoints now, so the map stays small.
    check = createChainCheck(checkpointId)
  }

  async function walkTail(): Promise<Fault | undefined> {
    await skipVerified()
    for (;;) {
      const { bad, rows } = await walkSlice()
      if (bad !== undefined) return bad
      if (rows === 0) break
    }
    const kept = await store.heads(true)
    await recall(kept.keys())
    return check.compareHeads(kept)
  }

  return {
    /** At the start: verifies everything new and compares the heads. */
    async verifyTail() {
      const bad = await store.snapshot(walkTail)
      if (bad === undefined) await checkpointIfDue()
      return bad
    },
    /** While running: verifies one slice, and creates a checkpoint every `CHECKPOINT_ROWS` rows. */
    async advance() {
      await skipVerified()
      const { bad } = await walkSlice()
      const fault = bad ?? check.gap()
      if (fault === undefined) await checkpointIfDue()
      return fault
    },
    /** Id of the last verified row. */
    reached: () => check.lastId,
  }
}

/** The first difference of the operator log: in its chain, or from accounts, keys and triggers. */
export async function checkOperatorLog(store: LedgerStore): Promise<Fault | undefined> {
  const trigger = await store.wrongTrigger()
  if (trigger !== undefined)
    return faultOf(`the trigger ${trigger} is missing or not this program's`)
  const newest = new Map<string, string>()
  let head = EMPTY_HEAD
  for (;;) {
    const entries = await store.operatorEntriesAfter(head.id, SLICE_ROWS)
    if (entries.length === 0) break
    for (const entry of entries) {
      if (entry.id !== head.id + 1)
        return faultOf(`row ${head.id + 1} of the operator log is missing`)
      if (Buffer.compare(operatorHash(head.hash, entry), entry.hash) !== 0) {
        return faultOf(`row ${entry.id} of the operator log was changed: its hash does not fit`)
      }
      head = entry
      newest.set(`${entry.kind} ${entry.subject}`, entry.state)
    }
  }
  for (const kind of LOGGED_KINDS) {
    const problem = compareRows(kind, await store.loggedStates(kind), newest)
    if (problem !== undefined) return faultOf(problem)
  }
  return undefined
}

function compareRows(
  kind: LoggedKind,
  states: Map<string, string>,
  newest: Map<string, string>,
): string | undefined {
  for (const [subject, state] of states) {
    const logged = newest.get(`${kind} ${subject}`)
    if (logged === undefined) return `${kind} ${subject} is not in the operator log`
    const columns = differingColumns(logged, state)
    if (columns.length > 0) {
      return `${kind} ${subject} is not as the operator log says: ${columns.join(', ')}`
    }
  }
  for (const name of newest.keys()) {
    const [logged, subject = ''] = name.split(/ (.*)/)
    if (logged === kind && !states.has(subject)) return `${kind} ${subject} is gone`
  }
  return undefined
}
