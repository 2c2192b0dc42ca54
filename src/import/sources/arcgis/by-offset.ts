/** Pages by `resultOffset`. A server that ignores it is detected by repeated object ids. */
import { createHash } from 'node:crypto'
import { type Losses, mayHalve, PART_TRIES, type Pages } from './pages.ts'
import { BrokenPaging, type Question } from './question.ts'
import type { Row } from './rows.ts'

/** Most rows whose ids are remembered. */
const ROWS_MAX = 5_000_000

type Asked = { question: Question; losses: Losses; see(rows: Row[]): void }

/** Throws `BrokenPaging` when there are more rows than can be remembered. */
export function pageByOffset(question: Question, count: number | null, losses: Losses): Pages {
  const { pageSize } = question.layer
  if ((count ?? 0) > ROWS_MAX) throw new BrokenPaging('there are too many rows for offsets')
  const seen = new Seen()
  const asked = { question, losses, see: (rows: Row[]) => seen.addAll(rows) }
  return {
    digest: `offset ${pageSize} ${count}`,
    count: count === null ? undefined : Math.ceil(count / pageSize),
    async fetch(page) {
      const from = page * pageSize
      const to = Math.min(from + pageSize, count ?? Number.POSITIVE_INFINITY)
      const rows = await fetchSpan(asked, from, to, count !== null)
      return { rows, last: count === null && rows.length < pageSize }
    },
    async resume(rows) {
      for await (const row of rows) seen.addAll([row])
    },
  }
}

/** Requests rows until the span is full: a server may give fewer, or none, and have more. */
async function fetchSpan(asked: Asked, from: number, to: number, isCounted: boolean) {
  const { question, losses } = asked
  const idField = question.layer.idField
  const rows: Row[] = []
  let at = from
  let size = to - from
  let empty = 0
  let tries: number | undefined
  while (at < to) {
    size = Math.min(size, to - at)
    try {
      const answer = await question.rows(
        {
          resultOffset: String(at),
          resultRecordCount: String(size),
          ...(idField !== undefined && { orderByFields: idField }),
        },
        tries,
      )
      if (answer.rows.length > size) throw new BrokenPaging('the server gives more than asked for')
      asked.see(answer.rows)
      rows.push(...answer.rows)
      at += answer.rows.length
      empty = answer.rows.length > 0 ? 0 : empty + 1
      if (answer.rows.length > 0) {
        losses.gain()
        size = to - at
      } else if (!isCounted && !answer.more) return rows
      else if (empty > question.web.tries && size === 1) {
        throw new BrokenPaging(`the server gives no rows from number ${at} on`)
      } else size = Math.ceil(size / 2)
    } catch (error) {
      if (!mayHalve(error)) throw error
      tries = PART_TRIES
      if (size > 1) size = Math.ceil(size / 2)
      else {
        rows.push(losses.lose(`row ${at + 1}`, error))
        at += 1
        size = to - at
      }
    }
  }
  return rows
}

class Seen {
  #ids = new Set<number>()
  #answers = new Set<string>()

  addAll(rows: Row[]): void {
    for (const { id } of rows) {
      if (id === undefined) continue
      if (this.#ids.has(id)) {
        throw new BrokenPaging('the server gives rows twice: it ignores offsets or their order')
      }
      this.#ids.add(id)
    }
    if (rows.length < 2 || rows.some(({ id }) => id !== undefined)) return
    const digest = createHash('sha256')
    for (const { line } of rows) digest.update(line)
    const answer = digest.digest('base64')
    if (this.#answers.has(answer)) throw new BrokenPaging('the server ignores offsets')
    this.#answers.add(answer)
  }
}
