/** Says of each value of an answer which cells of which file it was made of. */
import type { AccountFacts } from '../../base/model/account.ts'
import { derivedOf, madeOf } from '../../import/origins/made-of.ts'
import { openDocument } from '../../import/origins/opened-document.ts'
import { type SourceRow, type Traced, ValueTracer } from '../../import/origins/trace-value.ts'
import { layoutOf, listItemKeys, type ShownField } from '../../record/layout.ts'
import type { Parcel } from '../../record/parcel.ts'
import { decodeParcel } from '../../record/stored.ts'
import { countyByFips } from '../../regions/counties.ts'
import { renderParcel, type Shown } from '../../render/render.ts'
import { listNamed } from '../../render/sources.ts'
import {
  findCells,
  findOrigin,
  type JoinedPlace,
  type OriginDocument,
  type OriginReader,
} from '../../store/origins/origins.ts'
import type { StoredParcel } from '../../store/store.ts'

/** One row's part of a value. `recorded`: the text of each column, where it differs. */
type Cells = { file: string; row: number; columns: string[]; recorded?: string[] }

/** Where a value comes from. Without a file, it is not from the roll. */
type ValueOrigin = Partial<Cells> & {
  /** How the mapping, or this program, makes it of the cells. */
  rule: string
  /** True for a value that is standardized, derived or assigned here. */
  made?: true
  import?: number
  also?: Cells[]
}

type Provenance =
  | { missing: string }
  | {
      import: { id: number; loadedAt: string; mapping: string; keepsSource: boolean }
      /** By the path of each value in the record: `transfers[0].transferPrice`. */
      values: Record<string, ValueOrigin>
    }

const NOT_RECORDED =
  'It is not recorded from which row this record comes; the next import of its roll records it.'

type Asked = {
  parcel: StoredParcel
  layout: Shown
  facts: AccountFacts
  parcels: OriginReader
}

/** Explains the values of a record as it is shown. Rejects when the store does. */
export async function explainOrigins({
  parcel,
  layout,
  facts,
  parcels,
}: Asked): Promise<Provenance> {
  const stored = decodeParcel(parcel.fieldValues)
  const state = countyByFips(stored.fips)?.state ?? ''
  const found = await findOrigin(parcels, state, parcel.id)
  if (found === undefined) return { missing: NOT_RECORDED }
  const opened = openDocument(found.document)
  const { document } = opened
  const isHidden = stored.suppressed.length > 0
  // A suppression changes a record after its import, and hides values without making others.
  if (parcel.loadedAt > document.loadedAt && !isHidden) return { missing: NOT_RECORDED }
  const reads = document.keepsRows && !isHidden
  const readCells = (place: { part: number; line: number }) =>
    reads ? findCells(parcels, { state, number: found.number }, place) : undefined
  const rows: SourceRow[] = []
  for (const place of found.rows)
    rows.push({ place, cells: await joinCells(place, readCells, document) })
  const tracer = new ValueTracer(opened, rows)
  const record = JSON.parse(renderParcel(parcel, layout)) as Record<string, unknown>
  const shown = listNamed(layoutOf(facts), facts)
  const values: Record<string, ValueOrigin> = {}
  for (const [path, value, trace] of listValues({ shown, facts, record, stored, tracer })) {
    values[path] = nameOrigin(trace, value, document, found.import)
  }
  const { mapping, loadedAt, keepsRows } = document
  return {
    import: {
      id: found.import,
      loadedAt: new Date(loadedAt * 1000).toISOString(),
      mapping: (mapping as { name: string }).name,
      keepsSource: keepsRows,
    },
    values,
  }
}

type ReadCells = (place: {
  part: number
  line: number
}) => Promise<string[] | undefined> | undefined

/** Returns the cells of a row and of the rows joined to it; `undefined` when one is not kept. */
async function joinCells(
  place: JoinedPlace,
  read: ReadCells,
  { parts, joined }: OriginDocument,
): Promise<string[] | undefined> {
  const cells = await read(place)
  if (cells === undefined) return undefined
  const all = [...cells]
  for (const [at, part] of joined.entries()) {
    const partner = place.partners[at] ?? null
    const own = partner === null ? parts[part]?.columns.map(() => '') : await read(partner)
    if (own === undefined) return undefined
    all.push(...own)
  }
  return all
}

type Source = {
  shown: readonly ShownField[]
  facts: AccountFacts
  record: Record<string, unknown>
  stored: Parcel
  tracer: ValueTracer
}

function* listValues(source: Source): Generator<[path: string, value: unknown, Traced]> {
  for (const field of source.shown) {
    const value = field.path.reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | null | undefined)?.[key],
      source.record,
    )
    const path = field.path.join('.')
    if (value === null || value === undefined) continue
    if (field.of === undefined && Array.isArray(value) && field.field.type === 'items') {
      yield* listItems(source, field, path, value)
    } else if (field.name === 'extra') {
      for (const name of Object.keys(value)) {
        const text = (value as Record<string, unknown>)[name]
        yield [`${path}.${name}`, text, source.tracer.traceExtra(name, text)]
      }
    } else if (!Array.isArray(value) || value.length > 0) {
      yield [path, value, traceField(source, field)]
    }
  }
}

function* listItems(
  source: Source,
  { name }: ShownField,
  path: string,
  items: readonly Record<string, unknown>[],
): Generator<[string, unknown, Traced]> {
  const layout = layoutOf(source.facts)
  for (const [at, item] of items.entries()) {
    for (const [key, value] of Object.entries(item)) {
      if (value === null) continue
      const own = `${path}[${at}].${key}`
      if (name === 'assessments') yield [own, value, traceAssessment(source, at, key)]
      else {
        const list = name as 'buildings' | 'transfers'
        const shown = listItemKeys(layout, list).find((one) => one.path[0] === key)
        yield [own, value, traceItem(source, list, at, shown)]
      }
    }
  }
}

