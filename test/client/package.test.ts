/** The client as it is published: packed, installed in an empty folder, and small. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const CLIENT = fileURLToPath(new URL('../../client', import.meta.url))
const SIZE_MAX = 12_288

test('packed and installed it works as ESM and from CommonJS, within 12 KB gzipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-packed-'))
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const run = (command: string, words: string[], cwd: string) =>
    execFileSync(command, words, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    run('npm', ['pack', '--silent', '--pack-destination', folder], CLIENT)
    const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    run('npm', ['install', '--silent', '--offline', `./${packed}`], folder)
    const use =
      "const platbook = new Platbook({ baseUrl: 'http://a', key: 'k' }); console.log(typeof platbook.addressLookup, typeof platbook.batch)"
    writeFileSync(join(folder, 'a.mjs'), `import { Platbook } from '@platbook/client'; ${use}`)
    writeFileSync(join(folder, 'b.cjs'), `const { Platbook } = require('@platbook/client'); ${use}`)
    for (const name of ['a.mjs', 'b.cjs']) {
      assert.equal(run(process.execPath, [name], folder), 'function function\n')
    }
    const esm = join(folder, 'node_modules/@platbook/client/dist/esm')
    const files = readdirSync(esm).filter((name) => name.endsWith('.js'))
    const whole = Buffer.concat(files.map((name) => readFileSync(join(esm, name))))
    assert.ok(files.length >= 5)
    assert.ok(gzipSync(whole).length <= SIZE_MAX)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
