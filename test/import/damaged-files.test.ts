/** Damaged files and bombs: rows or a sentence, soon, and never a stack trace. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { CsvSplitter } from '../../src/import/readers/csv.ts'
import { makeTemporary } from '../../src/import/temporary.ts'
import { makeSamples, readDamaged, readManyDamaged } from './mutate.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-damaged-'))
after(() => rmSync(folder, { recursive: true }))

const put = (name: string, bytes: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

test('an invented file of each format is read whole', async () => {
  for (const { name, bytes } of makeSamples()) {
    const read = await readDamaged(put(name, bytes))
    if (name === 'gdb.zip') assert.match(String(read), /file geodatabase/)
    else assert.equal(read, 12, name)
  }
})

test('a file that was read is closed, whatever its format', {
  skip: existsSync('/proc/self/fd') ? false : 'there is no /proc here',
}, async () => {
  const isOpen = (name: string) =>
    readdirSync('/proc/self/fd').some((fd) => readLink(`/proc/self/fd/${fd}`).endsWith(name))
  for (const { name, bytes } of makeSamples()) {
    await readDamaged(put(`open-${name}`, bytes))
    // Streams close in a later turn.
    for (let turn = 0; turn < 100 && isOpen(`open-${name}`); turn += 1) await setTimeout(10)
    assert.ok(!isOpen(`open-${name}`), name)
  }
})

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

test('96 damaged files give rows or a sentence', async () => {
  assert.ok((await readManyDamaged(folder, 96, 34)) > 10)
})

test('zeros in a Parquet file end in a sentence or rows, and do not last', async () => {
  const { bytes } = makeSamples().find(({ name }) => name === 'roll.parquet') ?? assert.fail()
  let sentences = 0
  for (let at = 4; at < bytes.length - 8; at += 2) {
    const zeros = Buffer.from(bytes).fill(0, at, at + 8)
    if (typeof (await readDamaged(put('zeros.parquet', zeros))) === 'string') sentences += 1
  }
  assert.ok(sentences > 50, String(sentences))
})

test('a length or a column that a Parquet file leaves out is a sentence', async () => {
  const { bytes } = makeSamples().find(({ name }) => name === 'roll.parquet') ?? assert.fail()
  const changed = (at: number, byte: number) => {
    const own = Buffer.from(bytes)
    own[at] = byte
    return readDamaged(put('changed.parquet', own))
  }
  // A page without the length of its repetition levels was unpacked for ever.
  assert.match(String(await changed(22, 0x81)), /cut short/)
  // The path of a column that is no column of the schema, whose error nobody waited for.
  const path = bytes.lastIndexOf('OWNER')
  assert.match(String(await changed(path, 'X'.charCodeAt(0))), /not those of its schema/)
})

/** A number of three bytes as Parquet writes it: the length of a run, and numbers of metadata. */
const write3 = (count: number) =>
  Buffer.from([((count << 1) & 127) | 128, (((count << 1) >> 7) & 127) | 128, count >> 13])

test('a run of more values than its page of a Parquet file is a sentence', async () => {
  const rows = 20_000
  const write = (data: (string | null)[], codec: 'SNAPPY' | 'UNCOMPRESSED') =>
    Buffer.from(
      parquetWriteBuffer({
        columnData: [{ name: 'PIN', data, type: 'STRING', nullable: true }],
        ...{ codec, rowGroupSize: rows },
      }),
    )
  // Runs of three bytes each: of the levels, and of the indexes of a dictionary of two.
  const half = Array.from({ length: rows }, (_, at) => (at < rows / 2 ? 'A' : 'B'))
  for (const [name, data, values] of [
    ['levels', [...half.slice(1), null], rows - 1],
    ['indexes', half, rows / 2],
  ] as const) {
    const bytes = write([...data], 'UNCOMPRESSED')
    assert.equal(await readDamaged(put(`${name}.parquet`, bytes)), rows, name)
    const at = bytes.indexOf(write3(values))
    assert.ok(at > 0, name)
    bytes.set([0xfe, 0xff, 0x7f], at)
    assert.match(String(await readDamaged(put(`${name}.parquet`, bytes))), /cut short/, name)
  }
  assert.equal(await readDamaged(put('packed.parquet', write(half, 'SNAPPY'))), rows)
})

/** A Parquet file of one value in one run of each column, after `filler` bytes of metadata. */
function writeRuns(columns: number, rows: number, filler = 0): Buffer {
  const data = new Array(rows).fill('A')
  const columnData = Array.from({ length: columns }, (_, at) => {
    return { name: `C${at}`, data, type: 'STRING' as const, nullable: false }
  })
  const kvMetadata = [{ key: 'filler', value: randomBytes(filler).toString('hex') }]
  const pages = { rowGroupSize: rows, pageSize: 2 ** 28 }
  return Buffer.from(parquetWriteBuffer({ columnData, kvMetadata, ...pages }))
}

