import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError, Refusal } from '../base/errors.ts'
import { explainFault, toSentence } from './faults.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test('a full disk is reported in words, wherever in the chain of causes', () => {
  const faults = [
    withCode('ENOSPC'),
    new CommandError('the upload is incomplete', 1, withCode('ENOSPC')),
    new CommandError('the accounts database: database or disk is full'),
    new Error('it failed', { cause: new Error('database or disk is full') }),
  ]
  for (const fault of faults) {
    const message = explainFault(fault)
    assert.equal(message?.status, 507)
    assert.match(message.text, /disk of the data folder is full.*Make room there, then repeat it/)
  }
})

test('a database that does not answer and a locked one have different messages', () => {
  const gone = new AggregateError([withCode('ECONNREFUSED')])
  assert.match(explainFault(gone)?.text ?? '', /Is PostgreSQL running\?/)
  assert.match(explainFault(new Error('database is locked'))?.text ?? '', /Wait a moment/)
})

test("a command's refusal is 400 for a change, 404 for a page; defects are not explained", () => {
  const fault = new CommandError('there is no account acc_1')
  assert.deepEqual(explainFault(fault), { text: 'There is no account acc_1.', status: 400 })
  assert.equal(explainFault(fault, true)?.status, 404)
  assert.equal(explainFault(new Refusal('unavailable', 'later'))?.status, 503)
  assert.equal(explainFault(new TypeError('x is undefined')), undefined)
})

test('a sentence begins with a capital, and the name of a fact becomes words', () => {
  assert.equal(toSentence('the roll is empty'), 'The roll is empty.')
  assert.equal(toSentence('unpaidInvoices cannot be "x"'), 'Unpaid invoices cannot be "x".')
  assert.equal(toSentence('there is no account acc_1'), 'There is no account acc_1.')
})
