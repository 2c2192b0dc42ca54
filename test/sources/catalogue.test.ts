/** The catalogue of published rolls. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import * as sourceCommands from '../../src/cli/commands/rolls/sources.ts'
import { listMappingNames } from '../../src/import/mapping/mapping.ts'
import { loadCatalogue } from '../../src/import/sources/catalogue.ts'
import { findState } from '../../src/regions/states.ts'
import { runCommand } from '../command.ts'
import { makeFolder, write } from '../import/small-roll.ts'

function platbook(data: string, name: string, ...words: string[]) {
  const command = Object.values(sourceCommands).find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  return runCommand(command, words, { data })
}

test('every source has a state, and a mapping that is there where it names one', (t) => {
  const sources = loadCatalogue(makeFolder(t))
  const mappings = new Set(listMappingNames())
  assert.ok(sources.length >= 1211)
  for (const { id, state, mapping, counties } of sources) {
    if (state !== '*') assert.ok(findState(state), `${id}: ${state}`)
    if (mapping !== null) assert.ok(mappings.has(mapping), `${id}: ${mapping}`)
    if (!Array.isArray(counties)) continue
    for (const fips of counties) assert.match(fips, /^\d{5}\b/, id)
  }
})

test('sources of a state are listed, with the mapping of the same name', async (t) => {
  const data = makeFolder(t)
  const { sources } = (await platbook(data, 'sources', 'ny', '--json')).json() as {
    sources: { id: string; state: string; mapping: string | null; loadedAt: string | null }[]
  }
  assert.ok(sources.every(({ state }) => state === 'NY'))
  const statewide = sources.find(({ id }) => id === 'ny-statewide')
  assert.deepEqual([statewide?.mapping, statewide?.loadedAt], ['ny-statewide', null])
  assert.match((await platbook(data, 'sources', 'NY')).out, /ny-statewide/)
  await assert.rejects(platbook(data, 'sources', 'ZZ'), /"ZZ" is not a US state/)
})

test('every source is shown with the same names, whatever its entry leaves out', async (t) => {
  const list = Object.values(sourceCommands).find(({ name }) => name === 'sources')
  assert.ok(list)
  const run = await runCommand(list, ['--json'], { data: makeFolder(t) })
  const { sources } = run.json() as { sources: Record<string, unknown>[] }
  const names =
    'id state counties publisher title url form mapping join license terms updates ' +
    'parcels has checked tried loadedAt'
  for (const source of sources) {
    for (const name of names.split(' ')) assert.ok(name in source, `${source.id}: ${name}`)
  }
})

test('an added source is listed and replaces one of the same id', async (t) => {
  const data = makeFolder(t)
  const source = { id: 'ny-statewide', state: 'NY', url: 'https://data.example/roll.csv' }
  await platbook(data, 'sources add', write(data, 'mine.json', JSON.stringify(source)))
  const found = loadCatalogue(data).find(({ id }) => id === 'ny-statewide')
  assert.deepEqual([found?.url, found?.tried], [source.url, false])
})

test('a faulty source is refused with its fault', async (t) => {
  const data = makeFolder(t)
  const add = (value: unknown) =>
    platbook(data, 'sources add', write(data, 'mine.json', JSON.stringify(value)))
  await assert.rejects(add({ id: 'a b', state: 'NY' }), /source 1: id has to be/)
  await assert.rejects(add([{ id: 'a', state: 'New York' }]), /state has to be/)
  await assert.rejects(add({ id: 'a', state: 'NY', url: 'ftp://x' }), /url has to be/)
  const faults: [unknown, RegExp][] = [
    [[], /mine.json has no source$/],
    [{ sources: [] }, /mine.json has no source$/],
    [null, /source 1 is not an object with an id and a state$/],
    ['a', /source 1 is not an object/],
    [{ sources: [{ id: 'a', state: 'NY' }, [7]] }, /source 2 is not an object/],
    [
      [
        { id: 'a', state: 'NY' },
        { id: 'a', state: 'NE' },
      ],
      /has the id a twice$/,
    ],
    [{ id: 'a', state: 'ZZ' }, /state has to be/],
    [{ id: 'a', state: 'NY', url: 'http://' }, /url has to be/],
    [{ id: 'a', state: 'NY', mapping: ' ' }, /mapping has to be/],
    [{ id: 'a', state: 'NY', parcels: 'many' }, /parcels has to be a whole number$/],
    [{ id: 'a', state: 'NY', counties: 36001 }, /counties has to be/],
  ]
  for (const [value, says] of faults) await assert.rejects(add(value), says)
  assert.equal(existsSync(join(data, 'sources')), false)
})

test('what `sources --json` lists may be added, with its unknown properties as null', async (t) => {
  const data = makeFolder(t)
  const { out } = await platbook(data, 'sources', 'NY', '--json')
  const { sources } = JSON.parse(out)
  const run = await platbook(data, 'sources add', write(data, 'mine.json', out), '--json')
  const { added } = run.json() as { added: string[] }
  assert.deepEqual(
    added,
    sources.map(({ id }: { id: string }) => id),
  )
  assert.deepEqual(JSON.parse((await platbook(data, 'sources', 'NY', '--json')).out), { sources })
})
