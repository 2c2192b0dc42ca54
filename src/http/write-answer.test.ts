import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { acceptsGzip, encodeFor } from './write-answer.ts'

const CASES: [header: string, accepts: boolean][] = [
  ['gzip', true],
  ['GZIP, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['*', true],
  ['x-gzip', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, *', false],
  ['*;q=0', false],
  ['identity', false],
  ['br', false],
  ['', false],
]
for (const [header, accepts] of CASES) {
  test(`Accept-Encoding ${JSON.stringify(header)}: gzip ${accepts}`, () => {
    assert.equal(acceptsGzip(header), accepts)
  })
}

test('who does not accept gzip gets the bytes themselves', async () => {
  const packed = { status: 200, body: gzipSync('tile'), headers: { 'content-encoding': 'gzip' } }
  const plain = await encodeFor(packed, undefined)
  assert.equal(plain.body.toString(), 'tile')
  assert.deepEqual(plain.headers, { vary: 'accept-encoding' })
  const kept = await encodeFor(packed, 'gzip')
  assert.equal(kept.headers['content-encoding'], 'gzip')
  const other = { status: 200, body: '{}', headers: {} }
  assert.equal(await encodeFor(other, undefined), other)
})
