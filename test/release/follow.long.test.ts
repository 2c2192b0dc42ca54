/** After ten releases with random changes a follower exports the bytes that its publisher does. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { lot } from '../contract/ogc/roll.ts'
import { type Row, times } from '../contract/rolls.ts'
import { startPublisher } from './follower.ts'

const publisher = await startPublisher()
after(() => publisher.close())

/** A small generator, so that a failure can be repeated. */
function openRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('after a chain of ten releases the exports are equal byte for byte', async () => {
  const random = openRandom(42)
  let rows: Row[] = times(400, lot)
  for (let release = 1; release <= 10; release += 1) {
    rows = rows
      .filter(() => random() > 0.02)
      .map((row) =>
        random() > 0.1 ? row : { ...row, totalMarketValue: Math.floor(random() * 1e6) },
      )
    // Some IDs are written otherwise, and some parcels have no polygon any more.
    rows = rows.map((row) =>
      random() > 0.01 ? row : { ...row, parcelId: String(row.parcelId).replace('/', '-') },
    )
    rows = rows.map((row) => (random() > 0.01 ? row : { ...row, geometry: '', acres: '' }))
    rows.push(...times(3, (one) => ({ ...lot(1000 + release * 10 + one) })))
    await publisher.publish(`r${release}`, rows)
    const { how } = await publisher.sync(`r${release}`)
    assert.equal(how, release === 1 ? 'whole' : 'changes', `release ${release}`)
    assert.deepEqual(await publisher.followed(), await publisher.published())
  }
})
