import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import {
  counts,
  fixture,
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  write,
} from './small-roll.ts'

const PLAIN = readFileSync(fixture('plain.csv'), 'utf8')
const [HEAD = ''] = PLAIN.split('\n')
/** A row of the plain roll with some columns set. */
function row(values: Record<string, string>): string {
  const all: Record<string, string> = { state: 'NE', county: 'Lancaster', ...values }
  return HEAD.split(',')
    .map((name) => all[name] ?? '')
    .join(',')
}
const roll = (...rows: Record<string, string>[]) => `${[HEAD, ...rows.map(row)].join('\n')}\n`

test('every row is counted once: as a parcel, a duplicate, skipped or rejected', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [fixture('plain.csv')])
  assert.deepEqual(counts(report), {
    rows: 12,
    loaded: 4,
    updated: 0,
    unchanged: 0,
    removed: 0,
    duplicates: 1,
    skipped: 2,
    rejected: 5,
  })
  assert.deepEqual(report.counties, ['31109'])
})

test('rejected rows are kept with file, line, reason and the row itself', async (t) => {
  const data = makeFolder(t)
  const { rejectsFile } = await importRoll(data, [fixture('plain.csv')])
  assert.ok(rejectsFile?.startsWith(join(data, 'rejects')))
  const lines = readFileSync(rejectsFile ?? '', 'utf8').split('\n')
  assert.equal(lines[0], 'file,line,reason,row')
  const rejected = lines.slice(1, -1).map((line) => line.slice(line.indexOf('plain.csv,')))
  const find = (start: string) => rejected.find((line) => line.startsWith(`plain.csv,${start}`))
  assert.match(find('6,duplicate') ?? '', /SOMEBODY/)
  assert.match(find('10,') ?? '', /""Lancastre"" is not a county of NE/)
  assert.match(find('11,') ?? '', /has no letter and no digit/)
  assert.equal(
    find('12,'),
    'plain.csv,12,4 fields where the header has 24,"NE,Lancaster,10,TOO SHORT"',
  )
  assert.match(find('13,') ?? '', /""XX"" is not a US state/)
  assert.equal(rejected.length, 5)
})

test('a file without rejected rows leaves no rejects file', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'one.csv', roll({ parcelId: '1' }))
  assert.equal((await importRoll(data, [file])).rejectsFile, null)
  assert.ok(!existsSync(join(data, 'rejects')))
})

test('the plain layout fills the record', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('plain.csv')])
  const reader = openLoaded(t, data)
  const one = await readParcel(reader, 'NE', 31109, '0102003')
  assert.equal(one.parcelId, '01-02-003')
  assert.equal(one.address, '12 OAK ST')
  assert.equal(one.addressRaw, '12 OAK STREET')
  assert.equal(one.city, 'LINCOLN')
  assert.deepEqual(one.alternateParcelIds, ['A1', 'A2'])
  assert.equal(one.careOf, 'FIRST BANK')
  assert.equal(one.ownerName2, null)
  assert.equal(one.ownerOccupied, true)
  assert.equal(one.ownerType, 'individual')
  assert.equal(one.acres, 0.25)
  assert.equal(one.landArea, 10_890)
  assert.equal(one.buildings[0]?.actualYearBuilt, 1950)
  assert.equal(
    one.buildingCount,
    null,
    'one set of columns does not say that there is one building',
  )
  assert.equal(one.assessedYear, 2025)
  assert.equal(one.assessments[0]?.totalAssessedValue, 120_000)
  assert.equal(one.transfers[0]?.transferPrice, 99_000)
  assert.equal(one.ownershipStartDate, '2020-05-01')
  assert.deepEqual(one.extra, { 'shoe size': '9', ownerName2: '% FIRST BANK' })
  const two = await readParcel(reader, 'NE', 31109, '0102004')
  assert.equal(two.unitNumberStripped, '2B')
  assert.equal(two.ownerOccupied, false)
  assert.deepEqual(two.buildings, [])
  assert.deepEqual(
    two.transfers,
    [],
    'a date of 2071 is unknown, and a nominal price alone no sale',
  )
  assert.deepEqual([two.propertyUseCode, two.localUseCode], [null, 'R1'])
})

