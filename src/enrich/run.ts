/** Enriches a list: read → ask → write, chunk by chunk. */
import { foldCity } from '../base/fold.ts'
import type { Answer, Answers } from './answers.ts'
import type { Checkpoint, Counts } from './checkpoint.ts'
import type { Question } from './questions.ts'
import type { List, ListRow } from './read-list.ts'
import type { ListWriter } from './write-list.ts'

/** Rows looked up and written together; a kill loses at most these. */
const CHUNK_ROWS = 500

type EnrichJob = {
  list: List
  ask(row: readonly string[]): Question[]
  answers: Answers
  /** Fields of the flat record that are added, in the order of their columns. */
  fields: readonly string[]
  writer: ListWriter
  /** `undefined`: writes nothing. */
  checkpoint: Checkpoint | undefined
  /** Whether to sync each chunk to disk before the next, because rows are charged. */
  sync: boolean
  /** Called with the counts after each chunk. */
  progress(counts: Counts): void
}

/** Columns added before the fields of the record. */
export const OWN_COLUMNS = ['platbookMatch', 'platbookPropertyId', 'platbookNote'] as const

/** Runs a job to its end. The results of a chunk are written before the next is looked up. */
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

/** The result of a row: the answer that counts, or why no lookup was made. */
type Outcome = { answer?: Answer; refused?: string }

/** Asks the first question of every row, then the second of those without a result, and so on. */
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
      // An ambiguous or faulty result says more than a later "not found".
      if (before === undefined || now.status === 200) outcomes[at] = { answer: now }
    }
  }
  return outcomes
}

/** Reports whether one parcel was found and its record is in the row's place. */
function isAt({ city, zip }: NonNullable<Question['expects']>, answer: Answer): boolean {
  const { status, property } = answer
  if (status !== 200 || property === undefined || !isSure(answer)) return false
  const { city: recorded, zipCode } = property as { city?: string | null; zipCode?: string | null }
  const sameZip = zip === '' || !zipCode || zipCode === zip
  return sameZip && typeof recorded === 'string' && foldOnce(recorded) === city
}

const folded = new Map<string, string>()
const FOLDED_MAX = 10_000

/** Caches `foldCity` of a record's city; a list has few cities. */
function foldOnce(city: string): string {
  const known = folded.get(city)
  if (known !== undefined) return known
  if (folded.size === FOLDED_MAX) folded.clear()
  const fold = foldCity(city)
  folded.set(city, fold)
  return fold
}

/** `false`: the record of one unit of many, or of one parcel of several, may be another owner's. */
function isSure({ match, alike }: Answer): boolean {
  return match !== 'one-of-many' && match !== 'ambiguous' && alike === 1
}

/** Returns the values of the added columns, and counts the row. */
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
    ? 'Several parcels have this address; the unit may be missing'
    : `${alike} parcels are recorded there, and the row does not say which one`
}
