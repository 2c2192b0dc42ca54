/** Pages by object ids, checked against the server's list: the most reliable way. */
import { createHash } from 'node:crypto'
import type { Losses } from './losses.ts'
import { mayHalve } from './losses.ts'
import { PART_TRIES, type Pages } from './pages.ts'
import { BrokenPaging, type Question } from './question.ts'
import type { Row } from './rows.ts'

/** Distinct rows by object id. A view that joins tables has several rows per id. */
type Found = Map<number, Row[]>

/** Throws `BrokenPaging` when the server does not list ids. */
export async function pageByIds(question: Question, losses: Losses): Promise<Pages> {
  const answer = await question.facts({ returnIdsOnly: 'true' })
  const { objectIds, objectIdFieldName } = answer
  if (!Array.isArray(objectIds) || !objectIds.every(Number.isSafeInteger)) {
    throw new BrokenPaging('the server lists no object ids')
  }
  const idField = String(objectIdFieldName ?? question.layer.idField ?? 'OBJECTID')
  const sorted = Float64Array.from(objectIds as number[]).sort()
  const ids = sorted.filter((id, at) => at === 0 || id !== sorted[at - 1])
  const { pageSize } = question.layer
  const fetchOnce = (wanted: number[], isPart: boolean) =>
    fetchRange({ question, idField, losses }, wanted, isPart)
  return {
    digest: `ids ${pageSize} ${createHash('sha256').update(ids).digest('hex')}`,
    count: Math.ceil(ids.length / pageSize),
    async fetch(page) {
      const wanted = [...ids.subarray(page * pageSize, (page + 1) * pageSize)]
      return { rows: await fetchOnce(wanted, false) }
    },
  }
}

type Asked = { question: Question; idField: string; losses: Losses }

/** Requests a range of ids; missing rows again, and a failed range in halves down to a row. */
async function fetchRange(asked: Asked, wanted: number[], isPart: boolean): Promise<Row[]> {
  const { question, idField, losses } = asked
  const [first = 0, last = 0] = [wanted[0], wanted.at(-1)]
  const inHalves = async () => {
    const middle = wanted.length >> 1
    const left = await fetchRange(asked, wanted.slice(0, middle), true)
    return [...left, ...(await fetchRange(asked, wanted.slice(middle), true))]
  }
  let found: Found
  try {
    const where = `${idField} >= ${first} AND ${idField} <= ${last}`
    const { rows } = await question.rows({ where }, isPart ? PART_TRIES : undefined)
    found = sortOut(rows, first, last)
  } catch (error) {
    if (!mayHalve(error)) throw error
    return wanted.length > 1 ? inHalves() : [losses.lose(`${idField} ${first}`, error)]
  }
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length < wanted.length) losses.gain()
  const rows = wanted.flatMap((id) => found.get(id) ?? [])
  if (missing.length === 0) return rows
  if (missing.length < wanted.length) return [...rows, ...(await fetchRange(asked, missing, true))]
  if (wanted.length > 1) return inHalves()
  const error = new Error('the server lists this row and does not give it')
  return [losses.lose(`${idField} ${first}`, error)]
}

/** Groups rows by id. Throws `BrokenPaging` for rows without one or outside of the range. */
export function sortOut(rows: Row[], first: number, last: number): Found {
  const found: Found = new Map()
  for (const row of rows) {
    if (row.id === undefined) throw new BrokenPaging('the rows carry no object id')
    if (row.id < first || row.id > last) {
      throw new BrokenPaging('the server gives rows that were not asked for')
    }
    const same = found.get(row.id)
    if (same === undefined) found.set(row.id, [row])
    else if (!same.some(({ line }) => line === row.line)) same.push(row)
  }
  return found
}
