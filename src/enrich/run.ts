/** Enriches a list: read → ask → write, chunk by chunk. */
import { foldCity } from '../fold.ts'
import type { Answer, Answers } from './answers.ts'
import type { Checkpoint, Counts } from './checkpoint.ts'
import type { Question } from './questions.ts'
import type { List, ListRow } from './read-list.ts'
import type { Added, ListWriter } from './write-list.ts'

/** Rows asked and written together: what a kill costs at most. */
const CHUNK_ROWS = 500

type EnrichJob = {
  list: List
  ask(row: readonly string[]): Question[]
  answers: Answers
  /** Names of added columns by field of the flat record. */
  fields: ReadonlyMap<string, string>
  writer: ListWriter
  /** `undefined`: nothing is written. */
  checkpoint: Checkpoint | undefined
  /** Whether each chunk is on the disk before the next is asked: where rows are paid. */
  sync: boolean
  /** Hears the counts after each chunk. */
  progress(counts: Counts): void
}

/** Runs a job to its end. What a chunk finds is written before the next is asked. */
export async function enrichList(job: EnrichJob): Promise<Counts> {
  const { list, checkpoint, writer } = job
  const counts = checkpoint?.counts ?? { rows: 0, found: 0, none: 0, ambiguous: 0, invalid: 0 }
  let passed = counts.rows
  let header = passed === 0 ? writer.header : ''
  let chunk: ListRow[] = []
  const flush = async () => {
    const found = await answerChunk(job, chunk)
    const text = chunk
      .map((row, at) => writer.row(row, count(counts, addTo(job, found[at]))))
      .join('')
    checkpoint?.append(header + text, counts, job.sync)
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
function isAt(
  { city, zip }: NonNullable<Question['expects']>,
  { status, match, property }: Answer,
) {
  if (status !== 200 || property === undefined || match === 'one-of-many') return false
  const { city: recorded, zipCode } = property as { city?: string | null; zipCode?: string | null }
  const sameZip = zip === '' || !zipCode || zipCode === zip
  return sameZip && typeof recorded === 'string' && foldCity(recorded) === city
}

type Word = 'found' | 'none' | 'ambiguous' | 'invalid'

/** The added values of a row, and what it counts as. */
function addTo({ fields }: EnrichJob, outcome: Outcome | undefined): { word: Word; added: Added } {
  const { answer, refused } = outcome ?? {}
  const { word, match, note } = judge(answer, refused)
  const record = word === 'found' ? answer?.property : undefined
  const added: Added = {
    platbookMatch: match,
    platbookPropertyId: record?.propertyId ?? null,
    platbookNote: note,
  }
  for (const [field, name] of fields) added[name] = record?.[field] ?? null
  return { word, added }
}

function judge(answer: Answer | undefined, refused: string | undefined) {
  const nothing = refused ?? 'The row has no address, parcel ID or coordinates'
  if (answer === undefined) return { word: 'invalid', match: 'invalid', note: nothing } as const
  const { status, match = 'exact', error = '', property } = answer
  // A record of one unit of many would be that of another owner.
  if (match === 'one-of-many' || match === 'ambiguous') {
    const note = status === 200 ? 'Several parcels stand there; the unit may be missing' : error
    return { word: 'ambiguous', match: 'ambiguous', note } as const
  }
  if (status === 200 && property !== undefined) return { word: 'found', match, note: null } as const
  if (status === 400) return { word: 'invalid', match: 'invalid', note: error } as const
  return { word: 'none', match: 'none', note: error } as const
}

function count(counts: Counts, { word, added }: { word: Word; added: Added }): Added {
  counts.rows += 1
  counts[word] += 1
  return added
}
