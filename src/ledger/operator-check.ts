/** Verifies the operator log: its chain, and that accounts, keys and triggers match it. */
import type { LedgerStore } from '../store/accounts-store.ts'
import {
  differingColumns,
  EMPTY_HEAD,
  LOGGED_KINDS,
  type LoggedKind,
  operatorHash,
} from '../store/operator-log.ts'
import type { Fault } from './chain.ts'

const SLICE_ROWS = 1000

/**
 * Returns the first difference from the operator log. In a store older than the log the log is
 * empty and nothing is compared.
 */
export async function checkOperatorLog(store: LedgerStore): Promise<Fault | undefined> {
  const trigger = await store.wrongTrigger()
  if (trigger !== undefined) return fault(`the trigger ${trigger} is missing or not this program's`)
  const newest = new Map<string, string>()
  let head = EMPTY_HEAD
  for (;;) {
    const entries = await store.operatorEntriesAfter(head.id, SLICE_ROWS)
    if (entries.length === 0) break
    for (const entry of entries) {
      if (entry.id !== head.id + 1)
        return fault(`row ${head.id + 1} of the operator log is missing`)
      if (Buffer.compare(operatorHash(head.hash, entry), entry.hash) !== 0) {
        return fault(`row ${entry.id} of the operator log was changed: its hash does not fit`)
      }
      head = entry
      newest.set(`${entry.kind} ${entry.subject}`, entry.state)
    }
  }
  if (head.id === 0) return undefined
  for (const kind of LOGGED_KINDS) {
    const problem = compareRows(kind, await store.loggedStates(kind), newest)
    if (problem !== undefined) return fault(problem)
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

function fault(problem: string): Fault {
  return { id: null, account: null, seq: null, problem }
}
