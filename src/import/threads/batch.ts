/**
 * Turns the rows of a batch into parcels ready to be stored. Input and output are plain data, so
 * any thread can do it.
 */
import type { NameEvidence, NameOrder } from '../../base/model/owner.ts'
import type { SuppressionRules } from '../../base/model/suppression.ts'
import { openImportHider } from '../../privacy/hide.ts'
import type { StagedParcel } from '../../store/store.ts'
import type { Batch } from '../batch.ts'
import { usesFile } from '../mapping/mapping.ts'
import { compilePlan, type Plan, type PlanSetup } from '../mapping/plan.ts'
import { openCities } from '../rows/cities.ts'
import { finishDraft, ownerReader } from '../rows/finish.ts'
import { type Draft, normalizeRow, type RowContext } from '../rows/normalize.ts'
import type { Rows } from './pack.ts'

/** Settings that hold for a whole import. */
export type BatchSetup = Omit<PlanSetup, 'onAhead'> & {
  forcedOrder: NameOrder | undefined
  rollYear: number | undefined
  evidence: NameEvidence | undefined
  /** Whether to keep polygons. */
  geometry?: boolean | undefined
  /** Cities learned from the roll, folded. */
  cities?: string[] | undefined
  suppress?: SuppressionRules | undefined
}

/** What a thread needs of a batch. */
export type BatchRows = Pick<Batch, 'file' | 'columns' | 'points' | 'polygons'> & { rows: Rows }

/** Texts without a value. */
export type TextCounts = {
  /** How often a field's text could not be read. */
  unread: Record<string, number>
  /** Some of those texts, by field. */
  unreadSamples: Record<string, string[]>
  /** How often a field's text means unknown, as `-9999` does, and some of the texts. */
  placeholders: Record<string, number>
  placeholderSamples: Record<string, string[]>
}

/** Counts of what became of a batch's rows. */
export type BatchTally = TextCounts & {
  /** Index in the batch, reason, and the row, which no other code keeps. */
  rejected: { index: number; reason: string; row: string[] }[]
  /** Number of rows that are not parcels, by reason. */
  skipped: Record<string, number>
  /** Index of the first such row of each reason. */
  skippedFirst: Record<string, number>
  /** Indexes of rows that the report mentions although they make a parcel. */
  mentioned: number[]
  /**
   * The earliest date that was moved back by a century, in this or earlier batches; empty without.
   */
  horizon: string
}

/**
 * Rows that pass a step together. One row at a time takes half as long again, probably because a
 * processor's caches do not hold the code of all steps. What more rows hold outlives collections of
 * garbage, which then take two to three times as long.
 */
const AT_ONCE = 30

/** Unreadable texts kept per field. */
export const UNREAD_SAMPLES = 5

/** `parcels` unpacks the parcels when they are staged; until then they stay bytes. */
export type BatchResult = BatchTally & { parcels(): StagedParcel[] }

