/** Runs the pages of docs/quickstarts/ as printed, with a sandbox key of a real service. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { VectorTile } from '@mapbox/vector-tile'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { PbfReader } from 'pbf'
import { makeSandboxKey } from '../src/accounts/api-key.ts'
import { buildSandbox } from '../src/sandbox/build.ts'
import { NOON, startService, type TestService } from './service.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'platbook-quickstarts-'))

let service: TestService
let key = ''
before(async () => {
  service = await startService('')
  await buildSandbox(service.config.data, () => NOON)
  key = await service.keyFor({ responseShape: 'flat' }, makeSandboxKey)
})
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

/** The fences of a page in one language. */
function listFences(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, 'docs/quickstarts', page), 'utf8')
  const found = [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))]
  assert.ok(found.length > 0, `${page} has something to run`)
  return found.map(([, code = '']) => code)
}

const fences = (page: string, language: string) => listFences(page, language).join('\n')

/** Not `spawnSync`, because this process serves the program's requests. */
function run(command: string, words: string[], own = key): Promise<string> {
  const env = { ...process.env, URL: service.address, PLATBOOK_API_KEY: own }
  const child = spawn(command, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, errors] = ['', '']
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(out)
      else reject(new Error(`${command} ended with ${code}: ${errors}`))
    })
  })
}

const skipWithout = (command: string) =>
  spawnSync(command, ['--version']).status === 0 ? false : `${command} is not installed`

test('curl', { skip: skipWithout('curl') }, async () => {
  const output = await run('bash', ['-euo', 'pipefail', '-c', fences('curl.md', 'sh')])
  for (const said of ['0510-111-0000001-6', '3200 W GRANT LN', 'COLEMAN', 'nextCursor']) {
    assert.ok(output.includes(said), said)
  }
  assert.match(output, /\{"id":1,"status":200,.*\n\{"id":2,"status":404,/m)
})

test('Python', { skip: skipWithout('python3') }, async () => {
  const output = await run('python3', ['-c', fences('python.md', 'python')])
  assert.match(output, /^0510-111-0000001-6 SVS PARTNERS LLC\n\d{3} properties\n$/)
})

test('TypeScript', async () => {
  const client = join(ROOT, 'client/src/index.ts')
  const code = fences('typescript.md', 'ts').replace('@platbook/client', client)
  writeFileSync(join(folder, 'quick.mts'), code)
  const output = await run(process.execPath, ['quick.mts'])
  assert.match(output, /^0510-111-0000001-6 SVS PARTNERS LLC\n.+/)
})

test('spreadsheets', async () => {
  const platbook = `platbook() { "${process.execPath}" "${ROOT}src/cli/main.ts" "$@"; }`
  const script = `${platbook}\n${fences('spreadsheets.md', 'sh')}`
  const output = await run('bash', ['-euo', 'pipefail', '-c', script])
  assert.match(output, /1 of 1 rows matched/)
  assert.match(output, /^A,1200 Pecanhill Ave,Middleton,WI,exact,.*SVS PARTNERS LLC,245700$/m)
})

test('MCP: the line for curl, and the settings of an agent that starts a program', {
  skip: skipWithout('curl'),
}, async () => {
  const output = await run('bash', ['-euo', 'pipefail', '-c', fences('mcp.md', 'sh')])
  assert.match(output, /SVS PARTNERS LLC/)
  const { mcpServers } = JSON.parse(fences('mcp.md', 'json'))
  const { command, args, env } = mcpServers.platbook
  assert.deepEqual([command, args[0]], ['platbook', 'mcp'])
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'legacy' } },
  )
  const words = args.map((word: string) => word.replace(/^https:.*/, service.address))
  const named = Object.fromEntries(Object.keys(env).map((name) => [name, key]))
  const main = join(ROOT, 'src/cli/main.ts')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...words],
    env: named,
  })
  await client.connect(transport)
  const question = { state: 'WI', address: '1200 Pecanhill Avenue' }
  const answer = await client.callTool({ name: 'address_lookup', arguments: question })
  await client.close()
  assert.match(JSON.stringify(answer.structuredContent), /SVS PARTNERS LLC/)
})

test('a local copy hears of changes', { skip: skipWithout('jq') }, async () => {
  const roll = (values: number[]) =>
    'state,county,parcelId,ownerName1,nameOrder,totalAssessedValue\n' +
    values.map((value, id) => `WI,Dane,${id},"DOE, JO",last-first,${value}`).join('\n')
  await service.importRoll(roll(Array(150).fill(1)))
  const own = await service.keyFor({ responseShape: 'flat' })
  const steps = listFences('changes.md', 'sh')
  const shell = (...codes: string[]) =>
    run('bash', ['-euo', 'pipefail', '-c', codes.join('\n')], own)
  assert.equal(await shell(...steps), '', 'nothing has changed')
  const copy = readFileSync(join(folder, 'parcels.ndjson'), 'utf8').trim().split('\n')
  assert.equal(new Set(copy.map((line) => JSON.parse(line).propertyId)).size, 150)
  const next = { force: true, at: NOON + 86_400_000 }
  await service.importRoll(roll([2, ...Array(148).fill(1)]), next)
  while (await service.keeper.find());
  const heard = 'parcel.changed 55025-0\nparcel.removed 55025-149\n'
  assert.equal(await shell(steps.at(-1) ?? ''), heard)
  assert.equal(await shell(steps.at(-1) ?? ''), '', 'each event once')
})

const MVT = 'application/vnd.mapbox-vector-tile'

test('QGIS: the tile that the page names has its parcel', {
  skip: skipWithout('curl'),
}, async () => {
  const output = await run('bash', ['-euo', 'pipefail', '-c', fences('qgis.md', 'sh')])
  const { vector_layers } = JSON.parse(output)
  const place: Record<string, number> = { z: 16, x: 16472, y: 24056 }
  const address = fences('qgis.md', 'text')
    .trim()
    .replace(/^https:..[^/]+/, service.address)
  const answer = await fetch(
    address.replace(/\{(\w)\}/g, (_, name: string) => String(place[name])),
    // As QGIS sends what its page says to store.
    { headers: { authorization: `Basic ${btoa(`any:${key}`)}` } },
  )
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, MVT])
  assert.deepEqual(
    vector_layers.map(({ id }: { id: string }) => id),
    ['parcels', 'labels', 'density'],
  )
  const tile = new VectorTile(new PbfReader(readFileSync(join(folder, 'tile.mvt'))))
  const { parcels } = tile.layers
  const addresses = Array.from(
    { length: parcels?.length ?? 0 },
    (_, at) => parcels?.feature(at).properties.address,
  )
  assert.ok(addresses.includes('1200 PECANHILL AVE'))
})
