/** Rewrites earlier versions of parcels, because an operator suppresses them. */
import type { RollScope } from '../history.ts'
import { type Rewrite, rewriteVersions } from '../rolls/rewrite.ts'
import type { RollSql } from '../rolls/roll-sql.ts'
import { readChains } from './chains.ts'
import { type MadeVersion, replaceVersions } from './keep.ts'
import { NAMES_PATTERN, VERSION_KINDS } from './versions.ts'

/** Parcels read at a time. */
const BATCH = 2000

/** Keys of a version in the form of `parcel-keys.ts`; `undefined`: it is gone. */
export type LostKeys = [before: string, after: string | undefined]

/**
 * Rewrites the versions of a state's parcels, before their present records are rewritten.
 * `present`: ids of parcels whose present record may be concerned. Returns the keys that they had
 * and have.
 */
export async function rewriteKept(
  sql: RollSql,
  state: string,
  rewrite: Rewrite,
  present: readonly number[],
): Promise<LostKeys[]> {
  const { isIn, matches } = sql.dialect
  const lost: LostKeys[] = []
  for (let after = 0; ; ) {
    const rows = await sql.ask<RollScope & { id: number }>(
      `SELECT DISTINCT id, fips, municipality FROM versions
        WHERE state = $1 AND id > $2
          AND (id ${isIn('$3', 'bigint')} OR what = $4 OR difference ${matches} $5)
        ORDER BY id LIMIT ${BATCH}`,
      [state, after, present, VERSION_KINDS.indexOf('removed'), NAMES_PATTERN],
    )
    const chains = await readChains(
      sql,
      state,
      rows.map(({ id }) => id),
    )
    const made: MadeVersion[] = []
    const changed: number[] = []
    for (const { id, fips, municipality } of rows) {
      const scope = { state, fips, municipality }
      const kept = chains(id)
      const next = rewriteVersions(rewrite, scope, kept.present, kept.rows)
      if (next === undefined) continue
      changed.push(id)
      made.push(...next.rows.map((one) => ({ scope, ...one })))
      lost.push(...next.lost)
    }
    await replaceVersions(sql, state, changed, made)
    if (rows.length < BATCH) return lost
    after = rows.at(-1)?.id ?? 0
  }
}
