/** docs/mappings.md, tried as its reader would. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import {
  listMappingNames,
  loadMapping,
  readMapping,
  SCHEMA_PATH,
} from '../../src/import/mapping/mapping.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import {
  counts,
  fixture,
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
} from './small-roll.ts'

const PAGE = readFileSync(new URL('../../docs/mappings.md', import.meta.url), 'utf8')
const ROLL = fixture('teaching-county.csv')

/** The mapping that the page ends with. */
function mappingOfPage() {
  const [, text = ''] = /```json\n(\{[\s\S]*?"or-lake"[\s\S]*?)```/.exec(PAGE) ?? []
  return readMapping(text, 'the page')
}

test("the page's mapping loads the page's file, with the counts of the page", async (t) => {
  const data = makeFolder(t)
  const report = counts(await importRoll(data, [ROLL], { mapping: mappingOfPage() }))
  const said = (pattern: RegExp) => Number(pattern.exec(PAGE)?.[1])
  assert.equal(report.loaded, said(/parcels: (\d+) new/))
  assert.equal(report.skipped, said(/rows: (\d+) skipped/))
  assert.equal(report.duplicates, said(/, (\d+) duplicates/))
  assert.equal(report.rejected, 0)
  const first = await readParcel(openLoaded(t, data), 'OR', 41037, '39S18E2600000')
  assert.deepEqual([first.ownerName, first.ownerName2], ['KESTERMAN DAVID B', '& HELEN E'])
  assert.equal(first.landArea, 5000)
  assert.ok(Math.abs((first.latitude ?? 0) - 42.188) < 0.05)
})

test('the draft is what the page shows', async () => {
  const mappings = listMappingNames().map(loadMapping)
  const { draft, fits } = await inspectFile(ROLL, { today: TODAY, mappings })
  const text = showDraft(draft)
  for (const line of [
    '"// county perhaps": "55 %: 2 owners are called so"',
    '"// county": "Lake"',
    '"point": { "epsg": 2270, "x": "X", "y": "Y" }',
    'of 208 names whose order is clear, 208 have the surname first',
  ]) {
    assert.ok(text.includes(line), line)
    assert.ok(PAGE.replaceAll(/\s+/g, ' ').includes(line), line)
  }
  assert.ok((fits[0]?.score ?? 0) < 0.5)
})

test('the draft with a county gives the same parcels as the mapping on the page', async (t) => {
  const { draft } = await inspectFile(ROLL, {
    today: TODAY,
    mappings: [],
    state: 'OR',
    county: 'Lake',
  })
  const drafted = readMapping(showDraft(draft), 'the draft')
  const [one, other] = [makeFolder(t), makeFolder(t)]
  await importRoll(one, [ROLL], { mapping: mappingOfPage() })
  await importRoll(other, [ROLL], { mapping: drafted })
  const [made, loaded] = [openLoaded(t, one), openLoaded(t, other)]
  for (const key of ['39S18E2600000', '39S20E1100006', '39S20E3400012']) {
    const [a, b] = [
      await readParcel(made, 'OR', 41037, key),
      await readParcel(loaded, 'OR', 41037, key),
    ]
    for (const field of [
      'ownerName',
      'address',
      'ownerStreet',
      'totalMarketValue',
      'landArea',
      'latitude',
    ] as const) {
      assert.equal(b[field], a[field], `${key} ${field}`)
    }
    assert.deepEqual(b.transfers, a.transfers)
  }
})

test('the page documents every property of a mapping', () => {
  const { properties } = JSON.parse(readFileSync(SCHEMA_PATH, 'utf8'))
  const [, table = ''] = /## Every property of a mapping\n([\s\S]*?)\n###/.exec(PAGE) ?? []
  for (const name of Object.keys(properties)) assert.ok(table.includes(`\`${name}\``), name)
})