test('two recorded IDs of the same letters and digits are two parcels', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('plain.csv')])
  const found = await openLoaded(t, data).byParcelId('NE', 31109, '0102005')
  assert.deepEqual(found.map(({ parcelKey }) => parcelKey).sort(), ['01-02-0-05', '01-02-005'])
})

test('the same roll again changes nothing, whatever it is wrapped in', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('plain.csv')])
  const zipped = write(data, 'plain.csv.gz', gzipSync(readFileSync(fixture('plain.csv'))))
  for (const file of [fixture('plain.csv'), zipped]) {
    const report = await importRoll(data, [file])
    assert.equal(report.unchanged, 4)
    assert.equal(report.loaded + report.updated + report.removed, 0)
  }
})

test('ids stay, absent parcels go, and what comes back gets a new id', async (t) => {
  const data = makeFolder(t)
  const ids = Array.from({ length: 20 }, (_, at) => ({ parcelId: `P${at}`, zipCode: '68502' }))
  const file = (name: string, rows: Record<string, string>[]) => write(data, name, roll(...rows))
  await importRoll(data, [file('a.csv', ids)])
  const before = await readParcel(openLoaded(t, data), 'NE', 31109, 'P1')
  const changed = ids
    .slice(1)
    .map((one) => (one.parcelId === 'P1' ? { ...one, city: 'CRETE' } : one))
  const report = await importRoll(data, [file('b.csv', changed)], {}, Date.parse('2026-07-01'))
  assert.deepEqual([report.loaded, report.updated, report.unchanged, report.removed], [0, 1, 18, 1])
  const after = await readParcel(openLoaded(t, data), 'NE', 31109, 'P1')
  assert.equal(after.id, before.id)
  assert.ok(after.loadedAt > before.loadedAt)
  await importRoll(data, [file('c.csv', ids)])
  assert.ok((await readParcel(openLoaded(t, data), 'NE', 31109, 'P0')).id > after.id)
})

test('--partial removes nothing', async (t) => {
  const data = makeFolder(t)
  const both = write(data, 'both.csv', roll({ parcelId: '1' }, { parcelId: '2' }))
  await importRoll(data, [both])
  const part = write(data, 'part.csv', roll({ parcelId: '2' }))
  assert.equal((await importRoll(data, [part], { partial: true })).removed, 0)
  assert.equal((await openLoaded(t, data).byParcelId('NE', 31109, '1')).length, 1)
})

test('--dry-run counts and changes nothing', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [fixture('plain.csv')], { dryRun: true })
  assert.equal(report.loaded, 4)
  assert.ok(!existsSync(join(data, 'parcels.db')), 'not even an empty store is left')
  await importRoll(data, [fixture('plain.csv')])
  const file = write(data, 'one.csv', roll({ parcelId: '01-02-003' }))
  const dry = await importRoll(data, [file], { dryRun: true, force: true })
  assert.equal(dry.removed, 3)
  assert.equal((await openLoaded(t, data).byParcelId('NE', 31109, '0102004')).length, 1)
})

test('the guard refuses a roll that removes over a tenth; --force passes it', async (t) => {
  const data = makeFolder(t)
  const rows = Array.from({ length: 30 }, (_, at) => ({
    parcelId: `P${at}`,
    ownerName1: 'ROE JANE',
    address: `${at} OAK ST`,
  }))
  await importRoll(data, [write(data, 'a.csv', roll(...rows))])
  const less = write(data, 'b.csv', roll(...rows.slice(4)))
  await assert.rejects(
    importRoll(data, [less]),
    /would remove 4 of the 30 parcels of LANCASTER, NE/,
  )
  const few = write(data, 'c.csv', roll(...rows.slice(3)))
  assert.equal((await importRoll(data, [few])).removed, 3, 'a tenth is not more than a tenth')
  assert.equal((await importRoll(data, [less], { force: true })).removed, 1)
})

