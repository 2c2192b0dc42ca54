/** Pages by windows of object ids, for too many to list. Each is counted before its request. */
import { sortOut } from './by-ids.ts'
import { listOf, objectOf } from './layer.ts'
import { type Losses, mayHalve } from './losses.ts'
import { PART_TRIES, type Pages } from './pages.ts'
import { BrokenPaging, countRows, type Question } from './question.ts'
import type { Row } from './rows.ts'

/** Expected share of used ids. Ids have gaps, so a window must be wider than a page. */
const FILL = 0.75

type Asked = { question: Question; idField: string; losses: Losses }

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
  const where = `${idField} >= ${first} AND ${idField} <= ${last}`
  const inHalves = async () => {
    const middle = Math.floor((first + last) / 2)
    const left = await fetchWindow(asked, first, middle, true)
    return [...left, ...(await fetchWindow(asked, middle + 1, last, true))]
  }
  let error: unknown = new Error('the server counts this row and does not give it')
  try {
    const count = await countRows(question, where)
    if (count === null) throw new BrokenPaging('the server does not count a part of its rows')
    if (count === 0) return []
    if (count > question.layer.pageSize && last > first) return inHalves()
    const { rows } = await question.rows({ where }, isPart ? PART_TRIES : undefined)
    const kept = [...sortOut(rows, first, last).values()].flat()
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
