/** Recognizes files of fixed width whose positions a mapping knows. */
import { CommandError } from '../base/errors.ts'
import type { LineKind } from '../import/batch.ts'
import type { MappingDocument } from '../import/mapping/mapping.ts'
import { compilePlan, type Plan } from '../import/mapping/plan.ts'
import { isBlank, normalizeRow } from '../import/rows/normalize.ts'
import { readSource } from '../import/source.ts'
import type { Parcel } from '../record/parcel.ts'
import { ANY_PLACE, contextOf } from './fit.ts'
import { type SampleOptions, sourceOf } from './sample/sample.ts'

type Options = SampleOptions & { mappings: MappingDocument[]; today: string }

const ROWS = 200
/** Share of parcels with a readable ZIP code. Text that is cut elsewhere has few. */
const READABLE = 0.6

/** Returns how to read some files if a mapping knows their positions; else nothing. */
export async function findFixedLayout(
  paths: string[],
  options: Options,
): Promise<Pick<SampleOptions, 'fixedWidth' | 'encoding'>> {
  const [path] = paths
  if (path === undefined || paths.length > 1 || options.separator !== undefined) return {}
  for (const mapping of options.mappings) {
    if (mapping.fixedWidth === undefined) continue
    const encoding = options.encoding ?? mapping.encoding
    if ((await readableShare(path, mapping, { ...options, encoding })) >= READABLE)
      return { fixedWidth: mapping.fixedWidth, encoding }
  }
  return {}
}

async function readableShare(path: string, mapping: MappingDocument, options: Options) {
  const source = sourceOf({ ...options, fixedWidth: mapping.fixedWidth })
  const place = { state: mapping.state ?? ANY_PLACE.state, county: ANY_PLACE.county }
  let [asked, readable] = [0, 0]
  for await (const { columns, rows } of readSource([path], { ...source, onBytes() {} })) {
    // JSON, dBASE and the like name their own columns, which may be those of the layout.
    if (!mapping.fixedWidth?.some((kind) => isOfKind(columns, kind))) return 0
    const plan = planOf({ mapping, ...place, today: options.today }, columns, path)
    for (const row of plan === undefined ? [] : rows.slice(0, ROWS)) {
      const outcome = plan && !isBlank(row) && normalizeRow(row, plan, contextOf(mapping, plan))
      if (!outcome || 'skipped' in outcome) continue
      asked += 1
      if ('draft' in outcome && hasZip(outcome.draft.parcel)) readable += 1
    }
    if (plan === undefined ? rows.length > 1 : asked > 0) break
  }
  return asked === 0 ? 0 : readable / asked
}

const isOfKind = (names: readonly string[], kind: LineKind) =>
  kind.columns.length === names.length && kind.columns.every(({ name }, at) => name === names[at])

/** `undefined` for a header line of other columns, or for a file of another format. */
function planOf(...asked: Parameters<typeof compilePlan>): Plan | undefined {
  try {
    return compilePlan(...asked)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return undefined
  }
}

const hasZip = ({ zipCode, ownerZipCode }: Parcel) => zipCode !== null || ownerZipCode !== null
