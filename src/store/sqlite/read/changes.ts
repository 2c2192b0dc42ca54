/** Reads what imports changed. */
import type { ChangeReader, StoredChange } from '../../changes.ts'
import type { Prepare } from './prepare.ts'
import { CHANGES } from './statements.ts'

type Columns = [
  sequence: number,
  what: string,
  id: number | null,
  propertyId: string | null,
  fips: number,
  municipality: string,
  groups: number,
  parcels: number | null,
  loadedAt: number,
  importId: number,
]

export function openChangeReader(prepare: Prepare): ChangeReader {
  return {
    async changes({ state, fips, groups = ALL, after, since, limit }) {
      const last = prepare(CHANGES.last).get<[number]>(state)?.[0] ?? 0
      const oldest = prepare(CHANGES.oldest).get<[number]>(state, since)?.[0] ?? last + 1
      const from = Math.max(after, oldest - 1)
      const rows =
        fips === undefined
          ? prepare(CHANGES.ofState).all<Columns>(state, from, groups, limit)
          : prepare(CHANGES.ofCounty).all<Columns>(state, fips, from, groups, limit)
      return { changes: rows.map(readChange), oldest, last }
    },
  }
}

const ALL = 0xff

function readChange(columns: Columns): StoredChange {
  const [sequence, what, id, propertyId, fips, municipality, groups, parcels, loadedAt, own] =
    columns
  const kind = what as StoredChange['what']
  return {
    sequence,
    what: kind,
    id,
    propertyId,
    fips,
    municipality,
    groups,
    parcels,
    loadedAt,
    import: own,
  }
}
