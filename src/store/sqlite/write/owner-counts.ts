/** Counts the parcels of each owner in a state. */
import type { DatabaseSync } from 'node:sqlite'
import { countOwnersSql } from '../../columns.ts'
import { packOwnedSql } from '../owned.ts'

const ADD = `INSERT INTO main.owner_counts AS k (owner, parcels, residential, other)`
const MERGE = `ON CONFLICT (owner) DO UPDATE SET parcels = k.parcels + excluded.parcels,
  residential = k.residential + excluded.residential, other = k.other + excluded.other`

/**
 * Subtracts what `staging.change` changes from the counts, before `parcels` is written. Unchanged
 * parcels without an owner number get that of the roll.
 */
export function removeOwners(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE left_owners AS SELECT DISTINCT p.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id WHERE c.what <> 'same' AND p.owner <> 0;
    ${ADD} SELECT p.owner, ${countOwnersSql('-')} FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE c.what <> 'same' AND p.owner <> 0 GROUP BY p.owner ${MERGE};
    CREATE TEMP TABLE new_owners AS SELECT p.id, s.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id JOIN staging.staged s ON s.seq = c.seq
      WHERE c.what = 'same' AND p.owner = 0 AND s.owner <> 0;
    UPDATE main.parcels SET owner = n.owner FROM temp.new_owners n WHERE main.parcels.id = n.id;
    UPDATE main.records SET owned = ${packOwnedSql('p')} FROM temp.new_owners n
      CROSS JOIN main.parcels p ON p.id = n.id WHERE main.records.id = n.id`)
}

/** Adds it again after `parcels` was written. */
export function addOwners(db: DatabaseSync): void {
  db.exec(`
    ${ADD} SELECT p.owner, ${countOwnersSql('')} FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE (c.what <> 'same' OR c.id IN (SELECT id FROM temp.new_owners)) AND p.owner <> 0
      GROUP BY p.owner ${MERGE};
    DELETE FROM main.owner_counts WHERE parcels = 0
      AND owner IN (SELECT owner FROM temp.left_owners);
    INSERT INTO temp.left_owners SELECT p.owner FROM staging.change c
      JOIN main.parcels p ON p.id = c.id
      WHERE c.what <> 'same' OR c.id IN (SELECT id FROM temp.new_owners);
    DELETE FROM main.shared_owners WHERE owner IN (SELECT owner FROM temp.left_owners);
    ${shareSql('SELECT owner FROM temp.left_owners')};
    DROP TABLE temp.left_owners;
    DROP TABLE temp.new_owners`)
}

/** Adds parcels with ids above `lastId`. */
export function countOwners(db: DatabaseSync, lastId: number): void {
  db.exec(`${ADD} SELECT p.owner, ${countOwnersSql('')} FROM main.parcels p
    WHERE p.id > ${lastId} AND p.owner <> 0 GROUP BY p.owner ${MERGE};
    ${shareSql(`SELECT p.owner FROM main.parcels p WHERE p.id > ${lastId}`)}`)
}

/** Writes the counts that reads use, for the owners selected by `owners`. */
function shareSql(owners: string): string {
  return `INSERT OR REPLACE INTO main.shared_owners
    SELECT owner, parcels, residential, other FROM main.owner_counts
    WHERE parcels > 1 AND owner IN (${owners})`
}
