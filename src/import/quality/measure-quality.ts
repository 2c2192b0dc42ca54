/** After a load, measures the quality of each county that was loaded, and keeps it per import. */
import { closing } from '../../base/at-end.ts'
import { numberText } from '../../base/fold.ts'
import {
  EXAMPLES_MAX,
  type Finding,
  type QualityName,
  type StoredQuality,
} from '../../base/model/quality.ts'
import { NumberSet } from '../../base/number-table.ts'
import { readDrawing } from '../../geo/drawing.ts'
import { propertyIdOf } from '../../record/stored.ts'
import { countyByFips } from '../../regions/counties.ts'
import type { ExportReader } from '../../store/export.ts'
import { openParcelsAt } from '../../store/open.ts'
import { openExportAt } from '../../store/open-rolls.ts'
import type { AfterWriter } from '../../store/rolls/after-writer.ts'
import type { CountyCoverage, ParcelReader, StoredParcel } from '../../store/store.ts'
import { Fabric } from './fabric.ts'
import {
  FURTHER,
  type JudgedParcel,
  type JudgedPart,
  judgeParcel,
  readJudged,
} from './judge-parcel.ts'
import { Localities } from './localities.ts'

const AT_ONCE = 100

/** Measures and writes. `place`: a data folder or a database. Throws what the store throws. */
export async function measureQuality(
  place: string,
  fipsCodes: readonly number[],
  counts: ImportCounts,
  writer: AfterWriter,
): Promise<void> {
  await using store = closing(openParcelsAt(place))
  await using reader = closing(await openExportAt(place))
  const { parcels } = store
  const states = [...new Set(fipsCodes.flatMap((fips) => countyByFips(fips)?.state ?? []))]
  const loaded = states.length === 0 ? [] : await parcels.coverage({ states })
  for (const county of loaded) {
    const { state, fips } = county
    if (!fipsCodes.includes(fips)) continue
    const [text] = await parcels.qualities(state, fips)
    const before = text === undefined ? undefined : (JSON.parse(text) as StoredQuality)
    // Rows of several counties that are equal are of any of them.
    const equal = fipsCodes.length === 1 ? (counts.repeated.get(0) ?? 0) : 0
    const repeats = (counts.repeated.get(fips) ?? 0) + equal
    const repeatedId = { count: repeats, of: Math.max(county.parcels, repeats), examples: [] }
    const own =
      before !== undefined && !(await hasChanged(parcels, county, before))
        ? before
        : await measureCounty(reader, county, counts, before)
    const { loadedAt } = counts
    const quality = { ...own, loadedAt, findings: { ...own.findings, repeatedId } }
    await writer.putQuality(state, fips, loadedAt, JSON.stringify(quality))
  }
}

/** Whether imports have changed a county since it was measured; a measurement may have failed. */
async function hasChanged(
  parcels: ParcelReader,
  { state, fips }: CountyCoverage,
  { loadedAt }: StoredQuality,
): Promise<boolean> {
  const question = { state, fips, groups: undefined, after: 0, since: loadedAt + 1, limit: 1 }
  return (await parcels.changes(question)).changes.length > 0
}

async function measureCounty(
  reader: ExportReader,
  county: CountyCoverage,
  counts: ImportCounts,
  before: StoredQuality | undefined,
): Promise<StoredQuality> {
  const { state, fips, parcels, rollYear } = county
  const filled: Record<string, number> = { ...county.filled }
  const tally = new Tally()
  const fabric = new Fabric()
  const addresses = new NumberSet()
  const placeholders = new PlaceholderCounter()
  const localities = new Localities(state)
  const judge = (record: StoredParcel) => {
    const parcel = readJudged(record.fieldValues)
    const drawing = record.geometry === null ? undefined : readDrawing(record.geometry)
    tally.fieldValues = record.fieldValues
    judgeParcel(parcel, drawing, tally.see)
    const address = numberAddress(parcel)
    if (address !== undefined) tally.see('repeatedAddress', addresses.hasOrAdd(address))
    placeholders.see(parcel)
    for (const name of FURTHER)
      if (parcel.texts[name] !== '') filled[name] = (filled[name] ?? 0) + 1
    localities.see(parcel.texts, tally.see, () => propertyIdOf(record.fieldValues))
    if (drawing !== undefined) fabric.add(record.id, drawing)
  }
  for await (const records of readCounty(reader, state, fips)) for (const one of records) judge(one)
  const drawn = await compareNeighbours(reader, state, fabric)
  const dropped = listDropped(counts, before?.dropped ?? [])
  const { totalMore, ...found } = tally.findings
  const [zip, city] = [localities.addZips(found.zip), localities.addCities(found.city)]
  const findings = {
    ...found,
    ...drawn,
    ...(zip && { zip }),
    ...(city && { city }),
    ...(found.valueSum && totalMore && { valueSum: addUnlessUsual(found.valueSum, totalMore) }),
    placeholder: placeholders.finish(dropped),
    ...(before && compareImports({ parcels, filled }, before)),
  }
  const { loadedAt } = counts
  return { loadedAt, rollYear, parcels, filled, findings, dropped }
}

/** Share of parcels from which on a total above its parts is the roll's way, not a fault. */
const USUAL = 0.2

/** Adds totals above land and building, unless the roll values a third thing, such as yards. */
function addUnlessUsual(less: Finding, more: Finding): Finding {
  if (more.count > USUAL * more.of) return less
  const examples = [...less.examples, ...more.examples].slice(0, EXAMPLES_MAX)
  return { count: less.count + more.count, of: less.of, examples }
}

