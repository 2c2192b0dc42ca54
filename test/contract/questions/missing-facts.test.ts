/** A store that was filled without facts: questions about them are refused, others are answered. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { CLUSTER } from '../../citus-cluster.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const skip = CLUSTER === undefined ? false : 'facts are removed from the embedded store'
const service = await startService(makeRoll([{ address: '1 ELM ST', city: 'MADISON', acres: 2 }]))
after(() => service.close())

test('without facts a question about them is 503, and a plain search is answered', {
  skip,
}, async () => {
  const db = new DatabaseSync(join(service.config.data, 'parcels.db'))
  db.exec('DELETE FROM facts')
  db.close()
  const asked: [path: string, query: string, status: number][] = [
    ['property/search', 'state=WI&acresMin=1', 503],
    ['property/search', 'state=WI&countOnly=true', 503],
    ['property/summary', 'state=WI&groupBy=city', 503],
    ['suggest', 'state=WI&q=elm', 503],
    ['property/search', 'state=WI', 200],
    ['property/search', 'state=TX&acresMin=1', 200],
  ]
  for (const [path, query, status] of asked) {
    const answer = await service.get(`/public/${path}/`, query)
    assert.equal(answer.status, status, `${path}?${query}: ${answer.text}`)
  }
})
