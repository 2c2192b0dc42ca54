/**
 * The thirty questions of docs/mcp.md: their calls are made, and the answers are on the page.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startService, type TestService } from '../service.ts'
import { MCP_ROLL } from './roll.ts'

const PAGE = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')

type Question = { asked: string; calls: [tool: string, given: string][]; answer: string }

const QUESTIONS = PAGE.slice(PAGE.indexOf('## Thirty questions'))
  .split(/^\d+\. \*\*/m)
  .slice(1)
  .map((text): Question => {
    const calls = [...text.matchAll(/^ +`(\w+) (\{.*\})`$/gm)]
    return {
      asked: text.slice(0, text.indexOf('**')),
      calls: calls.map(([, tool = '', given = '']) => [tool, given]),
      answer: text.slice(text.indexOf('→')),
    }
  })

let service: TestService
let client: Client
before(async () => {
  service = await startService(MCP_ROLL)
  const key = await service.keyFor({ responseShape: 'flat' })
  client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: key } }
  const url = new URL(`${service.address}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
})
after(async () => {
  await client.close()
  await service.close()
})

test('the page has thirty questions', () => assert.equal(QUESTIONS.length, 30))

for (const { asked, calls, answer } of QUESTIONS) {
  test(asked, async () => {
    assert.ok(calls.length > 0 && calls.length <= 3)
    let shown = ''
    let properties = 0
    let cursor = ''
    for (const [name, given] of calls) {
      const result = await client.callTool({
        name,
        arguments: JSON.parse(given.replace('…', cursor)),
      })
      assert.notEqual(result.isError, true, JSON.stringify(result.structuredContent))
      const content = result.structuredContent as Record<string, unknown> & {
        metadata?: { nextCursor?: string }
      }
      cursor = content.metadata?.nextCursor ?? ''
      properties += ((content.properties ?? []) as unknown[]).length
      shown += JSON.stringify(content)
    }
    // A question for the first two needs no further page.
    const isWhole = !calls.some(([, given]) => given.includes('"limit"'))
    if (isWhole) assert.equal(cursor, '', 'the last page was read')
    const [, count] = /(\d+) propert(?:y|ies)/.exec(answer) ?? []
    if (count !== undefined) assert.equal(properties, Number(count))
    const values = [...answer.matchAll(/`([^`]+)`/g)].map(([, value]) => value ?? '')
    assert.ok(values.length > 0)
    for (const value of values) assert.ok(shown.includes(value), `${value} is not in ${shown}`)
  })
}
