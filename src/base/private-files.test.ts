import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runCommand } from '../../test/command.ts'
import { accountCreate } from '../cli/commands/accounts/accounts.ts'
import { keyCreate } from '../cli/commands/accounts/keys.ts'
import { importCommand } from '../cli/commands/rolls/import.ts'
import { backupCommand } from '../cli/commands/store/backup.ts'
import { readConfig } from '../settings/read-config.ts'
import { prepareData } from '../store/open.ts'
import { findWideRights, makePrivateFolder } from './private-files.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-rights-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function modesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const modes = ['', ...names].map((name) => {
    const stat = statSync(join(folder, name))
    return [name, `${stat.isDirectory() ? 'd' : 'f'} ${(stat.mode & 0o777).toString(8)}`]
  })
  return Object.fromEntries(modes)
}

for (const umask of [0o000, 0o022, 0o077]) {
  test(`the data folder is 0700 and its files 0600 under umask ${umask.toString(8)}`, async (t) => {
    const folder = makeFolder(t)
    const data = join(folder, 'data')
    const roll = join(folder, 'roll.csv')
    const text = 'state,county,parcelId\nWI,Dane,1\nWI,Dane,\nWI,Nowhere at all,3\n'
    writeFileSync(roll, text)
    const before = process.umask(umask)
    t.after(() => process.umask(before))
    await runCommand(importCommand, [roll, '--mapping', 'platbook', '--json'], { data })
    const account = (await runCommand(accountCreate, ['A', '--json'], { data })).json()
    await runCommand(keyCreate, [String(account.id)], { data })
    await runCommand(backupCommand, [join(folder, 'copy')], { data })
    process.umask(before)
    for (const place of [data, join(folder, 'copy')]) {
      const modes = modesIn(place)
      assert.ok('accounts.db' in modes && 'secret' in modes)
      for (const [name, mode] of Object.entries(modes)) {
        assert.equal(mode, mode.startsWith('d') ? 'd 700' : 'f 600', `${place} ${name}`)
      }
    }
    assert.ok(Object.keys(modesIn(data)).some((name) => /^rejects.+\.csv$/.test(name)))
  })
}

for (const path of ['/proc/platbook', '/sys/a/b', '/dev/platbook', '/tmp/../proc/self/x']) {
  const skip = process.platform === 'linux' ? false : 'only Linux has these folders'
  test(`a folder of the kernel is refused by its name: ${path}`, { skip }, () => {
    assert.throws(() => makePrivateFolder(path), /lies in \/(?:proc|sys|dev)\/ of the kernel/)
  })
}

test('rights that others have in the data folder are named, with the cure', (t) => {
  const folder = makeFolder(t)
  assert.deepEqual(findWideRights(folder), [])
  const path = join(folder, 'accounts.db')
  writeFileSync(path, '')
  chmodSync(path, 0o640)
  assert.deepEqual(findWideRights(folder), [
    `${path} may be used by other users (mode 0640)`,
    `to close the data folder to others: chmod -R go= ${folder}`,
  ])
  assert.deepEqual(findWideRights(join(folder, 'not there')), [])
})

test('a data folder with keys but no secret is not served, and gets no new secret', async (t) => {
  const data = makeFolder(t)
  const account = (await runCommand(accountCreate, ['A', '--json'], { data })).json()
  const key = (await runCommand(keyCreate, [String(account.id), '--json'], { data })).json()
  assert.ok(key.key)
  rmSync(join(data, 'secret'))
  const missing = /secret is missing, and 1 valid keys/
  await assert.rejects(prepareData(readConfig({ PLATBOOK_DATA: data })), missing)
  await assert.rejects(runCommand(keyCreate, [String(account.id)], { data }), missing)
  assert.ok(!readdirSync(data).includes('secret'))
})
