/** Turns the changes of a release into a roll of the added and changed parcels. */
import { basename } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import { CommandError } from '../base/errors.ts'
import { foldCity, foldParcelId, stripParcelId } from '../base/fold.ts'
import { type ExportColumn, openFileRows } from '../export/columns.ts'
import { beginFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { shapeOf } from '../export/shape.ts'
import type { ExportRow } from '../export/text-files.ts'
import { openColumns, type ReadValue } from '../import/geo/parquet-columns.ts'
import { readPropertyId } from '../operations/find/find-parcel.ts'
import type { LeavingParcel } from '../store/store.ts'

/** Releases have 20,000 rows in a group, and changes 4,000. */
const GROUP_ROWS_MAX = 65_536

type ChangeRow = {
  propertyId: string
  change: string
  old: Record<string, unknown> | null
  new: Record<string, unknown> | null
}

/** Writes added or changed parcels as an export does. Returns their number, and removed ones. */
export async function writeDelta(
  changes: string,
  path: string,
): Promise<{ rows: number; leaving: LeavingParcel[] }> {
  const { columns } = openFileRows('flat')
  const out = await beginFile(path, true)
  const leaving: LeavingParcel[] = []
  let rows = 0
  try {
    const writer = openParquet(out, columns)
    for await (const some of readParts<ChangeRow>(changes)) {
      for (const one of some) if (one.change === 'removed') leaving.push(readLeaving(one))
      const kept = some.flatMap((one) =>
        one.change === 'removed' || one.new === null ? [] : [one.new],
      )
      rows += kept.length
      if (kept.length > 0) await writer.write(kept.map((row) => toExportRow(columns, row)))
    }
    await writer.end()
    await out.finish()
  } finally {
    await out.discard()
  }
  return { rows, leaving }
}

/** Returns another state of which a file or the leaving parcels have a parcel, if any. */
export async function findOtherState(
  path: string,
  leaving: readonly LeavingParcel[],
  state: string,
): Promise<string | undefined> {
  for await (const rows of readParts<{ state?: unknown }>(path, ['state'])) {
    const other = rows.find((row) => row.state !== state)
    if (other !== undefined) return String(other.state).slice(0, 20)
  }
  return leaving.find((one) => one.state !== state)?.state
}

/** Reads a row group at a time. Throws `CommandError` for a file that may fill the memory. */
async function* readParts<T>(path: string, names?: string[]): AsyncGenerator<T[]> {
  const shown = basename(path)
  const asDamaged = (error: unknown) => {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${shown} is damaged; nothing was changed`, 1, error)
  }
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file).catch(asDamaged)
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (!(rows >= 0 && rows <= GROUP_ROWS_MAX)) {
      throw new CommandError(`${shown} has a group of ${rows} rows, as no release has`)
    }
    const nameOf = ({ meta_data }: (typeof group.columns)[number]) => meta_data?.path_in_schema[0]
    const columns = group.columns.filter((one) => names?.includes(nameOf(one) ?? '') ?? true)
    const own = [...new Set(columns.flatMap((one) => nameOf(one) ?? []))]
    yield await openColumns(file, metadata, { ...group, columns }, shown)
      .then((read) => readRows<T>(read, own, rows))
      .catch(asDamaged)
  }
}

function readRows<T>(read: ReadValue, names: readonly string[], count: number): T[] {
  return Array.from({ length: count }, (_, row) => {
    return Object.fromEntries(names.map((name) => [name, read(name, row)])) as T
  })
}

function toExportRow(columns: readonly ExportColumn[], row: Record<string, unknown>): ExportRow {
  const { geometry, latitude, longitude } = row
  const polygon = /Polygon$/.test((geometry as { type?: string } | undefined)?.type ?? '')
    ? JSON.stringify(geometry)
    : null
  const values = columns.map(({ name, type }) =>
    type === 'date' ? toDay(row[name]) : (row[name] ?? null),
  )
  const [y, x] = [latitude, longitude].map((one) => (one ?? null) as number | null)
  const shape = shapeOf({ geometry: polygon }, y ?? null, x ?? null)
  return { values, polygon, shape, record: () => row }
}

/** Throws `CommandError` for a row that no release has. */
function readLeaving({ propertyId, old }: ChangeRow): LeavingParcel {
  const place = readPropertyId(propertyId)
  const { parcelId, municipality } = (old ?? {}) as Record<string, unknown>
  if (place === undefined || typeof parcelId !== 'string') {
    throw new CommandError(`a removed parcel cannot be read: ${propertyId}`)
  }
  const { state, fips } = place
  return {
    ...{ state, fips, municipality: foldCity(String(municipality ?? '')) },
    ...{ parcelKey: foldParcelId(parcelId), strippedKey: stripParcelId(parcelId) },
  }
}

function toDay(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 10) : null
}
