/** Imports that are killed, that run at the same time, or that meet faulty files or disks. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { checkDisk } from '../../src/import/guard.ts'
import { lockImport } from '../../src/store/data-folder.ts'
import { runCommand } from '../command.ts'
import { IS_LONG } from '../repetitions.ts'
import { until } from '../until.ts'
import { fixture, importRoll, makeFolder, openLoaded, write } from './small-roll.ts'

const KILLS = IS_LONG ? 120 : 2
const FIRST_KILLS = IS_LONG ? 8 : 1
const PARCELS = 600
/** About as long as their differences take to be written, milliseconds. */
const WRITING_MS = 30
const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname

/** A roll in which every parcel names its roll; the second one has another half of the parcels. */
function rollOf(marker: string, from: number): string {
  const rows = Array.from({ length: PARCELS }, (_, at) => {
    const id = from + at
    return `NE,Lancaster,P${id},"ROE, JANE ${marker}",${id} ${marker} ST,${marker},68502`
  })
  return `state,county,parcelId,ownerName1,address,city,zipCode\n${rows.join('\n')}\n`
}

/**
 * Which roll a store holds; throws unless it holds one roll, whole, with all that finds its
 * parcels.
 */
function wholeRoll(data: string): string | undefined {
  if (!existsSync(join(data, 'parcels.db'))) return undefined
  // Opened for writing too: an interrupted write is rolled back by the next connection that can
  // write.
  const db = new DatabaseSync(join(data, 'parcels.db'))
  try {
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'parcels'").get() === undefined)
      return undefined
    const cities = db.prepare('SELECT city, count(*) AS n FROM parcels GROUP BY city').all()
    if (cities.length === 0) return undefined
    assert.equal(cities.length, 1, 'parcels of one roll only')
    assert.equal(cities[0]?.n, PARCELS)
    const named = db.prepare('SELECT count(*) AS n FROM records WHERE field_values LIKE ?')
    assert.equal(named.get(`%JANE ${cities[0]?.city}"%`)?.n, PARCELS)
    const keys = db.prepare(
      'SELECT count(*) AS n, sum(key LIKE ?) AS own FROM situs JOIN parcels USING (id)',
    )
    assert.deepEqual({ ...keys.get(`%|${cities[0]?.city}|%`) }, { n: PARCELS, own: PARCELS })
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
    return String(cities[0]?.city)
  } finally {
    db.close()
  }
}

function startImport(data: string, file: string) {
  return spawn(
    process.execPath,
    [MAIN, 'import', file, '--mapping', 'platbook', '--data', data, '--force'],
    { stdio: 'ignore' },
  )
}

/** The same command, in this process. */
async function finish(data: string, file: string): Promise<void> {
  const { code } = await runCommand(importCommand, [file, '--mapping', 'platbook', '--force'], {
    data,
  })
  assert.equal(code, 0)
}

/** Until an import writes into the store, or has ended. */
async function untilWriting(child: ChildProcess, data: string): Promise<void> {
  const log = join(data, 'parcels.db-wal')
  const isWriting = () => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0
  await until(() => child.exitCode !== null || isWriting(), 1)
}

test(`killed ${KILLS} times, the store is whole and the same command finishes`, async (t) => {
  const data = makeFolder(t)
  const files = ['ALPHA', 'OMEGA'].map((marker, at) =>
    write(data, `${marker}.csv`, rollOf(marker, (at * PARCELS) / 2)),
  )
  let started = Date.now()
  await once(startImport(data, files[0] ?? ''), 'exit')
  let whole = Date.now() - started
  assert.equal(wholeRoll(data), 'ALPHA')
  let killed = 0
  for (let round = 0; killed < KILLS && round < 4 * KILLS; round += 1) {
    started = Date.now()
    const child = startImport(data, files[(round + 1) % 2] ?? '')
    // Spread over the time that a whole import takes, its start aside; and every second one over
    // the moments in which the store is written.
    if (round % 2 === 0) await wait(whole * (0.3 + (0.8 * ((round * 7) % KILLS)) / KILLS))
    else {
      await untilWriting(child, data)
      await wait((WRITING_MS * (round % KILLS)) / KILLS)
    }
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    if (child.signalCode === 'SIGKILL') killed += 1
    // A machine that others have left is faster than at the first import.
    else whole = Math.min(whole, Date.now() - started)
    assert.ok(['ALPHA', 'OMEGA'].includes(wholeRoll(data) ?? 'none'), `after kill ${round + 1}`)
  }
  assert.equal(killed, KILLS, 'imports that were killed before their end')
  for (const [at, marker] of ['ALPHA', 'OMEGA'].entries()) {
    await finish(data, files[at] ?? '')
    assert.equal(wholeRoll(data), marker)
  }
})

