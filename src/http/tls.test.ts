import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { endAll, startRunning } from '../../test/ledger/running-service.ts'
import { startService } from '../../test/service.ts'
import { until } from '../../test/until.ts'

const skip = spawnSync('openssl', ['version']).status !== 0 && 'no openssl to make a certificate'

after(endAll)

function makeCertificate(cert: string, key: string, name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-days', '2', '-nodes']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' })
}

/** Returns the certificate's name and the first line of the answer. */
function ask(port: number, path = '/healthz'): Promise<{ name: unknown; line: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', reject)
    socket.once('secureConnect', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`))
    socket.once('data', (part) => {
      const name = socket.getPeerCertificate().subject.CN
      socket.destroy()
      resolve({ name, line: String(part).split('\r\n', 1)[0] ?? '' })
    })
  })
}

test('HTTPS is spoken with a certificate, which is read again when it changes', {
  skip,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tls-'))
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  makeCertificate(tlsCert, tlsKey, 'first')
  const service = await startService('', { tlsCert, tlsKey })
  try {
    const port = Number(new URL(service.address).port)
    assert.deepEqual(await ask(port), { name: 'first', line: 'HTTP/1.1 200 OK' })
    makeCertificate(tlsCert, tlsKey, 'second')
    for (let attempt = 1; attempt <= 40; attempt += 1) {
      if ((await ask(port)).name === 'second') break
      await setTimeout(250)
    }
    assert.equal((await ask(port)).name, 'second')
  } finally {
    await service.close()
  }
})

test('after SIGHUP a moved log and a new certificate are in use, and the same processes', {
  skip,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tls-'))
  const [cert, key, log] = ['cert.pem', 'key.pem', 'access.log'].map((name) => join(folder, name))
  assert.ok(cert && key && log)
  makeCertificate(cert, key, 'first')
  const service = await startRunning({
    data: join(folder, 'data'),
    workers: 1,
    env: { PLATBOOK_TLS_CERT: cert, PLATBOOK_TLS_KEY: key, PLATBOOK_ACCESS_LOG: log },
  })
  const port = Number(/:(\d+)$/.exec(service.address)?.[1])
  const kinds = ['worker', 'ledger'] as const
  const before = kinds.flatMap((kind) => service.pids(kind))
  renameSync(log, `${log}.1`)
  makeCertificate(cert, key, 'second')
  for (const pid of [service.pid, ...before]) process.kill(pid, 'SIGHUP')
  await until(async () => (await ask(port)).name === 'second')
  await ask(port, '/nothing')
  await until(() => existsSync(log) && statSync(log).size > 0)
  assert.equal(statSync(`${log}.1`).size, 0)
  assert.deepEqual(
    kinds.flatMap((kind) => service.pids(kind)),
    before,
  )
  assert.equal(await service.stop(), 0)
})

test('the service prints https and the billing page; bad files stop it before workers start', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  makeCertificate(cert, key, 'first')
  const env = { PLATBOOK_TLS_CERT: cert, PLATBOOK_TLS_KEY: key }
  const data = join(folder, 'data')
  const service = await startRunning({ data, workers: 1, env })
  assert.match(service.address, /^https:/)
  assert.ok(service.log().includes(`a 403 names ${service.address}/billing`))
  const { line } = await ask(Number(new URL(service.address).port))
  assert.equal(line, 'HTTP/1.1 200 OK')
  await service.stop()
  writeFileSync(cert, 'no certificate')
  for (const bad of [env, { ...env, PLATBOOK_TLS_KEY: join(folder, 'absent.pem') }]) {
    const refused = await startRunning({ data, workers: 1, env: bad }).catch(String)
    assert.match(String(refused), /cannot be used for TLS/)
    assert.doesNotMatch(String(refused), /worker|\n\s+at /)
  }
})

test('no process but the billing one has the secrets of the provider', {
  skip: process.platform !== 'linux' && 'the environment of a process is read from /proc',
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-env-'))
  t.after(() => rmSync(data, { recursive: true }))
  const env = {
    PLATBOOK_STRIPE_KEY: 'sk_test_secret-of-stripe',
    PLATBOOK_STRIPE_WEBHOOK_SECRET: 'whsec_secret-of-stripe',
    PLATBOOK_STRIPE_API: 'http://127.0.0.1:9',
    PLATBOOK_API_KEY: 'secret-of-a-caller',
  }
  const service = await startRunning({ data, workers: 1, env })
  const kinds = ['worker', 'ledger'] as const
  const pids = kinds.flatMap((kind) => service.pids(kind))
  assert.equal(pids.length, 2)
  for (const pid of pids) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    // The environment is not printed on failure, because it belongs to the person who runs this.
    assert.ok(!environment.includes('secret-of'), `process ${pid} has a secret`)
    assert.ok(environment.includes('PLATBOOK_'))
  }
  await service.stop()
})
