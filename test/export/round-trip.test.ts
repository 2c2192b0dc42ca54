/**
 * A file of the flat layout, imported by the mapping `platbook`, gives the records that were
 * exported.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import { sampleCsv } from '../../src/sample/generate.ts'
import { openExportReader } from '../../src/store/postgres/open-rolls.ts'
import { runCommand } from '../command.ts'
import { counts, importRoll, makeFolder, write } from '../import/small-roll.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { IS_LONG } from '../repetitions.ts'

const FORMATS = ['csv', 'parquet', 'geojsonl']
const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

/**
 * A layout with features that the plain one lacks: several buildings and sales, towns that number
 * their own parcels.
 */
const RICH: MappingDocument = {
  name: 'rich',
  title: 'An invented layout',
  state: 'MA',
  county: 'Hampshire',
  scope: 'municipality',
  nameOrder: 'last-first',
  source: { name: 'An invented roll', license: 'none', rollYear: 2025 },
  fields: {
    parcelId: 'ID',
    municipality: 'TOWN',
    ownerName1: 'OWNER',
    ownerName2: 'OWNER2',
    ownerAddressLine1: 'MAIL',
    address: 'SITE',
    city: 'CITY',
    section: { constant: '7' },
    township: { constant: '10N' },
    range: { constant: '3W' },
    totalAssessedValue: 'VALUE',
    legalDesc: 'LEGAL',
    useDescription: 'USE',
    formerParcelIds: 'FORMER',
  },
  alternateParcelIds: ['OTHER'],
  furtherAddresses: ['SITE2'],
  buildings: [
    { buildingArea: 'AREA1', yearBuilt: 'YEAR1', pool: 'POOL' },
    { buildingArea: 'AREA2', yearBuilt: 'YEAR2' },
  ],
  transfers: [
    { transferDate: 'SOLD1', transferPrice: 'PRICE1', grantor: 'FROM' },
    { transferDate: 'SOLD2', transferPrice: 'PRICE2' },
  ],
  extra: ['NOTE', 'NUMBER'],
}

const row = (more: Record<string, unknown>) => ({
  ...{ ID: '1', TOWN: 'Ware', OWNER: 'ROE JANE', OWNER2: '', MAIL: '', SITE: '', CITY: '' },
  ...{ VALUE: '', LEGAL: '', USE: '', FORMER: '', OTHER: '', SITE2: '', POOL: '' },
  ...{ AREA1: '', YEAR1: '', AREA2: '', YEAR2: '', SOLD1: '', PRICE1: '', FROM: '' },
  ...{ SOLD2: '', PRICE2: '', NOTE: '', NUMBER: '' },
  ...more,
})

const square = (x: number, y: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 0.001, y],
      [x + 0.001, y + 0.001],
      [x, y + 0.001],
      [x, y],
    ],
  ],
})

const FEATURES = [
  [
    row({
      ...{ ID: '12-3', OWNER: 'PEÑA JOSÉ &', OWNER2: 'ROE JANE', MAIL: 'C/O ACME 1 "A" ST, REAR' },
      ...{ SITE: '100-104 N OAK ST #B2', CITY: 'Ware', SITE2: '7 ELM AVE UNIT 3', OTHER: 'X1; X2' },
      ...{ VALUE: '3000000001', LEGAL: 'LOT 1, "BLK" 2; =1+1', USE: 'Condominium', FORMER: '9;8' },
      ...{ AREA1: '1000', YEAR1: '1950', POOL: 'Y', AREA2: '2000', YEAR2: '1990' },
      ...{ SOLD1: '2019-05-07', PRICE1: '1', FROM: 'DOE, JOHN', SOLD2: '2021-01-31' },
      ...{ PRICE2: '250000', NOTE: 'a "quoted", note', NUMBER: '007' },
    }),
    square(-72.25, 42.26),
  ],
  [row({ ID: '12-3', TOWN: 'Belchertown', SITE: 'REAR MILL RD', OWNER: '% ACME LLC' }), null],
  [
    row({ ID: '1-23', TOWN: 'Ware', SITE: '0 HILL RD', VALUE: '0' }),
    { type: 'MultiPolygon', coordinates: [square(-72.2, 42.2).coordinates] },
  ],
].map(([properties, geometry]) => ({ type: 'Feature', properties, geometry }))

/** The stored data of each parcel, without ids and times that belong to the store. */
function readAll(data: string): Record<string, unknown>[] {
  const db = new DatabaseSync(join(data, 'parcels.db'), { readOnly: true })
  const rows = db
    .prepare(`SELECT p.*, r.field_values, r.keys, g.geojson FROM parcels p JOIN records r USING (id)
      LEFT JOIN geometries g USING (id) ORDER BY p.fips, p.municipality, p.parcel_key`)
    .all()
  db.close()
  return rows.map(({ id: _, ...row }) => row)
}

/**
 * Names the first parcel that differs: a difference of all of them fills a screen a hundred times.
 */
function checkSame(one: string, other: string): void {
  const [found, wanted] = [readAll(one), readAll(other)]
  assert.equal(found.length, wanted.length)
  for (const [at, row] of wanted.entries()) assert.deepEqual(found[at], row)
}

async function exported(data: string, file: string, format: string, more: string[] = []) {
  const words = ['--format', format, '--out', file, '--json', ...more]
  return (await runCommand(exportCommand, words, { data })).json()
}