test('a killed first load leaves nothing, and the same command finishes the work', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'ALPHA.csv', rollOf('ALPHA', 0))
  for (let round = 0; round < FIRST_KILLS; round += 1) {
    rmSync(join(data, 'staging'), { recursive: true, force: true })
    const child = startImport(data, file)
    // The staging folder exists as soon as the store is open for writing.
    await until(() => child.exitCode !== null || existsSync(join(data, 'staging')), 1)
    await wait((round % 4) * 40)
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
    const roll = wholeRoll(data)
    assert.ok(roll === undefined || roll === 'ALPHA', `after kill ${round + 1}`)
    if (roll !== undefined) rmSync(join(data, 'parcels.db'))
  }
  await finish(data, file)
  assert.equal(wholeRoll(data), 'ALPHA')
})

test('while a roll is refreshed every answer is wholly old or wholly new', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [write(data, 'a.csv', rollOf('ALPHA', 0))])
  const reader = openLoaded(t, data)
  const child = startImport(data, write(data, 'b.csv', rollOf('OMEGA', 0)))
  let running = true
  child.on('exit', () => {
    running = false
  })
  const seen = new Set<string>()
  let walks = 0
  while (running) {
    const page = await reader.page(
      { state: 'NE', assignedOnly: false },
      { afterId: 0, skip: 0, limit: 100 },
      Date.now() + 5000,
    )
    const markers = new Set(
      page.parcels.map(({ fieldValues }) => /JANE (\w+)"/.exec(fieldValues)?.[1] ?? ''),
    )
    assert.equal(markers.size, 1, [...markers].join())
    for (const marker of markers) seen.add(marker)
    walks += 1
    await new Promise((done) => setImmediate(done))
  }
  assert.equal(child.exitCode, 0)
  assert.ok(walks > 10 && seen.has('ALPHA'))
  assert.equal(wholeRoll(data), 'OMEGA')
})

test('of two imports at once the second stops with a message', async (t) => {
  const data = makeFolder(t)
  const unlock = lockImport(data)
  await assert.rejects(importRoll(data, [fixture('plain.csv')]), /another import is loading into/)
  unlock()
  assert.equal((await importRoll(data, [fixture('plain.csv')])).loaded, 4)
})

test('a lock whose process was killed holds nobody up', async (t) => {
  const data = makeFolder(t)
  const lock = new URL('../../src/store/data-folder.ts', import.meta.url).href
  const script = `import { lockImport } from ${JSON.stringify(lock)}
    lockImport(${JSON.stringify(data)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  assert.throws(() => lockImport(data), /another import/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockImport(data)()
})

test('a gzip file that was cut short is refused, and the roll that was there stays', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('plain.csv')])
  const file = write(data, 'cut.csv.gz', gzipSync(readFileSync(fixture('plain.csv'))))
  truncateSync(file, 300)
  await assert.rejects(importRoll(data, [file]), /cut\.csv\.gz is cut short or damaged/)
  assert.equal((await openLoaded(t, data).byParcelId('NE', 31109, '0102003')).length, 1)
})

test('a file that is not a roll is an error that names its format', async (t) => {
  const data = makeFolder(t)
  mkdirSync(join(data, 'folder'))
  for (const [file, text] of [
    [join(data, 'none.csv'), /none\.csv does not exist/],
    [join(data, 'folder'), /folder is not a file/],
    [write(data, 'empty.csv', ''), /empty\.csv is empty/],
    [write(data, 'blank.csv', '\n\n'), /blank\.csv is empty/],
    [write(data, 'binary.csv', Buffer.from([1, 2, 3, 0, 0, 255])), /is not a text file of rows/],
    [
      write(data, 'other.csv', 'a,b\n1,2\n'),
      /it has no column parcelId, state, county; its columns are a, b/,
    ],
    [
      write(data, 'bad.zip', Buffer.from('PK\u0003\u0004 and no more')),
      /bad\.zip is cut short or damaged/,
    ],
    [write(data, 'bad.json', '[{"state": "NE"'), /bad\.json/],
    [write(data, 'bad.parquet', 'PAR1 and no more'), /is not a Parquet file/],
    [write(data, 'bad.dbf', 'x'), /is not a dBASE table/],
  ] as const) {
    await assert.rejects(
      importRoll(data, [file]),
      (error: Error) => error.constructor.name === 'CommandError' && text.test(error.message),
      String(text),
    )
  }
})

test('a full disk is reported before anything is written', (t) => {
  const data = makeFolder(t)
  assert.throws(
    () => checkDisk(data, 1_000_000),
    /this load needs about 72 MB, and the disk of .* has 1 MB free; nothing was changed/,
  )
  checkDisk(data, 1e12)
})
