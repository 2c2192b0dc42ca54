/** `platbook copy`: copies accounts, keys, ledger and rolls to another store, with the same ids. */
import { resolve } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { needRoom } from '../../../base/safe-files.ts'
import { type Verdict, verifyLedger } from '../../../ledger/verify.ts'
import { suppressionSecretPath } from '../../../privacy/rules.ts'
import { type CopyReport, copyStore } from '../../../store/copy/run.ts'
import { isAddress, lockImport } from '../../../store/data-folder.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { openAccounts } from '../../../store/open.ts'
import { openCopySource, openCopyTarget } from '../../../store/open-rolls.ts'
import { describeServer } from '../../../store/postgres/pool/connection.ts'
import { type CommandArgs, type CommandIo, command, givenFolder } from '../../command.ts'
import { printResult } from '../../table.ts'
import { describeBroken } from '../accounts/ledger.ts'
import { sizeOfStores } from './backup.ts'

type Places = { from: string; to: string }

export const copyCommand = command('copy', async (args, io) => {
  const places = readPlaces(args)
  const started = io.now()
  const report = await copyBetween(places, io)
  const { verdict, keys } = await verifyTarget(places, io)
  const seconds = Math.round((io.now() - started) / 100) / 10
  const result = { ...report, seconds, ledger: verdict, keys }
  printResult(io, showJson(result), describe(result, places, io))
  return verdict.bad === undefined ? 0 : 1
})

type CopyOutput = CopyReport & {
  seconds: number
  ledger: Verdict
  /** Number of valid keys by the id of their secret. */
  keys: Map<string, number>
}

function readPlaces({ values }: CommandArgs): Places {
  const [from, to] = [readPlace(values.from), readPlace(values.to)]
  if (from === to || (!isAddress(from) && !isAddress(to) && resolve(from) === resolve(to))) {
    throw new CommandError('copy: --from and --to are the same', 2)
  }
  return { from, to }
}

function readPlace(value: CommandArgs['values'][string]): string {
  const place = typeof value === 'string' ? value.trim() : ''
  if (place === '') {
    throw new CommandError('copy needs --from and --to, each a data folder or postgres://…', 2)
  }
  return isAddress(place) ? place : givenFolder('copy', place)
}

async function copyBetween({ from, to }: Places, io: CommandIo): Promise<CopyReport> {
  if (!isAddress(from) && !isAddress(to)) needRoom(to, sizeOfStores(from), 'the copy')
  const source = await openCopySource(from)
  const unlock = isAddress(to) ? () => undefined : lockImport(to)
  try {
    const target = await openCopyTarget(to)
    try {
      return await copyStore({ source, target }, io.report)
    } finally {
      await target.close().catch(() => undefined)
    }
  } finally {
    unlock()
    await source.close().catch(() => undefined)
  }
}

async function verifyTarget({ to }: Places, io: CommandIo) {
  const place = isAddress(to) ? { databaseUrl: to } : { databaseUrl: null, data: to }
  const accounts = await openAccounts({ ...io.config, ...place })
  try {
    const verdict = await verifyLedger(accounts.ledger)
    return { verdict, keys: await accounts.admin.keysBySecret(io.now()) }
  } finally {
    await accounts.close()
  }
}

function showJson({ states, kept, tables, seconds, ledger, keys }: CopyOutput) {
  return {
    states,
    kept,
    seconds,
    tables,
    ledger: { ok: ledger.bad === undefined, rows: ledger.rows, bad: ledger.bad ?? null },
    secrets: Object.fromEntries(keys),
  }
}

function describe(
  { tables, states, kept, ledger, keys }: CopyOutput,
  places: Places,
  io: CommandIo,
) {
  const target = isAddress(places.to) ? describeServer(places.to) : places.to
  const lines = tables.map(
    ({ name, rows, sha256 }) =>
      `${name.padEnd(18)}${rows.toLocaleString('en-US').padStart(15)} rows  ${sha256.slice(0, 16)}`,
  )
  lines.push(
    `${states} states${kept === 0 ? '' : `, ${kept} of them copied before`}; counts ` +
      `and checksums are the same in ${target}`,
    ledger.bad === undefined
      ? `the ledger is whole: ${ledger.rows} rows`
      : `${describeBroken(ledger.bad)}; it is copied as it was`,
  )
  const dropped = tables.reduce((sum, table) => sum + table.dropped, 0)
  if (dropped > 0)
    lines.push(
      `${dropped} keys of more than 600 characters were left out: PostgreSQL cannot hold ` +
        'them in an index',
    )
  const hidden = tables.find(({ name }) => name === 'suppression')?.rows ?? 0
  if (hidden > 0) {
    const file = isAddress(places.from) ? 'suppression.secret' : suppressionSecretPath(places.from)
    lines.push(`The suppressions need ${file}, which is not copied: take it to every data folder.`)
  }
  return [...lines, ...describeSecret(keys, places, io)]
}

/** Tells the operator to copy the secret, without which no key is valid. */
function describeSecret(keys: Map<string, number>, { from, to }: Places, io: CommandIo): string[] {
  const valid = [...keys.values()].reduce((sum, count) => sum + count, 0)
  if (valid === 0) return []
  const here =
    io.config.keySecret !== null
      ? 'PLATBOOK_KEY_SECRET as it is set here'
      : isAddress(from)
        ? "the PLATBOOK_KEY_SECRET of the source's nodes, or the file secret of their data folders"
        : secretPath(from)
  const there = isAddress(to)
    ? 'to every node, as PLATBOOK_KEY_SECRET or as the file secret of its data folder'
    : `to ${secretPath(to)} (rights 600), or set PLATBOOK_KEY_SECRET`
  return [
    `The server secret is not copied, and ${valid} valid keys need it: take ${here} ` +
      `along ${there}.`,
  ]
}
