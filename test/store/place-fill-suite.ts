/** A roll whose places are taken away and filled again, over either store. */
import assert from 'node:assert/strict'
import { Client } from 'pg'
import { fillPlaces } from '../../src/import/fill-places.ts'
import { openWriter } from '../../src/store/open-rolls.ts'
import type { PlaceReader } from '../../src/store/places.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { stage } from './staged.ts'

const WORLD = { west: -180e7, south: -90e7, east: 180e7, north: 90e7 }
export const PARCELS = 5100

/** Every tenth has no point, every seventh a polygon. */
function makeRoll() {
  return Array.from({ length: PARCELS }, (_, at) => {
    const [x, y] = [-89 + (at % 70) / 1000, 43 + Math.floor(at / 70) / 1000]
    const ring = [
      [x, y],
      [x + 0.001, y],
      [x, y + 0.001],
      [x, y],
    ]
    return stage({
      parcelId: `P${at}`,
      state: at % 2 === 0 ? 'WI' : 'TX',
      fips: at % 2 === 0 ? 55025 : 48453,
      ...(at % 10 > 0 && { point: [x, y] }),
      geometry: at % 7 === 0 ? JSON.stringify({ type: 'Polygon', coordinates: [ring] }) : null,
    })
  })
}

export async function load(place: string): Promise<void> {
  const writer = await openWriter(place)
  await writer.stage(makeRoll())
  await writer.apply(true, 1_750_000_000)
  await writer.discard()
}

export async function lookAt(reader: PlaceReader) {
  const [points, shapes] = [
    await reader.pointsIn({ assignedOnly: false }, WORLD, 100_000),
    await reader.shapesIn(WORLD, 100_000),
  ]
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
  return { points: points.sort(byId), shapes: shapes.sort(byId) }
}

/** Takes the places of all parcels of a database away and has two nodes fill them at once. */
export async function testRefilling(url: string): Promise<void> {
  await load(url)
  const client = new Client(url)
  await client.connect()
  const reader = openParcelReader(url)
  const counts = async () =>
    (await client.query('SELECT * FROM platbook.point_counts ORDER BY state, cell')).rows
  try {
    const before = { ...(await lookAt(reader)), counts: await counts() }
    for (const text of [
      'SET search_path = platbook',
      'UPDATE parcels SET x = NULL, y = NULL, cell = NULL',
      'DELETE FROM shapes',
      'DELETE FROM point_counts',
    ]) {
      await client.query(text)
    }
    const { rows } = await client.query('SELECT state, max(id) AS id FROM records GROUP BY state')
    for (const { state, id } of rows) {
      await client.query('INSERT INTO places_wanted VALUES ($1, 0, $2)', [state, id])
    }
    const fresh = openParcelReader(url)
    await assert.rejects(lookAt(fresh), /Places are still being indexed/)
    await Promise.all([fillPlaces(url), fillPlaces(url)])
    assert.deepEqual({ ...(await lookAt(fresh)), counts: await counts() }, before)
    await fresh.close()
  } finally {
    await Promise.all([reader.close(), client.end()])
  }
}
