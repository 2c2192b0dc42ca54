/**
 * Pages by ranges of object ids. Those of the server's list are the most reliable way; windows are
 * for too many to list, and each is counted before its request.
 */
import { createHash } from 'node:crypto'
import { listOf, objectOf } from './layer.ts'
import { type Losses, mayHalve, PART_TRIES, type Pages } from './pages.ts'
import { BrokenPaging, countRows, type Question } from './question.ts'
import type { Row } from './rows.ts'

type Asked = { question: Question; idField: string; losses: Losses }

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
  const asked = { question, idField, losses }
  return {
    digest: `ids ${pageSize} ${createHash('sha256').update(ids).digest('hex')}`,
    count: Math.ceil(ids.length / pageSize),
    async fetch(page) {
      const wanted = [...ids.subarray(page * pageSize, (page + 1) * pageSize)]
      return { rows: await fetchIds(asked, wanted, false) }
    },
  }
}

/** Requests a range of ids; missing rows again, and a failed range in halves down to a row. */
async function fetchIds(asked: Asked, wanted: number[], isPart: boolean): Promise<Row[]> {
  const { idField, losses } = asked
  const [first = 0, last = 0] = [wanted[0], wanted.at(-1)]
  const inHalves = async () => {
    const middle = wanted.length >> 1
    const left = await fetchIds(asked, wanted.slice(0, middle), true)
    return [...left, ...(await fetchIds(asked, wanted.slice(middle), true))]
  }
  let found: Found
  try {
    found = await askRange(asked, first, last, isPart)
  } catch (error) {
    if (!mayHalve(error)) throw error
    return wanted.length > 1 ? inHalves() : [losses.lose(`${idField} ${first}`, error)]
  }
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length < wanted.length) losses.gain()
  const rows = wanted.flatMap((id) => found.get(id) ?? [])
  if (missing.length === 0) return rows
  if (missing.length < wanted.length) return [...rows, ...(await fetchIds(asked, missing, true))]
  if (wanted.length > 1) return inHalves()
  const error = new Error('the server lists this row and does not give it')
  return [losses.lose(`${idField} ${first}`, error)]
}

/** Groups rows by id. Throws `BrokenPaging` for rows without one or outside of the range. */
function sortOut(rows: Row[], first: number, last: number): Found {
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

const whereIn = ({ idField }: Asked, first: number, last: number) =>
  `${idField} >= ${first} AND ${idField} <= ${last}`

async function askRange(asked: Asked, first: number, last: number, isPart: boolean) {
  const where = whereIn(asked, first, last)
  const { rows } = await asked.question.rows({ where }, isPart ? PART_TRIES : undefined)
  return sortOut(rows, first, last)
}

/** Expected share of used ids. Ids have gaps, so a window must be wider than a page. */
const FILL = 0.75

/** Throws `BrokenPaging` when the server does not count or give its lowest and highest id. */
export async function pageByWindows(
  question: Question,
  count: number | null,
  losses: Losses,
): Promise<Pages> {
  const { idField, pageSize } = question.layer
  if (idField === undefined) throw new BrokenPaging('the layer has no object ids')
  if (count === null) throw new BrokenPaging('the server does not count its rows')
  const { lowest, highest } = await findBounds(question, idField)
  const range = highest - lowest + 1
  const pages = Math.min(range, Math.ceil(count / (pageSize * FILL)))
  const width = Math.ceil(range / pages)
  const asked = { question, idField, losses }
  return {
    digest: `windows ${lowest} ${highest} ${count} ${width}`,
    count: Math.ceil(range / width),
    async fetch(page) {
      const first = lowest + page * width
      return { rows: await fetchWindow(asked, first, first + width - 1, false) }
    },
  }
}

/** Some servers rename the statistics fields, so the values are read whatever their names. */
async function findBounds({ facts }: Question, idField: string) {
  const outStatistics = ['min', 'max'].map((statisticType) => ({
    statisticType,
    onStatisticField: idField,
    outStatisticFieldName: `${statisticType}_id`,
  }))
  const answer = await facts({ outStatistics: JSON.stringify(outStatistics) })
  const [feature] = listOf(answer.features)
  const values = Object.values(objectOf(feature?.attributes)).filter((value) => value !== null)
  const numbers = values.map(Number).filter(Number.isSafeInteger)
  if (listOf(answer.features).length !== 1 || numbers.length !== 2) {
    throw new BrokenPaging('the server does not return its lowest and highest object id')
  }
  return { lowest: Math.min(...numbers), highest: Math.max(...numbers) }
}

async function fetchWindow(
  asked: Asked,
  first: number,
  last: number,
  isPart: boolean,
): Promise<Row[]> {
  const { question, idField, losses } = asked
  const inHalves = async () => {
    const middle = Math.floor((first + last) / 2)
    const left = await fetchWindow(asked, first, middle, true)
    return [...left, ...(await fetchWindow(asked, middle + 1, last, true))]
  }
  let error: unknown = new Error('the server counts this row and does not give it')
  try {
    const count = await countRows(question, whereIn(asked, first, last))
    if (count === null) throw new BrokenPaging('the server does not count a part of its rows')
    if (count === 0) return []
    if (count > question.layer.pageSize && last > first) return inHalves()
    const kept = [...(await askRange(asked, first, last, isPart)).values()].flat()
    if (kept.length >= count) {
      losses.gain()
      return kept.sort((a, b) => (a.id ?? 0) - (b.id ?? 0))
    }
  } catch (fault) {
    if (!mayHalve(fault)) throw fault
    error = fault
  }
  return last > first ? inHalves() : [losses.lose(`${idField} ${first}`, error)]
}
