/**
 * The guard: refuses a refresh that looks like a broken file. Sources rot silently: a column is
 * renamed, an export stops half way.
 */
import { countyByFips } from '../place/counties.ts'
import type { ScopeChange } from '../store/store.ts'

/**
 * Largest share of a scope's parcels that one refresh removes, and smallest share of what was
 * filled that stays.
 */
const GUARD = { removed: 0.1, filled: 0.5 }

/**
 * The first reason for which a refresh should not be trusted; `undefined`: none. A first load has
 * no before.
 */
function findDanger(
  scopes: ScopeChange[],
  limits: { removed: number; filled: number },
  removeAbsent: boolean,
): string | undefined {
  for (const scope of scopes) {
    if (scope.before === 0) continue
    const where = nameScope(scope)
    if (removeAbsent && scope.removed > scope.before * limits.removed) {
      return `it would remove ${scope.removed} of the ${scope.before} parcels of ${where}`
    }
    const owner = shrinks(scope.ownerBefore, scope.before, scope.ownerAfter, scope.after)
    if (owner < limits.filled) {
      return (
        `the share of parcels with an owner in ${where} would fall to ${percent(owner)} of ` +
        'what it was'
      )
    }
    const address = shrinks(scope.addressBefore, scope.before, scope.addressAfter, scope.after)
    if (address < limits.filled) {
      return (
        `the share of parcels with an address in ${where} would fall to ` +
        `${percent(address)} of what it was`
      )
    }
  }
  return undefined
}

/**
 * What came out of the rows of an import: rows read, rows skipped, and the parcels that they made.
 */
type Yield = { rows: number; skipped: number; parcels: number; reasons: [string, number][] }

/**
 * Why a load of nothing is refused: a header alone, or rows of which none could be used;
 * `undefined`: there are parcels.
 */
function findEmptiness({ rows, skipped, parcels, reasons }: Yield): string | undefined {
  if (parcels > 0) return undefined
  if (rows === 0) return 'its files have columns and not one row'
  const [commonest] = reasons
  const why =
    commonest === undefined
      ? `${skipped} were skipped: they are blank, have no parcel ID, or are said by the ` +
        'mapping to be no parcels'
      : `the commonest reason: ${commonest[0]}`
  return `none of its ${rows} rows makes a parcel; ${why}`
}

/** The sentence with which a load is refused; `undefined`: it may be loaded. */
export function findRefusal(
  made: Yield,
  scopes: ScopeChange[],
  limits: { removed?: number; filled?: number } | undefined,
  removeAbsent: boolean,
): string | undefined {
  const emptiness = findEmptiness(made)
  if (emptiness !== undefined) {
    return (
      `this roll was not loaded: ${emptiness}. With --force it counts as read, and ` +
      'nothing changes'
    )
  }
  const danger = findDanger(scopes, { ...GUARD, ...limits }, removeAbsent)
  return danger === undefined
    ? undefined
    : `this roll was not loaded: ${danger}. If the file is right, load it with --force; ` +
        'if it is only a part of the roll, with --partial'
}

/** The new share as a part of the old one; 1 where nothing was filled before. */
function shrinks(filledBefore: number, before: number, filledAfter: number, after: number): number {
  if (filledBefore === 0 || after === 0) return 1
  return filledAfter / after / (filledBefore / before)
}

function nameScope(scope: ScopeChange): string {
  const county = countyByFips(scope.fips)
  const name = county === undefined ? String(scope.fips) : `${county.name}, ${county.state}`
  return scope.municipality === '' ? name : `${scope.municipality}, ${name}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
