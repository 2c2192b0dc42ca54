/** One exchange over a bare socket: sends bytes, and reads until the other side closes. */
import { once } from 'node:events'
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Map<string, string>; body: string; text: string }

/** Sends bytes and reads until the service closes the connection. */
export async function exchange(address: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(Buffer.from(part)))
  // The service may close while it is still being written to.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(bytes)
  await once(socket, 'close')
  return readAnswer(Buffer.concat(parts).toString())
}

function readAnswer(text: string): RawAnswer {
  const cut = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, cut).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers),
    body: text.slice(cut + 4),
    text,
  }
}
