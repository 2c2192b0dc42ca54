import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { CommandError } from '../../../base/errors.ts'
import type { Command } from '../../command.ts'
import { accountCreate, accountList, accountSet, accountShow } from './accounts.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-accounts-'))
after(() => rmSync(data, { recursive: true }))
const NOW = Date.UTC(2026, 4, 20, 12)

const run = (command: Command, ...words: string[]) => runCommand(command, words, { data, now: NOW })

async function create(...settings: string[]): Promise<string> {
  const made = await run(accountCreate, 'Acme Title', ...settings, '--json')
  return String(made.json().id)
}

function fails(code: 1 | 2, ...parts: string[]) {
  return (error: unknown) =>
    error instanceof CommandError &&
    error.exitCode === code &&
    parts.every((part) => error.message.includes(part))
}

test('a new account has the defaults of docs/accounts.md', async () => {
  const made = await run(accountCreate, 'Acme Title', '--json')
  const { id, ...rest } = made.json()
  assert.match(String(id), /^acc_[0-9a-z]{10}$/)
  assert.deepEqual(rest, {
    name: 'Acme Title',
    dataReads: 'v3',
    responseShape: 'flat',
    emptyFields: 'omit',
    useCodes: 'contract',
    plan: null,
    requestsPerMinute: 'unlimited',
    suspended: false,
    billing: 'ok',
    subscription: 'active',
    paymentMethod: 'verified',
    unpaidInvoices: 0,
    includedTokens: 'unlimited',
    overageCap: 0,
    pastDueGraceDays: 0,
    pastDueSince: null,
    periodStart: null,
    periodEnd: null,
    billingUrl: null,
    watchesMax: 100,
    watchedParcelsMax: 100_000,
    createdAt: '2026-05-20T12:00:00.000Z',
  })
})

/** Allowed values of every fact by docs/accounts.md: written | read back */
const TAKEN: [string, unknown][] = [
  ['dataReads=v2', 'v2'],
  ['responseShape=flat', 'flat'],
  ['suspended=true', true],
  ['billing=unavailable', 'unavailable'],
  ['billing=misconfigured', 'misconfigured'],
  ...['none', 'incomplete', 'incomplete_expired', 'trialing', 'active'].map(takesStatus),
  ...['past_due', 'canceled', 'unpaid', 'paused'].map(takesStatus),
  ['paymentMethod=none', 'none'],
  ['paymentMethod=unverified', 'unverified'],
  ['unpaidInvoices=3', 3],
  ['includedTokens=0', 0],
  ['includedTokens=1000', 1000],
  ['includedTokens=unlimited', 'unlimited'],
  ['overageCap=5', 5],
  ['watchesMax=5', 5],
  ['watchedParcelsMax=0', 0],
  ['overageCap=unlimited', 'unlimited'],
  ['pastDueGraceDays=7', 7],
  ['billingUrl=https://pay.example/a?b=c', 'https://pay.example/a?b=c'],
  ['billingUrl=', null],
]

function takesStatus(status: string): [string, string] {
  return [`subscription=${status}`, status]
}

test('every fact takes what docs/accounts.md allows, and show gives it back', async () => {
  const id = await create()
  for (const [word, value] of TAKEN) {
    await run(accountSet, id, word)
    const shown = (await run(accountShow, id, '--json')).json()
    assert.equal(shown[word.slice(0, word.indexOf('='))], value, word)
  }
})

/** Wrong words, and what the error sentence must mention. */
const WRONG: [string, ...string[]][] = [
  ['subscripton=none', 'subscription'],
  ['tokens=3', 'includedTokens'],
  ['frobnicate=3', 'dataReads', 'billingUrl'],
  ['subscription=pastdue', 'past_due', '"pastdue"'],
  ['suspended=yes', 'true or false'],
  ['includedTokens=-1', 'unlimited'],
  ['includedTokens=1.5', 'unlimited'],
  ['includedTokens=', 'unlimited'],
  ['unpaidInvoices=unlimited', 'whole number'],
  ['periodStart=2026-02-30', 'YYYY-MM-DD'],
  ['periodStart=2026-01-01', 'periodEnd'],
  ['billingUrl=pay.example', 'absolute'],
  ['suspended', 'name=value'],
]

test('a wrong name or value gives a sentence with those allowed; nothing changes', async () => {
  const id = await create()
  const before = (await run(accountShow, id, '--json')).out
  for (const [word, ...parts] of WRONG) {
    await assert.rejects(run(accountSet, id, 'overageCap=9', word), fails(2, ...parts), word)
  }
  await assert.rejects(run(accountSet, id, 'overageCap=1', 'overageCap=2'), fails(2, 'twice'))
  await assert.rejects(run(accountSet, id), fails(2, 'usage'))
  assert.equal((await run(accountShow, id, '--json')).out, before)
})

test('an unknown account is a sentence', async () => {
  for (const command of [accountSet, accountShow]) {
    const words = command === accountSet ? ['acc_none', 'suspended=true'] : ['acc_none']
    await assert.rejects(run(command, ...words), fails(1, 'acc_none', 'account list'))
  }
})

test('past_due knows since when: from now, or from the date given, until it is over', async () => {
  const id = await create()
  const since = async () => (await run(accountShow, id, '--json')).json().pastDueSince
  await run(accountSet, id, 'subscription=past_due')
  assert.equal(await since(), '2026-05-20T12:00:00.000Z')
  await run(accountSet, id, 'pastDueSince=2026-05-01')
  assert.equal(await since(), '2026-05-01T00:00:00.000Z')
  await run(accountSet, id, 'subscription=past_due')
  assert.equal(await since(), '2026-05-01T00:00:00.000Z')
  await run(accountSet, id, 'subscription=active')
  assert.equal(await since(), null)
})

test('show and list print the period, the remaining tokens and the state of the gate', async () => {
  const id = await create('includedTokens=10', 'periodStart=2026-04-10', 'periodEnd=2026-05-10')
  const shown = (await run(accountShow, id, '--json')).json()
  assert.deepEqual(shown.period, { start: '2026-05-10', end: '2026-06-10' })
  assert.equal(shown.remaining, 10)
  assert.equal(shown.blocked, null)
  await run(accountSet, id, 'paymentMethod=none')
  const { accounts } = (await run(accountList, '--json')).json() as { accounts: { id: string }[] }
  const listed = accounts.find((account) => account.id === id)
  assert.equal((listed as Record<string, unknown>).blocked, 'payment_method_required')
  assert.match((await run(accountShow, id)).out, /blocked, payment_method_required/)
})

test('an account needs a name before its settings', async () => {
  await assert.rejects(run(accountCreate), fails(2, 'usage'))
  await assert.rejects(run(accountCreate, 'suspended=true'), fails(2, 'name comes first'))
  await assert.rejects(run(accountCreate, 'a\nb'), fails(2, 'printable'))
})
