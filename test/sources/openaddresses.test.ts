/**
 * OpenAddresses source documents as sources and partial mappings. Their form is the schema's;
 * places are invented.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import * as sourceCommands from '../../src/cli/commands/rolls/sources.ts'
import { syncCommand } from '../../src/cli/commands/rolls/sync.ts'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { loadCatalogue } from '../../src/import/sources/catalogue.ts'
import { readOpenAddresses, readValue } from '../../src/import/sources/openaddresses.ts'
import { runCommand } from '../command.ts'
import { makeFolder, write } from '../import/small-roll.ts'
import { serve, startRolls } from './roll-server.ts'

function documentOf(parcels: object[]) {
  return {
    coverage: {
      'US Census': { geoid: '55025', name: 'Dane County', state: 'Wisconsin' },
      country: 'us',
      state: 'wi',
      county: 'Dane',
    },
    schema: 2,
    layers: { addresses: [{ name: 'county', data: 'https://x.example/a' }], parcels },
  }
}

test('a document becomes a source and a mapping that sync loads', async (t) => {
  const data = makeFolder(t)
  const server = await startRolls()
  t.after(() => server.close())
  server.answers.set(
    '/parcels.csv',
    serve('PIN,NUM,STR,TOWN\n0709-1,12,MAPLE ST,WAUNAKEE\n0709-2,14,MAPLE ST,WAUNAKEE\n'),
  )
  const layer = {
    name: 'county',
    data: `${server.origin}/parcels.csv`,
    protocol: 'http',
    license: { text: 'Public domain' },
    conform: { format: 'csv', pid: 'PIN', number: 'NUM', street: 'STR', city: 'TOWN', accuracy: 2 },
  }
  const command = Object.values(sourceCommands).find(
    ({ name }) => name === 'sources import-openaddresses',
  )
  assert.ok(command)
  const file = write(data, 'dane.json', JSON.stringify(documentOf([layer])))
  const run = await runCommand(command, [file, '--json'], { data })
  const [added] = run.json().added as { id: string; mapping: string; notes: string[] }[]
  assert.equal(added?.id, 'oa:us/wi/dane')
  assert.deepEqual(added?.notes, ['accuracy is left out: 2'])
  const found = loadCatalogue(data).find(({ id }) => id === 'oa:us/wi/dane')
  assert.deepEqual(
    [found?.url, found?.license, found?.counties, found?.parcelIdColumn],
    [layer.data, 'Public domain', ['55025'], 'PIN'],
  )
  const mapping = loadMapping(added?.mapping ?? '')
  assert.deepEqual([mapping.state, mapping.county, mapping.fields.parcelId], ['WI', '55025', 'PIN'])
  const synced = await runCommand(syncCommand, ['oa:us/wi/dane', '--json', '--allow-private'], {
    data,
  })
  const [report] = synced.json().sources as { error: string | null; load: { loaded: number } }[]
  assert.deepEqual([report?.error, report?.load.loaded], [null, 2])
})

test('functions of conform become values, and others are left to a person', () => {
  const cases: [unknown, unknown][] = [
    ['PIN', 'PIN'],
    [['A', 'B'], { join: ['A', 'B'], with: ' ' }],
    [
      { function: 'join', fields: ['A', 'B'], separator: '-' },
      { join: ['A', 'B'], with: '-' },
    ],
    [{ function: 'first_non_empty', fields: ['A', 'B'] }, { first: ['A', 'B'] }],
    [
      { function: 'format', fields: ['A', 'B'], format: '$1-$2' },
      { join: ['A', { constant: '-' }, 'B'], with: '', all: true },
    ],
    [
      { function: 'regexp', field: 'A', pattern: '^(\\d+)' },
      { column: 'A', cut: '^(\\d+)' },
    ],
    [
      { function: 'regexp', field: 'A', pattern: '-', replace: '' },
      { column: 'A', replace: [{ pattern: '-', with: '' }] },
    ],
    [{ function: 'regexp', field: 'A', pattern: '(?P<x>' }, undefined],
    [{ function: 'chain', variable: 'x', functions: [] }, undefined],
    [7, undefined],
  ]
  for (const [asWritten, value] of cases)
    assert.deepEqual(readValue(asWritten), value, JSON.stringify(asWritten))
})

test('several layers are several sources; a file in an archive is part of the address', () => {
  const document = documentOf([
    { name: 'county', data: 'https://x.example/p.zip', conform: { pid: 'PIN', file: 'p/a.shp' } },
    { name: 'city', data: 'ftp://x.example/p.zip', conform: { pid: { function: 'chain' } } },
  ])
  const [county, city] = readOpenAddresses(JSON.stringify(document), 'dane')
  assert.equal(county?.source.url, 'https://x.example/p.zip!p/a.shp')
  assert.equal(city?.source.id, 'oa:us/wi/dane:city')
  assert.deepEqual([city?.source.url, city?.mapping], [null, null])
  assert.equal(city?.notes.length, 3)
})

test('a document of another kind is an error', () => {
  assert.throws(() => readOpenAddresses('{', 'x'), /x is not JSON/)
  assert.throws(() => readOpenAddresses('{}', 'x'), /no parcel layers/)
  const abroad = { ...documentOf([{}]), coverage: { country: 'ca', state: 'on' } }
  assert.throws(() => readOpenAddresses(JSON.stringify(abroad), 'x'), /not a US state/)
})
