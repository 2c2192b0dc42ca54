/** Counts the parcels of each owner in a state. */
import type { DatabaseSync } from 'node:sqlite'
import { countOwnersSql } from '../../columns.ts'

const ADD = `INSERT INTO main.owner_counts AS k (owner, parcels, residential, other)`
const MERGE = `ON CONFLICT (owner) DO UPDATE SET parcels = k.parcels + excluded.parcels,
  residential = k.residential + excluded.residential, other = k.other + excluded.other`

/** Subtracts what `staging.change` changes from the counts, before `parcels` is written. */
export function removeOwners(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE left_owners AS SELECT DISTINCT p.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id WHERE c.what <> 'same' AND p.owner <> 0;
    ${ADD} SELECT p.owner, ${countOwnersSql('-')} FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE c.what <> 'same' AND p.owner <> 0 GROUP BY p.owner ${MERGE}`)
}

/** Adds it again after `parcels` was written. */
export function addOwners(db: DatabaseSync): void {
  db.exec(`
    ${ADD} SELECT p.owner, ${countOwnersSql('')} FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE c.what <> 'same' AND p.owner <> 0 GROUP BY p.owner ${MERGE};
    DELETE FROM main.owner_counts WHERE parcels = 0
      AND owner IN (SELECT owner FROM temp.left_owners);
    INSERT INTO temp.left_owners SELECT p.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE c.what <> 'same';
    DELETE FROM main.shared_owners WHERE owner IN (SELECT owner FROM temp.left_owners);
    ${shareSql('AND owner IN (SELECT owner FROM temp.left_owners)')};
    DROP TABLE temp.left_owners`)
}

/** Adds parcels with ids above `lastId`, which are all that the store has. */
export function countOwners(db: DatabaseSync, lastId: number): void {
  db.exec(`${ADD} SELECT p.owner, ${countOwnersSql('')} FROM main.parcels p
    WHERE p.id > ${lastId} AND p.owner <> 0 GROUP BY p.owner ${MERGE};
    ${shareSql('')}`)
}

/** Writes the counts that reads use. `condition`: SQL that selects owners, after `AND`. */
function shareSql(condition: string): string {
  return `INSERT OR REPLACE INTO main.shared_owners
    SELECT owner, parcels, residential, other FROM main.owner_counts
    WHERE parcels > 1 ${condition}`
}
