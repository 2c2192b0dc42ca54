/**
 * Whether parcel IDs are numbered by county or municipality: the draft states it, and a town's file
 * leaves other towns unchanged. docs/decisions/inspect.md.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, TODAY, write } from '../import/small-roll.ts'
import { inventRows } from './invented-rows.ts'

const rowsOf = (state: string, town?: string) =>
  inventRows(state, 60)
    .filter(({ city }) => town === undefined || city === town)
    .map((row) =>
      csvRow([
        row.townSerial ?? '',
        row.city ?? '',
        row.owner ?? '',
        row.line ?? '',
        row.mailLine ?? '',
      ]),
    )
    .join('')

test('a file of one town leaves the other towns of its county alone', async (t) => {
  const data = makeFolder(t)
  const head = csvRow(['PID', 'TOWN', 'OWNER', 'LOCATION', 'MAIL_ADDR'])
  const both = write(data, 'both.csv', `${head}${rowsOf('CT')}`)
  const { draft } = await inspectFile(both, {
    today: TODAY,
    mappings: [],
    state: 'CT',
    county: 'Tolland',
  })
  const mapping = readMapping(showDraft(draft), 'the draft')
  assert.equal(mapping.scope, 'municipality')
  assert.equal((await importRoll(data, [both], { mapping, force: true })).loaded, 60)
  const one = write(data, 'one.csv', `${head}${rowsOf('CT', 'COVENTRY')}`)
  // Of twenty parcels with a known value, none is occupied: the drafted expectation is skipped.
  const report = await importRoll(data, [one], { mapping, force: true })
  assert.deepEqual([report.unchanged, report.removed], [30, 0])
})

test('without a town column the draft explains what to write, in these states only', async (t) => {
  const data = makeFolder(t)
  const head = csvRow(['PID', 'CITY', 'OWNER', 'LOCATION', 'MAIL_ADDR'])
  const file = write(data, 'town.csv', `${head}${rowsOf('CT', 'COVENTRY')}`)
  const options = { today: TODAY, mappings: [] }
  const { draft } = await inspectFile(file, { ...options, state: 'CT', county: 'Tolland' })
  assert.equal(readMapping(showDraft(draft), 'the draft').scope, undefined)
  assert.match(draft.warnings.join(), /add to fields "municipality": \{ "constant"/)
  assert.ok(showDraft(draft).includes('"// scope": "municipality"'))
  const other = await inspectFile(file, { ...options, state: 'TN', county: 'Rutherford' })
  assert.deepEqual(other.draft.warnings, [])
})
