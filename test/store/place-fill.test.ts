/** Parcels that were loaded by a version without places get theirs, in both stores. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { fillPlaces } from '../../src/import/fill-places.ts'
import { placeOfRecord } from '../../src/import/rows/place.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { parcelsPath } from '../../src/store/data-folder.ts'
import { prepareData } from '../../src/store/open.ts'
import { openPlaceFiller } from '../../src/store/open-rolls.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import { runCommand } from '../command.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { load, lookAt, PARCELS, testRefilling } from './place-fill-suite.ts'

test('sqlite: a folder of a version without places is 503 until all are filled', async () => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-fill-'))
  after(() => rmSync(data, { recursive: true, force: true }))
  await prepareData({ ...readConfig({}), data })
  await load(data)
  const open = () =>
    openDatabase(parcelsPath(data), { migrations: 'parcels', synchronous: 'NORMAL' })
  const db = open()
  const counts = () => db.prepare('SELECT * FROM point_counts ORDER BY cell').all()
  const before = { ...(await lookAt(openParcelReader(db))), counts: counts() }
  assert.equal(before.points.length, PARCELS * 0.9)
  await new Promise(setImmediate)
  db.exec(`UPDATE parcels SET x = NULL, y = NULL, cell = NULL; DELETE FROM points;
    DELETE FROM shapes; DELETE FROM point_counts;
    UPDATE counters SET value = (SELECT max(id) FROM records) WHERE name = 'places_wanted'`)

  const filler = await openPlaceFiller(data)
  assert.equal(await filler.fillSlice(placeOfRecord), true)
  await assert.rejects(lookAt(openParcelReader(db)), /Places are still being indexed/)
  await filler.close()
  await new Promise(setImmediate)
  placeByHand(db, before.points)
  await fillPlaces(data)
  assert.deepEqual({ ...(await lookAt(openParcelReader(db))), counts: counts() }, before)
  await new Promise(setImmediate)
  db.close()
  const check = await runCommand(checkCommand, ['--json'], { data })
  assert.deepEqual((check.json() as { findings: unknown }).findings, [])
})

/** A parcel that an import has written in between is not written twice. */
function placeByHand(db: DatabaseSync, points: { id: number; x: number; y: number }[]): void {
  const bare = db.prepare('SELECT 1 FROM parcels WHERE id = ? AND x IS NULL')
  const point = points.find(({ id }) => bare.get(id) !== undefined)
  assert.ok(point)
  const { id, x, y } = point
  const record = db.prepare('SELECT field_values FROM records WHERE id = ?').get(id)
  const { cell } = placeOfRecord(String(record?.field_values))
  db.prepare('UPDATE parcels SET x = ?, y = ?, cell = ? WHERE id = ?').run(x, y, cell, id)
  db.prepare('INSERT INTO points VALUES (?, ?, ?, ?, ?)').run(id, x, x, y, y)
  db.prepare(`INSERT INTO point_counts VALUES (?, 1)
    ON CONFLICT (cell) DO UPDATE SET parcels = parcels + 1`).run(cell)
}

const missing = whyNoServer()
test('postgres: the same over a database', { skip: missing }, async () => {
  const server = await startServer(NOT_DURABLE)
  try {
    const url = await server.createDatabase('filled')
    await migrate(url)
    await testRefilling(url)
  } finally {
    await server.stop()
  }
})
