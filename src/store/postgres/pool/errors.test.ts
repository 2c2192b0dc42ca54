import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { DamagedData, Refusal } from '../../../base/errors.ts'
import { asRefusal, endsConnection } from './errors.ts'

function raise(code: string, file: string): DatabaseError {
  return Object.assign(new DatabaseError('postmaster was shut down, exiting', 0, 'error'), {
    code,
    file,
  })
}

test('a lost node of a cluster, reported by Citus without a specific code, is unavailable', () => {
  for (const file of ['adaptive_executor.c', 'remote_transaction.c', 'metadata_cache.c']) {
    const error = raise('XX000', file)
    const refusal = asRefusal(error)
    assert.ok(refusal instanceof Refusal)
    assert.equal(refusal.kind, 'unavailable')
    assert.ok(endsConnection(error))
  }
})

test('another internal error of the server stays a defect', () => {
  for (const error of [raise('XX000', 'relcache.c'), raise('22012', 'adaptive_executor.c')]) {
    assert.equal(asRefusal(error), error)
    assert.equal(endsConnection(error), false)
  }
})

test('a damaged page is unavailable, and its cause raises the alarm of damaged data', () => {
  for (const code of ['XX001', 'XX002']) {
    const refusal = asRefusal(raise(code, 'bufmgr.c'))
    assert.ok(refusal instanceof Refusal)
    assert.equal(refusal.kind, 'unavailable')
    assert.ok(refusal.cause instanceof DamagedData)
  }
  const busy = asRefusal(raise('57014', 'postgres.c'))
  assert.ok(busy instanceof Refusal && !(busy.cause instanceof DamagedData))
})

test('a connection outlives the loss of a worker behind it, but not the end of its server', () => {
  const lost = raise('08006', 'remote_commands.c')
  const refusal = asRefusal(lost)
  assert.ok(refusal instanceof Refusal && refusal.kind === 'unavailable')
  assert.equal(endsConnection(Object.assign(lost, { severity: 'ERROR' })), false)
  assert.equal(endsConnection(Object.assign(raise('57P01', 'p.c'), { severity: 'FATAL' })), true)
})
