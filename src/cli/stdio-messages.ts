/** Standard input and output of MCP, a JSON-RPC message a line. */
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, Writable } from 'node:stream'

/** Longest wait for answers after the end of the input, in milliseconds. */
const LAST_MS = 30_000

type Message = { id?: unknown; method?: unknown; params?: unknown }

/** The two streams of a transport, and the end of the conversation. */
type Messages = {
  input: Readable
  output: Writable
  /** Resolves when the input has ended and every request has its answer written. */
  ended: Promise<void>
}

/**
 * Passes messages on. `params: null` is dropped, as some clients send it for no parameters. The
 * input ends after the answers of all its requests.
 */
export function passMessages(from: Readable, to: Writable): Messages {
  const waiting = new Set<unknown>()
  let settle = () => {}
  const input = new PassThrough()
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      to.write(chunk, (error) => {
        for (const line of String(chunk).split('\n')) {
          const { id, method } = read(line)
          if (method === undefined) waiting.delete(id)
        }
        settle()
        done(error)
      })
    },
  })

  async function pass(): Promise<void> {
    for await (const line of createInterface({ input: from })) {
      const message = read(line)
      if (message.method !== undefined && message.id !== undefined) waiting.add(message.id)
      const isEmpty = message.params === null
      if (isEmpty) delete message.params
      input.write(`${isEmpty ? JSON.stringify(message) : line}\n`)
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

function read(line: string): Message {
  try {
    const value = JSON.parse(line) as unknown
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
