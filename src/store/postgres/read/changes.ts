/** Reads what imports changed. */
import type { ChangeReader, StoredChange } from '../../changes.ts'
import type { LookupQueue } from '../pool/lookup-queue.ts'
import { CHANGES } from './place-statements.ts'

const ALL = 0xff

export function openChangeReader({ ask }: Pick<LookupQueue, 'ask'>): ChangeReader {
  return {
    async changes({ state, fips, groups = ALL, after, since, limit }) {
      type Ends = { last: number | null; oldest: number | null }
      const [ends] = await ask<Ends>(CHANGES.ends, [state, since])
      const last = ends?.last ?? 0
      const oldest = ends?.oldest ?? last + 1
      const from = Math.max(after, oldest - 1)
      const values = [state, from, groups, limit, ...(fips === undefined ? [] : [fips])]
      const text = fips === undefined ? CHANGES.ofState : CHANGES.ofCounty
      return { changes: await ask<StoredChange>(text, values), oldest, last }
    },
  }
}
