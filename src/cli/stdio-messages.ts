/** Standard input and output of MCP, a JSON-RPC message a line. */
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, Writable } from 'node:stream'

/** Longest wait for answers after the end of the input, in milliseconds. */
const LAST_MS = 30_000

type Message = { id?: unknown; method?: unknown; params?: unknown }

/**
 * Passes messages on, by `isMessage`, without `params: null`. A line that is none is answered here,
 * as the SDK would report its schema. The input ends, and `ended` resolves, after the answers.
 */
export function passMessages(from: Readable, to: Writable, isMessage: (value: unknown) => boolean) {
  const waiting = new Set<unknown>()
  let settle = () => {}
  const input = new PassThrough()
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      to.write(chunk, (error) => {
        for (const line of String(chunk).split('\n')) {
          const { id, method } = read(line) ?? {}
          if (method === undefined) waiting.delete(id)
        }
        settle()
        done(error)
      })
    },
  })

  // The SDK waits for `drain` once for each answer.
  output.setMaxListeners(0)

  async function pass(): Promise<void> {
    for await (const line of createInterface({ input: from })) {
      if (line.trim() === '') continue
      const message = read(line)
      if (message?.params === null) delete message.params
      if (message === undefined || !isMessage(message)) {
        output.write(`${refuseLine(message)}\n`)
        continue
      }
      if (message.method !== undefined && message.id !== undefined) waiting.add(message.id)
      input.write(`${JSON.stringify(message)}\n`)
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LAST_MS)
      settle = () => {
        if (waiting.size > 0) return
        clearTimeout(timer)
        resolve()
      }
      settle()
    })
    input.end()
  }
  return { input, output, ended: pass() }
}

/** Returns `undefined` for a line that is no JSON object. */
function read(line: string): Message | undefined {
  try {
    const value = JSON.parse(line) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function refuseLine(message: Message | undefined): string {
  const error =
    message === undefined
      ? { code: -32700, message: 'Parse error: send one JSON object a line' }
      : { code: -32600, message: 'Invalid request: this is no JSON-RPC 2.0 message' }
  const id = ['string', 'number'].includes(typeof message?.id) ? message?.id : null
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
