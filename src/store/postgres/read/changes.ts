/** Reads what imports changed. */
import type { ChangeReader, StoredChange } from '../../changes.ts'
import type { LookupQueue } from '../pool/lookup-queue.ts'
import { CHANGES } from './place-statements.ts'

const ALL = 0xff

export function openChangeReader({ ask }: Pick<LookupQueue, 'ask'>): ChangeReader {
  return {
    async changes({ state, fips, groups = ALL, after, since, limit }) {
      const [head] = await ask<{ last: string; oldest: string | null }>(CHANGES.ends, [
        state,
        since,
      ])
      const last = Number(head?.last ?? 0)
      const oldest = Number(head?.oldest ?? last + 1)
      const from = Math.max(after, oldest - 1)
      const values = [state, from, groups, limit, ...(fips === undefined ? [] : [fips])]
      const rows = await ask<StoredChange>(
        fips === undefined ? CHANGES.ofState : CHANGES.ofCounty,
        values,
      )
      return { changes: rows.map(readNumbers), oldest, last }
    },
  }
}

/** Converts numbers that the driver returns as text. */
function readNumbers(row: StoredChange): StoredChange {
  const number = (value: number | null) => (value === null ? null : Number(value))
  return {
    ...row,
    sequence: Number(row.sequence),
    id: number(row.id),
    parcels: number(row.parcels),
    loadedAt: Number(row.loadedAt),
    import: Number(row.import),
  }
}
