/** `client.watches` against the real service. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NotFoundError, Platbook } from '../../client/src/index.ts'
import { NOON, startService } from '../service.ts'

const HEAD = 'state,county,parcelId,ownerName1,nameOrder,address\n'
const service = await startService(`${HEAD}WI,Dane,1,"DOE, JO",last-first,1 A ST\n`)
after(() => service.close())

test('makes, reads, changes and deletes a watch, and follows its events', async () => {
  const { watches } = new Platbook({ baseUrl: service.address, key: await service.keyFor() })
  const made = await watches.create({ kind: 'owner', owner: 'ROE', name: 'Roe' })
  assert.match(made.secret, /^whsec_/)
  assert.deepEqual(
    (await watches.list()).map(({ id, name }) => [id, name]),
    [[made.id, 'Roe']],
  )
  assert.equal((await watches.update(made.id, { groups: ['owner'] })).groups.length, 1)
  const before = await watches.events(made.id)
  const at = NOON + 86_400_000
  await service.importRoll(`${HEAD}WI,Dane,1,"ROE, ANN",last-first,1 A ST\n`, { force: true, at })
  while (await service.keeper.find());
  const { events } = await watches.events(made.id, { cursor: before.metadata.nextCursor })
  assert.deepEqual(
    events.map(({ type, propertyId }) => [type, propertyId]),
    [['parcel.changed', '55025-1']],
  )
  assert.deepEqual((await watches.get(made.id)).deliveries, [])
  await assert.rejects(watches.test(made.id), /This watch has no url/)
  await watches.delete(made.id)
  await assert.rejects(watches.get(made.id), NotFoundError)
})
