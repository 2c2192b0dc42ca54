/** Rewrites earlier versions of parcels, because an operator suppresses them. */
import type { Client } from 'pg'
import type { RollScope } from '../../history.ts'
import { type Rewrite, rewriteVersions } from '../../rewrite.ts'
import { NAMES_PATTERN, VERSION_KINDS } from '../../versions/versions.ts'
import { readChains } from './chains.ts'
import { replaceVersions, type writeVersions } from './keep.ts'

/** Parcels read at a time. */
const BATCH = 2000

/**
 * Rewrites the versions of a state's parcels, before their present records are rewritten.
 * `present`: ids of parcels whose present record may be concerned. Returns the keys that they had
 * and have.
 */
export async function rewriteKept(
  client: Client,
  state: string,
  rewrite: Rewrite,
  present: readonly number[],
): Promise<[before: string, after: string | undefined][]> {
  const lost: [before: string, after: string | undefined][] = []
  for (let after = 0; ; ) {
    const { rows: ids } = await client.query<RollScope & { id: number }>(
      `SELECT DISTINCT id, fips, municipality FROM versions
        WHERE state = $1 AND id > $2 AND (id = ANY($3::bigint[]) OR what = $4 OR difference ~ $5)
        ORDER BY id LIMIT ${BATCH}`,
      [state, after, present, VERSION_KINDS.indexOf('removed'), NAMES_PATTERN],
    )
    const numbers = ids.map(({ id }) => Number(id))
    const chains = await readChains(client, state, numbers)
    const made: Parameters<typeof writeVersions>[2] = []
    const changed: number[] = []
    for (const { id, fips, municipality } of ids) {
      const { rows, present } = chains(Number(id))
      const scope = { state, fips, municipality }
      const next = rewriteVersions(rewrite, scope, present, rows)
      if (next === undefined) continue
      changed.push(Number(id))
      made.push(...next.rows.map((one) => ({ scope, ...one })))
      lost.push(...next.lost)
    }
    await replaceVersions(client, state, changed, made)
    if (ids.length < BATCH) return lost
    after = numbers.at(-1) ?? 0
  }
}
