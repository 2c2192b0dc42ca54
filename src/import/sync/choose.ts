/** Selects the sources of a sync. */
import { CommandError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import type { Source } from '../sources/catalogue.ts'
import { listKeptIds, readKept } from './kept.ts'

/**
 * Returns sources by id, each once. Throws `CommandError` for an unknown id and suggests the
 * nearest.
 */
export function findSources(catalogue: Source[], ids: string[]): Source[] {
  const byId = new Map(catalogue.map((source) => [source.id, source]))
  return [...new Set(ids)].map((id) => {
    const found = byId.get(id)
    if (found !== undefined) return found
    const near = nearest(id, [...byId.keys()])
    const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
    throw new CommandError(`the catalogue has no source "${id}"${hint}`, 2)
  })
}

/**
 * Returns the sources that this installation follows: those that the operator has added, synced
 * before, or loaded by address. The rest of the catalogue covers the whole country.
 */
export function findFollowed(
  catalogue: Source[],
  dataDir: string,
  isLoaded: (source: Source) => boolean,
): Source[] {
  // Leaves out sources that were only checked.
  const asked = new Set(
    listKeptIds(dataDir).filter((id) => {
      const { checkedAt, failedAt } = readKept(dataDir, id)
      return checkedAt !== null || failedAt !== null
    }),
  )
  const joined = new Set(catalogue.flatMap((source) => source.join ?? []))
  return catalogue.filter(
    (source) =>
      source.isOwn === true || asked.has(source.id) || (!joined.has(source.id) && isLoaded(source)),
  )
}
