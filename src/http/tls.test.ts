import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { startService } from '../../test/service.ts'

const skip = spawnSync('openssl', ['version']).status !== 0 && 'no openssl to make a certificate'

function makeCertificate(cert: string, key: string, name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-days', '2', '-nodes']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' })
}

/** The name in the certificate, and the first line of the answer. */
function ask(port: number): Promise<{ name: unknown; line: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', reject)
    socket.once('secureConnect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
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
