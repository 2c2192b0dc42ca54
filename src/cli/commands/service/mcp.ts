/** `platbook mcp`: MCP on standard input and output, over the local store or a service. */
import { randomUUID } from 'node:crypto'
import { STATUS } from '../../../base/errors.ts'
import { PROGRAM_VERSION } from '../../../base/program-version.ts'
import { answerLocally } from '../../../http/answer-counted.ts'
import { type Ask, toPairs } from '../../../mcp/call.ts'
import { makeMcpServer } from '../../../mcp/server.ts'
import { makeTools } from '../../../mcp/tools.ts'
import { ACCOUNT_OPERATIONS } from '../../../operations/context.ts'
import type { Operation } from '../../../operations/operation.ts'
import { OPERATIONS } from '../../../operations/operations.ts'
import { openGuardedParcels } from '../../../privacy/guarded-parcels.ts'
import { takeText } from '../../../render/render.ts'
import { type CommandIo, command } from '../../command.ts'
import { readService, type Service } from '../../option-values.ts'
import { passMessages } from '../../stdio-messages.ts'

/** Longer than the service's own time limit for a search. */
const ANSWER_MS = 30_000

export const mcpCommand = command('mcp', async (args, io) => {
  const service = readService(args, io)
  const { ask, operations, priceOf, close } =
    service === undefined ? await askStore(io) : askService(service)
  const tools = makeTools(operations, priceOf)
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  const sdk = await import('@modelcontextprotocol/server')
  const guards = [sdk.isJSONRPCRequest, sdk.isJSONRPCNotification, sdk.isJSONRPCResponse]
  const { input, output, ended } = passMessages(process.stdin, process.stdout, (value) =>
    guards.some((isOne) => isOne(value)),
  )
  const transport = new StdioServerTransport(input, output)
  serveStdio(() => makeMcpServer(tools, PROGRAM_VERSION, ask), {
    transport,
    onerror: (error) => io.report(error.message),
  })
  await ended
  await close()
})

type Asked = {
  ask: Ask
  operations: readonly Operation[]
  priceOf(operation: Operation): number
  close(): Promise<void>
}

async function askStore(io: CommandIo): Promise<Asked> {
  const { parcels, close } = await openGuardedParcels(io.config, (error) =>
    io.report(error instanceof Error ? error.message : String(error)),
  )
  const operations = OPERATIONS.filter(({ operationId }) => !ACCOUNT_OPERATIONS.has(operationId))
  const ask: Ask = async ({ operation }, query) => {
    const { status, body, headers } = await answerLocally(
      operation,
      toPairs(query),
      await parcels(),
      io.config,
    )
    return { status, body: takeText(body), headers }
  }
  return { ask, operations, priceOf: () => 0, close }
}

function askService({ url, key }: Service): Asked {
  const ask: Ask = async ({ operation }, query, idempotencyKey = randomUUID()) => {
    const path = operation.path.replaceAll(/:(\w+)/g, (_, name) =>
      encodeURIComponent(String(query[name] ?? '')),
    )
    const send = () =>
      fetch(`${url}${path}?${new URLSearchParams(toPairs(query))}`, {
        headers: { authorization: key, 'idempotency-key': idempotencyKey },
        signal: AbortSignal.timeout(ANSWER_MS),
      })
    // Repeats a request whose answer was lost; it is not charged again.
    const response = await send()
      .catch(send)
      .catch((error: Error) => {
        const cause = error.cause instanceof Error ? error.cause.message : error.message
        return Response.json(
          { error: `The service cannot be reached: ${cause}` },
          { status: STATUS.unavailable },
        )
      })
    const body = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: response.status,
      body: isJson ? body : JSON.stringify({ error: 'The service did not answer JSON' }),
      headers: Object.fromEntries(response.headers),
    }
  }
  return {
    ask,
    operations: OPERATIONS,
    priceOf: ({ tokenCost }) => tokenCost,
    close: async () => {},
  }
}
