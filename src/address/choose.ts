/** Chooses among the parcels that a lookup found at one address. Pure. */
import type { SitusHit } from '../store/store.ts'

/** What a lookup found at one address. */
export type Choice =
  | { outcome: 'found'; hit: SitusHit; count: number; unitDropped: boolean }
  | { outcome: 'ambiguous'; count: number }

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
 * `unitKey`: the asked unit, `''` for none. With a unit: the parcel that has it, else one that has none; without: one
 * that has none, else the lowest id. `count`: how many the choice was among. `undefined`: nobody has the unit.
 */
export function chooseAtAddress(hits: readonly SitusHit[], unitKey: string): Choice | undefined {
  if (hits.length === 0) return undefined
  const ordered = [...hits].sort((a, b) => a.id - b.id)
  const bases = ordered.filter((hit) => hit.unitKey === '')
  const asked = unitKey === '' ? [] : ordered.filter((hit) => hit.unitKey === unitKey)
  if (asked.length > 0) return settle(asked, asked, false)
  if (unitKey !== '') return settle(ordered, bases, true)
  return settle(ordered, bases.length > 0 ? bases : ordered, false)
}

/** All of `among` must stand in one place; then the first of `candidates` is it. */
function settle(
  among: SitusHit[],
  candidates: SitusHit[],
  unitDropped: boolean,
): Choice | undefined {
  const [hit] = candidates
  if (hit === undefined) return undefined
  const count = new Set(among.map((other) => other.id)).size
  return standInOnePlace(among)
    ? { outcome: 'found', hit, count, unitDropped }
    : { outcome: 'ambiguous', count }
}
