/** Reports that were printed page by page: titles, headers, rulers and notes make no parcels. */
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { isFooter } from '../../src/import/readers/page-lines.ts'
import { takeSample } from '../../src/inspect/sample/sample.ts'
import { counts, importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const HEADER = ['Parcel', 'Owner Name', 'Site Address', 'Deed Page', 'Land Value', 'Total Value']
const WIDTHS = [16, 26, 22, 9, 12, 12]
const ROWS = Array.from({ length: 90 }, (_, at) => [
  `12-${String(at).padStart(3, '0')}-7`,
  at % 2 === 0 ? 'ROE, JANE & JOHN' : 'DOE, ALBERT',
  `${at + 10} OAK ST`,
  at % 3 === 0 ? '\\N' : String(at + 400),
  `${at + 1},500`,
  `${at + 21},700`,
])
const pad = (row: string[]) => row.map((text, at) => text.padEnd(WIDTHS[at] ?? 0)).join(' ')
const fixedWidth = (row: string[]) => row.map((text, at) => text.padEnd(WIDTHS[at] ?? 0)).join('  ')
const piped = (row: string[]) => row.map((text, at) => text.padEnd(WIDTHS[at] ?? 0)).join('|')
const dashes = WIDTHS.map((width) => '-'.repeat(width))

/** Pages of 40 rows, each below its own head. */
function pages(head: (page: number) => string[], line: (row: string[]) => string): string {
  const texts = [0, 40, 80].flatMap((from, at) => [
    ...head(at + 1),
    ...ROWS.slice(from, from + 40).map(line),
    '',
  ])
  return texts.join('\n')
}

const REPORTS: [string, string][] = [
  [
    'a spool of a database, its header and ruler on every page',
    `${pages(() => ['', piped(HEADER), dashes.join('|')], piped)}\n90 rows selected.\n`,
  ],
  [
    'an aligned table of a database, its ruler with crosses',
    [` ${piped(HEADER)} `, dashes.join('+'), ...ROWS.map(piped), '(90 rows)', ''].join('\n'),
  ],
  [
    'columns of fixed width with commas in names and amounts, titles on every page',
    `${pages(
      (page) => [
        `\fLAKE COUNTY, OREGON      ASSESSMENT LISTING, 2026      Page ${page}`,
        'Run date: 02/11/2026',
        '',
        fixedWidth(HEADER),
      ],
      fixedWidth,
    )}\nParcels listed: 90\n*** END OF REPORT ***\n`,
  ],
  [
    'columns of fixed width with commas in amounts, below a header alone',
    `${[fixedWidth(HEADER), ...ROWS.map(fixedWidth)].join('\n')}\n`,
  ],
  [
    'a ruler below the header of every page',
    pages((page) => [`Roll of 2026, page ${page}`, '', pad(HEADER), dashes.join(' ')], pad),
  ],
  [
    'notes that stand alone in the first column',
    [
      HEADER.join('\t'),
      ...ROWS.slice(0, 30).map((row) => row.join('\t')),
      `Page 1 of 2${'\t'.repeat(5)}`,
      `TOWN OF HOLLOW${'\t'.repeat(5)}`,
      ...ROWS.slice(30).map((row) => row.join('\t')),
      `Printed by the assessor 5/2/2026${'\t'.repeat(5)}`,
    ].join('\n'),
  ],
  [
    'totals with a sum below every column',
    [
      HEADER.join('\t'),
      ...ROWS.map((row) => row.join('\t')),
      'Grand Total:\t90\t90\t(1,234)\t$5,005,000.00\t100 %',
    ].join('\n'),
  ],
]

const MAPPING = readMapping(
  JSON.stringify({
    name: 'pages',
    title: 'A printed roll',
    state: 'OR',
    county: 'Lake',
    nameOrder: 'last-first',
    fields: {
      parcelId: 'Parcel',
      ownerName1: 'Owner Name',
      address: 'Site Address',
      totalLandValue: 'Land Value',
      totalMarketValue: 'Total Value',
    },
    transfers: [{ pageNum: 'Deed Page', transferDate: { constant: '2019-05-06' } }],
  }),
  'the mapping',
)

test('a row that is named TOTAL and has an owner is a parcel', () => {
  assert.equal(isFooter(['TOTAL', '', '10', '$ 5.00', '1,234'], 5), true)
  assert.equal(isFooter(['TOTAL', 'ROE, JANE', '10 OAK ST', '5', '5'], 5), false)
  assert.equal(isFooter(['12', '34', '5', '5', '5'], 5), false)
})

describe('every parcel and nothing else is read from', () => {
  for (const [name, text] of REPORTS) {
    test(name, async (t) => {
      const folder = makeFolder(t)
      const file = write(folder, 'report.lst', text)
      const sample = await takeSample(file)
      assert.deepEqual(
        sample.columns.map((column) => column.name),
        HEADER,
      )
      const report = await importRoll(folder, [file], { mapping: MAPPING })
      const { loaded, rejected, rows, skipped } = counts(report)
      assert.deepEqual([loaded, rejected, rows - skipped], [90, 0, 90])
      const reader = openLoaded(t, folder)
      const last = await readParcel(reader, 'OR', 41037, '120897')
      assert.deepEqual(
        [last.ownerName, last.totalLandValue, last.totalMarketValue],
        ['DOE, ALBERT', 90_500, 110_700],
      )
      const first = await readParcel(reader, 'OR', 41037, '120007')
      assert.equal(first.transfers[0]?.page, null)
      assert.equal(last.transfers[0]?.page, '489')
    })
  }
})
