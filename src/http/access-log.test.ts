import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startService } from '../../test/service.ts'
import { until } from '../../test/until.ts'
import { type AccessLog, openAccessLog } from './access-log.ts'

test("a request's line has declared parameter names and the key id, and no values", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-log-'))
  const accessLog = join(folder, 'access.log')
  const service = await startService('', { accessLog })
  const key = await service.keyFor()
  const query = { state: 'WI', lastName: 'ZWETSCHKE', 'John Smith': '1' }
  await service.get('/public/premium/owner/', query, { key })
  await service.get('/nothing')
  await service.close()
  assert.deepEqual(readdirSync(folder), ['access.log'])
  const text = readFileSync(accessLog, 'utf8')
  const [first, second] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(first.route, '/public/premium/owner/')
  assert.equal(first.status, 404)
  assert.equal(first.method, 'GET')
  assert.match(first.keyId, /^key_/)
  assert.deepEqual(first.parameters, ['state', 'lastName'])
  assert.deepEqual([second.route, second.status], [null, 404])
  assert.doesNotMatch(text, /ZWETSCHKE|John/)
  assert.ok(!text.includes(key))
})

test('a file that is too large is rotated; five are kept and no line is lost', async (t) => {
  const { target, open, linesOf } = makeFolder(t)
  const log = open()
  const expected: string[] = []
  for (let round = 0; round < 8; round += 1) {
    for (let at = 0; at < 10; at += 1) {
      expected.push(`r${round}-${at}`)
      write(log, `r${round}-${at}`)
    }
    // The file is rotated and the next line goes to a new file.
    await until(() => linesOf(`${target}.1`).at(-1) === `r${round}-9` && existsSync(target))
  }
  log.close()
  const names = [5, 4, 3, 2, 1].map((number) => `${target}.${number}`)
  assert.deepEqual(names.flatMap(linesOf), expected.slice(-50))
  assert.ok(!existsSync(`${target}.6`))
  for (const name of names) assert.equal(statSync(name).mode & 0o777, 0o600)
})

test('two processes that write to one file rotate it without losing a line', async (t) => {
  // A rotated file is larger than this, so those that are kept hold all lines however often the
  // two rotate: 64 lines are below 10,000 bytes.
  const { target, open, linesOf } = makeFolder(t, 2000)
  const logs = [open(), open()]
  const expected = new Set<string>()
  for (let round = 0; round < 4; round += 1) {
    for (const [which, log] of logs.entries()) {
      for (let at = 0; at < 8; at += 1) {
        expected.add(`${which}-${round}-${at}`)
        write(log, `${which}-${round}-${at}`)
      }
    }
    await until(() => readAll().size === expected.size)
  }
  for (const log of logs) log.close()
  assert.deepEqual(readAll(), expected)

  function readAll(): Set<string> {
    const names = [target, ...[1, 2, 3, 4, 5].map((number) => `${target}.${number}`)]
    return new Set(names.flatMap(linesOf))
  }
})

test('closing the log during a write keeps the file open until the write ends', async (t) => {
  const { target, open, linesOf } = makeFolder(t)
  const log = open()
  // More than the buffer holds, so it is written at once in the background.
  const expected = Array.from({ length: 1000 }, (_, at) => `way${at}`)
  for (const id of expected) write(log, id)
  log.close()
  await until(() => linesOf(target).length === expected.length)
  assert.deepEqual(new Set(linesOf(target)), new Set(expected))
  // The file must not be written again: its size stays the same.
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(!existsSync(`${target}.1`))
})

test('a file that an operator moved away is created again', async (t) => {
  const { target, open, linesOf } = makeFolder(t, 1_000_000)
  const log = open()
  write(log, 'before')
  await until(() => linesOf(target).includes('before'))
  renameSync(target, `${target}.old`)
  write(log, 'after')
  await until(() => linesOf(target).length > 0)
  log.close()
  assert.deepEqual(linesOf(target), ['after'])
  assert.equal(linesOf(`${target}.old`)[0], 'before')
})

function makeFolder(t: TestContext, maxBytes = 1000) {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const target = join(folder, 'access.log')
  return {
    target,
    open: () =>
      openAccessLog({
        target,
        maxBytes,
        now: Date.now,
        fail: (error) => assert.fail(String(error)),
      }),
    /** Returns the request IDs of a file's lines. */
    linesOf(file: string): string[] {
      if (!existsSync(file)) return []
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line).requestId)
    },
  }
}

function write(log: AccessLog, requestId: string): void {
  const raw = { method: 'GET', url: '/healthz' } as IncomingMessage
  log.note({
    request: { raw, id: requestId },
    operation: undefined,
    keyId: undefined,
    status: 200,
    ms: 1,
  })
}
