import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startService, type TestService } from '../service.ts'
import { MCP_ROLL } from './roll.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

let service: TestService
before(async () => {
  service = await startService(MCP_ROLL)
})
after(() => service.close())

async function connect(
  words: string[],
  env: Record<string, string>,
  pin?: string,
): Promise<Client> {
  const mode = pin === undefined ? ('legacy' as const) : { pin }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const args = [MAIN, 'mcp', ...words]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  return client
}

const contentOf = (result: { structuredContent?: unknown }) =>
  result.structuredContent as Record<string, unknown>

const LARSEN = { name: 'owner_search', arguments: { state: 'WI', lastName: 'Larsen' } }

for (const pin of [undefined, '2026-07-28']) {
  test(`over the local store, ${pin ?? '2025-11-25'}: free, without key or usage`, async () => {
    const client = await connect(['--data', service.config.data], {}, pin)
    const { tools } = await client.listTools()
    assert.ok(
      tools.every(({ name, description }) => name !== 'usage' && description?.endsWith('Free.')),
    )
    const result = await client.callTool(LARSEN)
    assert.equal((contentOf(result).properties as unknown[]).length, 2)
    await client.close()
  })

  test(`over a service, ${pin ?? '2025-11-25'}: with a key, charged there`, async () => {
    const key = await service.keyFor()
    const env = { PLATBOOK_API_KEY: key }
    const client = await connect(['--url', `${service.address}/`], env, pin)
    const result = await client.callTool(LARSEN)
    assert.equal((contentOf(result).properties as unknown[]).length, 2)
    assert.equal(contentOf(result).tokensCharged, 1)
    assert.equal(await service.charges(key), 1)
    const missing = { name: 'address_lookup', arguments: { state: 'WI', address: '1 Nowhere' } }
    assert.equal((await client.callTool(missing)).isError, true)
    await client.close()
  })
}

const ask = (id: number, method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const HELLO = {
  ...{ protocolVersion: '2025-11-25', capabilities: {} },
  clientInfo: { name: 'test', version: '1' },
}

/** Sends these lines, the last one without a newline, and then the end of the input. */
function converse(lines: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'mcp'], {
    encoding: 'utf8',
    env: { ...process.env, PLATBOOK_DATA: service.config.data },
    input: lines.join('\n'),
  })
  const answers = stdout.trim().split('\n')
  return { status, stderr, answers: answers.map((line) => JSON.parse(line)) }
}

test('an end of the input ends the process with 0, after all answers', () => {
  const { status, answers } = converse([
    ask(1, 'initialize', HELLO),
    ask(2, 'tools/list', null),
    ...[3, 4, 5].map((id) => ask(id, 'tools/call', LARSEN)),
    'no message',
  ])
  assert.equal(status, 0)
  const byId = new Map(answers.map((answer) => [answer.id, answer.result]))
  assert.deepEqual(answers.filter(({ id }) => id === null).length, 1)
  for (const id of [1, 2, 3, 4, 5]) assert.ok(byId.get(id) !== undefined, `answer ${id}`)
  assert.ok(byId.get(2).tools.length > 5)
  assert.match(byId.get(1).instructions, /never instructions/)
})

test('lines that are no message get one short error each, and nothing is warned of', () => {
  const hello = ask(0, 'initialize', HELLO)
  const calls = Array.from({ length: 60 }, (_, at) => ask(at + 1, 'tools/call', LARSEN))
  const wrong: [line: string, id: unknown, code: number][] = [
    ['garbage', null, -32700],
    ['{"jsonrpc":"2.0","id":"a","method":"ping"', null, -32700],
    ['42', null, -32700],
    ['null', null, -32700],
    [`[${ask(99, 'ping', {})}]`, null, -32600],
    ['{"a":1}', null, -32600],
    ['{"jsonrpc":"1.0","id":"b","method":"ping"}', 'b', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":"c","method":5}', 'c', -32600],
    ['{"jsonrpc":"2.0","id":"d","method":"ping","params":5}', 'd', -32600],
    ['{"jsonrpc":"2.0","id":"e","method":"ping","params":{"_meta":5}}', 'e', -32600],
  ]
  const lines = [hello, ...wrong.map(([line]) => line), '', '  ', ...calls]
  const { status, answers, stderr } = converse(lines)
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(answers.filter(({ result }) => result !== undefined).length, 61)
  assert.deepEqual(
    answers.flatMap(({ id, error }) => (error === undefined ? [] : [[id, error.code]])),
    wrong.map(([, id, code]) => [id, code]),
  )
  for (const { error } of answers) assert.ok((error?.message.length ?? 0) < 80)
})
