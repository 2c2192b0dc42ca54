/** Aliases and code tables of a layer are evidence for a draft. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { inspectCommand } from '../../src/cli/commands/rolls/inspect.ts'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import { csvRow } from '../../src/sample/write.ts'
import { runCommand } from '../command.ts'
import { makeFolder, write } from '../import/small-roll.ts'
import { startArcgis } from '../sources/arcgis-server.ts'
import { inventRows } from './invented-rows.ts'

/** Uninformative names, as forms and joins make them, with the aliases that people see. */
const FIELDS = [
  { name: 'F1', alias: 'Parcel Number', type: 'esriFieldTypeString' },
  { name: 'F2', alias: 'Owner Name', type: 'esriFieldTypeString' },
  { name: 'F3', alias: 'Mailing Address', type: 'esriFieldTypeString' },
  { name: 'F4', alias: 'Site Address', type: 'esriFieldTypeString' },
  { name: 'F5', alias: 'Year Built', type: 'esriFieldTypeInteger' },
  {
    name: 'PCODE',
    alias: 'Property Use Code',
    type: 'esriFieldTypeString',
    domain: {
      type: 'codedValue',
      name: 'uses',
      codedValues: [
        { code: '11', name: 'Single family dwelling' },
        { code: '40', name: 'Retail store' },
      ],
    },
  },
]
const DESCRIPTION = JSON.stringify({ type: 'Feature Layer', name: 'Parcels', fields: FIELDS })

const records = inventRows('PA', 60).map((row, at) => ({
  F1: String(row.i12),
  F2: String(row.owner),
  F3: String(row.mailLine),
  F4: `${row.number} ${row.street} ${row.type}`,
  F5: String(row.built),
  PCODE: at % 5 === 0 ? '40' : '11',
}))

function writeCsv(folder: string): string {
  const names = FIELDS.map(({ name }) => name)
  const rows = records.map((row) => csvRow(Object.values(row)))
  return write(folder, 'roll.csv', [csvRow(names), ...rows].join(''))
}

async function draftOf(t: TestContext, words: string[], data = makeFolder(t)) {
  const run = await runCommand(inspectCommand, [...words, '--json', '--state', 'PA'], { data })
  return run.json().draft as MappingDocument
}

test('aliases of a layer identify columns with uninformative names', async (t) => {
  const folder = makeFolder(t)
  const csv = writeCsv(folder)
  const alone = await draftOf(t, [csv])
  assert.notEqual(alone.buildings?.[0]?.yearBuilt, 'F5')
  const draft = await draftOf(t, [csv, write(folder, 'layer.json', DESCRIPTION)])
  const { parcelId, ownerName1, ownerAddressLine1, address } = draft.fields
  assert.deepEqual(
    [parcelId, ownerName1, ownerAddressLine1, address, draft.buildings?.[0]?.yearBuilt].map(
      columnOf,
    ),
    ['F1', 'F2', 'F3', 'F4', 'F5'],
  )
})

test('a code table of the description gives the texts that the rows do not have', async (t) => {
  const folder = makeFolder(t)
  const csv = writeCsv(folder)
  const draft = await draftOf(t, [csv, write(folder, 'layer.json', DESCRIPTION)])
  assert.equal(columnOf(draft.fields.useCodeLocal), 'PCODE')
  assert.deepEqual(draft.fields.useCode, {
    column: 'PCODE',
    codes: { '11': '1001', '40': '2001' },
    otherwise: null,
  })
  assert.deepEqual(draft.fields.useDescription, {
    column: 'PCODE',
    codes: { '11': 'Single family dwelling', '40': 'Retail store' },
  })
})

test('a saved answer provides aliases, code tables and the description', async (t) => {
  const features = records.map((attributes) => ({ attributes }))
  const answer = JSON.stringify({ fields: FIELDS, features })
  const draft = await draftOf(t, [write(makeFolder(t), 'answer.json', answer)])
  assert.equal(columnOf(draft.fields.ownerName1), 'F2')
  assert.equal(columnOf(draft.fields.useCodeLocal), 'PCODE')
  assert.equal(columnOf(draft.fields.useCode), 'd_PCODE')
  assert.equal(columnOf(draft.fields.useDescription), 'd_PCODE')
})

test('inspect reads a layer on the web; the import after it requests no row again', async (t) => {
  const data = makeFolder(t)
  const rows = records.map((attributes, at) => ({ id: at + 1, attributes }))
  const server = await startArcgis(rows, { fields: FIELDS, lastEdited: 1_700_000_000_000 })
  t.after(() => server.close())
  await assert.rejects(draftOf(t, [server.address], data), /--allow-private/)
  const out = `${data}/draft.json`
  const words = [server.address, '--allow-private', '--out', out, '--county', 'Allegheny']
  const draft = await draftOf(t, words, data)
  assert.equal(columnOf(draft.fields.ownerName1), 'F2')
  assert.equal(columnOf(draft.fields.useDescription), 'd_PCODE')
  const asked = server.requests.length
  const load = [server.address, '--allow-private', '--mapping', out, '--json', '--force']
  const report = (await runCommand(importCommand, load, { data })).json()
  assert.equal(report.loaded, 60, JSON.stringify(report))
  const more = server.requests.slice(asked)
  assert.deepEqual(
    more.filter(({ outFields }) => outFields !== undefined),
    [],
  )
})

test('a description without rows is an error', async (t) => {
  const file = write(makeFolder(t), 'layer.json', DESCRIPTION)
  await assert.rejects(draftOf(t, [file]), /describes a layer and holds no rows/)
})

function columnOf(value: unknown): unknown {
  return typeof value === 'string' ? value : (value as { column?: string } | undefined)?.column
}
