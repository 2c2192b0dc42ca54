/**
 * The client as it is published: packed, installed in an empty folder, and small; and used in each
 * runtime at hand. Others than this Node are named by PLATBOOK_RUNTIMES, a list of programs with
 * commas between, such as `/opt/node20/bin/node,deno,bun`.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { makeRoll, times } from '../contract/rolls.ts'
import { startService, type TestService } from '../service.ts'

const CLIENT = fileURLToPath(new URL('../../client', import.meta.url))
const FLOW = fileURLToPath(new URL('flow.mjs', import.meta.url))
const SIZE_MAX = 12_288
const PARCELS = 260

const folder = mkdtempSync(join(tmpdir(), 'platbook-packed-'))
let service: TestService
const lost = new Set<string>()
/** Asks the service and loses the first answer of each path. */
const proxy = createServer(async (request, response) => {
  const path = request.url ?? ''
  const headers = request.headers as Record<string, string>
  const answer = await fetch(service.address + path, { headers: pickOwn(headers) })
  if (!lost.has(path)) {
    lost.add(path)
    request.socket.destroy()
    return
  }
  const kept = [...answer.headers].filter(([name]) => !/^(?:content-|transfer-)/.test(name))
  response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text())
})
before(async () => {
  service = await startService(
    makeRoll(
      times(PARCELS, (number) => ({
        ...{ parcelId: `P-${number}`, address: `${number} OAK ST`, city: 'MADISON' },
        ...{ ownerName1: 'GARCIA MARIA', nameOrder: 'surname-first' },
      })),
    ),
  )
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], CLIENT)
  const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--silent', '--offline', `./${packed}`], folder)
  cpSync(FLOW, join(folder, 'flow.mjs'))
})
after(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await service?.close()
  rmSync(folder, { recursive: true })
})

/** The headers of a call that concern the service. */
function pickOwn({ authorization = '', 'idempotency-key': once }: Record<string, string>) {
  return { authorization, ...(once !== undefined && { 'idempotency-key': once }) }
}

async function run(command: string, words: string[], cwd: string): Promise<string> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const { stdout } = await promisify(execFile)(command, words, { cwd, env, encoding: 'utf8' })
  return stdout
}

test('installed it works as ESM and from CommonJS, within 12 KB gzipped', async () => {
  const use =
    "const platbook = new Platbook({ baseUrl: 'http://a', key: 'k' }); " +
    'console.log(typeof platbook.addressLookup, typeof platbook.batch)'
  writeFileSync(join(folder, 'a.mjs'), `import { Platbook } from '@platbook/client'; ${use}`)
  writeFileSync(join(folder, 'b.cjs'), `const { Platbook } = require('@platbook/client'); ${use}`)
  for (const name of ['a.mjs', 'b.cjs']) {
    assert.equal(await run(process.execPath, [name], folder), 'function function\n')
  }
  const esm = join(folder, 'node_modules/@platbook/client/dist/esm')
  const files = readdirSync(esm).filter((name) => name.endsWith('.js'))
  const whole = Buffer.concat(files.map((name) => readFileSync(join(esm, name))))
  assert.ok(files.length >= 5)
  assert.ok(gzipSync(whole).length <= SIZE_MAX)
})

const others = (process.env.PLATBOOK_RUNTIMES ?? '').split(',').filter((program) => program !== '')
for (const program of [process.execPath, ...others]) {
  test(`a program uses all of it: ${program}`, async () => {
    lost.clear()
    const key = await service.keyFor({ responseShape: 'flat' })
    const { port } = proxy.address() as AddressInfo
    const flags = basename(program) === 'deno' ? ['run', '--allow-all'] : []
    const words = [...flags, 'flow.mjs', service.address, key, `http://127.0.0.1:${port}`]
    assert.deepEqual(JSON.parse(await run(program, words, folder)), {
      ...{ lookup: ['P-7', 'exact', 'string'], missing: null, thrown: true },
      ...{ byCursor: PARCELS, parallel: 40, all: 45 },
      pages: Array.from({ length: 8 }, () => [25, 1]),
      batch: [
        [7, 200],
        [8, 404],
      ],
      ...{ lossy: [7, 0], raw: 200, errors: [true, true, true, 'AbortError'] },
    })
    assert.equal(await service.charges(key), 11, 'ten pages, and the lost answer once')
  })
}
