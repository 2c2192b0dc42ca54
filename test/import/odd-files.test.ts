/**
 * Files that are a roll all the same, or nearly: without a header line, without rows, with lost
 * bytes, in wide letters without a mark.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

test('a header without rows, and rows of which none is a parcel, are refused; --force counts them as read', async (t) => {
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
    /the commonest reason: "Nowhere" is no county of NE/,
  )
  const forced = await importRoll(data, [head], { force: true })
  assert.deepEqual([forced.rows, forced.loaded, forced.removed], [0, 0, 0])
  const tried = await importRoll(data, [head], { dryRun: true })
  assert.match(tried.refused ?? '', /not one row/)
})

test('a row with a NUL inside of a value is rejected by its line; NULs that fill fields up are not', async (t) => {
  const data = makeFolder(t)
  const rows = ['NE,Lancaster,1,ROE JANE', 'NE,Lancaster,2,RO\0E JOHN', 'NE,Lancaster,3,DOE\0\0\0']
  const file = write(data, 'nul.csv', `state,county,parcelId,ownerName1\n${rows.join('\n')}\n`)
  const report = await importRoll(data, [file])
  assert.deepEqual([report.rows, report.loaded, report.rejected], [3, 2, 1])
  assert.match(readFileSync(report.rejectsFile ?? '', 'utf8'), /nul\.csv,3,a NUL character inside/)
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

test('a mapping names the columns of a file without a header line; with one, that line is read as such', async (t) => {
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

test('a file without a header line is told of where a mapping misses its columns', async (t) => {
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
  assert.match(report.reasons[0]?.[0] ?? '', /is rounded, as spreadsheets do/)
})
