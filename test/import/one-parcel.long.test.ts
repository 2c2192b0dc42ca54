/** A roll whose parcel ID column is constant: more rows of one parcel than a call has arguments. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importRoll, makeFolder, write } from './small-roll.ts'

const ROWS = 150_000
const differing = (at: number) => at
const CASES = [
  { what: 'differing rows are rejected', cell: differing, rejected: ROWS - 1 },
  { what: 'differing rows merge', cell: differing, otherwise: 'first' as const },
  { what: 'equal rows are duplicates', cell: () => 5 },
]

for (const { what, cell, otherwise, rejected = 0 } of CASES) {
  test(`150,000 rows of one parcel are loaded as one: ${what}`, async (t) => {
    const folder = makeFolder(t)
    const lines = Array.from({ length: ROWS }, (_, at) => `1-1,${cell(at)}\n`)
    const file = write(folder, 'roll.csv', `PIN,VALUE\n${lines.join('')}1-2,5\n`)
    const report = await importRoll(folder, [file], {
      force: true,
      mapping: {
        name: 'one-parcel',
        title: 'Invented county',
        state: 'NE',
        county: 'Lancaster',
        source: { name: 'Invented', license: 'none' },
        fields: { parcelId: 'PIN', totalMarketValue: 'VALUE' },
        ...(otherwise && { repeats: { merge: [], otherwise } }),
      },
    })
    assert.deepEqual([report.loaded, report.rejected], [2, rejected])
    assert.equal(report.duplicates, ROWS - 1 - rejected)
  })
}
