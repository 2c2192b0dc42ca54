/** The files of an export, and what remains after a failure. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { CommandError } from '../../src/base/errors.ts'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import { suppressAdd } from '../../src/cli/commands/rolls/suppress.ts'
import { beginFile } from '../../src/export/new-file.ts'
import { runExport } from '../../src/export/run.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openExport } from '../../src/store/open-rolls.ts'
import { runCommand } from '../command.ts'
import { importRoll, makeFolder, write } from '../import/small-roll.ts'

const CSV = `state,county,parcelId,ownerName1,address,city,latitude,longitude,totalAssessedValue
WI,Dane,A-1,"ZYXWELL, JANE",12 OAK ST,MADISON,43.07,-89.4,5000000000
WI,Dane,A-2,"DOE, JOHN",14 OAK ST,MADISON,43.071,-89.401,
WI,Green,B-1,"POE, ANN",1 ELM ST,MONROE,42.6,-89.6,10
`

/** A data folder with the roll; runs `export` over it. */
async function loaded(t: TestContext) {
  const data = makeFolder(t)
  await importRoll(data, [write(data, 'roll.csv', CSV)])
  const run = (...words: string[]) => runCommand(exportCommand, words, { data })
  return { data, run, path: (name: string) => join(data, name) }
}

async function readParquet(path: string) {
  const file = await asyncBufferFromFile(path)
  // The geometry stays as its bytes.
  const metadata = await parquetMetadataAsync(file, { geoparquet: false })
  const rows = await parquetReadObjects({ file, metadata, compressors, utf8: false })
  return { metadata, rows: rows as Record<string, unknown>[] }
}

test('a GeoParquet file has its encoding, types and bounds, and typed columns', async (t) => {
  const { run, path } = await loaded(t)
  const out = path('wi.parquet')
  const report = (await run('--state', 'wi', '--format', 'parquet', '--out', out, '--json')).json()
  assert.equal(report.rows, 3)
  assert.equal(report.bytes, readFileSync(out).length)
  const { metadata, rows } = await readParquet(out)
  const geo = JSON.parse(metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '')
  assert.equal(geo.version, '1.1.0')
  const { encoding, geometry_types, bbox, covering } = geo.columns.geometry
  assert.deepEqual([encoding, geometry_types], ['WKB', ['Point']])
  assert.deepEqual(bbox, [-89.6, 42.6, -89.4, 43.071])
  assert.deepEqual(covering.bbox.xmin, ['bbox', 'xmin'])
  const first = rows.find(({ parcelId }) => parcelId === 'A-1')
  assert.equal(first?.totalAssessedValue, 5_000_000_000n)
  assert.equal(first?.addressAssigned, true)
  assert.deepEqual(first?.bbox, { xmin: -89.4, ymin: 43.07, xmax: -89.4, ymax: 43.07 })
  const wkb = Buffer.from(first?.geometry as Uint8Array)
  const [order, type] = [wkb.readUInt8(0), wkb.readUInt32LE(1)]
  assert.deepEqual([order, type, wkb.readDoubleLE(5), wkb.readDoubleLE(13)], [1, 1, -89.4, 43.07])
})

test('--county and --changed-since choose the parcels', async (t) => {
  const { run, path } = await loaded(t)
  const rows = async (name: string, ...words: string[]) =>
    (await run('--state', 'WI', '--format', 'csv', '--out', path(name), '--json', ...words)).json()
  assert.equal((await rows('1.csv', '--county', 'Green')).rows, 1)
  assert.equal((await rows('2.csv', '--changed-since', '2026-06-01')).rows, 3)
  assert.equal((await rows('3.csv', '--changed-since', '2026-06-02')).rows, 0)
  assert.match(readFileSync(path('3.csv'), 'utf8'), /^propertyId,[^\n]*\n$/)
  const none = rows('4.csv', '--county', 'Adams')
  await assert.rejects(none, /nothing is loaded there/)
  assert.equal(existsSync(path('4.csv')), false)
})

test('the nested layout has paths for columns, and records as properties', async (t) => {
  const { run, path } = await loaded(t)
  for (const format of ['csv', 'parquet', 'geojsonl']) {
    await run('--state', 'WI', '--format', format, '--layout', 'nested', '--out', path(format))
  }
  assert.match(readFileSync(path('csv'), 'utf8'), /^id,.*propertyLocation\.address,/)
  const { rows } = await readParquet(path('parquet'))
  assert.ok(rows.some((row) => row['propertyLocation.address'] === '1 ELM ST'))
  const [line = ''] = readFileSync(path('geojsonl'), 'utf8').split('\n')
  const { properties, geometry } = JSON.parse(line)
  assert.equal(properties.propertyLocation.address, '12 OAK ST')
  assert.deepEqual(geometry, { type: 'Point', coordinates: [-89.4, 43.07] })
})

test('wrong words end with 2 and name themselves', async (t) => {
  const { run, path } = await loaded(t)
  const good = ['--state', 'WI', '--format', 'csv', '--out', path('x.csv')]
  const faults: [string[], RegExp][] = [
    [['--format', 'csv', '--out', 'x'], /needs --state/],
    [[...good, '--state', 'XX'], /"XX" is not a US state/],
    [[...good, '--format', 'xml'], /"xml" is none of parquet, csv, geojsonl/],
    [[...good, '--layout', 'tall'], /"tall" is none of flat, nested/],
    [[...good, '--county', 'Nowhere'], /"Nowhere" is not a county of WI/],
    [[...good, '--changed-since', '2026-02-30'], /"2026-02-30" is not a day/],
    [[...good, 'roll.csv'], /export/],
  ]
  for (const [words, message] of faults) {
    await assert.rejects(run(...words), (error: Error) => {
      assert.ok(error instanceof CommandError)
      assert.equal(error.exitCode, 2)
      assert.match(error.message, message)
      return true
    })
  }
})

