/**
 * Groups free answers of one key and operation into one audit entry, because a row each would cost
 * the ledger process 19 µs, half a lookup. Its `ids` hold, for each answer, a line of tab, request
 * ID, tab and query hash, and then the answer's property IDs; `requestId` and `query` are empty.
 */
import type { AuditEntry, AuditNote } from './audit-store.ts'

/** Most lines in an entry, so that the input of one filter stays bounded. */
const LINES_MAX = 64

export class NoteJoiner {
  #joined: AuditNote[] = []
  readonly #open = new Map<string, Filling>()
  #last: Filling | undefined
  #answers = 0

  /** Answers added since the last `take`. */
  get answers(): number {
    return this.#answers
  }

  add(note: AuditNote): void {
    this.#answers += 1
    const filling = this.#find(note)
    filling.answers += 1
    if (filling.answers > 1) filling.text += '\n'
    filling.text += `\t${note.requestId}\t${note.query}`
    if (note.ids !== '') filling.text += `\n${note.ids}`
    filling.lines += 1 + countIds(note.ids)
    if (filling.lines < LINES_MAX) return
    this.#joined.push(close(filling))
    this.#open.delete(nameOf(note))
    this.#last = undefined
  }

  /** Returns the entries and starts again. */
  take(): AuditNote[] {
    const taken = [...this.#joined, ...[...this.#open.values()].map(close)]
    this.#joined = []
    this.#open.clear()
    this.#last = undefined
    this.#answers = 0
    return taken
  }

  /** Most notes have the same key and operation as the one before. */
  #find(note: AuditNote): Filling {
    const last = this.#last
    if (last !== undefined && isAlike(last.first, note)) return last
    const name = nameOf(note)
    const filling = this.#open.getOrInsertComputed(name, () => ({
      first: note,
      text: '',
      lines: 0,
      answers: 0,
    }))
    this.#last = filling
    return filling
  }
}

type Filling = { first: AuditNote; text: string; lines: number; answers: number }

/** Returns the answers in an entry, each as a separate entry with the same `id`. */
export function answersOf(entry: AuditEntry): AuditEntry[] {
  if (!entry.ids.startsWith('\t')) return [entry]
  return entry.ids
    .slice(1)
    .split('\n\t')
    .map((text) => {
      const end = text.indexOf('\n')
      const [requestId = '', query = ''] = (end < 0 ? text : text.slice(0, end)).split('\t')
      return { ...entry, requestId, query, ids: end < 0 ? '' : text.slice(end + 1) }
    })
}

function close({ first, text, answers }: Filling): AuditNote {
  return answers === 1 ? first : { ...first, requestId: '', query: '', ids: text }
}

function isAlike(one: AuditNote, other: AuditNote): boolean {
  return (
    one.keyId === other.keyId &&
    one.operation === other.operation &&
    one.accountId === other.accountId
  )
}

function nameOf({ accountId, keyId, operation }: AuditNote): string {
  return `${accountId} ${keyId} ${operation}`
}

function countIds(ids: string): number {
  if (ids === '') return 0
  let count = 1
  for (let at = ids.indexOf('\n'); at >= 0; at = ids.indexOf('\n', at + 1)) count += 1
  return count
}
