/**
 * Asks sources what they hold without loading them, and compares it with what their mappings read.
 */
import { CommandError } from '../../errors.ts'
import { compilePlan, findMissingColumns } from '../mapping/plan.ts'
import type { Source } from '../sources/catalogue.ts'
import { type Look, lookAt } from '../sources/look.ts'
import { showAddress, type Web } from '../sources/web.ts'
import { readKept, writeKept } from './kept.ts'
import { readJob, type SourceJob } from './run-sync.ts'

export type SourceCheck = {
  id: string
  /** It answers, and has every column that it had and that its mapping must have. */
  ok: boolean
  /** Why it cannot be asked, or not be loaded. */
  error: string | null
  addresses: Look[]
  /** Rows of the first address; `null`: it does not count. */
  rows: number | null
  /** Columns of all addresses; `null`: one does not tell them, such as an archive. */
  columns: string[] | null
  /**
   * Columns that the mapping names and no address has, optional ones among them; `null`: not known.
   */
  missing: string[] | null
  /** Those of `missing` that were there at the last good check or load. */
  lost: string[]
}

/** Checks one source. What cannot be asked is an `error` of the answer, and is not thrown. */
export async function checkSourceColumns(
  web: Web,
  dataDir: string,
  source: Source,
  all: Source[],
): Promise<SourceCheck> {
  const blank = { id: source.id, addresses: [], rows: null, columns: null, missing: null, lost: [] }
  try {
    const { url, mapping } = source
    // A lead without a mapping can be asked all the same.
    const job = url !== null && mapping === null ? undefined : readJob(source, all)
    const looks: Look[] = []
    for (const address of job?.addresses ?? [String(url)]) {
      looks.push(await lookAt(web, address, true))
    }
    return compare(dataDir, { ...blank, addresses: looks }, looks, job)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { ...blank, ok: false, error: error.message }
  }
}

function compare(
  dataDir: string,
  blank: Omit<SourceCheck, 'ok' | 'error'>,
  looks: Look[],
  job: SourceJob | undefined,
): SourceCheck {
  const isTold = looks.every(({ columns }) => columns !== null)
  const columns = isTold ? [...new Set(looks.flatMap((look) => look.columns ?? []))] : null
  const rows = looks[0]?.rows ?? null
  const told = { ...blank, rows, columns }
  if (rows === 0) return { ...told, ok: false, error: 'it has no rows' }
  if (columns === null || job === undefined) return { ...told, ok: true, error: null }
  const kept = readKept(dataDir, blank.id)
  const missing = findMissingColumns(job.mapping, columns)
  const before = new Set([
    ...(kept.columns ?? []),
    ...kept.looks.flatMap((look) => look.columns ?? []),
  ])
  const lost = missing.filter((name) => name.split(' or ').some((one) => before.has(one)))
  const error = findFault(job, columns) ?? (lost.length === 0 ? null : describeLost(lost))
  // The last good columns stay, so that a loss is told until it is mended.
  if (error === null) writeKept(dataDir, { ...kept, columns })
  return { ...told, ok: error === null, error, missing, lost }
}

function describeLost(lost: string[]): string {
  return `columns that were there are gone: ${lost.join(', ')}`
}

/** The sentence with which a load would be refused for its columns. */
function findFault({ mapping, state, county, addresses }: SourceJob, columns: string[]) {
  try {
    const setup = { mapping, state, county, today: '2000-01-01' }
    compilePlan(setup, columns, showAddress(addresses[0] ?? ''))
    return null
  } catch (error) {
    if (error instanceof CommandError) return error.message
    throw error
  }
}
