/** Facts follow refreshes, undo, removals and suppressed owners; cursors are held over them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll, times } from '../rolls.ts'

const SEARCH = '/public/property/search/'
const rollOf = (acresOf: (number: number) => number | undefined) =>
  makeRoll(
    times(60, (number) => ({
      ...{ parcelId: `P${number}`, address: `${number} ELM ST`, acres: acresOf(number) ?? '' },
    })),
  )

const service = await startService(rollOf((number) => number))
after(() => service.close())

async function page(cursor: string) {
  const query = { state: 'WI', sort: '-acres', fields: 'landInformation.acres', limit: 25, cursor }
  const { body } = await service.get(SEARCH, query)
  type Told = { landInformation: { acres: number | null } }
  const acres = body.properties.map((one: Told) => one.landInformation.acres)
  return { acres, next: body.metadata.nextCursor as string }
}

test('a cursor that is held over a refresh continues from its place in the new data', async () => {
  const first = await page('')
  assert.deepEqual([first.acres[0], first.acres.at(-1)], [60, 36])
  // Odd parcels below the place lose their acres, and one moves behind it.
  await service.importRoll(
    rollOf((number) =>
      number === 60 ? 10.5 : number < 36 && number % 2 === 1 ? undefined : number,
    ),
  )
  const second = await page(first.next)
  assert.deepEqual(second.acres.slice(0, 3), [34, 32, 30])
  assert.ok(second.acres.includes(10.5))
  assert.deepEqual((await page('')).acres.slice(0, 2), [59, 58])
  const counts = await service.get(SEARCH, { state: 'WI', acresMin: 0.1, countOnly: true })
  assert.equal(counts.body.metadata.total, 60 - 18)
})

test('removed parcels are in no answer', async () => {
  const roll = makeRoll(times(50, (number) => ({ parcelId: `P${number}`, acres: number })))
  await service.importRoll(roll, { force: true })
  const query = { state: 'WI', includeUnassignedAddress: true, countOnly: true }
  assert.equal((await service.get(SEARCH, query)).body.metadata.total, 50)
  const largest = { state: 'WI', groupBy: 'county', measure: 'sumAcres' }
  const { body } = await service.get('/public/property/summary/', largest)
  assert.equal(body.groups[0].sumAcres, 1275)
})
