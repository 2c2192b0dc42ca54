/** `platbook sources check`: the content of URLs, and missing columns. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import * as sourceCommands from '../../src/cli/commands/rolls/sources.ts'
import { runCommand } from '../command.ts'
import { makeFolder, write } from '../import/small-roll.ts'
import { startArcgis } from './arcgis-server.ts'
import { rollText, serve, startRolls } from './roll-server.ts'

const MAPPING = {
  name: 'check-test',
  title: 'Invented county',
  state: 'NE',
  county: 'Lancaster',
  nameOrder: 'last-first',
  optional: ['OWNER', 'CLASS', 'd_CLASS'],
  fields: {
    parcelId: 'PIN',
    ownerName1: 'OWNER',
    useCodeLocal: 'CLASS',
    useDescription: 'd_CLASS',
  },
}

type Check = {
  id: string
  ok: boolean
  error: string | null
  rows: number | null
  columns: string[] | null
  missing: string[] | null
  lost: string[]
}

async function world(t: TestContext) {
  const data = makeFolder(t)
  const server = await startRolls()
  t.after(() => server.close())
  write(data, 'map.json', JSON.stringify(MAPPING))
  const run = (name: string, words: string[]) => {
    const command = Object.values(sourceCommands).find((one) => one.name === name)
    assert.ok(command)
    return runCommand(command, words, { data })
  }
  const add = (id: string, url: string, more: object = {}) => {
    const source = { id, state: 'NE', url, mapping: 'map.json', ...more }
    return run('sources add', [write(data, 'add.json', JSON.stringify(source))])
  }
  const check = async (...words: string[]) => {
    const { code, json } = await run('sources check', [...words, '--json', '--allow-private'])
    return { code, sources: json().sources as Check[] }
  }
  return { data, server, add, check, run }
}

test("check prints a layer's columns, coded texts and count; nothing is loaded", async (t) => {
  const { data, add, check } = await world(t)
  const layer = await startArcgis([
    { id: 1, attributes: { PIN: '1' } },
    { id: 2, attributes: { PIN: '2' } },
  ])
  t.after(() => layer.close())
  await add('ne-a', layer.address)
  const { code, sources } = await check('ne-a')
  assert.equal(code, 0)
  assert.deepEqual(sources[0]?.columns, ['OBJECTID', 'PIN', 'CLASS', 'd_CLASS'])
  assert.deepEqual([sources[0]?.rows, sources[0]?.missing], [2, ['OWNER']])
  assert.ok(layer.requests.every(({ outFields }) => outFields === undefined))
  assert.equal(existsSync(join(data, 'parcels.db')), false)
})

test('a column that was there is an alarm until it is back, an optional one too', async (t) => {
  const { server, add, check } = await world(t)
  await add('ne-a', `${server.origin}/roll.csv`)
  server.answers.set('/roll.csv', serve(rollText(2)))
  assert.equal((await check()).code, 0)
  server.answers.set('/roll.csv', serve('PIN,NAME\n1,"ROE, JANE"\n'))
  for (let time = 0; time < 2; time += 1) {
    const { code, sources } = await check()
    assert.deepEqual([code, sources[0]?.ok, sources[0]?.lost], [1, false, ['OWNER']])
    assert.match(sources[0]?.error ?? '', /gone: OWNER/)
  }
  server.answers.set('/roll.csv', serve(rollText(3)))
  assert.equal((await check()).code, 0)
})

test('a column that the mapping must have is an error at the first check', async (t) => {
  const { server, add, check } = await world(t)
  await add('ne-a', `${server.origin}/roll.csv`)
  server.answers.set('/roll.csv', serve('PARCEL,OWNER\n1,"ROE, JANE"\n'))
  const { code, sources } = await check('ne-a')
  assert.equal(code, 1)
  assert.match(sources[0]?.error ?? '', /no column PIN/)
})

test('an archive is listed without columns; a source that does not answer is named', async (t) => {
  const { server, add, check } = await world(t)
  await add('ne-zip', `${server.origin}/roll.zip`)
  await add('ne-gone', `${server.origin}/gone.csv`)
  server.answers.set('/roll.zip', serve(Buffer.from([0x50, 0x4b, 3, 4, 0, 0])))
  const { code, sources } = await check()
  assert.equal(code, 1)
  const byId = new Map(sources.map((one) => [one.id, one]))
  assert.deepEqual([byId.get('ne-zip')?.ok, byId.get('ne-zip')?.columns], [true, null])
  assert.match(byId.get('ne-gone')?.error ?? '', /answers 404/)
})

test('unknown ids and extra words are errors; without sources nothing is requested', async (t) => {
  const { server, check, run } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(2)))
  await assert.rejects(check('ne-nowhere'), /no source "ne-nowhere"/)
  assert.deepEqual((await check()).sources, [])
  await assert.rejects(run('sources check', ['a', 'b']), /sources check \[ID\]/)
})
