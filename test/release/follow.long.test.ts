/** After ten releases with random changes a follower has what the publisher has. */
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

test('a chain of ten releases leaves the follower with the same parcels', async () => {
  const random = openRandom(42)
  let rows: Row[] = times(400, lot)
  for (let release = 1; release <= 10; release += 1) {
    const isRemoving = release % 4 === 0
    rows = rows
      .filter(() => !isRemoving || random() > 0.02)
      .map((row) =>
        random() > 0.1 ? row : { ...row, totalMarketValue: Math.floor(random() * 1e6) },
      )
    rows.push(...times(3, (one) => ({ ...lot(1000 + release * 10 + one) })))
    await publisher.publish(`r${release}`, rows)
    const { how } = await publisher.sync(`r${release}`)
    assert.equal(how, release === 1 || isRemoving ? 'whole' : 'changes', `release ${release}`)
    assert.deepEqual(await publisher.followed(), await publisher.published())
  }
})