test('the guard refuses a roll whose owners or addresses went missing', async (t) => {
  const data = makeFolder(t)
  const rows = Array.from({ length: 10 }, (_, at) => ({
    parcelId: `P${at}`,
    ownerName1: 'ROE JANE',
    address: `${at} OAK ST`,
  }))
  await importRoll(data, [write(data, 'a.csv', roll(...rows))])
  const without = (name: string, from: number) =>
    roll(...rows.map((one, at) => (at < from ? one : { ...one, [name]: '' })))
  await assert.rejects(
    importRoll(data, [write(data, 'b.csv', without('ownerName1', 4))]),
    /share of its parcels with an owner in LANCASTER, NE would fall to 40 %/,
  )
  await assert.rejects(
    importRoll(data, [write(data, 'c.csv', without('address', 4))], { partial: true }),
    /share of its parcels with an address.*load it with --force$/,
  )
  assert.equal(
    (await importRoll(data, [write(data, 'd.csv', without('ownerName1', 5))])).updated,
    5,
  )
})

test('earlier roll years stay in the assessments', async (t) => {
  const data = makeFolder(t)
  const file = (year: string, value: string) =>
    write(
      data,
      `${year}.csv`,
      roll({ parcelId: '1', sourceRollYear: year, totalAssessedValue: value }),
    )
  await importRoll(data, [file('2024', '100')])
  await importRoll(data, [file('2025', '110')])
  const { assessments } = await readParcel(openLoaded(t, data), 'NE', 31109, '1')
  assert.deepEqual(
    assessments.map(({ year, totalAssessedValue }) => [year, totalAssessedValue]),
    [
      [2025, 110],
      [2024, 100],
    ],
  )
})

test('--state, --county, --roll-year and --name-order supply what rows lack', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'bare.csv', 'parcelId,ownerName1\n7,JANE ROE\n')
  await importRoll(data, [file], {
    state: 'NE',
    county: 'Lancaster',
    rollYear: 2023,
    forcedOrder: 'first-last',
  })
  const reader = openLoaded(t, data)
  assert.equal((await readParcel(reader, 'NE', 31109, '7')).rollYear, 2023)
})

test('rows of unknown name order are read alike at every position and counted once', async (t) => {
  const names = ['HARTLEY ROSE', 'ROSE HARTLEY', 'BLAKE JAMES', 'MASON GRANT', 'HARTLEY JAMES']
  const untold = names.map((name, at) => `NE,Lancaster,U${at},${name},`)
  const clear = names.map((name, at) => `NE,Lancaster,T${at},${name},last-first`)
  const bad = ['NE,Lancaster,---,DOE JOHN,last-first']
  const read = async (rows: string[]) => {
    const data = makeFolder(t)
    const header = 'state,county,parcelId,ownerName1,nameOrder'
    const report = await importRoll(data, [write(data, 'r.csv', [header, ...rows].join('\n'))])
    const db = new DatabaseSync(join(data, 'parcels.db'), { readOnly: true })
    const records = db
      .prepare(
        'SELECT field_values, keys FROM records r JOIN parcels USING (id) ORDER BY parcel_key',
      )
      .all()
    db.close()
    return { counts: counts(report), records }
  }
  const late = await read([...bad, ...clear, ...untold])
  assert.deepEqual(late, await read([...untold, ...clear, ...bad]))
  assert.deepEqual([late.counts.rows, late.counts.loaded, late.counts.rejected], [11, 10, 1])
})

