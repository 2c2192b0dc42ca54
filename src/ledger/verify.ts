/**
 * Verifies the ledger: all of it on request, what came after the last checkpoint at a start and
 * while running.
 */
import { describeUnreadable } from '../store/accounts/unreadable.ts'
import type { ChainHead, LedgerStore } from '../store/accounts-store.ts'
import { findLoss, type KeptHeads } from '../store/heads.ts'
import { createChainCheck, type Fault } from './chain.ts'
import { checkOperatorLog } from './operator-check.ts'

/** What a walk of the ledger found. */
export type Verdict = {
  /** Rows walked. */
  rows: number
  /** Where each account's chain ends: hashes to be kept elsewhere. */
  heads: Map<string, ChainHead>
  bad: Fault | undefined
}

/** docs/accounts.md: verified checkpoints keep the check at start short. */
export const CHECKPOINT_ROWS = 10_000
/**
 * Read and hashed at once, some 8 µs each. As many as the largest group of charges: who follows
 * them never falls behind.
 */
export const SLICE_ROWS = 1000

/**
 * The same for whatever opens the store: a ledger that is too damaged to be read is a verdict too,
 * without rows and heads. Throws what is no damage, such as a store that is out of reach.
 */
export async function judgeLedger(walk: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await walk()
  } catch (error) {
    const problem = describeUnreadable(error)
    if (problem === undefined) throw error
    return { rows: 0, heads: new Map(), bad: { ...NOWHERE, problem } }
  }
}

/**
 * Walks the whole ledger from its first row, and compares what stands beside it: heads,
 * checkpoints, sums of usage.
 *
 * Sees one state of the data even while the service runs. `kept`: hashes by account that an earlier
 * walk ended in, as hex digits; each must be the hash of a row of its account. `noted`: heads from
 * outside the database, read before this is called. `onProgress` is called with the number of rows
 * walked.
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
        problem: 'the checkpoint is not of this row',
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
          problem: 'the head kept elsewhere is in no row: rows were rewritten',
        }
      }
      return undefined
    }
  })
}

/** What heads that were noted outside the database tell of lost rows. */
export async function checkNoted(
  store: LedgerStore,
  noted: readonly KeptHeads[],
): Promise<Fault | undefined> {
  for (const kept of noted) {
    const problem = await findLoss(store, kept)
    if (problem !== undefined) return { ...NOWHERE, problem }
  }
  return undefined
}

const NOWHERE: Omit<Fault, 'problem'> = { id: null, account: null, seq: null }

function sameHead(a: ChainHead, b: ChainHead): boolean {
  const sameHash = Buffer.compare(a.hash, b.hash) === 0
  return sameHash && a.rows === b.rows && a.period === b.period && a.used === b.used
}

/**
 * Follows a growing ledger: verifies what came since the last checkpoint, and makes the next one.
 */
type Follower = {
  /** For a start: walks all that is new and compares the heads. */
  verifyTail(): Promise<Fault | undefined>
  /**
   * For the time in between: walks one slice, and makes a checkpoint each `CHECKPOINT_ROWS` rows.
   */
  advance(): Promise<Fault | undefined>
  /** Id of the last row walked. */
  reached(): number
}

/** Goes on from the newest checkpoint. Rejects when the store cannot be read. */
export async function createFollower(store: LedgerStore): Promise<Follower> {
  let checkpointId = await store.checkedId()
  let check = createChainCheck(checkpointId)

  async function walkSlice(): Promise<{ bad: Fault | undefined; rows: number }> {
    const entries = await store.entriesAfter(check.lastId, SLICE_ROWS)
    await recall(entries.map((entry) => entry.accountId))
    // What was recalled is of another place when the checkpoint has moved meanwhile: the next slice
    // starts there.
    if ((await store.checkedId()) !== checkpointId) return { bad: undefined, rows: 0 }
    return { bad: check.take(entries), rows: entries.length }
  }

  /** Where accounts that were not met yet stood at their checkpoint. */
  async function recall(accounts: Iterable<string>): Promise<void> {
    const unmet = new Set([...accounts].filter((account) => !check.heads.has(account)))
    for (const [account, head] of await store.checkpoints(unmet)) check.heads.set(account, head)
  }

  /**
   * Where several nodes charge, each verifies, and the first to make a checkpoint spares the others
   * the rows before it.
   */
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
    // What was reached stands in the checkpoints now; the map stays small.
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
    async verifyTail() {
      const bad = await store.snapshot(walkTail)
      if (bad === undefined) await checkpointIfDue()
      return bad
    },
    async advance() {
      await skipVerified()
      const { bad } = await walkSlice()
      const fault = bad ?? check.gap()
      if (fault === undefined) await checkpointIfDue()
      return fault
    },
    reached: () => check.lastId,
  }
}
