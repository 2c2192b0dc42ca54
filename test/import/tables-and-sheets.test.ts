/**
 * Excel workbooks and text of fixed width by a table of columns, as they should be and as they
 * should not.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Batch } from '../../src/import/batch.ts'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import { readForm, showNumber } from '../../src/import/readers/xlsx/numbers.ts'
import { UnplacedShapes } from '../../src/import/report/unplaced.ts'
import { readSource } from '../../src/import/source.ts'
import { makeZip } from './make-files.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

type Sheets = Record<string, string>
type Extra = { texts?: string[]; formats?: [number, string][]; styles?: number[]; book?: string }

/** A workbook of sheets, whose rows are XML. */
function makeXlsx(
  sheets: Sheets,
  { texts = [], formats = [], styles = [0], book = '' }: Extra = {},
) {
  const names = Object.keys(sheets)
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`)
  const related = names.map(
    (_, at) => `<Relationship Id="r${at}" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const numFmts = formats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
  const xfs = styles.map((id) => `<xf numFmtId="${id}"/>`)
  const files: Record<string, string> = {
    '[Content_Types].xml': head,
    'xl/workbook.xml': `${head}<workbook>${book}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships>${related.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `${head}<sst>${texts.join('')}</sst>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs>
      <xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
  }
  names.forEach((name, at) => {
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `${head}<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`
  })
  return makeZip(files)
}

