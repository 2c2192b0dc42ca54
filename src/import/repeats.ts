/**
 * Settles rows of a roll that share an identity. Equal ones count once. Others are merged,
 * distinguished by their recorded IDs, or rejected.
 */
import { openFields, slotOf, splitFields } from '../record/stored.ts'
import type { RollWriter, StagedParcel, StagedRow } from '../store/store.ts'
import { LINES_SHOWN } from './report/rejects.ts'
import { chooseShape } from './rows/choose-shape.ts'
import { acresOf } from './rows/finish.ts'
import { mergeDrafts, type RepeatRule } from './rows/merge.ts'
import type { Draft } from './rows/normalize.ts'
import { type Staging, walkRows } from './walk.ts'

/** What became of repeated rows. `duplicates`: equal and merged; `merged`: these alone. */
export type RepeatTally = {
  duplicates: number
  merged: number
  /** Lines of a few of them, for a dry run. */
  lines: number[]
  /** Parcels whose rows had different polygons. */
  shapeConflicts: number
  /** Rows that repeat the parcel of another row, by county; 0: equal rows, of any county. */
  repeated: Map<number, number>
}

/**
 * Settles the rows that share an identity, and reads differing ones again. Those that share a
 * parcel are forgotten. `equalRows`: duplicates that `stageRows` found.
 */
export async function settleRepeats(staging: Staging, equalRows: number): Promise<RepeatTally> {
  const { job, reader, writer, rejects, unchanged, origins } = staging
  const plan = await planRepeats(writer)
  const tally: RepeatTally = {
    ...{ duplicates: equalRows + plan.equal, merged: 0, lines: [] },
    ...{ shapeConflicts: plan.shapeConflicts, repeated: plan.repeated.set(0, equalRows) },
  }
  for (const rows of plan.groups) unchanged?.forget(rows)
  // The store knows their rows; the files are read once more for their lines.
  const shown = new Set(origins === undefined ? plan.firstEqual : [])
  if (plan.groups.length === 0 && shown.size === 0) return tally
  const { merge = [], otherwise = 'reject' } = job.mapping.repeats ?? {}
  const open = openGroups(plan, { merge, otherwise })
  for await (const batch of walkRows(staging, 'settling repeated parcels')) {
    const settled: StagedParcel[] = []
    const dropped: number[] = []
    batch.rows.forEach((row, index) => {
      const number = batch.firstRow + index
      const line = batch.lines[index] ?? 0
      if (shown.delete(number)) tally.lines.push(line)
      if (!open.has(number)) return
      const draft = reader.draft(batch, index)
      if (draft === undefined) return
      const place = { file: batch.file, line, row }
      const polygon = batch.polygons?.[index] ?? null
      const group = open.take(number, { number, draft, place, polygon })
      if (group === undefined) return
      for (const { place } of group.rejected) {
        rejects.add(place.file, place.line, 'duplicate', place.row)
      }
      tally.merged += group.merged.length
      if (tally.lines.length < LINES_SHOWN) tally.lines.push(...group.merged.slice(0, LINES_SHOWN))
      addTo(tally.repeated, draft.parcel.fips, group.merged.length + group.rejected.length)
      tally.shapeConflicts += group.hasConflict ? 1 : 0
      // A group may be the whole roll: no spread into arguments.
      for (const one of group.rows) dropped.push(one)
      const { first, row: firstRow, isSeparate } = group
      const parcel = reader.finish(first.draft, firstRow, first.polygon, isSeparate)
      if (parcel !== undefined) settled.push(parcel)
      origins?.merge(firstRow, group.members)
    })
    if (plan.groups.length === 0 && shown.size === 0) break
    if (dropped.length === 0) continue
    origins?.hideSuppressed(settled)
    await writer.drop(dropped)
    await writer.stage(settled)
  }
  tally.duplicates += tally.merged
  tally.lines = tally.lines.slice(0, LINES_SHOWN)
  return tally
}

/** Which rows to read from the files once more, by row number. */
type RepeatPlan = {
  /** Number of rows equal to an earlier one; they are already dropped. */
  equal: number
  firstEqual: number[]
  /** Parcels whose rows differ only in their polygons. */
  shapeConflicts: number
  /** Groups of differing rows of one parcel, first row first. */
  groups: number[][]
  /** Rows whose parcels stay separate by recorded ID: another has the same letters and digits. */
  separateRows: Set<number>
  repeated: Map<number, number>
}

function addTo(counts: Map<number, number>, fips: number, count: number): void {
  counts.set(fips, (counts.get(fips) ?? 0) + count)
}

async function planRepeats(writer: RollWriter): Promise<RepeatPlan> {
  const plan: RepeatPlan = {
    ...{ equal: 0, firstEqual: [], shapeConflicts: 0, groups: [] },
    ...{ separateRows: new Set(), repeated: new Map() },
  }
  for await (const group of writer.repeats()) {
    const byRecord = Map.groupBy(group, (row) => row.parcelKey)
    for (const rows of byRecord.values()) {
      const kept = await dropEqual(rows, writer, plan)
      if (kept.length > 1 || byRecord.size > 1) plan.groups.push(kept.map((row) => row.row))
      if (byRecord.size > 1) for (const row of kept) plan.separateRows.add(row.row)
    }
  }
  return plan
}

