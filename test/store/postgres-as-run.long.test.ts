/** PostgreSQL as others run it: behind PgBouncer, with other defaults, and silent. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { makeRoll } from '../contract/rolls.ts'
import { startServer, whyNoServer } from '../postgres-server.ts'
import { freePort } from '../processes/free-port.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'

const isAbsent = spawnSync('pgbouncer', ['--version']).status !== 0
const skip = whyNoServer() ?? (isAbsent ? 'there is no pgbouncer here' : false)
const server = skip === false ? await startServer() : undefined
const folder = mkdtempSync(join(tmpdir(), 'platbook-pgbouncer-'))
after(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ROLL = makeRoll([{ ownerName1: 'SMITH JOHN', address: '1 MAIN ST' }])

async function answerOver(databaseUrl: string): Promise<void> {
  const service = await startService(ROLL, { databaseUrl, keySecret: 's'.repeat(32) })
  try {
    const key = await service.keyFor({ includedTokens: 5 })
    const lookup = { state: 'WI', address: '1 Main St' }
    const found = await service.get('/public/property/address/', lookup, { key })
    assert.equal(found.status, 200)
    const owned = { state: 'WI', lastName: 'Smith' }
    const charged = await service.get('/public/premium/owner/', owned, { key })
    assert.equal(charged.status, 200)
    assert.equal(await service.charges(key), 1)
  } finally {
    await service.close()
  }
}

/** Runs `work` with the address of a PgBouncer of a mode, before the database of that name. */
async function behindPooler(
  mode: 'session' | 'transaction',
  work: (pooled: string, direct: string) => Promise<void>,
): Promise<void> {
  const direct = (await server?.createDatabase(mode)) ?? ''
  const port = await freePort()
  const config = join(folder, `${mode}.ini`)
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
  writeFileSync(
    config,
    `[databases]
${mode} = host=${server?.folder} dbname=${mode} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 40 : 4}
max_client_conn = 100
`,
  )
  spawnSync('chmod', ['-R', 'a+rX', folder])
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn('pgbouncer', [...user, config], { stdio: 'ignore' })
  try {
    await setTimeout(1000)
    await work(`postgres://postgres@127.0.0.1:${port}/${mode}`, direct)
  } finally {
    pooler.kill('SIGTERM')
    await once(pooler, 'exit')
  }
}

test('a pooler that keeps sessions changes nothing', { skip }, () =>
  behindPooler('session', answerOver),
)

test(
  'a pooler that keeps no sessions serves requests, and commands that load refuse it',
  {
    skip,
  },
  () =>
    behindPooler('transaction', async (pooled, direct) => {
      const keySecret = 's'.repeat(32)
      const loader = await startService(ROLL, { databaseUrl: direct, keySecret })
      const service = await startService('', { databaseUrl: pooled, keySecret })
      try {
        await assert.rejects(service.importRoll(ROLL), /pooler that keeps no sessions/)
        const key = await service.keyFor({ includedTokens: 40 })
        const ask = (at: number) => {
          const named = { state: 'WI', lastName: 'Smith' }
          const address = { state: 'WI', address: '1 Main St' }
          return at % 3 === 0
            ? service.get('/public/premium/owner/', named, { key })
            : service.get(`/public/property/${at % 3 === 1 ? 'address' : 'search'}/`, address, {
                key,
              })
        }
        const answers = await Promise.all(Array.from({ length: 120 }, (_, at) => ask(at)))
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        assert.equal(await service.charges(key), 40)
        assert.equal((await ask(0)).status, 403)
        // A roll that was loaded past the pooler is served, and writes are not refused after reads.
        await loader.importRoll(makeRoll([{ ownerName1: 'JONES MARY', address: '1 MAIN ST' }]))
        const { body } = await ask(1)
        assert.match(JSON.stringify(body), /JONES/)
        await service.changeFacts(key, { suspended: true })
        assert.equal((await ask(1)).status, 403)
      } finally {
        await service.close()
        await loader.close()
      }
    }),
)

test("defaults of the database that change how values are written don't matter", {
  skip,
}, async () => {
  const url = (await server?.createDatabase('odd')) ?? ''
  const odd = [
    "bytea_output = 'escape'",
    '"DateStyle" = \'SQL, DMY\'',
    '"TimeZone" = \'Asia/Kathmandu\'',
    'standard_conforming_strings = off',
    'extra_float_digits = -5',
    "default_transaction_isolation = 'serializable'",
  ]
  const { Client } = await import('pg')
  const client = new Client(url)
  await client.connect()
  for (const one of odd) await client.query(`ALTER DATABASE odd SET ${one}`)
  await client.end()
  await answerOver(url)
})

test('a user without CREATE on the database uses a schema that was made for it', {
  skip,
}, async () => {
  const url = (await server?.createDatabase('given')) ?? ''
  const { Client } = await import('pg')
  const client = new Client(url)
  await client.connect()
  await client.query('CREATE ROLE plain LOGIN; CREATE SCHEMA platbook AUTHORIZATION plain')
  await client.end()
  await answerOver(url.replace('postgres@', 'plain@'))
})

test('/readyz is 503 while the server is silent, and /healthz says that the process lives', {
  skip,
}, async () => {
  const databaseUrl = (await server?.createDatabase('silent')) ?? ''
  const service = await startService('', { databaseUrl, keySecret: 's'.repeat(32) })
  const status = async (path: string, method = 'GET') =>
    (await fetch(`${service.address}${path}`, { method })).status
  try {
    assert.equal(await status('/readyz'), 200)
    server?.pause()
    await until(async () => (await status('/readyz')) === 503)
    assert.equal(await status('/readyz', 'HEAD'), 503)
    assert.equal(await status('/healthz'), 200)
    server?.resume()
    await until(async () => (await status('/readyz')) === 200)
  } finally {
    server?.resume()
    await service.close()
  }
})
