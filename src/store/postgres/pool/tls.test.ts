/** What `sslmode` and its root certificate do, against a server that only shakes hands. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { clientConfig } from './connection.ts'

const skip = spawnSync('openssl', ['version']).status !== 0 && 'no openssl to make a certificate'
const folder = mkdtempSync(join(tmpdir(), 'platbook-pg-tls-'))
const path = (name: string) => join(folder, name)

/** Makes the certificate `name.crt` for a host, signed by `ca`, or by itself. */
function makeCertificate(name: string, host: string, ca?: string): void {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const to = ['-keyout', path(`${name}.key`), '-subj', `/CN=${host}`]
  if (ca === undefined) {
    openssl('req', '-x509', ...key, ...to, '-days', '2', '-out', path(`${name}.crt`))
    return
  }
  openssl('req', ...key, ...to, '-out', path(`${name}.csr`))
  writeFileSync(path(`${name}.ext`), `subjectAltName=DNS:${host}\n`)
  const signed = ['-CA', path(`${ca}.crt`), '-CAkey', path(`${ca}.key`), '-CAcreateserial']
  const made = ['-in', path(`${name}.csr`), '-out', path(`${name}.crt`), '-days', '2']
  openssl('x509', '-req', ...made, ...signed, '-extfile', path(`${name}.ext`))
}

let certificate = ''
let outcome = ''
/** Answers a request for TLS, notes how the startup message came, and hangs up. */
const server = createServer((socket: Socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (bytes: Buffer) => {
    if (bytes.readInt32BE(4) !== 80_877_103) {
      outcome = 'plain'
      socket.destroy()
      return
    }
    outcome = 'refused'
    socket.write('S')
    const [cert, key] = ['crt', 'key'].map((end) => readFileSync(path(`${certificate}.${end}`)))
    const secure = new TLSSocket(socket, { isServer: true, cert, key } as object)
    secure.on('error', () => undefined)
    secure.once('data', () => {
      outcome = 'encrypted'
      secure.destroy()
    })
  })
})

before(async () => {
  if (skip !== false) return
  makeCertificate('ca', 'Root')
  makeCertificate('other', 'Other root')
  makeCertificate('localhost', 'localhost', 'ca')
  makeCertificate('elsewhere', 'db.example', 'ca')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** The server's certificate, the address's query, variables, and what happens. */
const CASES: [string, string, Record<string, string>, string][] = [
  ['localhost', '', {}, 'plain'],
  ['localhost', 'sslmode=disable', {}, 'plain'],
  ['localhost', 'sslmode=require', {}, 'encrypted'],
  ['elsewhere', 'sslmode=require', {}, 'encrypted'],
  // As libpq: with a root, `require` checks the chain too.
  ['elsewhere', 'sslmode=require&sslrootcert=ca', {}, 'encrypted'],
  ['localhost', 'sslmode=require&sslrootcert=other', {}, 'refused'],
  ['localhost', 'sslmode=verify-ca&sslrootcert=ca', {}, 'encrypted'],
  ['elsewhere', 'sslmode=verify-ca&sslrootcert=ca', {}, 'encrypted'],
  ['localhost', 'sslmode=verify-ca&sslrootcert=other', {}, 'refused'],
  ['localhost', 'sslmode=verify-full&sslrootcert=ca', {}, 'encrypted'],
  ['elsewhere', 'sslmode=verify-full&sslrootcert=ca', {}, 'refused'],
  ['localhost', 'sslmode=verify-full', {}, 'refused'],
  ['localhost', 'sslmode=verify-ca', { PGSSLROOTCERT: 'ca' }, 'encrypted'],
  ['localhost', 'sslmode=verify-ca', { PGSSLROOTCERT: 'other' }, 'refused'],
  ['localhost', '', { PGSSLMODE: 'require' }, 'encrypted'],
  ['localhost', 'sslmode=disable', { PGSSLMODE: 'require' }, 'plain'],
]

for (const [name, query, variables, expected] of CASES) {
  const given = JSON.stringify(variables)
  test(`a certificate of ${name}, "${query}" and ${given}: ${expected}`, { skip }, async () => {
    ;[certificate, outcome] = [name, '']
    const { port } = server.address() as AddressInfo
    const asked = query.replace(/(?<=sslrootcert=)\w+/, (ca) => path(`${ca}.crt`))
    const client = withVariables(variables, () =>
      clientConfig(`postgres://u@localhost:${port}/x?${asked}`, 1000, {}),
    )
    await assert.rejects(new pg.Client(client).connect())
    // The server hears of a refusal after the client.
    assert.equal(outcome, expected)
  })
}

test('verify-ca without a root, and an unknown sslmode, are a sentence', () => {
  const asked = (mode: string) => () =>
    clientConfig(`postgres://u@localhost/x?sslmode=${mode}`, 1000, {})
  assert.throws(asked('verify-ca'), /verify-ca needs sslrootcert/)
  for (const mode of ['bogus', 'allow', '', 'REQUIRE']) {
    assert.throws(asked(mode), new RegExp(`sslmode "${mode}" is none of disable, `))
  }
})

function withVariables<Result>(variables: Record<string, string>, work: () => Result): Result {
  const files = Object.entries(variables).map(([name, value]) => [
    name,
    name === 'PGSSLROOTCERT' ? path(`${value}.crt`) : value,
  ])
  Object.assign(process.env, Object.fromEntries(files))
  try {
    return work()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
}
