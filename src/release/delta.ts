/** Turns the changes of a release into a roll of the added and changed parcels. */
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { CommandError } from '../base/errors.ts'
import { foldCity, foldParcelId, stripParcelId } from '../base/fold.ts'
import { openFileRows } from '../export/columns.ts'
import { beginFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { shapeOf } from '../export/shape.ts'
import { readPropertyId } from '../operations/find/find-parcel.ts'
import type { LeavingParcel } from '../store/store.ts'

type ChangeRow = {
  propertyId: string
  change: string
  old: Record<string, unknown> | null
  new: Record<string, unknown> | null
}

/**
 * Writes the parcels that were added or changed as an export writes them. Returns their number, and
 * the removed ones, which a roll cannot name.
 */
export async function writeDelta(
  changes: string,
  path: string,
): Promise<{ rows: number; leaving: LeavingParcel[] }> {
  const file = await asyncBufferFromFile(changes)
  const all = (await parquetReadObjects({ file, compressors })) as ChangeRow[]
  const kept = all.flatMap((one) => (one.change === 'removed' || one.new === null ? [] : [one.new]))
  const { columns } = openFileRows('flat')
  const out = await beginFile(path, true)
  try {
    const writer = openParquet(out, columns)
    for (let at = 0; at < kept.length; at += writer.batchRows) {
      await writer.write(
        kept.slice(at, at + writer.batchRows).map((row) => {
          const { geometry, latitude, longitude } = row
          const polygon = isPolygon(geometry) ? JSON.stringify(geometry) : null
          const values = columns.map(({ name, type }) =>
            type === 'date' ? toDay(row[name]) : (row[name] ?? null),
          )
          const [y, x] = [latitude, longitude].map((one) => (one ?? null) as number | null)
          const shape = shapeOf({ geometry: polygon }, y ?? null, x ?? null)
          return { values, polygon, shape, record: () => row }
        }),
      )
    }
    await writer.end()
    await out.finish()
  } finally {
    await out.discard()
  }
  const gone = all.filter(({ change }) => change === 'removed')
  return { rows: kept.length, leaving: gone.map(readLeaving) }
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

function isPolygon(geometry: unknown): boolean {
  return /Polygon$/.test((geometry as { type?: string } | undefined)?.type ?? '')
}
