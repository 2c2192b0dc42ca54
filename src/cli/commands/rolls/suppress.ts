/** Commands: suppress add, list, show, expire, test, import (docs/privacy.md). */
import { isAbsolute, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { readAccounts, withAccounts } from '../../../accounts/accounts-data.ts'
import { CommandError } from '../../../base/errors.ts'
import { SUPPRESSION_KINDS, type Suppression } from '../../../base/model/suppression.ts'
import { splitPath } from '../../../import/readers/container.ts'
import { readPropertyId } from '../../../operations/find/find-parcel.ts'
import { watchKeyOf } from '../../../operations/watches/condition.ts'
import { findCopies, listCopies, mayContain, mentions } from '../../../privacy/copies.ts'
import { type Recipe, readRecipe } from '../../../privacy/registry-recipe.ts'
import { loadSuppressionSecret } from '../../../privacy/rules.ts'
import {
  type AskedSuppression,
  type Enforced,
  enforce,
  makeSuppression,
  testText,
} from '../../../privacy/suppress.ts'
import { countyByFips } from '../../../regions/counties.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { withHistory } from '../../rolls.ts'
import { formatTable, printResult } from '../../table.ts'
import { findEarlier, readAsked, readNameOrder, readRows, readScope } from './suppress-asked.ts'

export const suppressAdd = command('suppress add', async ({ values }, io) => {
  const asked = readAsked(await takeInput(values, io))
  await checkSecret(io)
  const suppression = makeSuppression(asked, io.config, io.now())
  const earlier = findEarlier(suppression, await read(io))
  printMade(io, [suppression], await takeEffect(io, [suppression], asked), {
    earlier,
    older: await findOlder(io, asked.text),
  })
})

export const suppressList = command('suppress list', async ({ values }, io) => {
  const today = new Date(io.now()).toISOString().slice(0, 10)
  const isDue = ({ until, endedAt }: Suppression) =>
    endedAt === null && until !== null && until < today
  const all = (await read(io)).filter((one) => values.due !== true || isDue(one))
  printResult(io, { suppressions: all.map(show) }, describe(all))
})

export const suppressShow = command('suppress show', async ({ positionals }, io) => {
  const [id = ''] = positionals
  const one = show(await find(io, id))
  const lines = Object.entries(one).map(([name, value]) => `${name}: ${value ?? '-'}`)
  printResult(io, one, lines)
})

export const suppressExpire = command('suppress expire', async ({ positionals }, io) => {
  const [id = ''] = positionals
  const one = await find(io, id)
  const ended = { ...one, endedAt: one.endedAt ?? io.now() }
  await withAccounts(io, ({ admin }) => admin.putSuppressions([ended]))
  printResult(io, show(ended), `${id} has ended; import its county again to show what it hid`)
})

export const suppressTest = command('suppress test', async ({ values, positionals }, io) => {
  const [asked = ''] = positionals
  const all = await read(io)
  const met =
    all.length === 0
      ? []
      : testText(asked, { place: readScope(values), order: readNameOrder(values) }, all, io.config)
  printResult(
    io,
    { suppressed: met.length > 0, by: met.map(show) },
    met.length === 0 ? ['not suppressed'] : describe(met),
  )
})

export const suppressImport = command('suppress import', async ({ values, positionals }, io) => {
  const [path = ''] = positionals
  const rows = readRows(path)
  if (values.basis === undefined && rows.some(({ basis }) => basis === undefined)) {
    throw new CommandError('--basis, or a column basis: which law or order demands it', 2)
  }
  await checkSecret(io)
  const recipe = recipeOf(io, rows)
  const made = rows.map((row, at) => {
    try {
      return makeSuppression(readAsked({ ...values, ...row }, recipe), io.config, io.now())
    } catch (error) {
      // The message omits the line's text, which must not get into a log.
      throw new CommandError(`${path}, line ${at + 2} names nobody, or in no known place`, 1, error)
    }
  })
  const done = await takeEffect(io, made)
  printMade(io, made, done, { earlier: [], older: await findOlder(io) })
})

/** How a list's hashes were made. Throws `CommandError` for hashes without the setting. */
function recipeOf({ config }: CommandIo, rows: object[]): Recipe | undefined {
  if (config.registryHash !== null) {
    try {
      return readRecipe(config.registryHash)
    } catch (error) {
      throw new CommandError(`PLATBOOK_REGISTRY_HASH: ${(error as Error).message}`, 1, error)
    }
  }
  if (!rows.some((row) => 'hash' in row)) return undefined
  throw new CommandError(
    'PLATBOOK_REGISTRY_HASH is not set: it says how the registry makes its hashes; see ' +
      'docs/privacy.md',
  )
}

/** Reads a name or address given as `-` from standard input, since others see a command's words. */
async function takeInput(values: CommandArgs['values'], io: CommandIo) {
  const [kind] = SUPPRESSION_KINDS.filter((name) => values[name] === '-')
  return kind === undefined ? values : { ...values, [kind]: (await text(io.stdin)).trim() }
}

/**
 * Only the first suppression may create a secret, because a new secret would not match the hashes
 * of earlier ones. Throws `CommandError` when the secret of earlier suppressions is missing.
 */
async function checkSecret(io: CommandIo): Promise<void> {
  const known = await withAccounts(io, ({ admin }) => admin.suppressions())
  if (known.length > 0) loadSuppressionSecret(io.config.data, false)
}

/**
 * Answers are filtered from the first transaction until all stored records follow. If the command
 * is interrupted in between, the filter stays until the next import.
 */
async function takeEffect(
  io: CommandIo,
  made: Suppression[],
  asked?: AskedSuppression,
): Promise<Enforced> {
  const ids = made.map(({ id }) => id)
  await withAccounts(io, async ({ admin }) => {
    await admin.markSuppressions(ids, 'pending')
    await admin.putSuppressions(made)
  })
  const done = await enforce(io.config, made, io.now(), asked)
  await withAccounts(io, ({ admin }) => admin.markSuppressions(ids, 'settled'))
  return done
}

async function read(io: CommandIo): Promise<Suppression[]> {
  return readAccounts(io, ({ admin }) => admin.suppressions())
}

async function find(io: CommandIo, id: string): Promise<Suppression> {
  const one = (await read(io)).find((other) => other.id === id)
  if (one === undefined) throw new CommandError(`there is no suppression ${id}; see suppress list`)
  return one
}

/** Leaves out the hashes, which mean nothing to a reader. */
function show({ id, kind, scope, state, fips, basis, createdAt, until, endedAt }: Suppression) {
  return {
    ...{ id, kind, scope, state: state || null, county: countyByFips(fips)?.name ?? null, basis },
    createdAt: new Date(createdAt).toISOString(),
    until,
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  }
}

function describe(all: Suppression[]): string[] {
  if (all.length === 0) return ['no suppression']
  const rows = all
    .map(show)
    .map(({ id, kind, scope, state, county, basis, createdAt, until, endedAt }) => [
      ...[id, kind, scope, [county, state].filter(Boolean).join(', ') || 'everywhere'],
      ...[createdAt.slice(0, 10), until ?? '-', endedAt?.slice(0, 10) ?? 'in force', basis],
    ])
  return formatTable(['id', 'of', 'scope', 'where', 'since', 'until', 'ended', 'basis'], rows, [])
}

/** Lists files and watches that may still have the text; without `text` all files. */
async function findOlder(io: CommandIo, text?: string): Promise<string[]> {
  const data = resolve(io.config.data)
  const noted = listCopies(data, text)
  const isWithin = (path: string) => noted.some((one) => path === one || path.startsWith(one + sep))
  const imports = await withHistory(io, (reader) => reader.list(), [])
  const files = imports.flatMap((entry) => entry.files.map((path) => splitPath(path).file))
  const rolls = new Set(files.filter((path) => isAbsolute(path)))
  const property = readPropertyId(text ?? '')
  const keys = property === undefined ? [] : [watchKeyOf(property.fips, property.rest)]
  const [watches, listing] = await readAccounts(io, async (accounts) => [
    await accounts.watches.all(),
    await accounts.watches.watchersOf(keys),
  ])
  const lists = new Set(listing.map(({ watchId }) => watchId))
  return [
    ...findCopies(data, text).filter((path) => !isWithin(path)),
    ...noted,
    ...[...rolls].filter((path) => !path.startsWith(data + sep) && mayContain(path, text)),
    ...watches
      .filter(({ id, name, condition }) => {
        return lists.has(id) || (text && mentions(`${name} ${condition ?? ''}`, text))
      })
      .map(({ id, accountId }) => `the watch ${id} of ${accountId}`),
  ]
}

/** Property IDs of near names that are printed; `--json` has all. */
const NEAR_MAX = 20

function printMade(
  io: CommandIo,
  made: Suppression[],
  { changed, removed, near }: Enforced,
  { earlier, older }: Record<'earlier' | 'older', readonly string[]>,
): void {
  const ids = made.map(({ id }) => id)
  const shown = near.slice(0, NEAR_MAX).join(', ')
  const more = near.length > NEAR_MAX ? ` and ${near.length - NEAR_MAX} more` : ''
  const value = { suppressions: ids, hidden: changed, removed, near, older, earlier }
  printResult(io, value, [
    ids.length === 1 ? `${ids[0]} is in force` : `${ids.length} suppressions are in force`,
    `parcels of which something is hidden: ${changed}; parcels that are gone: ${removed}`,
    ...(changed + removed === 0
      ? ['no loaded parcel changed: check the spelling, unless it was hidden already']
      : []),
    ...(near.length > 0 ? [`nearly this name, and shown: ${shown}${more}`] : []),
    ...earlier.flatMap((id) => [
      `${id} already hid some of these fields, which are no longer stored. Those parcels`,
      'follow with the next import of their county, or at once by suppress add --property',
    ]),
    ...older.map((path) => `may still hold it: ${path}`),
    'other copies that were made before may still hold it: see docs/privacy.md',
  ])
}
