/**
 * Chooses among the parcels that a lookup found at one address: docs/decisions/lookups.md. Pure.
 */
import type { SitusHit } from '../store/store.ts'

/** What a lookup found at one address. */
export type Choice =
  | {
      outcome: 'found'
      hit: SitusHit
      count: number
      alike: number
      by: ChoiceWord
      units: string[]
    }
  | { outcome: 'ambiguous'; hits: SitusHit[] }

/**
 * How the choice was made. `exact`: it is what was asked. `unit-dropped`: nobody has the asked
 * unit, and this parcel has none. `unit-added`: it is the only one there, and it has a unit that
 * was not asked. `one-of-many`: the first of several units where none was asked, or of several
 * parcels on a road where no number was.
 */
export type ChoiceWord = 'exact' | 'unit-dropped' | 'unit-added' | 'one-of-many'

/** Whether all hits stand on one road: keys that differ in their number only. */
export function standOnOneRoad(hits: readonly SitusHit[]): boolean {
  return new Set(hits.map((hit) => hit.key.slice(hit.key.indexOf('|')))).size <= 1
}

/** Whether all hits share one address and one place: a forgiven match counts only then. */
export function shareOneAddress(hits: readonly SitusHit[]): boolean {
  return new Set(hits.map((hit) => hit.key)).size <= 1 && standInOnePlace(hits)
}

/** Whether hits stand in one city or, where none is recorded, one county. */
export function standInOnePlace(hits: readonly SitusHit[]): boolean {
  const cities = new Set(hits.map((hit) => hit.city).filter((city) => city !== ''))
  return cities.size <= 1 && new Set(hits.map((hit) => hit.fips)).size <= 1
}

/**
 * Chooses among the parcels of one address.
 *
 * `unitKey`: the asked unit, `''` for none. With a unit: the parcel that has it, else one that has
 * none; without: one that has none, else the lowest id. `count`: how many the choice was among;
 * `alike`: how many of them the question does not tell apart from the chosen one;
 * `units`: keys of their units in the order of their ids, only for `one-of-many`. `undefined`:
 * nobody has the unit.
 */
export function chooseAtAddress(hits: readonly SitusHit[], unitKey: string): Choice | undefined {
  if (hits.length === 0) return undefined
  const ordered = [...hits].sort((a, b) => a.id - b.id)
  const bases = ordered.filter((hit) => hit.unitKey === '')
  const asked = unitKey === '' ? [] : ordered.filter((hit) => hit.unitKey === unitKey)
  if (asked.length > 0) return settle(asked, asked, 'exact')
  if (unitKey !== '') return settle(ordered, bases, 'unit-dropped')
  const count = countParcels(ordered)
  if (bases.length > 0) return settle(ordered, bases, isOneOfMany(bases) ? 'one-of-many' : 'exact')
  return settle(ordered, ordered, count > 1 ? 'one-of-many' : 'unit-added')
}

/**
 * Several parcels on a road where no number was asked: the first is not what was asked, only one of
 * them.
 */
function isOneOfMany(bases: readonly SitusHit[]): boolean {
  return bases[0]?.key.startsWith('|') === true && countParcels(bases) > 1
}

/** All of `among` must stand in one place; then the first of `candidates` is it. */
function settle(among: SitusHit[], candidates: SitusHit[], by: ChoiceWord): Choice | undefined {
  const [hit] = candidates
  if (hit === undefined) return undefined
  if (!standInOnePlace(among)) return { outcome: 'ambiguous', hits: among }
  const units = by === 'one-of-many' ? [...new Set(among.map(({ unitKey }) => unitKey))] : []
  return {
    outcome: 'found',
    hit,
    count: countParcels(among),
    alike: countParcels(candidates),
    by,
    units: units.filter((unit) => unit !== ''),
  }
}

/** How many parcels the hits are; one parcel may have several addresses. */
export function countParcels(hits: readonly SitusHit[]): number {
  return new Set(hits.map(({ id }) => id)).size
}
