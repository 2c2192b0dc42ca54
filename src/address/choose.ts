/**
 * Chooses among the parcels that a lookup found at one address: docs/decisions/lookups.md. Pure.
 */
import type { SitusHit } from '../store/store.ts'
import { listsUnit } from './unit-keys.ts'

export type Chosen = {
  outcome: 'found'
  hit: SitusHit
  /** Number of parcels among which one was chosen. */
  count: number
  /** How many of them, including this one, the request does not distinguish. */
  alike: number
  by: ChoiceWord
  /** Keys of the units there by id, when the answer is one of many. */
  units: string[]
}
export type Choice = Chosen | { outcome: 'ambiguous'; hits: SitusHit[] }

/**
 * How the choice was made. `exact`: the asked address. `range`: the asked unit is one of the
 * parcel's list. `unit-dropped`: no parcel has the asked unit, and this one has no unit.
 * `unit-added`: the only parcel there has a unit although none was asked. `one-of-many`: the first
 * of several units when no unit was asked, or of several parcels on a road when no number was.
 */
export type ChoiceWord = 'exact' | 'range' | 'unit-dropped' | 'unit-added' | 'one-of-many'

/** Reports whether all hits are on one road, with keys that differ only in the number. */
export function areOnOneRoad(hits: readonly SitusHit[]): boolean {
  return new Set(hits.map((hit) => hit.key.slice(hit.key.indexOf('|')))).size <= 1
}

/** Reports whether all hits share one address and one place, which a forgiven match requires. */
export function shareOneAddress(hits: readonly SitusHit[]): boolean {
  return new Set(hits.map((hit) => hit.key)).size <= 1 && areInOnePlace(hits)
}

/** Reports whether all hits are in one city, or in one county when no city is recorded. */
export function areInOnePlace(hits: readonly SitusHit[]): boolean {
  const cities = new Set(hits.map((hit) => hit.city).filter((city) => city !== ''))
  return cities.size <= 1 && new Set(hits.map((hit) => hit.fips)).size <= 1
}

/**
 * Chooses among the parcels of one address.
 *
 * `unitKey`: the asked unit, `''` for none. With a unit: the parcel that has it, else one without a
 * unit. Without: one without a unit, else the lowest id. `undefined` when no parcel has the unit.
 */
export function chooseAtAddress(hits: readonly SitusHit[], unitKey: string): Choice | undefined {
  if (hits.length === 0) return undefined
  const ordered = [...hits].sort((a, b) => a.id - b.id)
  const bases = ordered.filter((hit) => hit.unitKey === '')
  const asked = unitKey === '' ? [] : ordered.filter((hit) => hit.unitKey === unitKey)
  if (asked.length > 0) return settle(asked, asked, 'exact')
  if (unitKey !== '') {
    const listed = ordered.filter((hit) => listsUnit(hit.unitKey, unitKey))
    if (listed.length > 0) return settle(listed, listed, 'range')
    // `U101` is unit 101, unless letters mean parts of the building.
    const isLettered = ordered.some((hit) => /^[A-TV-Z]\d/.test(hit.unitKey))
    const same = ordered.filter((hit) => !isLettered && withoutU(hit.unitKey) === withoutU(unitKey))
    if (same.length > 0) return settle(same, same, 'exact')
    return settle(ordered, bases, 'unit-dropped')
  }
  const count = countParcels(ordered)
  if (bases.length > 0) return settle(ordered, bases, isOneOfMany(bases) ? 'one-of-many' : 'exact')
  return settle(ordered, ordered, count > 1 ? 'one-of-many' : 'unit-added')
}

const withoutU = (unitKey: string) => unitKey.replace(/^U(?=\d+$)/, '')

/** Several parcels on a road when no number was asked: the first is only one of many. */
function isOneOfMany(bases: readonly SitusHit[]): boolean {
  return bases[0]?.key.startsWith('|') === true && countParcels(bases) > 1
}

/** Returns the first of `candidates` if all of `among` are in one place. */
function settle(among: SitusHit[], candidates: SitusHit[], by: ChoiceWord): Choice | undefined {
  const [hit] = candidates
  if (hit === undefined) return undefined
  if (!areInOnePlace(among)) return { outcome: 'ambiguous', hits: among }
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

/** Counts the parcels among the hits; one parcel may have several addresses. */
export function countParcels(hits: readonly SitusHit[]): number {
  return new Set(hits.map(({ id }) => id)).size
}
