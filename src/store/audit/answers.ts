/**
 * Free answers of one key and operation stand together in one entry of the audit: a row, a hash and
 * an insert for each answer cost the ledger process 19 µs, half as much as a lookup.
 *
 * The `ids` of such an entry hold, for each answer, a line of tab, request ID, tab and the query's
 * hash, and after it the answer's property IDs. `requestId` and `query` are empty.
 */
import type { AuditEntry, AuditNote } from './audit-store.ts'

/** An entry takes answers until it has so many lines: what one filter is made of stays bounded. */
const LINES_MAX = 64

/** Joins notes of free answers as they come. */
export class NoteJoiner {
  #joined: AuditNote[] = []
  /** The entry that is being filled of each key and operation. */
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

  /** Gives the entries and begins anew. */
  take(): AuditNote[] {
    const taken = [...this.#joined, ...[...this.#open.values()].map(close)]
    this.#joined = []
    this.#open.clear()
    this.#last = undefined
    this.#answers = 0
    return taken
  }

  /** Nearly every note is of the same key and operation as the one before it. */
  #find(note: AuditNote): Filling {
    const last = this.#last
    if (last !== undefined && isAlike(last.first, note)) return last
    const name = nameOf(note)
    let filling = this.#open.get(name)
    if (filling === undefined) {
      filling = { first: note, text: '', lines: 0, answers: 0 }
      this.#open.set(name, filling)
    }
    this.#last = filling
    return filling
  }
}

type Filling = { first: AuditNote; text: string; lines: number; answers: number }

/** The answers that an entry tells of, each as an entry of its own with the same `id`. */
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

/** The property IDs of an entry, of all its answers. */
export function idsOf({ ids }: Pick<AuditEntry, 'ids'>): string[] {
  return ids === '' ? [] : ids.split('\n').filter((line) => !line.startsWith('\t'))
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
