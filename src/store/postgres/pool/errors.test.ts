import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { Refusal } from '../../../errors.ts'
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
