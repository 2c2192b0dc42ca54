/** Keeps how many parcels of a state have the same owner. */
import type { DatabaseSync } from 'node:sqlite'
import { countOwnersSql } from '../../columns.ts'

const ADD = `INSERT INTO main.owner_counts AS k (state, owner, parcels, residential, other)`
const MERGE = `ON CONFLICT (state, owner) DO UPDATE SET parcels = k.parcels + excluded.parcels,
  residential = k.residential + excluded.residential, other = k.other + excluded.other`

/**
 * Takes what `staging.change` changes out of the counts, before `parcels` is written. Parcels that
 * stay and have no owner here yet get that of their roll.
 */
export function removeOwners(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE left_owners AS SELECT DISTINCT p.state, p.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id WHERE c.what <> 'same' AND p.owner <> '';
    ${ADD} SELECT p.state, p.owner, ${countOwnersSql('-')} FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE c.what <> 'same' AND p.owner <> '' GROUP BY p.state, p.owner ${MERGE};
    CREATE TEMP TABLE new_owners AS SELECT p.id, s.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id JOIN staging.staged s ON s.seq = c.seq
      WHERE c.what = 'same' AND p.owner = '' AND s.owner <> '';
    UPDATE main.parcels SET owner = n.owner FROM temp.new_owners n WHERE main.parcels.id = n.id`)
}

/** Adds them again, after `parcels` was written. */
export function addOwners(db: DatabaseSync): void {
  db.exec(`
    ${ADD} SELECT p.state, p.owner, ${countOwnersSql('')} FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE (c.what <> 'same' OR c.id IN (SELECT id FROM temp.new_owners)) AND p.owner <> ''
      GROUP BY p.state, p.owner ${MERGE};
    DELETE FROM main.owner_counts WHERE parcels = 0
      AND (state, owner) IN (SELECT state, owner FROM temp.left_owners);
    DROP TABLE temp.left_owners;
    DROP TABLE temp.new_owners`)
}

/** Counts all parcels anew. */
export function countOwners(db: DatabaseSync): void {
  db.exec(`DELETE FROM main.owner_counts;
    ${ADD} SELECT p.state, p.owner, ${countOwnersSql('')} FROM main.parcels p
      WHERE p.owner <> '' GROUP BY p.state, p.owner`)
}
