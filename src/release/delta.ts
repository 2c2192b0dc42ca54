/** Turns the changes of a release into a roll of the added and changed parcels. */
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { openRows } from '../export/columns.ts'
import { beginFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { shapeOf } from '../export/shape.ts'

type ChangeRow = { change: string; new: Record<string, unknown> | null }

/**
 * Writes the parcels that were added or changed as an export writes them. Returns their number, and
 * that of the removed ones, which a roll cannot name.
 */
export async function writeDelta(
  changes: string,
  path: string,
): Promise<{ rows: number; removed: number }> {
  const file = await asyncBufferFromFile(changes)
  const all = (await parquetReadObjects({ file, compressors })) as ChangeRow[]
  const kept = all.flatMap((one) => (one.change === 'removed' || one.new === null ? [] : [one.new]))
  const { columns } = openRows('flat')
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
  return { rows: kept.length, removed: all.length - kept.length }
}

function toDay(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 10) : null
}

function isPolygon(geometry: unknown): boolean {
  return /Polygon$/.test((geometry as { type?: string } | undefined)?.type ?? '')
}
