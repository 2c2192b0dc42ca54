/** Empties kept rows of a state that a suppression reaches. */
import {
  decodeOrigins,
  type OriginRows,
  originBlockOf,
  packOrigin,
  type RowPlace,
  unpackChunk,
} from './origins.ts'

const nameOf = (number: number, { part, line }: RowPlace) => `${number} ${part} ${line}`

/**
 * Empties the rows of these parcels, and those of which `isHidden` is true. Returns the number of
 * chunks that it wrote.
 */
export async function hideRows(
  rows: OriginRows,
  ids: readonly number[],
  isHidden: (row: readonly string[]) => boolean,
): Promise<number> {
  const chunks = await rows.chunks()
  if (chunks.length === 0) return 0
  const hidden = await listPlaces(rows, ids)
  let written = 0
  for (const asked of chunks) {
    const chunk = unpackChunk(await rows.chunk(asked))
    let isChanged = false
    chunk.rows.forEach((row, at) => {
      if (row === null) return
      const place = { part: asked.part, line: chunk.lines[at] ?? 0 }
      if (!hidden.has(nameOf(asked.number, place)) && !isHidden(row)) return
      chunk.rows[at] = null
      isChanged = true
    })
    if (!isChanged) continue
    await rows.putRows({ ...asked, data: packOrigin(chunk) })
    written += 1
  }
  return written
}

/** The places of some parcels' rows, and of those joined to them. */
async function listPlaces(rows: OriginRows, ids: readonly number[]): Promise<Set<string>> {
  const places = new Set<string>()
  for (const [block, own] of Map.groupBy(ids, originBlockOf)) {
    const wanted = new Set(own)
    for (const { number, data } of await rows.blocks(block)) {
      for (const { id, rows } of decodeOrigins(block, data)) {
        if (!wanted.has(id)) continue
        for (const { partners, ...row } of rows) {
          for (const one of [row, ...partners]) if (one !== null) places.add(nameOf(number, one))
        }
      }
    }
  }
  return places
}
