/** The tree of points that a first load of the embedded store packs, and its refreshes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { readConfig } from '../../src/settings/read-config.ts'
import { parcelsPath } from '../../src/store/data-folder.ts'
import { prepareData } from '../../src/store/open.ts'
import { openWriter } from '../../src/store/open-rolls.ts'
import { stage } from './staged.ts'

/** Parcels that one load stages: leaves, two and three levels, and both sides of a full node. */
const SIZES = [0, 1, 45, 46, 2026, 6000]

/** Every ninth parcel has no point, every seventh the point of another. */
function makeRoll(parcels: number, shift = 0) {
  return Array.from({ length: parcels }, (_, at) => {
    const place = at % 7 === 0 ? 0 : (at + shift) * 7919
    const point: [number, number] = [-90 + (place % 997) / 500, 43 + (place % 1009) / 500]
    return stage({ parcelId: `P${at}`, ...(at % 9 > 0 && { point }) })
  })
}

async function load(data: string, parcels: ReturnType<typeof makeRoll>): Promise<void> {
  const writer = await openWriter(data)
  try {
    await writer.stage(parcels)
    await writer.apply(true, 1_750_000_000)
  } finally {
    await writer.discard()
  }
}

/** SQLite finds no fault in the tree, it has every point, and boxes find what a scan finds. */
function assertWhole(data: string, label: string): void {
  const db = new DatabaseSync(parcelsPath(data), { readOnly: true })
  try {
    assert.equal(db.prepare("SELECT rtreecheck('points') AS found").get()?.found, 'ok', label)
    const placed = `SELECT id, x AS west, x AS east, y AS south, y AS north FROM parcels
      WHERE x IS NOT NULL`
    const entries = db.prepare('SELECT * FROM points ORDER BY id')
    const rows = db.prepare(`${placed} ORDER BY id`)
    assert.deepEqual(entries.all(), rows.all(), label)
    const inBox = db.prepare(`SELECT count(*) AS n FROM points
      WHERE west >= ? AND east <= ? AND south >= ? AND north <= ?`)
    const scanned = db.prepare(`SELECT count(*) AS n FROM parcels
      WHERE x BETWEEN ? AND ? AND y BETWEEN ? AND ?`)
    for (const corner of [0, 3_000_000, 9_000_000, 15_000_000]) {
      const box = [-900_000_000 + corner, -897_000_000 + corner, 430_000_000, 438_000_000]
      assert.deepEqual(inBox.get(...box), scanned.get(...box), `${label}, box ${corner}`)
    }
  } finally {
    db.close()
  }
}

test('a first load makes a whole tree of points, and refreshes keep it whole', async () => {
  for (const size of SIZES) {
    const data = mkdtempSync(join(tmpdir(), 'platbook-points-'))
    after(() => rmSync(data, { recursive: true, force: true }))
    await prepareData({ ...readConfig({}), data })
    await load(data, makeRoll(size))
    assertWhole(data, `${size} parcels`)
    await load(data, makeRoll(Math.ceil(size * 1.5) + 60, 5))
    assertWhole(data, `${size} parcels, refreshed`)
    await load(data, makeRoll(10, 9))
    assertWhole(data, `${size} parcels, most removed`)
  }
})
