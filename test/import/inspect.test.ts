import assert from 'node:assert/strict'
import test from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import type { Draft } from '../../src/inspect/compose/draft.ts'
import { draftDocument, showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { IS_LONG } from '../repetitions.ts'
import { disguise } from './disguise.ts'
import { importRoll, makeFolder, TODAY, write } from './small-roll.ts'

const options = { today: TODAY, mappings: [] }

/** Fields that a draft must never get wrong. */
const NEEDED = [
  'parcelId',
  'ownerName1',
  'address',
  'city',
  'zipCode',
  'ownerAddressLine1',
  'ownerCity',
  'ownerState',
  'ownerZipCode',
  'totalAssessedValue',
  'totalMarketValue',
  'assessedYear',
  'buildings.yearBuilt',
]

/** Fields by their paths, each with the columns that the draft takes for it. */
export function fieldsOf(draft: Draft): Map<string, string[]> {
  const sure = draft.entries.filter(({ certainty }) => certainty >= 0.6)
  return new Map(
    sure.map(({ section, name, columns }) => [
      section === 'fields' ? name : `${section}.${name}`,
      columns,
    ]),
  )
}

/** Fields that hold a column's value under another name, or as a part of theirs. */
const ALSO: Record<string, string> = {
  address: 'addressFull',
  saleYear: 'transfers.transferDate',
  saleMonth: 'transfers.transferDate',
  landValue: 'assessedLandValue',
  buildingValue: 'assessedBuildingValue',
  totalValue: 'totalAssessedValue',
}

for (const [seed, manner] of (['plain', 'parts', 'lines'] as const).entries()) {
  for (const county of IS_LONG ? [0, 1, 2, 3] : [seed]) {
    test(`county ${county} with other names (${manner}) is recognised and loads`, async (t) => {
      const { csv, columns } = disguise(county, seed, 1600, manner)
      const data = makeFolder(t)
      const file = write(data, 'roll.csv', csv)
      const { draft, rows } = await inspectFile(file, options)
      const found = fieldsOf(draft)
      const wrong = [...columns].filter(([field, column]) =>
        [field, ALSO[field] ?? field].every((path) => !found.get(path)?.includes(column)),
      )
      const faults = wrong.map(
        ([field, column]) => `${field} is ${column}, not ${found.get(field)}`,
      )
      const needed = faults.filter((line) => NEEDED.includes(line.split(' ')[0] ?? ''))
      assert.deepEqual(needed, [])
      assert.ok(wrong.length <= columns.size * 0.1, faults.join('\n'))
      const mapping = readMapping(showDraft(draft), 'the draft')
      const hints = mapping.county === undefined ? { county: '001' } : {}
      const report = await importRoll(data, [file], { mapping, ...hints, force: true })
      assert.equal(report.loaded + report.duplicates, rows)
    })
  }
}

test('a draft is a mapping, and its remarks are none', async (t) => {
  const file = write(makeFolder(t), 'roll.csv', disguise(0, 9, 500).csv)
  const { draft } = await inspectFile(file, options)
  assert.deepEqual(readMapping(showDraft(draft), 'the draft'), draftDocument(draft))
})