for (const format of FORMATS) {
  test(`${format}: buildings, sales, towns, extra and polygons come back`, async (t) => {
    const [from, to] = [makeFolder(t), makeFolder(t)]
    const file = write(from, 'rich.geojson', JSON.stringify({ features: FEATURES }))
    await importRoll(from, [file], { mapping: RICH, geometry: true })
    const path = join(from, `out.${format}`)
    const written = await exported(from, path, format, ['--state', 'MA', '--county', 'Hampshire'])
    assert.equal(written.rows, 3)
    const report = await importRoll(to, [path], { geometry: true, forcedOrder: 'last-first' })
    assert.deepEqual(counts(report), { ...ALL_NEW, rows: 3, loaded: 3 })
    checkSame(to, from)
    assert.equal(readAll(to).filter(({ geojson }) => geojson !== null).length, 2)
  })

  test(`${format}: a sample comes back, and a second import changes nothing`, async (t) => {
    const [from, to] = [makeFolder(t), makeFolder(t)]
    const csv = [...sampleCsv({ parcels: 400, seed: 5 })].join('')
    await importRoll(from, [write(from, 'sample.csv', csv)])
    const states = [...new Set(readAll(from).map(({ state }) => String(state)))]
    const paths: string[] = []
    for (const state of states) {
      const path = join(from, `${state}.${format}`)
      await exported(from, path, format, ['--state', state])
      paths.push(path)
    }
    await importRoll(to, paths, { forcedOrder: 'last-first' })
    checkSame(to, from)
    const again = await importRoll(to, paths, { forcedOrder: 'last-first' })
    assert.equal(again.unchanged, readAll(from).length)
  })
}

const ALL_NEW = { updated: 0, unchanged: 0, removed: 0, duplicates: 0, skipped: 0, rejected: 0 }

const ROLLS = [
  { mapping: 'ma-massgis-l3', name: 'ma-easthampton-massgis/parcels_joined.csv', state: 'MA' },
  { mapping: 'oh-seneca', name: 'oh-seneca/Parcels.csv', state: 'OH' },
]
for (const { mapping, name, state } of ROLLS) {
  const format = state === 'MA' ? 'parquet' : 'csv'
  const there = existsSync(join(DATA, name))
  const missing = there ? false : 'the folder of real rolls is not beside the checkout'
  const skip = IS_LONG ? missing : 'npm run test:long reads real rolls'
  test(`${mapping}: a real roll comes back from ${format}`, { skip }, async (t) => {
    const [from, to] = [makeFolder(t), makeFolder(t)]
    await importRoll(from, [join(DATA, name)], { mapping })
    const path = join(from, `out.${format}`)
    await exported(from, path, format, ['--state', state])
    await importRoll(to, [path], { forcedOrder: 'last-first' })
    checkSame(to, from)
  })
}

test('rows that no export writes are rejected with a reason, others are loaded', async (t) => {
  const [from, to] = [makeFolder(t), makeFolder(t)]
  const forged = [
    'state,county,parcelId,platbookExport,totalAssessedValue,transfers,extra,latitude,geometry',
    'WI,Dane,1,1,12,"[{""transferPrice"":5}]","{""A"":""b""}",43,',
    'WI,Dane,2,1,many,,,43,',
    'WI,Dane,3,1,,"[{""transferPrice"":{}}]",,43,',
    'WI,Dane,4,1,,no list,,43,',
    'WI,Dane,5,1,,,[1],43,',
    'WI,Dane,6,1,,,,430,',
    'WI,Dane,7,1,,,,43,"{""type"":""Polygon"",""coordinates"":""x""}"',
    'WI,Dane,8,1,,,"{""A"":{}}",43,',
    'WI,Dane,9,,many,,,43,',
  ]
  const report = await importRoll(to, [write(from, 'forged.csv', forged.join('\n'))], {
    geometry: true,
  })
  assert.equal(report.loaded, 2)
  assert.equal(report.rejected, 7)
  assert.match(report.reasons.map(([reason]) => reason).join('\n'), /totalAssessedValue .*"many"/)
})

const missing = whyNoServer()
test('PostgreSQL exports what the embedded store does', { skip: missing ?? false }, async (t) => {
  const server = await shareServer()
  after(() => server.stop())
  const url = await server.createDatabase('export')
  const [from, folder] = [makeFolder(t), makeFolder(t)]
  const file = write(from, 'rich.geojson', JSON.stringify({ features: FEATURES }))
  const options = { mapping: RICH, geometry: true }
  await importRoll(from, [file], options)
  await importRoll(folder, [file], { ...options, databaseUrl: url })
  for (const format of FORMATS) {
    const path = join(folder, `out.${format}`)
    const words = ['--state', 'MA', '--format', format, '--out', path, '--json']
    const env = { PLATBOOK_DATABASE_URL: url }
    const written = await runCommand(exportCommand, words, { data: folder, env })
    assert.equal(written.json().rows, 3)
    const to = makeFolder(t)
    await importRoll(to, [path], { geometry: true, forcedOrder: 'last-first' })
    checkSame(to, from)
  }
  const reader = await openExportReader(url)
  const scope = { state: 'MA', fips: 25015, changedSince: Date.parse('2026-06-02') / 1000 }
  assert.deepEqual(await Array.fromAsync(reader.places(scope)), [])
  await reader.close()
})
