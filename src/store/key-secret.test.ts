import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { CommandError } from '../base/errors.ts'
import { addSecret, dropSecrets, loadSecrets, secretPath } from './key-secret.ts'

const base = mkdtempSync(join(tmpdir(), 'platbook-secret-'))
after(() => rmSync(base, { recursive: true }))
let folders = 0
function newFolder(): string {
  folders += 1
  return join(base, String(folders))
}

test('the secret is made on first start with owner-only rights, and stays', () => {
  const folder = newFolder()
  const [made, ...more] = loadSecrets(folder, null)
  assert.deepEqual(more, [])
  assert.ok(made !== undefined && made.value.length === 64)
  assert.equal(statSync(secretPath(folder)).mode & 0o777, 0o600)
  assert.deepEqual(loadSecrets(folder, null), [made])
  assert.deepEqual(readdirSync(folder), ['secret'], 'no draft is left')
  assert.ok(!made.value.toString().includes(made.id))
})

test('processes that start at once agree on one secret', async () => {
  const folder = newFolder()
  const url = JSON.stringify(import.meta.resolve('./key-secret.ts'))
  const program = `import { loadSecrets } from ${url}
    console.log(loadSecrets(${JSON.stringify(folder)}, null)[0].id)`
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
  )
  const ids = new Set((await Promise.all(runs)).map(({ stdout }) => stdout))
  assert.equal(ids.size, 1)
})

test('a file that others may read is refused, with the command that mends it', () => {
  const folder = newFolder()
  loadSecrets(folder, null)
  chmodSync(secretPath(folder), 0o644)
  assert.throws(
    () => loadSecrets(folder, null),
    (error) => error instanceof CommandError && error.message.includes('chmod 600'),
  )
})

test('a rotation puts a new secret in front and keeps the old ones readable', () => {
  const folder = newFolder()
  const [first] = loadSecrets(folder, null)
  const rotated = addSecret(folder)
  assert.equal(rotated.length, 2)
  assert.deepEqual(rotated[1], first)
  assert.deepEqual(loadSecrets(folder, null), rotated)
  assert.equal(statSync(secretPath(folder)).mode & 0o777, 0o600)

  const ids = new Set(rotated.map((secret) => secret.id))
  assert.deepEqual(dropSecrets(folder, ids), [rotated[0]], 'the newest always stays')
  assert.ok(!readFileSync(secretPath(folder), 'utf8').includes(String(first?.value)))
})

test('secrets of the settings are newest first, and leave no file', () => {
  const folder = newFolder()
  const [a, b] = ['a'.repeat(32), 'b'.repeat(40)]
  const secrets = loadSecrets(folder, `${a}, ${b}`)
  assert.deepEqual(
    secrets.map((secret) => secret.value.toString()),
    [a, b],
  )
  assert.throws(() => statSync(folder))
  assert.throws(() => loadSecrets(folder, `${a} short`), CommandError)
})
