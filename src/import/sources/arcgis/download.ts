/** Downloads an ArcGIS layer: describe, count, page, count again. */
import { CommandError } from '../../../base/errors.ts'
import { fetchPages, PartFiles, readState } from '../part-files.ts'
import { explainFailed } from '../retry.ts'
import { PassingFault, showAddress, type Web } from '../web.ts'
import { pageByOffset } from './by-offset.ts'
import { pageByIds, pageByWindows } from './by-ranges.ts'
import { describeLayer, digestFields, type Layer } from './layer.ts'
import { countLosses, type Losses, type Pages } from './pages.ts'
import { RefusedQuery } from './query.ts'
import { BrokenPaging, countAll, makeQuestion, type Question } from './question.ts'
import { makeLineReader, type Row } from './rows.ts'

export type LayerJob = {
  address: string
  folder: string
  geometry: boolean
  /** Accepts a result that differs from the server's count. */
  force: boolean
}

type LayerDownload = { files: string[]; rows: number; lost: number; layer: Layer }

/** Largest layer for which offsets, slow when large, are first (docs/decisions/sources.md). */
const OFFSET_FIRST_ROWS = 100_000
/** Largest layer whose list of ids is requested before windows; the list is held in memory. */
const IDS_FIRST_ROWS = 2_000_000
/** Milliseconds for which a download is reused: a dry run and its import need one. */
const FRESH_MS = 86_400_000

/** Downloads a layer's rows, or the rest. Throws `CommandError` when some are missing. */
export function downloadLayer(web: Web, job: LayerJob): Promise<LayerDownload> {
  const shown = showAddress(job.address)
  const download = async () => {
    const layer = await describeLayer(web, job.address)
    const count = await countAll(makeQuestion(web, layer, false))
    if (count === 0) throw new CommandError(`${shown} (${layer.title}) has no rows`)
    return downloadPages(web, layer, count, job)
  }
  return explainFailed(`${shown} cannot be read`, download, [PassingFault, RefusedQuery])
}

async function downloadPages(web: Web, layer: Layer, count: number | null, job: LayerJob) {
  const base = [digestFields(layer.fields), count, layer.lastEdited, job.geometry].join(' ')
  const there = readState(job.folder)
  if (
    there?.complete === true &&
    there.digest.startsWith(`${base} `) &&
    web.now() - there.at < FRESH_MS
  ) {
    const parts = await PartFiles.open(job.folder, there.digest)
    return { files: parts.paths, rows: there.rows, lost: there.lost, layer }
  }
  const why: string[] = []
  let hasShapes = false
  const shapes = job.geometry ? [true, false] : [false]
  const ways = orderWays(layer, count, job.force)
  for (const [begin, geometry] of shapes.flatMap((one) => ways.map((way) => [way, one] as const))) {
    // What broke a way after rows with shapes came is not due to the shapes.
    if (hasShapes && !geometry) break
    // A way that fails says nothing of what the next one may ask for.
    const question = makeQuestion(web, layer, geometry)
    const losses = countLosses(count)
    let parts: PartFiles | undefined
    try {
      const pages = await begin(question, losses)
      parts = await PartFiles.open(job.folder, `${base} ${geometry} ${pages.digest}`)
      await pages.resume?.(readRows(parts, layer))
      await fetchAll(question, pages, parts, count)
      await checkCount(question, count, parts, job)
      return { files: parts.paths, rows: parts.state.rows, lost: parts.state.lost, layer }
    } catch (error) {
      await parts?.close()
      hasShapes ||= geometry && question.isSettled()
      const isRefused = error instanceof RefusedQuery && (parts?.state.pages ?? 0) === 0
      if (!(error instanceof BrokenPaging) && !isRefused) throw error
      await parts?.discard()
      why.push(error.message)
    }
  }
  throw new CommandError(
    `${showAddress(layer.url)} cannot be read whole: ${[...new Set(why)].join('; ')}`,
  )
}

function orderWays(layer: Layer, count: number | null, force: boolean) {
  const ids = (question: Question, losses: Losses) => pageByIds(question, losses)
  const windows = (question: Question, losses: Losses) => pageByWindows(question, count, losses)
  const offset = async (question: Question, losses: Losses) => {
    if (count === null && !force) {
      throw new BrokenPaging(
        'the server neither counts nor lists its rows, so missing rows cannot be ' +
          'detected; --force loads it anyway',
      )
    }
    return pageByOffset(question, count, losses)
  }
  if (count === null) return [ids, offset]
  if (layer.idField === undefined) return [offset, ids]
  if (layer.pagination && count <= OFFSET_FIRST_ROWS) return [offset, ids, windows]
  return count <= IDS_FIRST_ROWS ? [ids, windows, offset] : [windows, ids, offset]
}

async function fetchAll(question: Question, pages: Pages, parts: PartFiles, count: number | null) {
  await fetchPages(question.web, parts, {
    count: pages.count,
    rows: count,
    async fetch(page) {
      const { rows, last } = await pages.fetch(page)
      const lost = rows.filter((row) => row.lost === true).length
      return { lines: rows.map(({ line }) => line), lost, last }
    },
  })
}

/** Checks that the server's count has not changed and equals the number of rows received. */
async function checkCount(
  question: Question,
  before: number | null,
  parts: PartFiles,
  job: LayerJob,
) {
  const after = await countAll(question)
  const { rows } = parts.state
  const isEqual = before === after && (after === null || after === rows)
  if (isEqual || job.force) return parts.complete()
  await parts.discard()
  const shown = showAddress(job.address)
  const n = (number: number | null) => (number === null ? 'an unknown number of' : String(number))
  throw before === after
    ? new BrokenPaging(`${rows} of ${n(after)} rows came`)
    : new CommandError(
        `${shown} changed while it was read: ${n(before)} rows before, ${n(after)} ` +
          `after, ${rows} read. Nothing was loaded; try again, or load what came with ` +
          '--force',
      )
}

async function* readRows(parts: PartFiles, layer: Layer): AsyncGenerator<Row> {
  const read = makeLineReader(layer)
  for await (const line of parts.lines()) yield read(line)
}
