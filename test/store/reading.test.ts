/** Commands that only read over PostgreSQL need no data folder and no tables, and make none. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import { loadCommands, runCommand } from '../command.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'

const skip = whyNoServer() ?? false
const server = skip === false ? await shareServer() : undefined
after(() => server?.stop())

test('reading accounts over PostgreSQL with a data folder that is not there', {
  skip,
}, async () => {
  const data = join(tmpdir(), `platbook-none-${process.pid}`)
  const config = {
    ...readConfig({}),
    data,
    databaseUrl: (await server?.createDatabase('reading')) ?? null,
  }
  const accounts = await openAccounts(config, { reading: true })
  // So that there are heads to be noted.
  await accounts.admin.noteLoss('a row of the operator log', '[]')
  await accounts.close()
  assert.equal(existsSync(data), false)
})

/** A command that reads => what `--json` prints of an empty database */
const READS = `
  account list   => {"accounts":[]}
  plan list      => {"plans":[]}
  usage          => {"accounts":[]}
  billing events => {"events":[]}
  suppress list  => {"suppressions":[]}
  operator list  => {"operators":[]}
  import list    => {"imports":[]}
  coverage       => {"counties":[]}
  quality        => {"scopes":[]}
`

test('commands that read an empty database answer an empty list', { skip }, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-empty-'))
  t.after(() => rmSync(data, { recursive: true }))
  const url = (await server?.createEmpty('nothing')) ?? ''
  const client = new Client(url)
  await client.connect()
  t.after(() => client.end())
  // A user that may create nothing.
  await client.query('DROP ROLE IF EXISTS reads; CREATE ROLE reads LOGIN')
  const env = { PLATBOOK_DATABASE_URL: url.replace('user=postgres', 'user=reads') }
  const commands = await loadCommands()
  const ask = async (name: string) => {
    const command = commands.find((one) => one.name === name)
    assert.ok(command, name)
    const { code, out } = await runCommand(command, ['--json'], { data, env })
    assert.equal(code, 0, name)
    return out.trim()
  }
  for (const line of READS.trim().split('\n')) {
    const [name = '', expected = ''] = line.split('=>').map((part) => part.trim())
    assert.equal(await ask(name), expected, name)
  }
  for (const name of ['price list', 'sources', 'ledger verify', 'audit verify']) await ask(name)
  const { rows } = await client.query("SELECT to_regnamespace('platbook') AS schema")
  assert.equal(rows[0]?.schema, null)
})