test('runs of a Parquet file take no memory that its size does not announce', async () => {
  // Only its metadata is read, which names a million rows where it has 20,000.
  const small = writeRuns(20, 20_000)
  const metadata = small.subarray(-8 - small.readUInt32LE(small.length - 8))
  while (metadata.includes(write3(20_000)))
    metadata.set(write3(1_000_000), metadata.indexOf(write3(20_000)))
  const told = await readDamaged(put('runs.parquet', small))
  assert.match(String(told), /more than 200 times its size/)
  const large = put('large-runs.parquet', writeRuns(12, 1_000_000, 150_000))
  // Decoded whole, they are 96 MB.
  const reading = fileURLToPath(new URL('mutate.ts', import.meta.url))
  const program = `import { readDamaged } from ${JSON.stringify(reading)}
    console.log(await readDamaged(${JSON.stringify(large)}))`
  const limits = ['--max-old-space-size=80', put('read.mts', program)]
  const { stdout } = await promisify(execFile)(process.execPath, limits)
  assert.equal(stdout, '1000000\n')
})

test('pages of a Parquet file that are too much at once are a sentence', async () => {
  const data = new Array(2_000_000).fill(null)
  const columnData = Array.from({ length: 6 }, (_, at) => {
    const form = { type: 'STRING' as const, encoding: 'PLAIN' as const, nullable: true }
    return { name: `C${at}`, data, ...form }
  })
  const bytes = parquetWriteBuffer({ columnData, rowGroupSize: data.length, pageSize: 2 ** 28 })
  const read = await readDamaged(put('pages.parquet', Buffer.from(bytes)))
  assert.match(String(read), /hold too much to decode at once\. Write it again with row groups of/)
})

test('a file that unpacks to more than 200 times its size is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(70 * 1_048_576, ' '))
  assert.match(String(await readDamaged(put('bomb.csv.gz', bomb))), /more than 200 times its size/)
})

test('a view of a GeoPackage is not read', async () => {
  const path = join(folder, 'view.gpkg')
  const db = new DatabaseSync(path)
  db.exec(`CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
    INSERT INTO gpkg_contents VALUES ('lots', 'attributes');
    CREATE VIEW lots AS WITH RECURSIVE n(PIN) AS (SELECT 1 UNION ALL SELECT PIN + 1 FROM n)
      SELECT PIN FROM n`)
  db.close()
  assert.match(String(await readDamaged(path)), /holds no layer of rows/)
})

test('JSON is bounded: an object without an end, its depth, its columns', async () => {
  const endless = `[{"a":"${'x'.repeat(34 * 1_048_576)}`
  assert.match(String(await readDamaged(put('endless.json', endless))), /more than 32 MB/)
  const deep = `[${'{"a":'.repeat(200)}1${'}'.repeat(200)},{"PIN":1}]`
  assert.equal(await readDamaged(put('deep.json', deep)), 1)
  const nested = '['.repeat(20_000)
  assert.match(String(await readDamaged(put('nested.json', nested))), /nested more than/)
  const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`c${at}`, at]))
  assert.match(String(await readDamaged(put('wide.json', JSON.stringify([wide])))), /columns/)
})

test('a line without an end is read in pieces and rejected, and the next one is read', async () => {
  const text = `PIN,OWNER\n1,${'é'.repeat(9 * 1_048_576)}\n2,ROE\n`
  assert.equal(await readDamaged(put('long.csv', text)), 1)
})

test('quotes without an end search less and less far, and a whole row resets that', () => {
  const splitter = new CsvSplitter(',')
  const line = `"${'x'.repeat(60)}\n`
  splitter.push(`a,b\n${line.repeat(40_000)}`)
  splitter.push(`1,"2"\n3,"4\n5"\n`, true)
  const { rows, broken } = splitter.drain()
  assert.ok(broken.length > 39_000)
  assert.deepEqual(rows.slice(-2), [
    ['1', '2'],
    ['3', '4\n5'],
  ])
})

test('the temporary folder of a killed import is removed by the next one', () => {
  const left = join(tmpdir(), 'platbook-temporary-left00')
  mkdirSync(left)
  writeFileSync(join(left, 'lock'), '')
  const own = makeTemporary()
  const other = makeTemporary()
  assert.equal(existsSync(left), false)
  assert.ok(existsSync(own.path))
  for (const one of [own, other]) one.remove()
  assert.equal(existsSync(own.path), false)
})
