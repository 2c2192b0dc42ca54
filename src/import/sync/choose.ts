/** Selects the sources of a sync. */
import { CommandError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { forgetSource, loadCatalogue, type Source } from '../sources/catalogue.ts'
import { showAddress } from '../sources/web.ts'
import { forgetKept, listKeptIds, readKept, writeKept } from './kept.ts'

/** Sources by id, each once. Throws `CommandError` that suggests the nearest ids. */
export function findSources(catalogue: Source[], ids: string[]): Source[] {
  const byId = new Map(catalogue.map((source) => [source.id, source]))
  return [...new Set(ids)].map((id) => {
    const found = byId.get(id)
    if (found !== undefined) return found
    const near = nearest(id, [...byId.keys()])
    const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
    throw new CommandError(`the catalogue has no source "${id}"${hint}`)
  })
}

/**
 * Returns the sources that this installation follows: those that the operator has added, synced
 * before, or loaded by address, and has not stopped. The rest of the catalogue covers the whole
 * country. A source without an address cannot be asked. `loads`: as `findLoads` returns them.
 */
export function findFollowed(
  catalogue: Source[],
  dataDir: string,
  loads: ReadonlyMap<string, number>,
): Source[] {
  const kept = new Map(listKeptIds(dataDir).map((id) => [id, readKept(dataDir, id)]))
  const joined = new Set(catalogue.flatMap((source) => source.join ?? []))
  return catalogue.filter((source) => {
    const { stopped = false, checkedAt = null, failedAt = null } = kept.get(source.id) ?? {}
    if (source.url === null || stopped) return false
    if (source.isOwn === true) return true
    // A source that was only looked at is not followed.
    const isAsked = checkedAt !== null || failedAt !== null
    return isAsked || (!joined.has(source.id) && loads.has(showAddress(source.url)))
  })
}

/** Stops following a source; a sync by its id follows it again. Throws `CommandError`. */
export function stopSource(dataDir: string, id: string): void {
  findSources(loadCatalogue(dataDir), [id])
  writeKept(dataDir, { ...readKept(dataDir, id), stopped: true })
}

/** Removes a source that the operator has added. Throws `CommandError` for another one. */
export function removeSource(dataDir: string, id: string): void {
  const [source] = findSources(loadCatalogue(dataDir), [id])
  if (source?.isOwn !== true) {
    throw new CommandError(`${id} comes with Platbook and stays in the catalogue; stop it instead`)
  }
  forgetSource(dataDir, id)
  forgetKept(dataDir, id)
}
