/** Reads the requested suppressions from options or a CSV file. */
import { existsSync, readFileSync } from 'node:fs'
import { CommandError } from '../../../base/errors.ts'
import type { NameOrder } from '../../../base/model/owner.ts'
import {
  SUPPRESSION_KINDS,
  SUPPRESSION_SCOPES,
  type Suppression,
  TAG_DIGITS,
} from '../../../base/model/suppression.ts'
import { CsvSplitter } from '../../../import/readers/csv.ts'
import type { Recipe } from '../../../privacy/registry-recipe.ts'
import type { AskedSuppression } from '../../../privacy/suppress.ts'
import type { CommandArgs } from '../../command.ts'
import { needCountyOf, readDay, readOrder, readWord } from '../../option-values.ts'
import { readPlace, textOf } from '../../rolls.ts'

type Values = CommandArgs['values']

/** `recipe`: how the registry made the hashes in column `hash`. */
export function readAsked(values: Values, recipe?: Recipe): AskedSuppression {
  const listed = textOf(values, 'hash')?.toLowerCase()
  const given = SUPPRESSION_KINDS.filter((kind) => textOf(values, kind) !== undefined)
  const isHash = listed !== undefined && recipe !== undefined && given.length === 0
  if (isHash && !(listed.length === recipe.digits && /^[0-9a-f]+$/.test(listed))) {
    throw new CommandError(`a hash has ${recipe.digits} hex digits`, 2)
  }
  const kind = isHash ? recipe.kind : given[0]
  if (kind === undefined || given.length > 1) {
    throw new CommandError('give one of --owner, --address and --property', 2)
  }
  const basis = textOf(values, 'basis')
  if (basis === undefined) throw new CommandError('--basis: which law or order demands it', 2)
  const scope = readWord({ scope: textOf(values, 'scope') }, 'scope', SUPPRESSION_SCOPES) ?? 'owner'
  const until = textOf(values, 'until') ?? null
  readDay({ until: until ?? undefined }, 'until')
  const text = (isHash ? listed : textOf(values, kind)) ?? ''
  const place = readScope(values)
  if (kind === 'property') {
    const { state, fips } = needCountyOf(text)
    return { kind, text, scope, basis, until, place: { state, fips }, nameOrder: 'mixed' }
  }
  return { kind, text, isHash, scope, basis, until, place, nameOrder: readNameOrder(values) }
}

/** `''` and 0 where a suppression is in every state, or in every county. */
export function readScope(values: Values): { state: string; fips: number } {
  const { state = '', fips = 0 } = readPlace(values)
  return { state, fips }
}

/** The option `name-order`, or a column `nameOrder`. */
export function readNameOrder(values: Values): NameOrder {
  const asked = textOf(values, 'name-order') ?? textOf(values, 'nameOrder')
  return readOrder({ 'name-order': asked }) ?? 'mixed'
}

export function readRows(path: string): Values[] {
  if (!existsSync(path)) throw new CommandError(`there is no file ${path}`)
  const splitter = new CsvSplitter(',')
  splitter.push(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), true)
  const [broken] = splitter.broken
  if (broken !== undefined) {
    throw new CommandError(`${path}, line ${broken.line}: ${broken.reason}; nothing was added`)
  }
  const [columns = [], ...rows] = splitter.rows
  const names = columns.map((name) => name.trim())
  if (!names.some((name) => [...SUPPRESSION_KINDS, 'hash'].includes(name))) {
    throw new CommandError(`${path} has no column owner, address, property or hash`)
  }
  return rows.map((row) =>
    Object.fromEntries(
      names.flatMap((name, at) => {
        const text = (row[at] ?? '').trim()
        return text === '' ? [] : [[name, text]]
      }),
    ),
  )
}

/**
 * Returns the ids of suppressions in force that have hidden the same name or address in another
 * scope, in any place. Stored parcels no longer hold what they hid, so a new scope cannot find it.
 */
export function findEarlier(made: Suppression, known: readonly Suppression[]): string[] {
  if (made.kind === 'property') return []
  const own = new Set(checksumsOf(made))
  return (
    known
      // An owner whose address alone is hidden is still found by the name.
      .filter(
        ({ kind, scope, endedAt }) => endedAt === null && kind === made.kind && scope === kind,
      )
      .filter(
        (other) => other.scope !== made.scope && checksumsOf(other).some((one) => own.has(one)),
      )
      .map(({ id }) => id)
  )
}

/** The checksums of its forms, which omit the place and the middle name. */
function checksumsOf({ hashes }: Suppression): string[] {
  return (hashes.match(/.{72}/g) ?? []).map((hash) => hash.slice(-TAG_DIGITS))
}
