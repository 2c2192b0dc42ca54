/** Where each value of a lookup's answer comes from: file, row, columns, rule and recorded text. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { suppressAdd } from '../../src/cli/commands/rolls/suppress.ts'
import { undoImport } from '../../src/import/undo.ts'
import { openHistory } from '../../src/store/open-rolls.ts'
import { decodeOrigins, unpackChunk } from '../../src/store/origins/origins.ts'
import { runCommand } from '../command.ts'
import { startService, type TestService } from '../service.ts'

const HEADER =
  'state,county,parcelId,ownerName1,address,city,zipCode,totalAssessedValue,transferDate,' +
  'transferPrice,landArea,REMARK'
const line = (id: string, owner: string, more = 'x') =>
  `WI,Dane,${id},"${owner}",12 main street,Madison,53703,"$250,000",05/07/2019,200000,43560,${more}`
const ROLL = [
  HEADER,
  line('P-1', 'HARLOW, MARA'),
  line('P-2', 'ZYXWELL, QAZMER J'),
  line('P-3', 'OTHER LLC'),
]

const text = (lines: string[]) => `${lines.join('\n')}\n`
let service: TestService
before(async () => {
  service = await startService(text(ROLL))
})
after(() => service?.close())

async function explain(parcelId: string, facts: object = { responseShape: 'flat' }, more = {}) {
  const key = await service.keyFor(facts)
  const query = { state: 'WI', county: 'Dane', parcelId, explain: true, ...more }
  const { body, status } = await service.get('/public/property/parcelId/', query, { key })
  assert.equal(status, 200)
  return { ...body.explain.provenance, property: body.property }
}

test('each value names file, row, column, rule and import', async () => {
  const { values, import: own } = await explain('P-2')
  assert.deepEqual(values.ownerName1, {
    ...{ file: 'roll.csv', row: 3, columns: ['ownerName1'], import: own.id },
    rule: 'the first known of ownerName1 and ownerName',
  })
  assert.deepEqual(values.address, {
    ...{ file: 'roll.csv', row: 3, columns: ['address'], import: own.id, made: true },
    rule: 'address; standardized as Publication 28 writes it',
  })
  assert.equal(values.totalAssessedValue.rule, 'totalAssessedValue, whole dollars')
  assert.equal(own.keepsSource, false)
})

test('a value that is made here says so, and of which cells', async () => {
  const { values } = await explain('P-1')
  assert.match(values.acres.rule, /landArea.*computed of the square feet/)
  assert.equal(values.acres.made, true)
  assert.deepEqual(values._id.columns, undefined)
  assert.equal(values._id.made, true)
  assert.deepEqual(values.addressFull.columns, ['address', 'city', 'zipCode'])
})

test('every value that is served has an origin, in both layouts', async () => {
  const paths = (value: unknown, path = ''): string[] =>
    value === null || value === undefined || path.endsWith('.location') || path === 'location'
      ? []
      : Array.isArray(value)
        ? value.length > 0 && typeof value[0] === 'object'
          ? value.flatMap((one, at) => paths(one, `${path}[${at}]`))
          : value.length > 0
            ? [path]
            : []
        : typeof value === 'object'
          ? Object.entries(value).flatMap(([key, one]) =>
              paths(one, path === '' ? key : `${path}.${key}`),
            )
          : [path]
  for (const responseShape of ['flat', 'nested']) {
    const { values, property } = await explain('P-1', { responseShape })
    const served = paths(property)
    assert.ok(served.length > 30)
    assert.deepEqual(
      served.filter((path) => values[path] === undefined),
      [],
    )
    for (const path of Object.keys(values)) assert.ok(values[path].rule !== '', path)
  }
})

test('with some fields only those are explained', async () => {
  const { values } = await explain('P-1', { responseShape: 'flat' }, { fields: 'city' })
  assert.deepEqual(Object.keys(values).sort(), ['_id', 'city', 'propertyId'])
})

test('the recorded text is shown where it differs and the import kept its source', async () => {
  await service.importRoll(text(ROLL), { keepSource: true })
  const { values, import: own } = await explain('P-1')
  assert.equal(own.keepsSource, true)
  assert.deepEqual(values.address.recorded, ['12 main street'])
  assert.deepEqual(values.totalAssessedValue.recorded, ['$250,000'])
  assert.deepEqual(values.transferDate.recorded, ['05/07/2019'])
  assert.equal(values.ownerName1.recorded, undefined, 'it is the value')
  assert.equal(values['extra.REMARK'].recorded, undefined)
})

test('unchanged parcels follow their rows when others come before them', async () => {
  const [header = '', ...rows] = ROLL
  await service.importRoll(text([header, line('P-0', 'NEW, ANN'), ...rows]), { keepSource: true })
  assert.equal((await explain('P-3')).values.ownerName1.row, 5)
  assert.equal((await explain('P-0')).values.ownerName1.row, 2)
})

test('a part of the roll changes the origin of its own parcels alone', async () => {
  const [header = ''] = ROLL
  await service.importRoll(text([header, line('P-3', 'OTHER TWO LLC')]), {
    ...{ partial: true, name: 'part.csv' },
  })
  const { values } = await explain('P-3')
  assert.deepEqual([values.ownerName1.file, values.ownerName1.row], ['part.csv', 2])
  assert.equal((await explain('P-2')).values.ownerName1.file, 'roll.csv')
})

test('rows of one parcel: the value leads to the row that it was made of', async () => {
  const rows = [HEADER, line('P-9', 'FIRST, ANN', 'one'), line('P-9', 'SECOND, BOB', 'two')]
  await service.importRoll(text(rows), { partial: true, keepSource: true, name: 'two.csv' })
  const { values } = await explain('P-9')
  assert.equal(values.ownerName1.row, 2)
})

test('merged owners lead to the rows and columns that name them', async () => {
  const rows = [
    'ROW,AGAPPL,PARID,ACRES,LEGACRES,NAME1,NAME2,ADDR1,ADDR2,ADDR3,RENEW,NOTE1,NOTE2',
    '1,0,C13000137360100,,3.5,HARLOW MARA,& PAUL JT SUR,,,,,,',
    '2,0,C13000137360100,,3.5,VAREK ANN,,,,,,,',
  ]
  await service.importRoll(text(rows), {
    ...{ mapping: 'oh-seneca', name: 'seneca.csv', keepSource: true, force: true },
  })
  const place = { state: 'OH', county: 'Seneca' }
  const flat = { responseShape: 'flat' }
  const { values, property } = await explain('C13000137360100', flat, place)
  assert.deepEqual(
    [property.ownerName1, values.ownerName1.row, values.ownerName1.columns],
    ['HARLOW MARA & PAUL JT SUR', 2, ['NAME1', 'NAME2']],
  )
  assert.deepEqual(
    [property.ownerName2, values.ownerName2.row, values.ownerName2.columns],
    ['VAREK ANN', 3, ['NAME1']],
  )
  assert.equal(values.ownerName2.also, undefined)
})

test('no value of an undone import is explained', async () => {
  const rows = [HEADER, line('P-8', 'UNDONE, UMA')]
  await service.importRoll(text(rows), { partial: true, name: 'undone.csv' })
  const history = await openHistory(service.config)
  const entries = await history.list()
  await history.close()
  const { data: dataDir, databaseUrl } = service.config
  await undoImport({ dataDir, databaseUrl, confirmed: true, loadedAt: 1_800_000_000 }, entries, {})
  const { status } = await service.get('/public/property/parcelId/', {
    ...{ state: 'WI', county: 'Dane', parcelId: 'P-8' },
  })
  assert.equal(status, 404)
})

test('an answer about an earlier day says that its rows are not recorded', async () => {
  const { missing } = await explain('P-2', { responseShape: 'flat' }, { asOf: '2026-03-10' })
  assert.match(missing, /not recorded/)
})

test('a suppression empties kept rows, and later imports keep none of them', async (t) => {
  if (service.config.databaseUrl !== null) return t.skip('reads the embedded store')
  await service.importRoll(text(ROLL), { keepSource: true, force: true })
  assert.match(readKept(), /ZYXWELL/)
  const words = ['--owner', 'ZYXWELL, QAZMER J', '--state', 'WI', '--basis', 'a law']
  await runCommand(suppressAdd, words, { data: service.config.data })
  assert.doesNotMatch(readKept(), /ZYXWELL|QAZMER/)
  assert.match(readKept(), /HARLOW/)
  const { values } = await explain('P-2')
  assert.equal(values.ownerName1, undefined)
  assert.equal(values.address.row, 3)
  assert.equal(values.address.recorded, undefined)
  await service.importRoll(text(ROLL), { keepSource: true, force: true })
  assert.doesNotMatch(readKept(), /ZYXWELL|QAZMER/)
  assert.equal((await explain('P-2')).values.address.recorded, undefined)
})

test('a roll of two states: each state has the origins of its own parcels alone', async () => {
  const other = line('P-8', 'ELSEWHERE, EVE').replace('WI,Dane', 'IL,Cook')
  await service.importRoll(text([HEADER, line('P-7', 'HERE, HANS'), other]), { partial: true })
  const db = new DatabaseSync(join(service.config.data, 'parcels.db'), { readOnly: true })
  const ids = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ id }) => Number(id))
  const blocks = db.prepare("SELECT block, data FROM origins WHERE state = 'IL'").all()
  const told = blocks.flatMap(({ block, data }) => decodeOrigins(Number(block), data as Uint8Array))
  assert.deepEqual(
    told.map(({ id }) => id),
    ids("SELECT id FROM parcels WHERE state = 'IL'"),
  )
  db.close()
  assert.equal((await explain('P-7')).values.ownerName1.row, 2)
})

function readKept(): string {
  const db = new DatabaseSync(join(service.config.data, 'parcels.db'), { readOnly: true })
  const chunks = db.prepare('SELECT data FROM kept_rows').all()
  db.close()
  return JSON.stringify(chunks.map(({ data }) => unpackChunk(data as Uint8Array)))
}