const text = (ref: string, value: string) =>
  `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const cell = (ref: string, value: string, more = '') => `<c r="${ref}"${more}><v>${value}</v></c>`
const row = (line: number, ...cells: string[]) => `<row r="${line}">${cells.join('')}</row>`

async function readAll(t: TestContext, file: Buffer, name = 'roll.xlsx', more = '', options = {}) {
  const path = write(makeFolder(t), name, file)
  const batches: Batch[] = []
  const given = { geometry: false, ...options }
  for await (const batch of readSource([path + more], given)) batches.push(batch)
  return {
    columns: batches[0]?.columns,
    rows: batches.flatMap((batch) => batch.rows),
    lines: batches.flatMap((batch) => batch.lines),
    broken: batches.flatMap((batch) => batch.broken),
    batches,
  }
}

test('cells are shown as the workbook shows them: texts, dates, zeros, truth', async (t) => {
  const names = ['ID', 'ZIP', 'SOLD', 'SEEN', 'VALUE', 'RATIO', 'POOL', 'BAD', 'FORMULA', 'AT']
  const header = row(1, ...names.map((name, at) => text(`${'ABCDEFGHIJ'[at]}1`, name)))
  const first = row(
    2,
    cell('A2', '0', ' t="s"'),
    cell('B2', '1027', ' s="1"'),
    cell('C2', '45000', ' s="2"'),
    cell('D2', '45000.75', ' s="3"'),
    cell('E2', '1.016870000012E12'),
    cell('F2', '0.1'),
    cell('G2', '1', ' t="b"'),
    cell('H2', '#N/A', ' t="e"'),
    cell('I2', 'A &amp; B', ' t="str"'),
    cell('J2', '12', ' s="4"'),
  )
  // Cells without a place follow each other; an empty one says nothing.
  const second = '<row><c t="s"><v>1</v></c><c s="2"/><c s="2"><v>59</v></c></row>'
  const texts = [
    '<si><r><t>PE</t></r><r><t xml:space="preserve">ÑA </t></r><rPh><t>no</t></rPh></si>',
    '<si><t>A_x0041_&lt;&#66;&#x43;</t></si>',
  ]
  const file = makeXlsx(
    { Roll: header + first + second },
    {
      texts,
      formats: [
        [170, '[Red]yyyy\\-mm\\-dd h:mm'],
        [171, '0.00 &quot;days&quot;'],
      ],
      styles: [0, 172, 14, 170, 171],
    },
  )
  const { columns, rows, lines } = await readAll(t, file)
  assert.deepEqual(columns, names)
  assert.deepEqual(lines, [2, 3])
  assert.deepEqual(rows[0]?.slice(2), [
    ...['2023-03-15', '2023-03-15T18:00:00', '1016870000012', '0.1', 'TRUE', '', 'A & B', '12'],
  ])
  assert.equal(rows[0]?.[0], 'PEÑA ')
  assert.deepEqual(rows[1]?.slice(0, 3), ['AA<BC', '', '1900-02-28'])
})

test('a format of zeros keeps the zeros before a number', async (t) => {
  const roll =
    row(1, text('A1', 'ZIP'), text('B1', 'N')) +
    row(2, cell('A2', '1027', ' s="1"'), cell('B2', '5'))
  const file = makeXlsx({ Roll: roll }, { formats: [[164, '00000']], styles: [0, 164] })
  assert.deepEqual((await readAll(t, file)).rows, [['01027', '5']])
})

test('a format of zeros and literals writes the ID as the sheet shows it', async () => {
  for (const [code, number, shown] of [
    ['00-00-000-000', '123450001', '01-23-450-001'],
    ['00\\-00\\-000\\-000', '123450001', '01-23-450-001'],
    ['"R"000000', '1234', 'R001234'],
    ['000000"A"', '1234', '001234A'],
    ['00000\\-0000', '10271234', '01027-1234'],
    ['00-00', '123456', '1234-56'],
    ['Standard', '150000', '150000'],
    // Near misses stay numbers.
    ['00 "acres"', '5', '5'],
    ['0.00 "days"', '3', '3'],
    ['"R0"0000', '12', '0012'],
    ['00/00', '1234', '1234'],
    ['000-00-0000', '12.5', '12.5'],
    ['00000', '-5', '-5'],
    ['0', '5', '5'],
  ] as const) {
    assert.equal(showNumber(number, readForm(170, code), false).trim(), shown, code)
  }
})

test('sheets that are not read are named, unless one was asked for', async (t) => {
  const sheet = (id: string) =>
    row(1, text('A1', 'ID'), text('B1', 'N')) + row(2, text('A2', id), text('B2', '5'))
  const file = makeXlsx({ A: sheet('1'), B: sheet('2') })
  for (const [more, said] of [
    ['', 1],
    ['!B', 0],
  ] as const) {
    const texts: string[] = []
    const warn = (line: string) => texts.push(line)
    const notes = { bytes: 0, unplaced: new UnplacedShapes(), warn }
    await readAll(t, file, 'two.xlsx', more, { notes })
    assert.equal(texts.length, said, more)
    if (said === 1) assert.match(texts[0] ?? '', /only one sheet is read, not B.*two\.xlsx!B/)
  }
})

test('days are counted from 1904 if the workbook states it', async (t) => {
  const roll =
    row(1, text('A1', 'SOLD'), text('B1', 'N')) +
    row(2, cell('A2', '43538', ' s="1"'), cell('B2', '5'))
  const file = makeXlsx({ Roll: roll }, { styles: [0, 14], book: '<workbookPr date1904="1"/>' })
  assert.deepEqual((await readAll(t, file)).rows, [['2023-03-15', '5']])
})

const TWO = {
  Notes: row(1, text('A1', 'about this roll')),
  'Lots &amp; more':
    row(1, text('A1', 'Assessor of Dane')) +
    row(3, text('A3', 'ID'), text('B3', 'OWNER')) +
    row(4, text('A4', '1'), text('B4', 'ROE')) +
    row(5, text('A5', '2'), text('B5', 'DOE'), text('C5', 'x')) +
    row(6, text('A6', 'Total: 2')),
}

test('names above repeated names begin them, and a title of two cells is skipped', async (t) => {
  const lay = (...lines: string[]) =>
    lines.map((line, at) =>
      row(
        at + 1,
        ...line.split(',').map((one, column) => text(`${'ABCDE'[column]}${at + 1}`, one)),
      ),
    )
  const rows = ['R-1,ROE,TRENT,4000,5000', 'R-2,POE,HARLOW,6000,7000']
  for (const [above, names, first] of [
    ['Harlow County,,,Page 1,', 'PARCEL,OWNER,CITY,LAND,TOTAL', 'PARCEL'],
    ['Parcel,,,Values,', 'ID,Name,City,Land,Total', 'ID'],
    ['Parcel,Owner,,Values,', 'ID,Name,Name,Land,Total', 'Parcel ID'],
  ] as const) {
    const sheet = lay(above, names, ...rows).join('')
    const found = await readAll(t, makeXlsx({ Roll: sheet }))
    assert.equal(found.columns?.[0], first)
    assert.equal(found.rows.length, 2)
  }
})

test('a sheet is named after its file, also in a zip; titles and totals are skipped', async (t) => {
  const workbook = makeXlsx(TWO)
  assert.deepEqual((await readAll(t, workbook)).columns, ['about this roll'])
  const packed = makeZip({ 'in/roll.xlsx': workbook })
  for (const [file, name, more] of [
    [workbook, 'roll.xlsx', '!lots & more'],
    [workbook, 'download', '!Lots & more'],
    [packed, 'roll.zip', '!roll.xlsx!Lots & more'],
  ] as const) {
    const { columns, rows, broken } = await readAll(t, file, name, more)
    assert.deepEqual(columns, ['ID', 'OWNER'])
    assert.deepEqual(rows, [
      ['1', 'ROE'],
      ['', ''],
    ])
    assert.deepEqual(
      broken.map(({ line }) => line),
      [5],
    )
  }
  await assert.rejects(
    readAll(t, workbook, 'roll.xlsx', '!Nothing'),
    /holds no sheet Nothing; it holds Notes, Lots & more/,
  )
})

test('a workbook loads as a roll', async (t) => {
  const names = ['state', 'county', 'parcelId', 'ownerName1', 'transferDate']
  const sheet =
    row(1, ...names.map((name, at) => text(`${'ABCDE'[at]}1`, name))) +
    row(
      2,
      text('A2', 'WI'),
      text('B2', 'Dane'),
      cell('C2', '1234567'),
      text('D2', 'ROE, JANE'),
      cell('E2', '45000', ' s="1"'),
    )
  const data = makeFolder(t)
  const path = write(data, 'roll.xlsx', makeXlsx({ Roll: sheet }, { styles: [0, 14] }))
  assert.equal((await importRoll(data, [path])).loaded, 1)
  const parcel = await readParcel(openLoaded(t, data), 'WI', 55025, '1234567')
  assert.equal(parcel.transfers[0]?.transferDate, '2023-03-15')
})

test('inconsistent, too large or truncated workbooks are errors in one sentence', async (t) => {
  const names = row(1, text('A1', 'ID'), text('B1', 'OWNER'))
  const faults: [string, RegExp][] = [
    [names + row(2, cell('ZZZZ2', '1')), /a cell in column/],
    [`${names}<row r="2"><c r="A2"><v>1</v`, /ends within a tag/],
    [`<!DOCTYPE a [<!ENTITY b "c">]>${names}`, /has a document type/],
    [`${names}<row r="2"><c t="str"><v>${'x'.repeat(1_100_000)}</v></c></row>`, /more than 1 MB/],
  ]
  for (const [sheet, refusal] of faults) {
    const file = makeXlsx({ Roll: sheet }).subarray()
    // The end of the sheet's own tags would hide a cut.
    const cut = refusal.source.includes('ends') ? makeCut(sheet) : file
    await assert.rejects(readAll(t, cut), refusal)
  }
  const wrong = await readAll(
    t,
    makeXlsx({ Roll: names + row(2, cell('A2', '99', ' t="s"'), cell('B2', '1')) }),
  )
  assert.deepEqual(wrong.rows, [['', '1']])
  const nul = await readAll(
    t,
    makeXlsx({ Roll: names + row(2, text('A2', 'a_x0000_b'), text('B2', '1')) }),
  )
  assert.match(String(nul.broken[0]?.reason), /NUL/)
  await assert.rejects(readAll(t, makeXlsx({ Roll: '' })), /is empty/)
  await assert.rejects(readAll(t, makeXlsx({})), /holds no sheet/)
  const whole = makeXlsx(TWO)
  await assert.rejects(readAll(t, whole.subarray(0, whole.length - 30)), /cut short or damaged/)
})

/** A workbook whose sheet ends in the middle. */
function makeCut(sheet: string): Buffer {
  return makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r0"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<a><Relationship Id="r0" Target="/xl/sheet.xml"/></a>',
    'xl/sheet.xml': `<sheetData>${sheet}`,
  })
}

const KINDS = [
  {
    prefix: '1',
    columns: [
      { name: 'ID', start: 2, length: 5 },
      { name: 'OWNER', start: 7, length: 10 },
      { name: 'VALUE', start: 17, length: 9, decimals: 2 },
    ],
  },
  {
    prefix: '2',
    columns: [
      { name: 'PARCEL', start: 2, length: 5 },
      { name: 'SOLD', start: 7, length: 8 },
    ],
  },
]
const LINES = [
  '0HEADER OF THE FILE',
  '1A-001ROE JANE  000012345',
  '2A-00120190507',
  '2A-00120200101',
  '1A-002DOE JOHN  00000005-',
  '1A-003POE ANN',
  '',
]

test('a cell or a row that would fill the memory is refused, however it is written', async (t) => {
  const long = 'A'.repeat(400_000)
  const runs = '<r><t>AAAAAAAAAA</t></r>'.repeat(40_000)
  const hidden = `${'A'.repeat(1000)}<!-- -->`.repeat(400)
  const of = (cells: string, texts: string[] = []) => makeXlsx({ Roll: row(1, cells) }, { texts })
  const shared = Array.from({ length: 400 }, () => cell('', '0', ' t="s"')).join('')
  for (const [file, refusal] of [
    [of(text('A1', long)), /more characters than a workbook allows/],
    [of(`<c r="A1" t="inlineStr"><is>${runs}</is></c>`), /more characters than/],
    [of(`<c r="A1" t="str"><v>${hidden}</v></c>`), /more characters than/],
    [of(cell('A1', '0', ' t="s"'), [`<si><t>${long}</t></si>`]), /more characters than/],
    [of(shared, [`<si><t>${'A'.repeat(32_767)}</t></si>`]), /row 1 has more than 8 MB/],
  ] as const) {
    await assert.rejects(readAll(t, file), refusal)
  }
})

test('lines of fixed width are cut by a table, kind by kind', async (t) => {
  for (const end of ['\n', '\r\n']) {
    const file = Buffer.from(LINES.join(end))
    const { batches } = await readAll(t, file, 'roll.txt', '', { fixedWidth: KINDS })
    assert.deepEqual(
      batches.map(({ rows }) => rows),
      [
        [
          ['A-001', 'ROE JANE', '123.45'],
          ['A-002', 'DOE JOHN', '-0.05'],
          ['A-003', 'POE ANN', ''],
        ],
        [
          ['A-001', '20190507'],
          ['A-001', '20200101'],
        ],
      ],
    )
    assert.deepEqual(
      batches.map(({ lines }) => lines),
      [
        [2, 5, 6],
        [3, 4],
      ],
    )
  }
  const wide = Buffer.from(`\ufeff${LINES.join('\r\n')}`, 'utf16le')
  const { rows } = await readAll(t, wide, 'roll.txt', '', { fixedWidth: KINDS })
  assert.equal(rows.length, 5)
})

test('kinds of lines are joined like files', async (t) => {
  const mapping: MappingDocument = {
    name: 'fixed',
    title: 'An invented file of fixed width',
    state: 'WI',
    county: 'Dane',
    fixedWidth: KINDS,
    fields: { parcelId: 'ID', ownerName1: 'OWNER', totalAssessedValue: 'VALUE' },
    transfers: [{ transferDate: { column: 'SOLD', date: 'YYYYMMDD' } }],
    join: { needs: ['SOLD', 'PARCEL'], key: 'PARCEL', to: 'ID' },
    repeats: { merge: ['transfers'], otherwise: 'first' },
  }
  const data = makeFolder(t)
  const report = await importRoll(data, [write(data, 'roll.txt', LINES.join('\n'))], { mapping })
  assert.equal(report.loaded, 3)
  const parcel = await readParcel(openLoaded(t, data), 'WI', 55025, 'A001')
  assert.deepEqual(
    parcel.transfers.map(({ transferDate }) => transferDate),
    ['2020-01-01', '2019-05-07'],
  )
})

test('text of fixed width without line ends, empty, or with lost bytes', async (t) => {
  const read = (file: string) =>
    readAll(t, Buffer.from(file), 'roll.txt', '', { fixedWidth: KINDS })
  await assert.rejects(read('1'.repeat(1_200_000)), /more than 1 MB/)
  await assert.rejects(read(''), /is empty/)
  const { rows, broken } = await read('1A-00\u00001ROE\n1A-002DOE\u0000\u0000\n')
  assert.deepEqual([rows.length, broken.length], [1, 1])
})