async function* readCounty(
  reader: ExportReader,
  state: string,
  fips: number,
): AsyncGenerator<StoredParcel[]> {
  for await (const places of reader.places({ state, fips, changedSince: undefined })) {
    const ids = places.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      yield await reader.records(state, ids.slice(at, at + AT_ONCE))
    }
  }
}

/**
 * Returns a number for the whole address of a house; `undefined` for an unassigned one. In one of
 * 280 rolls of a million two share a number. V8 would keep a copy of each text in a set.
 */
function numberAddress({ texts }: ReturnType<typeof readJudged>): number | undefined {
  const { address, unitNumberStripped: unit, addressAssigned, city, zipCode } = texts
  if (address === '' || addressAssigned !== 'true') return undefined
  return numberText(`${address}|${unit}|${city}|${zipCode}`)
}

async function compareNeighbours(
  reader: ExportReader,
  state: string,
  fabric: Fabric,
): Promise<{ overlap?: Finding; gap?: Finding }> {
  const of = { overlap: [] as number[], gap: [] as number[] }
  let compared = 0
  for (const { owner, overlaps, hasGap } of fabric.compare()) {
    compared += 1
    if (overlaps) of.overlap.push(owner)
    if (hasGap) of.gap.push(owner)
  }
  if (compared === 0) return {}
  const describe = async (owners: number[]): Promise<Finding> => {
    const records = await reader.records(state, owners.slice(0, EXAMPLES_MAX))
    const examples = records.map(({ fieldValues }) => propertyIdOf(fieldValues))
    return { count: owners.length, of: compared, examples }
  }
  return { overlap: await describe(of.overlap), gap: await describe(of.gap) }
}

/** Share of the last import's parcels that may be missing without being a fault. */
const FEWER = 0.02

function compareImports(
  { parcels, filled }: { parcels: number; filled: Record<string, number> },
  before: StoredQuality,
): Partial<Record<QualityName, Finding>> {
  const had = Object.keys(before.filled).filter((name) => (before.filled[name] ?? 0) > 0)
  const fields = had.filter((name) => (filled[name] ?? 0) === 0)
  const of = before.parcels
  const fell = of - parcels
  return {
    vanishedFields: { count: fields.length, of: had.length, examples: [], fields },
    fewerParcels: { count: fell > FEWER * of ? fell : 0, of, examples: [] },
  }
}

class Tally {
  readonly findings: Partial<Record<JudgedPart, Finding>> = {}
  fieldValues = ''

  readonly see = (name: JudgedPart, isFault: boolean): void => {
    let finding = this.findings[name]
    if (finding === undefined) {
      finding = { count: 0, of: 0, examples: [] }
      this.findings[name] = finding
    }
    finding.of += 1
    if (!isFault) return
    finding.count += 1
    if (finding.examples.length < EXAMPLES_MAX) {
      finding.examples.push(propertyIdOf(this.fieldValues))
    }
  }
}

/** What a pass over the files has counted. */
export type CountedRows = {
  rows: number
  /** Rows that repeat the parcel ID of another one, by county; 0: equal rows, of any county. */
  repeated: ReadonlyMap<number, number>
  /** Placeholders that became unknown, by field. */
  placeholders: Readonly<Record<string, number>>
}

type ImportCounts = CountedRows & {
  /** Epoch seconds. */
  loadedAt: number
  /** Rows that were not read again, because they are those of the last import. */
  unchanged: number
}

/** Values that are rarely true and often typed for unknown. */
const SUSPECTS = {
  yearBuilt: [1, 1000, 1111, 1800, 1900, 9999],
  buildingArea: [1, 100, 999, 9999, 99_999],
  totalMarketValue: [1, 10, 100, 999_999, 9_999_999, 99_999_999],
  totalAssessedValue: [1, 10, 100, 999_999, 9_999_999, 99_999_999],
  acres: [99, 99.99, 999, 999.99, 9999],
} as const satisfies Record<string, readonly number[]>

/** Largest share of a field that may be one such value. */
const SHARE_MAX = 0.01

class PlaceholderCounter {
  readonly #fields = Object.entries(SUSPECTS).map(([field, suspects]) => ({
    field: field as keyof typeof SUSPECTS,
    of: 0,
    counts: new Map<number, number>(suspects.map((value) => [value, 0])),
  }))

  see(parcel: JudgedParcel): void {
    for (const one of this.#fields) {
      const value = parcel[one.field]
      if (Number.isNaN(value)) continue
      one.of += 1
      const count = one.counts.get(value)
      if (count !== undefined) one.counts.set(value, count + 1)
    }
  }

  /** Counts the fields at fault. `dropped`: those of which the import dropped placeholders. */
  finish(dropped: readonly string[]): Finding {
    const found = new Set(dropped)
    for (const { field, of, counts } of this.#fields) {
      if (Math.max(...counts.values()) > SHARE_MAX * of) found.add(field)
    }
    const of = new Set([...Object.keys(SUSPECTS), ...found]).size
    return { count: found.size, of, examples: [], fields: [...found].sort() }
  }
}

/** Fields with over 1 % dropped as unknown; if rows were not read again, those of `before` too. */
function listDropped(counts: ImportCounts, before: readonly string[]): string[] {
  const { placeholders, rows, unchanged } = counts
  const names = Object.keys(placeholders)
  const many = names.filter((name) => (placeholders[name] ?? 0) > SHARE_MAX * rows)
  return [...new Set([...many, ...(unchanged > 0 ? before : [])])]
}