test('two files joined on a key are one roll; several partners are merged', async (t) => {
  const data = makeFolder(t)
  const mapping: MappingDocument = {
    name: 'joined',
    title: 'Owners beside sales',
    state: 'NE',
    county: 'Lancaster',
    fields: { parcelId: 'PIN', ownerName1: 'OWNER', totalAssessedValue: 'VALUE' },
    transfers: [{ transferDate: 'SOLD', transferPrice: 'PRICE' }],
    join: {
      needs: ['SALE_PIN', 'PRICE'],
      key: 'SALE_PIN',
      to: { column: 'PIN', replace: [{ pattern: '-', with: '' }] },
    },
    repeats: { merge: ['transfers'] },
  }
  const owners = write(data, 'owners.csv', 'PIN,OWNER,VALUE\n1-1,ROE JANE,100\n1-2,ROE JOHN,200\n')
  const sales = write(
    data,
    'sales.csv',
    'SALE_PIN,SOLD,PRICE\n11,2020-01-02,50\n11,2022-03-04,70\n99,2021-01-01,1\n',
  )
  for (const files of [
    [owners, sales],
    [sales, owners],
  ]) {
    const report = await importRoll(data, files, { mapping })
    assert.equal(report.loaded + report.unchanged, 2)
    assert.deepEqual([report.rows, report.duplicates, report.merged], [3, 1, 1])
  }
  const reader = openLoaded(t, data)
  const one = await readParcel(reader, 'NE', 31109, '11')
  assert.deepEqual(
    one.transfers.map(({ transferPrice }) => transferPrice),
    [70, 50],
  )
  assert.equal(one.totalAssessedValue, 100)
  assert.deepEqual((await readParcel(reader, 'NE', 31109, '12')).transfers, [])
  await assert.rejects(
    importRoll(data, [owners], { mapping }),
    /joins a second file with the columns SALE_PIN, PRICE/,
  )
})

test('rows of one parcel are merged by the mapping’s rule, others are rejected', async (t) => {
  const mapping = (repeats: MappingDocument['repeats']): MappingDocument => ({
    name: 'repeated',
    title: 'Repeated rows',
    state: 'NE',
    county: 'Lancaster',
    nameOrder: 'last-first',
    fields: {
      parcelId: 'PIN',
      ownerName1: 'O1',
      ownerName2: 'O2',
      acres: 'ACRES',
      address: 'SITUS',
    },
    ...(repeats && { repeats }),
  })
  const rows = [
    'PIN,O1,O2,ACRES,SITUS',
    '1,ROE JANE,& JOHN,5,1 OAK ST',
    '1,PLATT ANN,,5,1 OAK ST',
    '1,PLATT BEN,,5,1 OAK ST',
    '1,ROE JANE,& JOHN,6,1 OAK ST',
    '2,ROE JANE,,1,2 OAK ST',
    '2,ROE JANE,,1,4 OAK ST',
  ].join('\n')
  const load = async (repeats: MappingDocument['repeats']) => {
    const data = makeFolder(t)
    const report = await importRoll(data, [write(data, 'a.csv', rows)], {
      mapping: mapping(repeats),
    })
    const reader = openLoaded(t, data)
    const read = (id: string) => readParcel(reader, 'NE', 31109, id)
    return { report, one: await read('1'), two: await read('2'), reader }
  }
  const plain = await load(undefined)
  assert.deepEqual([plain.report.rejected, plain.report.duplicates], [4, 0])
  assert.equal(plain.one.ownerName2, '& JOHN')

  const owners = await load({ merge: ['owners'] })
  assert.deepEqual([owners.report.rejected, owners.report.duplicates], [2, 2])
  assert.equal(owners.one.ownerName, 'ROE JANE & JOHN')
  assert.equal(owners.one.ownerName2, 'PLATT ANN; PLATT BEN')

  const first = await load({ merge: ['owners', 'addresses'], otherwise: 'first' })
  assert.deepEqual([first.report.rejected, first.report.duplicates], [0, 4])
  assert.equal(first.one.acres, 5)
  assert.deepEqual(first.two.alternateAddresses, ['4 OAK ST'])
  const hits = await first.reader.bySitusKey('NE', '4||OAK|ST|')
  assert.equal(hits.length, 1, 'a further address finds the parcel')
})

