/**
 * Files that are a roll all the same, or nearly: without a header line, without rows, with lost
 * bytes, in wide letters without a mark.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { type MappingDocument, readMapping } from '../../src/import/mapping/mapping.ts'
import { takeSample } from '../../src/inspect/sample/sample.ts'
import { FOUR_COLUMNS } from './four-columns.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

test('files without rows or parcels are refused; --force counts them as read', async (t) => {
  const data = makeFolder(t)
  const header = 'state,county,parcelId,ownerName1\n'
  const head = write(data, 'head.csv', header)
  const blank = write(
    data,
    'blank-ids.csv',
    `${header}NE,Lancaster,,ROE JANE\nNE,Lancaster,,DOE JOHN\n`,
  )
  const wrong = write(data, 'wrong.csv', `${header}NE,Nowhere,1,ROE JANE\n`)
  await assert.rejects(
    importRoll(data, [head]),
    /not loaded: its files have columns and not one row/,
  )
  await assert.rejects(
    importRoll(data, [blank]),
    /none of its 2 rows makes a parcel; 2 were skipped/,
  )
  await assert.rejects(
    importRoll(data, [wrong]),
    /the commonest reason: "Nowhere" is not a county of NE/,
  )
  const forced = await importRoll(data, [head], { force: true })
  assert.deepEqual([forced.rows, forced.loaded, forced.removed], [0, 0, 0])
  const tried = await importRoll(data, [head], { dryRun: true })
  assert.match(tried.refused ?? '', /not one row/)
})

test('a row with a NUL inside a value is rejected; NULs as padding are accepted', async (t) => {
  const data = makeFolder(t)
  const rows = ['NE,Lancaster,1,ROE JANE', 'NE,Lancaster,2,RO\0E JOHN', 'NE,Lancaster,3,DOE\0\0\0']
  const file = write(data, 'nul.csv', `state,county,parcelId,ownerName1\n${rows.join('\n')}\n`)
  const report = await importRoll(data, [file])
  assert.deepEqual([report.rows, report.loaded, report.rejected], [3, 2, 1])
  assert.match(
    readFileSync(report.rejectsFile ?? '', 'utf8'),
    /nul\.csv,3,NUL character in a value/,
  )
  assert.equal((await readParcel(openLoaded(t, data), 'NE', 31109, '3')).ownerName, 'DOE')
})

const HEADLESS = JSON.stringify({
  name: 'headless',
  title: 'A file without a header line',
  state: 'NE',
  county: 'Lancaster',
  columns: ['id', 'owner', 'line', 'value'],
  fields: { parcelId: 'id', ownerName1: 'owner', address: 'line', totalMarketValue: 'value' },
})

test('a mapping names the columns of a file without header; a header is detected', async (t) => {
  const data = makeFolder(t)
  const rows = '100,ROE JANE,12 OAK ST,5000\n101,DOE JOHN,14 OAK ST,6000\n'
  const mapping = readMapping(HEADLESS, 'the mapping')
  const without = await importRoll(data, [write(data, 'without.csv', rows)], { mapping })
  assert.equal(without.loaded, 2)
  const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '100')
  assert.deepEqual([parcel.ownerName, parcel.totalMarketValue], ['ROE JANE', 5000])
  const named = write(data, 'named.csv', `ID,Owner,Line,Value\n${rows}`)
  assert.equal((await importRoll(data, [named], { mapping })).unchanged, 2)
  const narrow = write(data, 'narrow.csv', '100,ROE JANE\n')
  await assert.rejects(
    importRoll(data, [narrow], { mapping }),
    /has 2 columns where the mapping names 4/,
  )
})

test('without a header line, missing columns of the mapping are reported', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'rows.csv', '100,ROE JANE,12 OAK ST,5000\n')
  await assert.rejects(
    importRoll(data, [file]),
    /if its first line is a row, "columns" in the mapping names them/,
  )
})

test('UTF-16 without a mark is read', async (t) => {
  const data = makeFolder(t)
  const text = 'state,county,parcelId,ownerName1\nNE,Lancaster,1,ROE JANE\n'
  for (const [name, bytes] of [
    ['little.csv', Buffer.from(text, 'utf16le')],
    ['big.csv', Buffer.from(text, 'utf16le').swap16()],
  ] as const) {
    const report = await importRoll(data, [write(data, name, bytes)])
    assert.equal(report.loaded + report.unchanged, 1, name)
  }
})

test('a parcel ID that a spreadsheet rounded is rejected', async (t) => {
  const data = makeFolder(t)
  const text =
    'state,county,parcelId,ownerName1\n' +
    'NE,Lancaster,1.01687E+09,ROE JANE\n' +
    'NE,Lancaster,12,DOE JOHN\n'
  const report = await importRoll(data, [write(data, 'rounded.csv', text)])
  assert.deepEqual([report.loaded, report.rejected], [1, 1])
  assert.match(report.reasons[0]?.[0] ?? '', /is rounded by the file, as spreadsheets/)
})

test('other numbers of a parcel that a spreadsheet rounded are unknown, and counted', async (t) => {
  const data = makeFolder(t)
  const text =
    'state,county,parcelId,altParcelIds,taxAccountNumber,transferDocNum\n' +
    'NE,Lancaster,12,2.32605E+17,1.01687E+09,3E+15\n' +
    'NE,Lancaster,13,12E45,1E5,2024-1E5\n'
  const { unread } = await importRoll(data, [write(data, 'rounded.csv', text)])
  assert.deepEqual(unread, { alternateParcelIds: 1, taxAccountNumber: 1, transferDocNum: 1 })
  const reader = openLoaded(t, data)
  const kept = await readParcel(reader, 'NE', 31109, '13')
  assert.deepEqual([kept.alternateParcelIds, kept.taxAccountNumber], [['12E45'], '1E5'])
  const { alternateParcelIds, taxAccountNumber } = await readParcel(reader, 'NE', 31109, '12')
  assert.deepEqual([alternateParcelIds, taxAccountNumber], [[], null])
})

test('zeros name no other ID, owner, buyer or text, and are counted', async (t) => {
  const data = makeFolder(t)
  const text =
    'state,county,parcelId,altParcelIds,formerParcelIds,ownerName1,ownerName2,legalDesc,grantee\n' +
    'NE,Lancaster,12,0;B-7,0-00,ROE JANE,0,000,0\n'
  const { placeholders } = await importRoll(data, [write(data, 'zeros.csv', text)])
  const counted = ['alternateParcelIds', 'formerParcelIds', 'ownerName2', 'legalDesc', 'grantee']
  assert.deepEqual(placeholders, Object.fromEntries(counted.map((name) => [name, 1])))
  const reader = openLoaded(t, data)
  const parcel = await readParcel(reader, 'NE', 31109, '12')
  assert.deepEqual([parcel.alternateParcelIds, parcel.formerParcelIds], [['B-7'], []])
  assert.deepEqual([parcel.ownerName2, parcel.legalDescription], [null, null])
  assert.deepEqual(await reader.byAlternateId('NE', 31109, '0'), [])
})

test('a polygon that is no JSON is named in the reason', async (t) => {
  const data = makeFolder(t)
  const text = 'state,county,parcelId,geometry\nNE,Lancaster,12,000\nNE,Lancaster,13,\n'
  const report = await importRoll(data, [write(data, 'shape.csv', text)])
  assert.match(report.reasons[0]?.[0] ?? '', /^geometry of an exported row is "000"/)
})

const LINES = Array.from({ length: 12 }, (_, at) => [
  `12-${at}`,
  'ROE JANE',
  `${at + 10} OAK ST`,
  String(5000 + at),
])

test('a separator after every row, or after the header alone, shifts nothing', async (t) => {
  const header = 'PARCEL,OWNER,SITUS,VALUE'
  for (const text of [
    [header, ...LINES.map((row) => `${row.join(',')},`)],
    [`${header},`, ...LINES.map((row) => row.join(','))],
  ]) {
    const data = makeFolder(t)
    const report = await importRoll(data, [write(data, 'roll.csv', text.join('\n'))], {
      mapping: FOUR_COLUMNS,
    })
    assert.deepEqual([report.loaded, report.rejected], [12, 0])
    const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '123')
    assert.deepEqual([parcel.address, parcel.totalMarketValue], ['13 OAK ST', 5003])
  }
})

test('a comma within names and an empty last column is not a separator at the end', async (t) => {
  const data = makeFolder(t)
  const rows = LINES.map(([id, , situs]) => `${id},ROE, JANE,${situs},`)
  const text = ['PARCEL,OWNER,SITUS,VALUE', ...rows].join('\n')
  const report = importRoll(data, [write(data, 'roll.csv', text)], { mapping: FOUR_COLUMNS })
  await assert.rejects(report, /5 fields where the header has 4/)
})

test('every column has a name: by its place, or by its count where a name repeats', async (t) => {
  const folder = makeFolder(t)
  const rows = LINES.map(([id, owner, situs, value]) => [id, owner, 'DOE JOHN', situs, value, ''])
  const header = ['PARCEL', 'OWNER', 'OWNER', '', 'VALUE', '']
  const text = [header, ...rows].map((row) => row.join(',')).join('\n')
  const { columns } = await takeSample(write(folder, 'roll.csv', text))
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['PARCEL', 'OWNER', 'OWNER (2)', 'column4', 'VALUE'],
  )
})

test('a first line that is a row like the next ones names no columns', async (t) => {
  const text = `${LINES.map((row) => row.join(',')).join('\n')}\n`
  const sample = await takeSample(write(makeFolder(t), 'roll.csv', text))
  assert.deepEqual([sample.rows, sample.headless], [12, true])
})

test('a line of places above the names is no header; above rows it is one', async (t) => {
  const rows = LINES.map((row) => [...row, 'Y'])
  const read = async (...lines: string[][]) => {
    const text = lines.map((row) => row.join(',')).join('\n')
    const { columns, rows: count } = await takeSample(write(makeFolder(t), 'roll.csv', text))
    return [columns[0]?.name, count]
  }
  const names = ['PARCEL', 'OWNER', 'SITUS', 'VALUE', 'KEPT']
  const unnamed = names.map((_, at) => `Unnamed: ${at}`)
  for (const places of [unnamed, names.map((_, at) => `${at}`), names.map((_, at) => `${at + 1}`)])
    assert.deepEqual(await read(places, names, ...rows), ['PARCEL', 12])
  assert.deepEqual(await read(unnamed, ...rows), ['Unnamed: 0', 12])
})

test('a text without line ends is an error that says so', async (t) => {
  const folder = makeFolder(t)
  const long = write(folder, 'long.csv', 'A'.repeat(9_000_000))
  await assert.rejects(takeSample(long), /long\.csv has no line of column names but a line of more/)
  const ebcdic = write(folder, 'mainframe.txt', Buffer.alloc(6000, 'c1c2c36bd1d2', 'hex'))
  await assert.rejects(takeSample(ebcdic), /mainframe\.txt is not a text file of rows/)
})

test('letters of DOS are read, and kinds of columns make no row', async (t) => {
  const data = makeFolder(t)
  const rows: [string, string][] = [
    ['PE\xa5A JOS\x90', 'PEÑA JOSÉ'],
    ['Pe\xa4a Ram\xa2n', 'PEÑA RAMÓN'],
    ['M\x9aLLER', 'MÜLLER'],
    // Near misses: quotes, dashes, money and letters of Windows.
    ['O\x92NEIL \x96 ANN', 'O’NEIL – ANN'],
    ['CAF\xc9 5\xa2', 'CAFÉ 5¢'],
    ['\x9aIMEK JAN', 'ŠIMEK JAN'],
    ['HARLOW\xa0ANN', 'HARLOW ANN'],
  ]
  const lines = [
    'PARCEL,OWNER,SITUS,VALUE',
    'varchar(12),text,text,"decimal(12, 2)"',
    ...rows.map(([name], at) => `${at + 1},${name},${at + 1} OAK ST,5000`),
    '8,TEXT,DATE ST,6000',
    '\x1a',
  ]
  const file = write(data, 'dos.csv', Buffer.from(lines.join('\r\n'), 'latin1'))
  const report = await importRoll(data, [file], { mapping: FOUR_COLUMNS })
  assert.deepEqual([report.loaded, report.skipped, report.rejected], [8, 2, 0])
  const reader = openLoaded(t, data)
  for (const [at, [, name]] of rows.entries()) {
    assert.equal((await readParcel(reader, 'NE', 31109, String(at + 1))).ownerName, name)
  }
  const asked = { ...FOUR_COLUMNS, encoding: 'cp850' as const }
  const island = Buffer.from(`PARCEL,OWNER,SITUS,VALUE\n1,MAR\xd6A,1 OAK ST,5\n`, 'latin1')
  await importRoll(data, [write(data, 'cp850.csv', island)], { mapping: asked, force: true })
  assert.equal((await readParcel(openLoaded(t, data), 'NE', 31109, '1')).ownerName, 'MARÍA')
})

test('lost rows of a joined file and coordinates without a place are said', async (t) => {
  const data = makeFolder(t)
  const roll = write(
    data,
    'roll.csv',
    'PIN,OWNER,LAT,LON,X,Y\n101,ROE JANE,40.8,-96.7,,\n102,DOE JOHN,2640000,205000,,\n' +
      '103,POE ANN,0,0,0,0\n104,FOX AL,,,A,B\n105,COY AL,,,,\n',
  )
  const sales = (rows: string) => write(data, 'sales.csv', `KEY,SOLD,PRICE\n${rows}`)
  const mapping = {
    ...{ name: 'own', title: 'own', state: 'NE', county: 'Lancaster', nameOrder: 'mixed' },
    fields: { parcelId: 'PIN', ownerName1: 'OWNER', latitude: 'LAT', longitude: 'LON' },
    point: { epsg: 6880, x: 'X', y: 'Y' },
    join: { needs: ['KEY', 'PRICE'], key: 'KEY', to: 'PIN' },
    transfers: [{ transferDate: 'SOLD', transferPrice: 'PRICE' }],
    repeats: { merge: ['transfers'], otherwise: 'first' },
  } as MappingDocument
  const lost = sales('101,2024-03-05,5\n101.0,2024-03-05,5\n,2024-03-05,5\n\n102,"x\n')
  const { doubts, unread, placeholders } = await importRoll(data, [roll, lost], { mapping })
  assert.match(doubts.join('\n'), /sales\.csv: 1 row could not be read \(first: line 6: a quote/)
  assert.match(
    doubts.join('\n'),
    /2 of 3 rows belong to no parcel of the roll \(first key: a row w/,
  )
  assert.deepEqual(
    [unread, placeholders],
    [
      { latitude: 1, point: 1 },
      { latitude: 1, point: 1 },
    ],
  )
  const whole = sales('101,2024-03-05,5\n101,2024-03-06,5\n105,2024-03-05,5\n')
  assert.deepEqual((await importRoll(data, [roll, whole], { mapping })).doubts, [])
  const decimals = sales('101.0,2024-03-05,5\n101.0,2024-03-06,5\n105.0,2024-03-05,5\n')
  assert.deepEqual((await importRoll(data, [roll, decimals], { mapping })).doubts, [])
  const fractions = sales('101.0,2024-03-05,5\n101.5,2024-03-06,5\n')
  const { doubts: left } = await importRoll(data, [roll, fractions], { mapping })
  assert.match(left.join('\n'), /2 of 2 rows belong to no parcel of the roll \(first key: 101\.0\)/)
})