function traceItem(
  { stored, tracer }: Source,
  list: 'buildings' | 'transfers',
  at: number,
  shown: ShownField | undefined,
): Traced {
  const property = ITEM_SOURCES[shown?.name ?? ''] ?? shown?.name ?? ''
  const item = stored[list][at] ?? {}
  const traced = tracer.traceItem({ list, item, property })
  const about = shown?.field.slot === undefined ? shown?.field.about : undefined
  return about === undefined ? traced : { ...traced, words: [...traced.words, about], made: true }
}

/** Of which property an item's derived value is made. */
const ITEM_SOURCES: Record<string, string> = {
  garage: 'garageCount',
  fireplace: 'fireplaceCount',
  transferDateObject: 'transferDate',
  documentTypeRecorded: 'documentType',
}

/** The values of the newest year are the parcel's own. */
function traceAssessment({ stored, tracer }: Source, at: number, key: string): Traced {
  const year = stored.assessments[at]?.year ?? null
  const present = stored.rollYear ?? stored.assessedYear ?? stored.marketValueYear ?? stored.taxYear
  if (year !== present) {
    const words = [`kept from the roll of ${year}, which was loaded earlier`]
    return { cells: [], words, made: true }
  }
  const property = key === 'year' ? 'rollYear' : key === 'taxValue' ? 'taxAmount' : key
  return traceStored(tracer, property, stored)
}

function traceStored(tracer: ValueTracer, property: string, stored: Parcel): Traced {
  const made = madeOf(property)
  const value = (stored as Record<string, unknown>)[property]
  const traced = tracer.trace(made, value)
  if (traced.words.length > 0) return traced.cells.length > 0 ? traced : { ...traced, made: true }
  return { ...traced, words: [OF_IMPORT[property] ?? 'by the options of the import'], made: true }
}

const OF_IMPORT: Record<string, string> = {
  rollYear: "the import's --roll-year, or the year that the mapping states",
  sourceName: 'the name of the source in the mapping',
  sourceLicense: 'the license of the source in the mapping',
  fips: 'the state and county of the import or of the mapping',
}

const PURCHASES: Record<string, string> = {
  purchaseSaleDate: 'transferDate',
  purchaseRecordingDate: 'recordingDate',
}

function traceField(source: Source, shown: ShownField): Traced {
  const { name, field, of } = shown
  const { stored, tracer } = source
  if (of === 'transfers') return traceItem(source, 'transfers', 0, shown)
  if (of === 'before') return traceItem(source, 'transfers', 1, shown)
  if (of === 'buildings') {
    const all = stored.buildings.map((_, at) => traceItem(source, 'buildings', at, shown))
    return unite(all, all.length > 1 ? field.about : undefined)
  }
  const purchase = PURCHASES[name]
  if (purchase !== undefined) {
    const at = stored.transfers.findIndex(({ transferPrice }) => (transferPrice ?? 0) > 0)
    const traced = tracer.traceItem({
      ...{ list: 'transfers', item: stored.transfers[at] ?? {}, property: purchase },
    })
    return { ...traced, made: true }
  }
  if (name in stored && name !== 'suppressed') return traceStored(tracer, name, stored)
  const known = derivedOf(name).filter((one) => (stored as Record<string, unknown>)[one] !== null)
  const parts = known.map((one) => traceStored(tracer, one, stored))
  return unite(parts, field.about)
}

/** `rule`: ours, if there is one. */
function unite(parts: readonly Traced[], rule: string | undefined): Traced {
  const words = new Set(parts.flatMap((one) => one.words))
  if (rule !== undefined) words.add(rule)
  const made = rule !== undefined || parts.some((one) => one.made)
  return { cells: parts.flatMap(({ cells }) => cells), words: [...words], made }
}

const ALSO_MAX = 10

/** `id`: of the import. */
function nameOrigin(
  { cells, words, made }: Traced,
  value: unknown,
  document: OriginDocument,
  id: number,
): ValueOrigin {
  const [first, ...others] = uniteCells(cells, document).map((one) => omitSame(one, value))
  const also = others.slice(0, ALSO_MAX)
  return {
    ...first,
    rule: words.join('; '),
    ...(made && { made }),
    ...(first !== undefined && { import: id }),
    ...(also.length > 0 && { also }),
  }
}

function uniteCells(cells: Traced['cells'], { parts }: OriginDocument): Cells[] {
  const byRow = Map.groupBy(cells, ({ place }) => `${place.part} ${place.line}`)
  return [...byRow.values()].map((own) => {
    const { place } = own[0] as Traced['cells'][number]
    const texts = new Map<string, string | undefined>()
    for (const { columns, recorded } of own) {
      for (const [at, name] of columns.entries()) texts.set(name, recorded?.[at])
    }
    const file = parts[place.part]?.file ?? ''
    const recorded = [...texts.values()].filter((text) => text !== undefined)
    const isKept = recorded.length === texts.size && texts.size > 0
    return {
      ...{ file, row: place.line, columns: [...texts.keys()] },
      ...(isKept && { recorded }),
    }
  })
}

/** Leaves the recorded text out where it is the value. */
function omitSame({ recorded, ...cells }: Cells, value: unknown): Cells {
  const isSame = recorded?.length === 1 && recorded[0] === String(value)
  return recorded === undefined || isSame ? cells : { ...cells, recorded }
}
