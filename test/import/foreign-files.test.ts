/** Files that are not rolls are refused with advice; rolls in unusual forms are read. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { describe } from 'node:test'
import { inspectCommand } from '../../src/cli/commands/rolls/inspect.ts'
import { takeSample } from '../../src/inspect/sample/sample.ts'
import { runCommand } from '../command.ts'
import { FOUR_COLUMNS } from './four-columns.ts'
import { makeZip as zip } from './make-files.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const KML =
  '<?xml version="1.0"?>\n<!-- made by x -->\n<kml xmlns="http://www.opengis.net/kml/2.2"/>'

/** Name, first bytes, and the message: what the file is, and what to do. */
const FOREIGN: [string, Buffer, RegExp][] = [
  ['roll.csv', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'), /a PDF document.*Ask the publisher/],
  ['roll.csv', latin1('\n<!DOCTYPE html>\n<html><body>Not found</body>'), /a web page.*open the/],
  ['roll.shp', latin1('<html><head></head></html>'), /a web page/],
  ['roll.sql', latin1('-- a comment\nSELECT 1;'), /SQL statements.*export the table as CSV/],
  ['roll.txt', latin1('INSERT INTO parcels VALUES (1);\n'), /SQL statements/],
  ['roll.backup', latin1('PGDMP\x01\x0e'), /SQL statements/],
  ['roll.kml', latin1(KML), /KML.*shapefile or GeoJSON/],
  ['roll.xml', latin1('<?xml version="1.0"?>\n<rows/>'), /is XML/],
  ['roll.fgb', latin1('fgb\x03fgb\x00rest'), /FlatGeobuf.*GeoJSON/],
  ['roll.mdb', latin1('\0\x01\0\0Standard Jet DB\0'), /Access database.*as CSV/],
  ['roll.accdb', latin1('\0\x01\0\0Standard ACE DB\0'), /Access database/],
  ['roll.xls', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0'), /old Excel.*as CSV/],
  [
    'roll.tar',
    Buffer.concat([Buffer.alloc(257, 'a'), latin1('ustar\x0000')]),
    /tar archive.*Unpack/,
  ],
  ['roll.7z', latin1('7z\xbc\xaf\x27\x1c\0\x04'), /archive that import does not unpack/],
  ['roll.exe', Buffer.concat([latin1('MZ\x90\0\x03'), Buffer.alloc(64)]), /a program/],
  ['roll.csv', latin1('{\\rtf1\\ansi hello}'), /a text document/],
  ['roll.pdf', latin1('PARCEL,OWNER\n1,ROE JANE\n'), /a PDF document/],
  ['roll.mdb', latin1('no table at all\n'), /Access database/],
  ['roll.fgb', latin1('PARCEL,OWNER\n1,ROE JANE\n'), /FlatGeobuf/],
  [
    'roll.csv',
    latin1('--\n-- PostgreSQL database dump\n--\nSET client_encoding = 1;\n'),
    /SQL statements/,
  ],
  ['roll.txt', latin1('/* made by x */\n\nCREATE TABLE lots (id int);\n'), /SQL statements/],
  [
    'roll.json',
    latin1('{"status":"error","messages":["Unable to complete operation."],"code":500}'),
    /error answer of an ArcGIS server \(500 Unable to complete operation\.\)/,
  ],
  ['roll', latin1('\x7fELF\x02\x01\x01'), /a program/],
  [
    'roll.json',
    latin1('{"error":{"code":498,"message":"Invalid token.","details":[]}}'),
    /error answer of an ArcGIS server \(498 Invalid token\.\).*Download it again/,
  ],
]

describe('import and inspect refuse', () => {
  for (const [name, bytes, says] of FOREIGN) {
    const start = JSON.stringify(bytes.toString('latin1', 0, 12))
    test(`${name} that begins with ${start}`, async (t) => {
      const folder = makeFolder(t)
      const file = write(folder, name, bytes)
      const expected = (error: Error) => {
        assert.match(error.message, says)
        assert.ok(error.message.startsWith(file), error.message)
        assert.doesNotMatch(error.message, /\n/)
        return true
      }
      await assert.rejects(importRoll(join(folder, 'data'), [file]), expected)
      await assert.rejects(takeSample(file), expected)
    })
  }

  test('an archive of such a file', async (t) => {
    const folder = makeFolder(t)
    const packed = (name: string) => write(folder, 'roll.zip', zip({ [name]: latin1('x') }))
    await assert.rejects(
      takeSample(packed('county.gdb/a0000001.gdbtable')),
      /holds an Esri file geo/,
    )
    await assert.rejects(takeSample(packed('county.mdb')), /holds a Microsoft Access database/)
    await assert.rejects(takeSample(packed('roll.xls')), /holds an Excel workbook of the old form/)
    await assert.rejects(takeSample(packed('a.kml')), /holds KML/)
    await assert.rejects(takeSample(packed('county.gdb/gdb')), /holds an Esri file geo/)
    await assert.rejects(takeSample(packed('mimetype')), /holds an OpenDocument file/)
  })
})

test('files that only look foreign are read: .xls of tabs, a row starting with MZ', async (t) => {
  const folder = makeFolder(t)
  const tabs = write(folder, 'roll.xls', 'PARCEL\tOWNER\tVALUE\n1\tROE JANE\t5\n2\tDOE JOHN\t6\n')
  assert.equal((await takeSample(tabs)).rows, 2)
  const rows = write(folder, 'mz.csv', 'MZONE,OWNER\nR1,ROE JANE\n')
  assert.equal((await takeSample(rows)).rows, 1)
})

/** The same three parcels in other clothes. */
const HEADER = ['PARCEL', 'OWNER', 'SITUS', 'VALUE']
const ROWS = [
  ['01-1', 'ROE JANE', '12 OAK ST', '5000'],
  ['01-2', 'DOE JOHN', '14 OAK ST', '6000'],
  ['01-3', 'POE ANN', '16 OAK ST', '7000'],
]
const lay = (separator: string, end = '\n') =>
  [HEADER, ...ROWS].map((row) => row.join(separator) + end).join('')
const pad = (widths: number[]) =>
  [HEADER, ...ROWS]
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n')
const utf16 = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

const CLOTHES: [string, string | Buffer][] = [
  [
    'title lines above the header',
    `Real Property Roll\nAs of 3/1/2026, preliminary\n\n${lay(',')}`,
  ],
  ['titles filled up with separators', `Real Property Roll,,,\n,,,\n${lay(',')}`],
  ['a blank line above the header', `\n${lay(',')}`],
  ['a total and the end of a report', `${lay(',')}Total,,,18000\nRecords: 3\nEnd of report\n`],
  ['a count of rows', `${lay('|')}\n(3 rows affected)\n`],
  ['lines that end by CR alone', lay(',', '\r')],
  ['separator ^', lay('^')],
  ['separator ~', lay('~')],
  ['separator ; below titles', `Roll; 2026\n${lay(';')}`],
  ['fixed width', pad([10, 20, 20, 8])],
  ['fixed width with commas in names', pad([10, 20, 20, 8]).replaceAll(/(ROE|DOE|POE) /g, '$1,')],
  [
    'fixed width below a title and above a total',
    'LAKE COUNTY         ASSESSMENT ROLL        PAGE ' +
      `1\n\n${pad([10, 20, 20, 8])}\n\nTOTAL PARCELS  3\n`,
  ],
  ['UTF-16', utf16(lay('\t'))],
  ['UTF-16 below a title', utf16(`Roll\r\n${lay(',', '\r\n')}`)],
]

describe('read are', () => {
  for (const [name, text] of CLOTHES) {
    test(name, async (t) => {
      const folder = makeFolder(t)
      const file = write(folder, 'roll.txt', text)
      const sample = await takeSample(file)
      assert.deepEqual(
        [sample.columns.map((column) => column.name), sample.rows, sample.brokenRows],
        [HEADER, 3, 0],
      )
      const report = await importRoll(folder, [file], { mapping: FOUR_COLUMNS })
      assert.deepEqual([report.loaded, report.rejected], [3, 0])
      const parcel = await readParcel(openLoaded(t, folder), 'NE', 31109, '012')
      assert.equal(parcel.ownerName?.replace(',', ' '), 'DOE JOHN')
      assert.equal(parcel.totalMarketValue, 6000)
    })
  }
})

test('a right of way called ROW and an owner called TOTAL are parcels', async (t) => {
  const folder = makeFolder(t)
  const text = `${lay(',')}ROW,,,\n01-9,TOTAL,18 OAK ST,1\n`
  const report = await importRoll(folder, [write(folder, 'roll.csv', text)], {
    mapping: FOUR_COLUMNS,
  })
  assert.equal(report.loaded, 5)
})

test('inspect takes separator, encoding and skipped lines, and the draft keeps them', async (t) => {
  const folder = makeFolder(t)
  const text = latin1(`Roll,of,the,county\n${lay('#')}01-4#PE\xd1A JOSE#18 OAK ST#1\n`)
  const file = write(folder, 'roll.txt', text)
  const words = ['--separator', '#', '--skip', '1', '--encoding', 'windows-1252', '--json']
  const { draft, columns } = (
    await runCommand(inspectCommand, [file, ...words], { data: folder })
  ).json() as { draft: Record<string, unknown>; columns: { name: string }[] }
  assert.deepEqual(
    columns.map(({ name }) => name),
    HEADER,
  )
  assert.deepEqual([draft.separator, draft.skipLines, draft.encoding], ['#', 1, 'windows-1252'])
  for (const wrong of ['--separator=##', '--encoding=ebcdic', '--skip=x']) {
    await assert.rejects(runCommand(inspectCommand, [file, wrong], { data: folder }), {
      exitCode: 2,
    })
  }
})

const ARCGIS = {
  displayFieldName: 'OWNER',
  geometryType: 'esriGeometryPoint',
  spatialReference: { wkid: 4326 },
  fields: HEADER.map((name) => ({ name, type: 'esriFieldTypeString', alias: name, length: 50 })),
  features: ROWS.map(([PARCEL, OWNER, SITUS, VALUE]) => ({
    attributes: { PARCEL, OWNER, SITUS, VALUE },
    geometry: { x: -96.7, y: 40.8 },
  })),
}

test('an ArcGIS answer with fields before features loads, on one line or many', async (t) => {
  const many = Array.from({ length: 9000 }, () => ARCGIS.fields[0])
  const texts = [
    JSON.stringify(ARCGIS),
    JSON.stringify(ARCGIS, null, 2),
    // The list of columns is longer than the piece of a file that is read at a time.
    JSON.stringify({ ...ARCGIS, fields: many, features: ARCGIS.features }),
    JSON.stringify({ ...ARCGIS, fields: many, features: ARCGIS.features }, null, 1),
  ]
  for (const text of texts) {
    const folder = makeFolder(t)
    const file = write(folder, 'roll.json', text)
    const sample = await takeSample(file)
    assert.deepEqual([sample.rows, sample.columns.map(({ name }) => name)], [3, HEADER])
    assert.deepEqual(sample.points[0], [-96.7, 40.8])
    const report = await importRoll(folder, [file], { mapping: FOUR_COLUMNS })
    assert.deepEqual([report.loaded, report.rejected], [3, 0])
  }
})

test('a file with exceededTransferLimit causes a warning that rows are missing', async (t) => {
  const folder = makeFolder(t)
  const { features, ...head } = ARCGIS
  const cases: [object, number][] = [
    [{ ...ARCGIS, exceededTransferLimit: true }, 1],
    [{ exceededTransferLimit: true, ...ARCGIS }, 1],
    [{ ...head, features, properties: { exceededTransferLimit: true } }, 1],
    [{ ...ARCGIS, exceededTransferLimit: false }, 0],
    [ARCGIS, 0],
  ]
  for (const [document, count] of cases) {
    const warnings: string[] = []
    const sink = {
      terminal: false,
      report: (line: string) => warnings.push(line),
      now: () => 0,
      draw: () => {},
    }
    const file = write(folder, 'roll.json', JSON.stringify(document))
    await importRoll(folder, [file], { mapping: FOUR_COLUMNS, sink })
    assert.equal(warnings.length, count, warnings.join())
    if (count > 0)
      assert.match(warnings[0] ?? '', /^warning: .*roll\.json is marked exceededTransferLimit/)
    const heard: string[] = []
    await takeSample(file, { onWarning: (text) => heard.push(text) })
    assert.equal(heard.length, count)
  }
})

test('fixed width: a value longer than those seen is rejected, never cut', async (t) => {
  const folder = makeFolder(t)
  const line = (id: string, owner: string, value: string) =>
    id.padEnd(10) + owner.padEnd(20) + value.padStart(12)
  const rows = Array.from({ length: 300 }, (_, at) => line(`P-${at}`, 'ROE JANE', '5000'))
  const long = line('P-300', 'A VERY LONG NAME', '912345678')
  const text = [line('PARCEL', 'OWNER', 'VALUE'), ...rows, long].join('\n')
  const file = write(folder, 'roll.txt', text)
  const mapping = { ...FOUR_COLUMNS, fields: { parcelId: 'PARCEL', ownerName1: 'OWNER' } }
  const report = await importRoll(folder, [file], { mapping })
  assert.deepEqual([report.loaded, report.rejected], [300, 1])
  assert.match(report.reasons[0]?.[0] ?? '', /text between columns 2 and 3 of fixed width/)
})

test('an archive with a password is an error that says so', async (t) => {
  const packed = zip({ 'roll.csv': 'PARCEL,OWNER\n1,ROE JANE\n' })
  const entry = packed.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
  for (const at of [6, entry + 8]) packed[at] = (packed[at] ?? 0) | 1
  const file = write(makeFolder(t), 'locked.zip', packed)
  await assert.rejects(takeSample(file), /locked\.zip is locked by a password\. Unpack it/)
})

test('what can be read and is not a table is refused by inspect', async (t) => {
  const folder = makeFolder(t)
  for (const [name, text, size] of [
    [
      'letter.txt',
      'The roll of Lake County\nlies in roll.csv\nbeside this file\n',
      '1 column and 2',
    ],
    ['count.json', '{"count":12345}', '1 column and 1 row'],
    ['ids.json', '{"objectIdFieldName":"OBJECTID","objectIds":[1,2]}', '2 columns and 1 row'],
    ['colons.csv', 'PARCEL:OWNER\n1:ROE JANE\n2:DOE JOHN\n', '1 column and 2 rows'],
  ] as const) {
    const run = runCommand(inspectCommand, [write(folder, name, text)], { data: folder })
    await assert.rejects(run, ({ message }: Error) => {
      assert.ok(message.includes(`${name} is not a table of parcels: it has ${size}`), message)
      return message.includes('name it by --separator')
    })
  }
})
