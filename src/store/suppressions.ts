/** Suppressions as a store's rows: only hashes, no name in clear text. */
import {
  FORM_DIGITS,
  REGISTERED,
  type StoredRule,
  type Suppression,
} from '../base/model/suppression.ts'
import { type Row, readerOf } from './accounts/table-rows.ts'

/** Reads a suppression from a row of either store. */
export const readSuppression = readerOf<Suppression>('suppression')

const IS_REGISTERED = `substr(id, 1, ${REGISTERED.length}) = '${REGISTERED}'`

/**
 * Selects the suppressions in force, grouped by kind and scope.
 *
 * One row holds all hashes of a group, because reading 100,000 rows would take longer than reading
 * thousands of parcels. Hashes of a registry begin with the mark of its recipe, which distinguishes
 * them. Groups are split by the last digit of the hash, because one text has a limit of 500 MB.
 */
export const GROUPED_RULES = `SELECT min(id) AS id, kind, scope, string_agg(hashes, '') AS hashes
  FROM suppression WHERE ended_at IS NULL
  GROUP BY kind, scope, ${IS_REGISTERED},
    CASE WHEN ${IS_REGISTERED} THEN substr(hashes, 1, ${FORM_DIGITS}) ELSE '' END,
    substr(hashes, length(hashes))`

/** Reads a row of `GROUPED_RULES`. */
export function readRule({ id, kind, scope, hashes }: Row): StoredRule {
  return { id, kind, scope, hashes } as StoredRule
}

/** Selects the suppressions that are applied to answers. */
export const PENDING_SUPPRESSIONS = `SELECT suppression.* FROM suppression
  JOIN suppression_pending ON suppression_pending.id = suppression.id
  WHERE suppression.ended_at IS NULL ORDER BY suppression.created_at, suppression.id`