test('rows of one parcel keep their units as addresses; the preferred row is first', async (t) => {
  const mapping: MappingDocument = {
    name: 'units',
    title: 'A row per unit',
    state: 'NE',
    county: 'Lancaster',
    nameOrder: 'last-first',
    fields: { parcelId: 'PIN', ownerName1: 'O1', address: 'SITUS', unitNumberStripped: 'UNIT' },
    repeats: {
      merge: ['addresses'],
      otherwise: 'first',
      prefer: { column: 'PRIMARY', value: ['Y', 1] },
    },
  }
  const rows = [
    'PIN,O1,SITUS,UNIT,PRIMARY',
    '1,ROE JANE,12 OAK ST,UNIT 1,N',
    '1,PLATT ANN,12 OAK ST,,y ',
    '1,ROE JANE,12 OAK ST,UNIT 2,',
    '1,ROE JANE,14 OAK ST APT 3,,',
    '2,DOE JOHN,20 ELM ST,1,1',
    '2,DOE JOHN,20 ELM ST,2,0',
  ]
  for (const order of [rows, [rows[0], ...rows.slice(1).reverse()]]) {
    const data = makeFolder(t)
    await importRoll(data, [write(data, 'a.csv', order.join('\n'))], { mapping })
    const reader = openLoaded(t, data)
    const one = await readParcel(reader, 'NE', 31109, '1')
    assert.deepEqual(
      [one.ownerName, one.address, one.unitNumberStripped],
      ['PLATT ANN', '12 OAK ST', null],
    )
    assert.deepEqual([...one.alternateAddresses].sort(), [
      '12 OAK ST UNIT 1',
      '12 OAK ST UNIT 2',
      '14 OAK ST APT 3',
    ])
    const two = await readParcel(reader, 'NE', 31109, '2')
    assert.deepEqual([two.unitNumberStripped, two.alternateAddresses], ['1', ['20 ELM ST UNIT 2']])
    const hits = await reader.bySitusKey('NE', '20||ELM|ST|')
    assert.deepEqual(hits.map(({ unitKey }) => unitKey).sort(), ['1', '2'])
  }
  const data = makeFolder(t)
  const file = write(data, 'a.csv', 'PIN,O1,SITUS,UNIT\n1,ROE JANE,12 OAK ST,\n')
  await assert.rejects(importRoll(data, [file], { mapping }), /no column PRIMARY/)
})

test('of several polygons of a parcel the one nearest to the recorded area is kept', async (t) => {
  const square = (side: number) => {
    const [west, south] = [-96.7, 40.8]
    const [east, north] = [west + side, south + side]
    return {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    }
  }
  const feature = (PIN: string, side: number, ACRES: string, O1 = 'ROE JANE') => ({
    type: 'Feature',
    properties: { PIN, O1, ACRES },
    geometry: square(side),
  })
  const mapping: MappingDocument = {
    name: 'polygons',
    title: 'Several polygons',
    state: 'NE',
    county: 'Lancaster',
    nameOrder: 'last-first',
    fields: { parcelId: 'PIN', ownerName1: 'O1', acres: 'ACRES' },
    repeats: { merge: ['owners', 'addresses'] },
  }
  // A square of 0.001 degrees is 2.3 acres there; of 0.000001 degrees, a hundredth of a square
  // metre.
  const features = [
    feature('1', 0.000001, '2.3'),
    feature('1', 0.002, '2.3'),
    feature('1', 0.001, '2.3'),
    feature('2', 0.001, ''),
    feature('2', 0.002, ''),
    feature('3', 0.002, '2.3', 'ROE JANE'),
    feature('3', 0.001, '2.3', 'PLATT ANN'),
    feature('4', 0.001, '2.3'),
    feature('4', 0.001, '2.3'),
  ]
  const data = makeFolder(t)
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  const report = await importRoll(data, [write(data, 'a.geojson', text)], {
    mapping,
    geometry: true,
  })
  assert.deepEqual([report.loaded, report.rejected, report.duplicates], [4, 0, 5])
  assert.equal(report.shapeConflicts, 3)
  const reader = openLoaded(t, data)
  const acres = async (id: string) => {
    const { calculatedAcres } = await readParcel(reader, 'NE', 31109, id)
    return Math.round((calculatedAcres ?? 0) * 10) / 10
  }
  assert.deepEqual(
    [await acres('1'), await acres('2'), await acres('3'), await acres('4')],
    [2.3, 9.3, 2.3, 2.3],
  )
  const three = await readParcel(reader, 'NE', 31109, '3')
  assert.equal(three.longitude, -96.6995)
  assert.match(String(three.ownerName2), /PLATT ANN/)
})