test('an existing file is kept without --overwrite', async (t) => {
  const { run, path } = await loaded(t)
  const out = path('wi.csv')
  writeFileSync(out, 'mine')
  const words = ['--state', 'WI', '--format', 'csv', '--out', out]
  await assert.rejects(run(...words), /is there already; --overwrite replaces it/)
  assert.equal(readFileSync(out, 'utf8'), 'mine')
  await run(...words, '--overwrite')
  assert.match(readFileSync(out, 'utf8'), /ZYXWELL, JANE/)
  await assert.rejects(run(...words.slice(0, -1), path('no/folder.csv')), /does not exist/)
})

test('stopping leaves no file, neither whole nor half', async (t) => {
  const { data } = await loaded(t)
  for (const format of ['csv', 'parquet', 'geojsonl'] as const) {
    const reader = await openExport(readConfig({ PLATBOOK_DATA: data }))
    const path = join(data, `stopped.${format}`)
    const stopped = runExport(reader, {
      scope: { state: 'WI', fips: undefined, changedSince: undefined },
      ...{ format, layout: 'flat', path, overwrite: false, loaded: [] },
      onProgress(rows) {
        if (rows > 0) throw new CommandError('stopped')
      },
    })
    await assert.rejects(stopped, /stopped/)
    await reader.close()
  }
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('stopped')),
    [],
  )
})

test('an export replaces the part of a killed one, and no other file of that name', async (t) => {
  const { run, path } = await loaded(t)
  const [part, lock] = [path('out.csv.part'), path('out.csv.part.lock')]
  writeFileSync(part, 'of another')
  const words = ['--state', 'WI', '--format', 'csv', '--out', path('out.csv')]
  await assert.rejects(run(...words), /another program's/)
  assert.deepEqual([readFileSync(part, 'utf8'), existsSync(lock)], ['of another', false])
  const file = await beginFile(path('other.csv'), false)
  await assert.rejects(beginFile(path('other.csv'), true), /another command writes/)
  await file.finish()
  const next = await beginFile(path('other.csv'), true)
  await file.discard()
  await next.finish()
  mkdirSync(path('folder'))
  const vain = await beginFile(path('folder'), true)
  await assert.rejects(vain.finish(), /is a folder/)
  await assert.rejects(beginFile(path('folder'), true), /another command writes/)
  await vain.discard()
  const kill = `process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
    await (await import('${NEW_FILE}')).beginFile('${path('killed.csv')}', false)`
  spawnSync(process.execPath, ['--input-type=module', '-e', kill])
  assert.equal(existsSync(path('killed.csv.part')), true)
  await run('--state', 'WI', '--format', 'csv', '--out', path('killed.csv'))
  assert.deepEqual(
    readdirSync(path('')).filter((name) => name.startsWith('killed')),
    ['killed.csv'],
  )
})

const NEW_FILE = new URL('../../src/export/new-file.ts', import.meta.url).pathname
const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname
const MOUNT = 'mount -t tmpfs -o size=64k none "$0"'
const mayMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-Urm', 'sh', '-c', MOUNT, '/mnt']).status === 0
const skip = !mayMount && 'this user may not mount a file system of its own'

test('a full disk is an error in one sentence, and no file remains', { skip }, async (t) => {
  const { data, path } = await loaded(t)
  const rows = Array.from({ length: 2000 }, (_, at) => `WI,Dane,P${at},A,${at} OAK ST,MADISON,,,1`)
  const csv = [CSV.split('\n')[0], ...rows].join('\n')
  await importRoll(data, [write(data, 'large.csv', csv)], { partial: true })
  mkdirSync(path('small'))
  const script = `${MOUNT} && "$@" --out "$0/out.csv"; echo "exit $?"; ls -A "$0"`
  const words = ['export', '--state', 'WI', '--format', 'csv', '--data', data]
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-Urm', 'sh', '-c', script, path('small'), process.execPath, MAIN, ...words],
    { encoding: 'utf8' },
  )
  assert.equal(stdout.trim(), 'exit 1')
  assert.match(
    stderr,
    /the export needs about \d+ MB, and the disk of .* has 1 MB free; nothing was changed/,
  )
  assert.doesNotMatch(stderr, /\n {4}at /)
})

test('suppressed data is in no file', async (t) => {
  const { data, run, path } = await loaded(t)
  const words = ['--owner', 'ZYXWELL, JANE', '--basis', 'order 1', '--state', 'WI']
  await runCommand(suppressAdd, words, { data })
  for (const format of ['csv', 'parquet', 'geojsonl']) {
    const out = path(`wi.${format}`)
    await run('--state', 'WI', '--format', format, '--out', out)
    assert.equal(readFileSync(out, 'latin1').includes('ZYXWELL'), false, format)
    assert.equal(readFileSync(out, 'latin1').includes('DOE'), true, format)
  }
})