/** Returns the reader of batches. It holds the compiled mapping and counts, and no rows. */
export function makeBatchReader(setup: BatchSetup) {
  const unread = new CountedTexts()
  const placeholders = new CountedTexts()
  const context = makeContext(setup, (field, text, why) =>
    (why === 'placeholder' ? placeholders : unread).note(field, text),
  )
  let horizon = ''
  let rows = noRows()
  const onAhead = (date: string) => {
    if (horizon === '' || date < horizon) horizon = date
  }
  const planFor = planCache({ ...setup, onAhead })
  const hide = setup.suppress && openImportHider(setup.suppress)
  const read = ownerReader(setup.evidence)
  // Tables have no shapes, but an exported flat table has a column of polygons.
  const shapeOf = ({ shape }: Draft) => (setup.geometry === true ? (shape ?? null) : null)
  const readOwners = ({ parcel: { ownerName, ownerName2 }, nameOrder }: Draft) =>
    read(ownerName, ownerName2, nameOrder)
  /** Makes the drafts of the next rows, and counts the others. */
  const draftRows = (batch: BatchRows, from: number, fresh: boolean[] | undefined) => {
    const plan = planFor(batch)
    const drafts: { index: number; draft: Draft }[] = []
    for (let index = from; index < Math.min(from + AT_ONCE, batch.rows.length); index += 1) {
      if (fresh?.[index] === false) continue
      const row = batch.rows.at(index) ?? []
      const unreadBefore = unread.count
      const outcome = normalizeRow(row, plan, context, batch.points?.[index] ?? null)
      if (unread.count > unreadBefore) rows.mentioned.push(index)
      if ('draft' in outcome) drafts.push({ index, draft: outcome.draft })
      else if ('skipped' in outcome) countSkipped(rows, outcome.skipped, index)
      else rows.rejected.push({ index, reason: outcome.rejected, row })
    }
    return drafts
  }
  return {
    /** Yields the parcels. `firstRow`: its number in the import. `fresh`: which rows to read. */
    *read(batch: BatchRows, firstRow: number, fresh?: boolean[]): Generator<StagedParcel> {
      for (let from = 0; from < batch.rows.length; from += AT_ONCE) {
        const drafts = draftRows(batch, from, fresh)
        const named = drafts.map((one) => ({ ...one, owners: readOwners(one.draft) }))
        for (const { index, draft, owners } of named) {
          const polygon = batch.polygons?.[index] ?? shapeOf(draft)
          const parcel = finishDraft(draft, firstRow + index, { owners, polygon }, hide)
          if (parcel !== undefined) yield parcel
          else countSkipped(rows, 'suppressed', index)
        }
      }
    },
    /** Returns the counts of the rows that were read since the last call. */
    take(): BatchTally {
      const { counts, samples } = placeholders.take()
      const { counts: unreadCounts, samples: unreadSamples } = unread.take()
      const own = rows
      rows = noRows()
      return {
        ...{ ...own, horizon, unread: unreadCounts, unreadSamples },
        ...{ placeholders: counts, placeholderSamples: samples },
      }
    },
    /** Returns one row's draft for a second look; `undefined` when the row makes none. */
    draft(batch: BatchRows, index: number): Draft | undefined {
      const row = batch.rows.at(index)
      if (row === undefined) return undefined
      const outcome = normalizeRow(row, planFor(batch), context, batch.points?.[index] ?? null)
      return 'draft' in outcome ? outcome.draft : undefined
    },
    /**
     * Compiles the mapping for the batch's columns. Throws `CommandError` naming missing columns.
     */
    planFor,
    /**
     * Finishes a draft; `undefined` when the parcel is suppressed. `apart`: its recorded ID is its
     * identity.
     */
    finish(
      draft: Draft,
      row: number,
      polygon: string | null,
      apart: boolean,
    ): StagedParcel | undefined {
      const shape = polygon ?? shapeOf(draft)
      const parcel = finishDraft(draft, row, { owners: readOwners(draft), polygon: shape }, hide)
      return apart && parcel !== undefined ? { ...parcel, identity: parcel.parcelKey } : parcel
    },
  }
}

type RowCounts = Pick<BatchTally, 'rejected' | 'skipped' | 'skippedFirst' | 'mentioned'>

function noRows(): RowCounts {
  return { rejected: [], skipped: {}, skippedFirst: {}, mentioned: [] }
}

function countSkipped({ skipped, skippedFirst }: RowCounts, reason: string, index: number): void {
  skippedFirst[reason] ??= index
  skipped[reason] = (skipped[reason] ?? 0) + 1
}

/** Texts without a usable value, by field, since the last call of `take`. */
class CountedTexts {
  /** Of all batches. */
  count = 0
  #counts: Record<string, number> = {}
  #samples: Record<string, string[]> = {}

  note(field: string, text: string): void {
    this.count += 1
    this.#counts[field] = (this.#counts[field] ?? 0) + 1
    const known = this.#samples[field] ?? []
    this.#samples[field] = known
    if (known.length < UNREAD_SAMPLES && !known.includes(text)) known.push(text)
  }

  take() {
    const taken = { counts: this.#counts, samples: this.#samples }
    this.#counts = {}
    this.#samples = {}
    return taken
  }
}

export type BatchReader = ReturnType<typeof makeBatchReader>

/** What rows are read with. */
export function makeContext(setup: BatchSetup, unread: RowContext['unread']): RowContext {
  const { mapping } = setup
  return {
    state: setup.state ?? mapping.state,
    county: setup.county ?? mapping.county,
    nameOrder: mapping.nameOrder ?? 'mixed',
    forcedOrder: setup.forcedOrder,
    municipal: mapping.scope === 'municipality',
    rollYear: setup.rollYear ?? null,
    mappingYear: mapping.source?.rollYear ?? null,
    sourceName: mapping.source?.name ?? null,
    sourceLicense: mapping.source?.license ?? null,
    unread,
    isCity: openCities(setup.cities),
  }
}

/** Compiles the mapping once per set of columns, and once per file if it reads the file's name. */
function planCache(
  setup: BatchSetup & Pick<PlanSetup, 'onAhead'>,
): (batch: Pick<BatchRows, 'columns' | 'file'>) => Plan {
  const plans = new Map<string, Plan>()
  const readsFile = usesFile(setup.mapping)
  return ({ columns, file }) => {
    const key = [...columns, ...(readsFile ? [file] : [])].join('\n')
    return plans.getOrInsertComputed(key, () => compilePlan(setup, columns, file))
  }
}
