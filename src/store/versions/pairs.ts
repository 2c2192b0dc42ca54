/** A parcel before and after an import, as both stores read it from the differences. */
import { carryOver } from '../../record/stored.ts'
import type { RollScope } from '../history.ts'
import type { VersionForm, VersionPair } from './versions.ts'

/** A row of the differences. `keepsPolygon`: the roll has none, and the stored one stays. */
export type PairRow = {
  what: string
  id: number
  fips: number
  municipality: string
  loadedAt: number | null
  before: string | null
  after: string | null
  keysBefore: string | null
  keysAfter: string | null
  geometryBefore: string | null
  geometryAfter: string | null
  keepsPolygon: boolean | number
}

/** A scope whose present roll is of this day; `isFresh`: nothing of it was loaded. */
export type DatedScope = RollScope & { day: number; rollYear: number | null; isFresh: boolean }

/** Names a scope within its state. */
export function nameOfScope({ fips, municipality }: Pick<RollScope, 'fips' | 'municipality'>) {
  return `${fips} ${municipality}`
}

/** `keysBefore`: JSON. */
export function readPair(row: PairRow, keysBefore = row.keysBefore): VersionPair {
  const { before, after } = row
  const keeps = before !== null && after !== null && Boolean(row.keepsPolygon)
  return {
    id: Number(row.id),
    loadedAt: Number(row.loadedAt ?? 0),
    before: formOf(before, keysBefore, row.geometryBefore),
    after: formOf(keeps ? carryOver(before, after, true) : after, row.keysAfter, row.geometryAfter),
  }
}

function formOf(
  fieldValues: string | null,
  keys: string | null,
  geometry: string | null,
): VersionForm | undefined {
  return fieldValues === null || keys === null ? undefined : { fieldValues, keys, geometry }
}
