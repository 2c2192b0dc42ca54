import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const ROLL = `state,county,parcelId,address,city
WI,Dane,1,12 MILL RD,
WI,Dane,2,14 MILL RD,MADISON
`

const service = await startService(ROLL)
after(() => service.close())

const ask = (query: Record<string, string>) =>
  service.get('/public/property/search/', { state: 'WI', ...query })

test('a filter without a letter or digit finds nothing, also not unknown values', async () => {
  for (const query of [{ city: '***' }, { unit: '***' }] as Record<string, string>[]) {
    const { status, body } = await ask(query)
    assert.deepEqual([status, body.properties], [200, []], JSON.stringify(query))
  }
})

test('with a cursor an offset is ignored, even an invalid one', async () => {
  for (const offset of ['-1', 'abc', '5']) {
    const { status, body } = await ask({ cursor: '', offset })
    assert.deepEqual([status, body.metadata.count], [200, 2], offset)
  }
  assert.equal((await ask({ offset: 'abc' })).status, 400)
})

test('a cursor of any length that is none is an invalid cursor', async () => {
  for (const length of [513, 1001, 4000]) {
    const { status, body } = await ask({ cursor: 'A'.repeat(length) })
    assert.deepEqual([status, body.error], [400, 'Invalid cursor'])
  }
})
