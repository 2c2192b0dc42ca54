/** Commands: ledger show, verify, credit. Source: docs/accounts.md. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { changeAccounts, needAccount, readAccounts } from '../../../accounts/accounts-data.ts'
import { useAt } from '../../../accounts/period.ts'
import { CommandError } from '../../../base/errors.ts'
import type { Fault } from '../../../ledger/chain.ts'
import { settleCredit } from '../../../ledger/settle.ts'
import { unreadLedger, verifyLedger } from '../../../ledger/verify.ts'
import { sendBrokenChain } from '../../../notify/deliver.ts'
import type { LedgerStore } from '../../../store/accounts/ledger-rows.ts'
import { judge } from '../../../store/accounts/unreadable.ts'
import type { LedgerEntry } from '../../../store/accounts-store.ts'
import { accountsPath, checkFolder } from '../../../store/data-folder.ts'
import { findLoss, headsPlaces, readNoted, writeHeads } from '../../../store/heads.ts'
import { type CommandIo, command } from '../../command.ts'
import { formatTime, isoTime, printResult, printRows } from '../../table.ts'

const PAGE_ROWS = 1000
const CREDIT_MAX = 1_000_000_000
const REASON_MAX = 500

export const ledgerShow = command('ledger show', async ({ positionals }, io) => {
  const [id = ''] = positionals
  await readAccounts(io, ({ admin, reader, ledger }) =>
    ledger.snapshot(async () => {
      const { facts } = await needAccount(admin, id)
      const { used } = useAt(facts, await reader.tokenUse(id), io.now())
      const rows = entriesOf(ledger, id)
      if (io.json) await printRows(io, { account: id, used }, { name: 'entries', rows }, showEntry)
      else await printText(io, rows, used)
    }),
  )
})

export const ledgerVerify = command('ledger verify', async ({ values }, io) => {
  const kept = typeof values.against === 'string' ? readKept(values.against) : new Map()
  checkFolder(io.config)
  const noted = await readNoted(io.config)
  if (noted.length === 0) needLedger(io)
  const onProgress = (rows: number) => {
    if (io.terminal && rows % 100_000 === 0) io.report(`${rows} rows`)
  }
  const verdict = await judge(
    () => readAccounts(io, ({ ledger }) => verifyLedger(ledger, { kept, noted, onProgress })),
    unreadLedger,
  )
  const { rows, bad } = verdict
  const hashes = [...verdict.heads].map(([account, head]) => [account, hex(head.hash)])
  const heads = Object.fromEntries(hashes)
  const intact = `${rows} rows of ${verdict.heads.size} accounts are as they were written`
  const value = { ok: bad === undefined, rows, heads, bad: bad ?? null }
  printResult(io, value, bad === undefined ? intact : describeBroken(bad))
  if (bad === undefined) return 0
  await sendBrokenChain(io, describeBroken(bad))
  return 1
})

export const ledgerCredit = command('ledger credit', async ({ positionals, values }, io) => {
  const [accountId = ''] = positionals
  const tokens = readTokens(positionals[1] ?? '')
  const reason = readReason(values.reason)
  const requestId = `credit_${randomBytes(8).toString('hex')}`
  const credit = { accountId, tokens, reason, requestId }
  const entry = await changeAccounts(io, async ({ admin, ledger }) => {
    await needAccount(admin, accountId)
    return ledger.append([accountId], (states, nextId) => {
      const state = states.get(accountId)
      if (state === undefined) throw new Error(`account ${accountId} is gone`)
      return settleCredit(credit, state, nextId, io.now())
    })
  })
  printResult(
    io,
    { account: accountId, ...showEntry(entry) },
    `${tokens} tokens given back to ${accountId} in the period from ${entry.period}`,
  )
})

export const ledgerAccept = command('ledger accept', async ({ values }, io) => {
  const reason = readReason(values.reason)
  const noted = await readNoted(io.config)
  const losses = await changeAccounts(io, async ({ admin, ledger }) => {
    const found = await Promise.all(noted.map((kept) => findLoss(ledger, kept)))
    const losses = found.filter((loss) => loss !== undefined)
    if (losses.length > 0) {
      await admin.noteLoss(reason, JSON.stringify(losses))
      const heads = { at: io.now(), ...(await ledger.newest()) }
      for (const place of headsPlaces(io.config)) await writeHeads(place, heads)
    }
    return losses
  })
  const lines = losses.map((loss) => `accepted: ${loss}`)
  const none = 'nothing that was noted is missing'
  printResult(io, { accepted: losses }, losses.length === 0 ? none : lines)
})

/** `the ledger is broken at id 7, row 3, account acc_1: what is wrong`. */
export function describeBroken({ id, account, seq, problem }: Fault): string {
  const place = [
    id === null ? '' : `id ${id}`,
    seq === null ? '' : `row ${seq}`,
    account === null ? '' : `account ${account}`,
  ]
  const where = place.filter((part) => part !== '').join(', ')
  return `the ledger is broken${where === '' ? '' : ` at ${where}`}: ${problem}`
}

async function printText(io: CommandIo, rows: AsyncIterable<LedgerEntry>, used: number) {
  for await (const entry of rows) {
    const who = entry.reason === null ? (entry.keyId ?? '') : `"${entry.reason}"`
    const cost = String(entry.cost).padStart(5)
    io.print(
      `${formatTime(entry.at)} ${cost}  ${entry.endpoint}  ${entry.requestId}  ${who}`.trimEnd(),
    )
  }
  io.print(`used in the current period: ${used}`)
}

async function* entriesOf(ledger: LedgerStore, account: string): AsyncGenerator<LedgerEntry> {
  for (let seq = 0; ; ) {
    const page = await ledger.entriesOf(account, seq, PAGE_ROWS)
    yield* page
    if (page.length < PAGE_ROWS) return
    seq = page.at(-1)?.seq ?? seq
  }
}

function showEntry({ id, requestId, at, endpoint, cost, keyId, reason }: LedgerEntry) {
  return { id, requestId, at: isoTime(at), endpoint, cost, key: keyId, reason }
}

/** Throws when there is no ledger, because verifying a missing one would report success. */
function needLedger({ config }: CommandIo): void {
  if (config.databaseUrl === null && !existsSync(accountsPath(config.data))) {
    throw new CommandError(`there is no ledger in ${config.data}`)
  }
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

function readKept(path: string): Map<string, string> {
  let heads: unknown
  try {
    heads = JSON.parse(readFileSync(path, 'utf8')).heads
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`)
  }
  if (typeof heads !== 'object' || heads === null) {
    throw new CommandError(`${path} is not what platbook ledger verify --json prints`)
  }
  return new Map(Object.entries(heads).map(([account, hash]) => [account, String(hash)]))
}

function readTokens(text: string): number {
  const tokens = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (tokens < 1 || tokens > CREDIT_MAX) {
    throw new CommandError(`TOKENS is a whole number from 1 to ${CREDIT_MAX}, not "${text}"`, 2)
  }
  return tokens
}

function readReason(value: unknown): string {
  const reason = typeof value === 'string' ? value.trim() : ''
  if (reason === '') throw new CommandError('--reason is needed: it is kept in the ledger', 2)
  if (reason.length > REASON_MAX || /\p{Cc}/u.test(reason)) {
    throw new CommandError(`--reason has at most ${REASON_MAX} printable characters`, 2)
  }
  return reason
}
