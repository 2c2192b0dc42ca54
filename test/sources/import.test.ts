/** `platbook import` of an address: from a server to parcels. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { PROGRAM_VERSION } from '../../src/base/program-version.ts'
import { importListCommand } from '../../src/cli/commands/rolls/history.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { runCommand } from '../command.ts'
import { makeFolder, write } from '../import/small-roll.ts'
import { type Faults, type Feature, startArcgis } from './arcgis-server.ts'

const MAPPING = {
  name: 'web-test',
  title: 'Invented county',
  state: 'NE',
  county: 'Lancaster',
  source: { name: 'Invented', license: 'none' },
  nameOrder: 'last-first',
  fields: {
    parcelId: 'PIN',
    ownerName1: 'OWNER',
    address: 'SITUS',
    city: { constant: 'LINCOLN' },
    useCodeLocal: 'CLASS',
    useDescription: 'd_CLASS',
  },
}

const SQUARE = [
  [-96.7, 40.8],
  [-96.7, 40.81],
  [-96.69, 40.81],
  [-96.69, 40.8],
  [-96.7, 40.8],
]

const features: Feature[] = Array.from({ length: 130 }, (_, at) => ({
  id: at + 1,
  attributes: {
    PIN: `17-${1000 + at}`,
    OWNER: 'ROE, JANE',
    SITUS: `${100 + at} MAPLE ST`,
    CLASS: 'R',
  },
  geometry: { rings: [SQUARE] },
}))

async function world(t: TestContext, faults: Partial<Faults> = {}) {
  const data = makeFolder(t)
  const server = await startArcgis(features, faults)
  t.after(() => server.close())
  const mapping = write(data, 'mapping.json', JSON.stringify(MAPPING))
  const run = (words: string[], env: Record<string, string> = {}) =>
    runCommand(importCommand, [server.address, '--mapping', mapping, ...words], { data, env })
  return { data, server, run }
}

test('a layer becomes parcels; the download is removed, history names the address', async (t) => {
  const { data, server, run } = await world(t)
  const report = (await run(['--json', '--allow-private', '--geometry'])).json()
  assert.deepEqual([report.rows, report.loaded, report.rejected], [130, 130, 0])
  assert.deepEqual(readdirSync(join(data, 'downloads')), [])
  const { imports } = (await runCommand(importListCommand, ['--json'], { data })).json() as {
    imports: { files: string[] }[]
  }
  assert.deepEqual(imports[0]?.files, [server.address])
})

test('a dry run keeps its download for the import that follows', async (t) => {
  const { server, run } = await world(t)
  const dry = (await run(['--json', '--allow-private', '--dry-run'])).json()
  const asked = server.requests.length
  assert.equal(dry.loaded, 130)
  assert.equal((await run(['--json', '--allow-private'])).json().loaded, 130)
  const more = server.requests.slice(asked)
  assert.equal(more.filter(({ outFields }) => outFields !== undefined).length, 0)
})

test('a row that the server never gives is a reject with its reason', async (t) => {
  const { run } = await world(t, { poison: [40], poisonCode: 400 })
  const report = (await run(['--json', '--allow-private'])).json()
  assert.deepEqual([report.rows, report.loaded, report.rejected], [130, 129, 1])
  assert.match(readFileSync(String(report.rejectsFile), 'utf8'), /40: error 400 Bad geometry/)
})

test('addresses of this machine are refused unasked, except with --allow-private', async (t) => {
  const { data, server, run } = await world(t)
  const says = /^127\.0\.0\.1 is an address of a private network; --allow-private permits it$/
  await assert.rejects(run(['--json']), { message: says })
  assert.equal(server.requests.length, 0)
  assert.equal(existsSync(join(data, 'parcels.db')), false)
})

test('the User-Agent names Platbook and the contact that the operator gives', async (t) => {
  const { server, run } = await world(t)
  await run(['--json', '--allow-private', '--dry-run'], { PLATBOOK_CONTACT: 'gis@example.org' })
  assert.equal(
    server.headers[0]?.['user-agent'],
    `Platbook/${PROGRAM_VERSION} (property-data importer; gis@example.org)`,
  )
})
