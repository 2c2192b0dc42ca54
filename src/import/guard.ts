/** Refuses a roll that looks like a broken file: a renamed column, half an export. */
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { needRoom, sizeOfFiles } from '../base/safe-files.ts'
import { countyByFips } from '../regions/counties.ts'
import { KEEP_ALL, type KeepVersions } from '../store/history.ts'
import type { RollChange, ScopeChange } from '../store/store.ts'
import { refuseUnmet } from './expect.ts'
import type { ShareCounter } from './report/shares.ts'
import type { Staging } from './walk.ts'

/** What a staged roll would do, and what its rows were. */
type Guarded = Pick<Staging, 'job' | 'expectations' | 'rejects' | 'progress'> & {
  tally: Pick<Yield, 'rows' | 'skipped'>
  shares: ShareCounter
}

/**
 * Throws `CommandError` for a broken roll or a full disk; a dry run returns the sentence as
 * `refused`. `isPast`: the roll is an earlier one, for the history alone.
 */
export function guardRoll(
  { job, expectations, rejects, progress, tally, shares }: Guarded,
  { scopes, difference }: { scopes: ScopeChange[]; difference: RollChange },
): { isPast: boolean; refused: string | undefined } {
  const isPast = isOfPast(scopes, job.versions ?? KEEP_ALL, job.partial)
  const { loaded, updated, unchanged } = difference
  const parcels = loaded + updated + unchanged + (job.leaving?.length ?? 0)
  const made = { ...tally, parcels, reasons: rejects.reasons() }
  const refused = job.force
    ? undefined
    : // An earlier roll is not compared with the present one.
      (refuseChange(made, isPast ? [] : scopes, job.mapping.guard, !job.partial) ??
      progress.outside.findRefusal(scopes) ??
      refuseUnmet(expectations, shares.finish()))
  if (!isPast) progress.doubts.push(...scopes.flatMap(describeChanges))
  if (job.dryRun) return { isPast, refused }
  if (refused !== undefined) throw new CommandError(refused)
  if ((job.databaseUrl ?? null) === null) checkDisk(job.dataDir)
  return { isPast, refused }
}

/**
 * Whether a roll of a day is older than those of its scopes, so that it goes into the history
 * alone. Throws `CommandError` where it is older than some of them, is not whole, or no history is
 * kept.
 */
function isOfPast(
  scopes: ScopeChange[],
  { vintage, keep }: KeepVersions,
  partial: boolean,
): boolean {
  if (vintage === null) return false
  const isOlder = ({ newest }: ScopeChange) => newest !== null && newest > vintage
  const older = scopes.find(isOlder)
  if (older === undefined) return false
  const other = scopes.find((scope) => !isOlder(scope))
  if (other !== undefined) {
    throw new CommandError(
      `this roll is older than that of ${nameScope(older)}, and would be the present one of ` +
        `${nameScope(other)}; load the counties apart`,
    )
  }
  if (partial) {
    throw new CommandError(
      `this roll is older than that of ${nameScope(older)}; a roll of the past must be whole, so ` +
        'leave out --partial',
    )
  }
  if (keep !== 0) return true
  throw new CommandError(
    `this roll is older than that of ${nameScope(older)}, and PLATBOOK_HISTORY is off`,
  )
}

/** Returns the sentence that refuses rows or their effect on stored parcels. */
function refuseChange(
  made: Yield,
  scopes: ScopeChange[],
  limits: { removed?: number; filled?: number } | undefined,
  removeAbsent: boolean,
): string | undefined {
  const emptiness = findEmptiness(made)
  if (emptiness !== undefined) {
    return (
      `this roll was not loaded: ${emptiness}. With --force it is accepted, and ` +
      'nothing changes'
    )
  }
  const danger = findDanger(scopes, { ...GUARD, ...limits }, removeAbsent)
  if (danger === undefined) return undefined
  const part = removeAbsent ? '; if it is only a part of the roll, with --partial' : ''
  return `this roll was not loaded: ${danger}. If the file is right, load it with --force${part}`
}

/** Shares: of a scope's parcels, the most that may leave; of filled fields, the least that stay. */
const GUARD = { removed: 0.1, filled: 0.5 }

/** The first reason not to trust a refresh. A first load has nothing to compare with. */
function findDanger(
  scopes: ScopeChange[],
  limits: { removed: number; filled: number },
  removeAbsent: boolean,
): string | undefined {
  for (const scope of scopes) {
    if (scope.before === 0) continue
    const where = nameScope(scope)
    if (removeAbsent && scope.removed > scope.before * limits.removed) {
      const all = `${count(scope.before)} parcels of ${where}`
      return `it would remove ${count(scope.removed)} of the ${all}`
    }
    for (const [field, had, has] of [
      ['owner', scope.ownerBefore, scope.ownerAfter],
      ['address', scope.addressBefore, scope.addressAfter],
    ] as const) {
      if (had === 0 || scope.after === 0) continue
      const share = has / scope.after / (had / scope.before)
      if (share >= limits.filled) continue
      return (
        `the share of its parcels with an ${field} in ${where} would fall to ` +
        `${Math.round(share * 100)} % of its present value`
      )
    }
    const { drawnBefore, undrawn } = scope
    if (undrawn > drawnBefore * (1 - limits.filled)) {
      const lost = `${count(undrawn)} of the ${count(drawnBefore)} parcels with a polygon`
      return `${lost} in ${where} would lose it`
    }
  }
  return undefined
}

const count = (number: number) => number.toLocaleString('en-US')

/** The result of reading the rows: rows read, rows skipped, and the parcels made from them. */
type Yield = { rows: number; skipped: number; parcels: number; reasons: [string, number][] }

/** Why an empty load is refused: only a header, or no row that could be used. */
function findEmptiness({ rows, skipped, parcels, reasons }: Yield): string | undefined {
  if (parcels > 0) return undefined
  if (rows === 0) return 'its files have columns and not one row of a parcel'
  const [commonest] = reasons
  const why =
    commonest === undefined
      ? `${count(skipped)} were skipped: they are blank, have no parcel ID, or the mapping ` +
        'excludes them'
      : `the commonest reason: ${commonest[0]}`
  return `none of its ${count(rows)} rows makes a parcel; ${why}`
}

/** Sentences about parcels of a county that get other IDs, or lose their polygons. */
function describeChanges(scope: ScopeChange): string[] {
  const { renumbered, undrawn } = scope
  const where = nameScope(scope)
  const sentences: string[] = []
  if (renumbered > 0) {
    sentences.push(
      `${where} has renumbered: ${count(renumbered)} parcels keep their records under ` +
        'new IDs; with --renumbered no they would be removed and added',
    )
  }
  if (undrawn > 0) {
    sentences.push(
      `${count(undrawn)} parcels of ${where} lose their polygons: their rows have no shape`,
    )
  }
  return sentences
}

/** Bytes that a load leaves free. */
const SPARE = 67_108_864

/** Throws `CommandError` when the disk is too small: data is written to the log, then the store. */
export function checkDisk(dataDir: string, free?: number): void {
  const written = [join('staging', 'roll.db'), 'parcels.db-wal'].map((name) => join(dataDir, name))
  needRoom(dataDir, 2 * sizeOfFiles(written) + SPARE, 'this load', free)
}

function nameScope(scope: ScopeChange): string {
  const county = countyByFips(scope.fips)
  const name = county === undefined ? String(scope.fips) : `${county.name}, ${county.state}`
  return scope.municipality === '' ? name : `${scope.municipality}, ${name}`
}