/**
 * Keeps one of several rows that differ only in polygon and point, since overlapping exports cut or
 * drop shapes. Keeps the row with the parcel's own polygon, else the first one with a point.
 */
async function dropEqual(
  rows: StagedRow[],
  writer: RollWriter,
  plan: RepeatPlan,
): Promise<StagedRow[]> {
  const kept: StagedRow[] = []
  const equal: number[] = []
  for (const same of Map.groupBy(rows, (row) => splitPoint(row.fieldValues).rest).values()) {
    const shapes = same.map((row) => splitPoint(row.fieldValues))
    const acres = shapes.map(({ drawnAcres }) => drawnAcres)
    const own = chooseShape(acres, shapes[0]?.acres ?? null)
    if (new Set(acres.filter((area) => area !== null)).size > 1) plan.shapeConflicts += 1
    const best = same[own] ?? same.find((_, at) => shapes[at]?.point !== '') ?? same[0]
    if (best !== undefined) kept.push(best)
    for (const one of same) if (one !== best) equal.push(one.row)
  }
  if (equal.length > 0) await writer.drop(equal)
  plan.equal += equal.length
  plan.firstEqual = [...plan.firstEqual, ...equal].sort((a, b) => a - b).slice(0, LINES_SHOWN)
  addTo(plan.repeated, readFips(rows[0]?.fieldValues ?? '').fips, equal.length)
  return kept.sort((a, b) => a.row - b.row)
}

const [LATITUDE, LONGITUDE] = [slotOf('latitude'), slotOf('longitude')]
const readFips = openFields(['fips'])
const [ACRES, DRAWN_ACRES] = [slotOf('acres'), slotOf('calculatedAcres')]

/** Takes what depends on the shape out of a stored text; returns it with the recorded area. */
function splitPoint(fieldValues: string) {
  const texts = splitFields(fieldValues)
  const point = `${texts[LATITUDE] ?? ''}${texts[LONGITUDE] ?? ''}`
  texts[LATITUDE] = ''
  texts[LONGITUDE] = ''
  const readAcres = (slot: number) => (texts[slot] ? Number(texts[slot]) : null)
  const [acres, drawnAcres] = [readAcres(ACRES), readAcres(DRAWN_ACRES)]
  texts[DRAWN_ACRES] = ''
  return { rest: texts.join('\u001f'), point, acres, drawnAcres }
}

type Member = {
  number: number
  draft: Draft
  place: { file: string; line: number; row: string[] }
  polygon: string | null
}

type Settled = {
  row: number
  rows: number[]
  members: number[]
  first: Member
  isSeparate: boolean
  merged: number[]
  rejected: Member[]
  /** Whether the merged rows had different polygons. */
  hasConflict: boolean
}

function openGroups(plan: RepeatPlan, rule: RepeatRule) {
  const groupOf = new Map<number, number[]>()
  for (const group of plan.groups) for (const row of group) groupOf.set(row, group)
  const waiting = new Map<number[], Map<number, Member>>()
  return {
    has: (row: number) => groupOf.has(row),
    /** Adds a row. Returns the settled group when the row completes it. */
    take(row: number, member: Member): Settled | undefined {
      const rows = groupOf.get(row) ?? []
      const members = waiting.get(rows) ?? new Map<number, Member>()
      waiting.set(rows, members.set(row, member))
      if (members.size < rows.length) return undefined
      waiting.delete(rows)
      return settleGroup(rows, members, rule, plan.separateRows)
    },
  }
}

function settleGroup(
  rows: number[],
  members: Map<number, Member>,
  rule: RepeatRule,
  separateRows: Set<number>,
): Settled {
  const known = rows.map((row) => members.get(row)).filter((one) => one !== undefined)
  const [first, ...others] = [
    ...known.filter(({ draft }) => draft.preferred),
    ...known.filter(({ draft }) => !draft.preferred),
  ]
  const [row] = rows
  if (first === undefined || row === undefined) throw new Error('a group of repeated rows is empty')
  const asDrafts = others.map((other) => other.draft)
  const { draft, refused } = mergeDrafts(first.draft, asDrafts, rule)
  const kept = [first, ...others].filter((one) => !refused.has(one.draft))
  const rejected = others.filter((one) => refused.has(one.draft))
  const { polygon, hasConflict } = settleShape(kept, draft)
  const settled = { ...first, draft, polygon }
  return {
    row,
    rows,
    members: kept.map(({ number }) => number),
    first: settled,
    isSeparate: separateRows.has(row),
    merged: kept.slice(1).map(({ place }) => place.line),
    rejected,
    hasConflict,
  }
}

/** Chooses the polygon that merged rows keep; the parcel's point comes from the same row. */
function settleShape(members: Member[], draft: Draft) {
  const acres = members.map(({ polygon }) => (polygon ? acresOf(polygon) : null))
  const own = members[chooseShape(acres, draft.parcel.acres)]
  if (own !== undefined && own.draft.parcel.latitude !== null) {
    draft.parcel.latitude = own.draft.parcel.latitude
    draft.parcel.longitude = own.draft.parcel.longitude
  }
  const drawn = new Set(members.map(({ polygon }) => polygon).filter(Boolean))
  return { polygon: (own ?? members[0])?.polygon ?? null, hasConflict: drawn.size > 1 }
}
