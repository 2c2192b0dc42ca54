/** Counts the parcels of each owner in a state. `$1` of every statement is the state. */
import { countOwnersSql } from '../../columns.ts'
import type { Run, Staging } from './roll-staging.ts'

export const MERGE_OWNERS = `ON CONFLICT (state, owner) DO UPDATE SET
  parcels = k.parcels + excluded.parcels, residential = k.residential + excluded.residential,
  other = k.other + excluded.other`

/**
 * Subtracts the changed parcels from the counts before they are written (`-`), and adds them
 * afterwards.
 */
export async function countOwners(ask: Run, { change }: Staging, sign: '-' | ''): Promise<void> {
  await ask(`INSERT INTO owner_counts AS k (state, owner, parcels, residential, other)
    SELECT p.state, p.owner, ${countOwnersSql(sign)} FROM ${change} c
    JOIN parcels p ON p.state = $1 AND p.id = c.id
    WHERE c.state = $1 AND c.what <> 'same' AND p.owner <> 0 GROUP BY p.state, p.owner
    ${MERGE_OWNERS}`)
  if (sign === '') await ask('DELETE FROM owner_counts WHERE state = $1 AND parcels = 0')
}
