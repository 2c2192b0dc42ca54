/** Compares the columns of sources with those that their mappings read; loads nothing. */
import { CommandError } from '../../base/errors.ts'
import { compilePlan, findMissingColumns } from '../mapping/plan.ts'
import type { Source } from '../sources/catalogue.ts'
import { type Look, lookAt } from '../sources/look.ts'
import { showAddress, type Web } from '../sources/web.ts'
import { readKept, writeKept } from './kept.ts'
import { readJob, type SourceJob } from './run-sync.ts'

export type SourceCheck = {
  id: string
  /** The source can be requested, and has its earlier columns and all that its mapping requires. */
  ok: boolean
  /** Why it cannot be requested or loaded. */
  error: string | null
  addresses: Look[]
  /** Rows of the first address; `null`: unknown. */
  rows: number | null
  /** Columns of all addresses; `null`: unknown for at least one, such as an archive. */
  columns: string[] | null
  /** Columns that the mapping names, optional ones too, and no address has; `null`: unknown. */
  missing: string[] | null
  /** Members of `missing` that were present at the last good check or load. */
  lost: string[]
}

/** Checks one source. A failed request is returned as `error` and not thrown. */
export async function checkSourceColumns(
  web: Web,
  dataDir: string,
  source: Source,
  all: Source[],
): Promise<SourceCheck> {
  const blank = { id: source.id, addresses: [], rows: null, columns: null, missing: null, lost: [] }
  try {
    const { url, mapping } = source
    // A source without a mapping can be requested too.
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
  const counted = { ...blank, rows, columns }
  if (rows === 0) return { ...counted, ok: false, error: 'it has no rows' }
  if (columns === null || job === undefined) return { ...counted, ok: true, error: null }
  const kept = readKept(dataDir, blank.id)
  const missing = findMissingColumns(job.mapping, columns)
  const before = new Set([
    ...(kept.columns ?? []),
    ...kept.looks.flatMap((look) => look.columns ?? []),
  ])
  const lost = missing.filter((name) => name.split(' or ').some((one) => before.has(one)))
  const error =
    findFault(job, columns) ??
    (lost.length === 0 ? null : `columns that were there are gone: ${lost.join(', ')}`)
  // Keeps the last good columns, so that a loss is reported until it is repaired.
  if (error === null) writeKept(dataDir, { ...kept, columns })
  return { ...counted, ok: error === null, error, missing, lost }
}

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
