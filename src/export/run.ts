/** Writes the loaded parcels of a state or a county to a file. */
import { closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import { UNITS_PER_DEGREE, type UnitBox } from '../base/model/geometry.ts'
import { unite } from '../geo/sphere.ts'
import type { Layout } from '../record/layout.ts'
import type { ExportReader, ExportScope } from '../store/export.ts'
import type { CountyCoverage, StoredParcel } from '../store/store.ts'
import { openFileRows, type RowMaker, render } from './columns.ts'
import { beginFile, type NewFile } from './new-file.ts'
import { openParquet } from './parquet.ts'
import { shapeOf } from './shape.ts'
import { type ExportRow, type ExportWriter, openCsv, openGeoJsonLines } from './text-files.ts'

export const EXPORT_FORMATS = ['parquet', 'csv', 'geojsonl'] as const
type ExportFormat = (typeof EXPORT_FORMATS)[number]

export type ExportJob = {
  scope: ExportScope
  format: ExportFormat
  layout: Layout
  path: string
  overwrite: boolean
  /** The loaded counties, for the bounds of a Parquet file. */
  loaded: readonly CountyCoverage[]
  /** Called with the number of rows written and the total; may throw to stop. */
  onProgress(rows: number, total: number): void
}

/** Writes the file. Resolves with its rows and bytes. An error leaves no file under its name. */
export async function runExport(
  reader: ExportReader,
  job: ExportJob,
): Promise<{ rows: number; bytes: number }> {
  const file = await beginFile(job.path, job.overwrite)
  await using _end = closing({ close: async () => await file.discard() })
  const rows = await writeRows(reader, job, file)
  return { rows, bytes: await file.finish() }
}

async function writeRows(reader: ExportReader, job: ExportJob, file: NewFile): Promise<number> {
  const { scope, format } = job
  const box = format === 'parquet' ? boxOf(job) : undefined
  const cellOf = box && hilbertCells(box)
  const ids = await orderIds(reader, scope, cellOf, (count) => job.onProgress(0, count))
  if (ids.length === 0 && scope.changedSince === undefined) {
    throw new CommandError('nothing is loaded there: platbook coverage lists what is loaded')
  }
  const maker = openFileRows(job.layout)
  const writer = await openWriter(job, file, maker)
  const names = maker.columns.map(({ name }) => name)
  const places = ['latitude', 'longitude'].map((name) => names.indexOf(name))
  for (let at = 0; at < ids.length; at += writer.batchRows) {
    const some = Array.from(ids.subarray(at, at + writer.batchRows))
    const rows: ExportRow[] = []
    for (const parcel of await readSlices(reader, scope.state, some)) {
      rows.push(makeRow(parcel, maker, places))
    }
    await writer.write(rows)
    job.onProgress(at + some.length, ids.length)
  }
  await writer.end()
  return ids.length
}

/** Parcels read from the store at a time. */
const READ_ROWS = 2000

async function readSlices(reader: ExportReader, state: string, ids: number[]) {
  const parcels: StoredParcel[] = []
  for (let at = 0; at < ids.length; at += READ_ROWS) {
    parcels.push(...(await reader.records(state, ids.slice(at, at + READ_ROWS))))
  }
  return parcels
}

async function openWriter(
  { format, layout }: ExportJob,
  file: NewFile,
  { columns }: RowMaker,
): Promise<ExportWriter> {
  if (format === 'csv') return openCsv(file, columns)
  if (format === 'parquet') return openParquet(file, columns)
  return openGeoJsonLines(file, ({ values, record }) => {
    if (layout === 'nested') return record()
    return Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null]))
  })
}

function makeRow(parcel: StoredParcel, maker: RowMaker, places: number[]): ExportRow {
  const values = maker.read(parcel)
  const [latitude, longitude] = places.map((at) => (values[at] as number | null) ?? null)
  return {
    values,
    polygon: parcel.geometry,
    shape: shapeOf(parcel, latitude ?? null, longitude ?? null),
    record: () => render(parcel, 'nested'),
  }
}

/** Returns the box around the points of the loaded counties, in stored units. */
function boxOf({ scope: { state, fips }, loaded }: ExportJob): UnitBox | undefined {
  const bounds = unite(
    loaded.filter((one) => one.state === state && (fips === undefined || one.fips === fips)),
  )
  if (bounds === undefined) return undefined
  const [west, south, east, north] = bounds.map((side) => Math.round(side * UNITS_PER_DEGREE))
  return { west, south, east, north } as UnitBox
}

/** Most parcels in a file; with more, a cell and an index do not fit in 53 bits. */
const PARCELS_MAX = 2 ** 28

/** Returns record IDs by cell, then by identity, with 16 bytes a parcel. `onCount` may throw. */
async function orderIds(
  reader: ExportReader,
  scope: ExportScope,
  cellOf: ((x: number | null, y: number | null) => number) | undefined,
  onCount: (count: number) => void,
): Promise<Float64Array> {
  let ids = new Float64Array(65_536)
  let keys = new Float64Array(cellOf === undefined ? 0 : ids.length)
  let count = 0
  for await (const places of reader.places(scope)) {
    if (count + places.length > ids.length) {
      ids = grow(ids)
      if (cellOf !== undefined) keys = grow(keys)
    }
    for (const { id, x, y } of places) {
      ids[count] = id
      if (cellOf !== undefined) keys[count] = cellOf(x, y) * PARCELS_MAX + count
      count += 1
    }
    onCount(count)
  }
  if (cellOf === undefined) return ids.subarray(0, count)
  const sorted = keys.subarray(0, count).sort()
  // Overwrites each key with its id once it is read, so that the ids need no further memory.
  for (let at = 0; at < count; at += 1) {
    sorted[at] = ids[(sorted[at] as number) % PARCELS_MAX] as number
  }
  return sorted
}

function grow(from: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(from.length * 2)
  larger.set(from)
  return larger
}

/** Cells along each side of the box are 2 to this power. */
const ORDER = 12
const SIDE = 2 ** ORDER
/** After all cells: parcels without a point. */
const NOWHERE = SIDE * SIDE

/** Numbers a point's cell along the curve; a point outside the box gets the nearest one. */
export function hilbertCells(box: UnitBox): (x: number | null, y: number | null) => number {
  const [width, height] = [box.east - box.west + 1, box.north - box.south + 1]
  const cell = (share: number) => Math.max(0, Math.min(SIDE - 1, Math.floor(share * SIDE)))
  return (x, y) =>
    x === null || y === null
      ? NOWHERE
      : distanceAlong(cell((x - box.west) / width), cell((y - box.south) / height))
}

/** The distance along the curve of a cell. Source: Hilbert curve, en.wikipedia.org, `xy2d`. */
export function distanceAlong(column: number, row: number): number {
  let [x, y, distance] = [column, row, 0]
  for (let side = SIDE / 2; side >= 1; side /= 2) {
    const right = (x & side) > 0 ? 1 : 0
    const upper = (y & side) > 0 ? 1 : 0
    distance += side * side * ((3 * right) ^ upper)
    if (upper === 1) continue
    if (right === 1) [x, y] = [SIDE - 1 - x, SIDE - 1 - y]
    ;[x, y] = [y, x]
  }
  return distance
}
