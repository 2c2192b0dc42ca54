/** Enriches a list: read → ask → write, chunk by chunk. */
import { foldCity } from '../fold.ts'
import type { Answer, Answers } from './answers.ts'
import type { Checkpoint, Counts } from './checkpoint.ts'
import type { Question } from './questions.ts'
import type { List, ListRow } from './read-list.ts'
import type { ListWriter } from './write-list.ts'

/** Rows asked and written together: what a kill costs at most. */
const CHUNK_ROWS = 500

type EnrichJob = {
  list: List
  ask(row: readonly string[]): Question[]
  answers: Answers
  /** Fields of the flat record that are added, in the order of their columns. */
  fields: readonly string[]
  writer: ListWriter
  /** `undefined`: nothing is written. */
  checkpoint: Checkpoint | undefined
  /** Whether each chunk is on the disk before the next is asked: where rows are paid. */
  sync: boolean
  /** Hears the counts after each chunk. */
  progress(counts: Counts): void
}

/** Columns that are added before the fields of the record. */
export const OWN_COLUMNS = ['platbookMatch', 'platbookPropertyId', 'platbookNote'] as const

/** Runs a job to its end. What a chunk finds is written before the next is asked. */
export async function enrichList(job: EnrichJob): Promise<Counts> {
  const { list, checkpoint, writer } = job
  const counts = checkpoint?.counts ?? { rows: 0, found: 0, none: 0, ambiguous: 0, invalid: 0 }
  let passed = counts.rows
  let header = passed === 0 ? writer.header : ''
  let chunk: ListRow[] = []
  const flush = async () => {
    const outcomes = await answerChunk(job, chunk)
    let text = header
    for (const [at, row] of chunk.entries()) {
      text += writer.row(row, addTo(job, outcomes[at] ?? {}, counts))
    }
    checkpoint?.append(text, counts, job.sync)
    header = ''
    chunk = []
    job.progress(counts)
  }
  for await (const row of list.rows) {
    if (passed > 0) {
      passed -= 1
      continue
    }
    chunk.push(row)
    if (chunk.length === CHUNK_ROWS) await flush()
  }
  if (chunk.length > 0 || header !== '') await flush()
  checkpoint?.finish()
  return counts
}

/** What a row came to: the answer that counts, or why nothing was asked. */
type Outcome = { answer?: Answer; refused?: string }

/** All first questions of the rows, then the second ones of those that found nothing, and so on. */
async function answerChunk({ ask, answers }: EnrichJob, rows: ListRow[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = rows.map(({ broken }) => (broken ? { refused: broken } : {}))
  const questions = rows.map(({ cells, broken }) => (broken ? [] : ask(cells)))
  const most = Math.max(...questions.map(({ length }) => length), 0)
  for (let round = 0; round < most; round += 1) {
    const open = questions.flatMap((some, at) => {
      const question = some[round]
      const status = outcomes[at]?.answer?.status
      return question === undefined || status === 200 ? [] : [{ at, question }]
    })
    const found = await answers.ask(open.map(({ question }) => question.query))
    for (const [index, { at, question }] of open.entries()) {
      const before = outcomes[at]?.answer
      const now = found[index] as Answer
      if (question.expects !== undefined && !isAt(question.expects, now)) continue
      // What is ambiguous or wrong tells more than a later "not found".
      if (before === undefined || now.status === 200) outcomes[at] = { answer: now }
    }
  }
  return outcomes
}

/** Whether one parcel was found, and its record is of the place that the row names. */
function isAt({ city, zip }: NonNullable<Question['expects']>, answer: Answer): boolean {
  const { status, property } = answer
  if (status !== 200 || property === undefined || !isSure(answer)) return false
  const { city: recorded, zipCode } = property as { city?: string | null; zipCode?: string | null }
  const sameZip = zip === '' || !zipCode || zipCode === zip
  return sameZip && typeof recorded === 'string' && foldOnce(recorded) === city
}

const folded = new Map<string, string>()
const FOLDED_MAX = 10_000

/** `foldCity` of a record's city; a list has few of them. */
function foldOnce(city: string): string {
  const known = folded.get(city)
  if (known !== undefined) return known
  if (folded.size === FOLDED_MAX) folded.clear()
  const fold = foldCity(city)
  folded.set(city, fold)
  return fold
}

/** `false`: a record of one unit of many, or of one parcel of several, could be another owner's. */
function isSure({ match, alike }: Answer): boolean {
  return match !== 'one-of-many' && match !== 'ambiguous' && alike === 1
}

/** The values of the added columns; the row is counted. */
function addTo({ fields }: EnrichJob, outcome: Outcome, counts: Counts): unknown[] {
  const { word, match, note } = judge(outcome)
  counts.rows += 1
  counts[word] += 1
  const record = word === 'found' ? outcome.answer?.property : undefined
  const added: unknown[] = [match, record?.propertyId ?? null, note]
  for (const field of fields) added.push(record?.[field] ?? null)
  return added
}

function judge({ answer, refused }: Outcome) {
  const nothing = refused ?? 'The row has no address, parcel ID or coordinates'
  if (answer === undefined) return { word: 'invalid', match: 'invalid', note: nothing } as const
  const { status, match = 'exact', error = '', property } = answer
  if (!isSure(answer)) {
    const note = status === 200 ? explainSeveral(answer) : error
    return { word: 'ambiguous', match: 'ambiguous', note } as const
  }
  if (status === 200 && property !== undefined) return { word: 'found', match, note: null } as const
  if (status === 400) return { word: 'invalid', match: 'invalid', note: error } as const
  return { word: 'none', match: 'none', note: error } as const
}

function explainSeveral({ match, alike }: Answer): string {
  return match === 'one-of-many'
    ? 'Several parcels stand there; the unit may be missing'
    : `${alike} parcels are recorded there, and the row does not tell which is meant`
}
