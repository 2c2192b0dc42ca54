/** Drawn questions against brute force over all records. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { repetitions } from '../../repetitions.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../../store/requests.ts'
import { answerByForce, drawQuestion, openDraw, readAll, readPages } from './draw.ts'

const QUESTIONS = repetitions(30)
const STATE = 'WI'

const service = await startService(await makeRoll(1200))
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })
const records = await readAll(service, key, STATE)

test(`${QUESTIONS} drawn questions page through what brute force finds, in its order`, async () => {
  assert.ok(records.length > 200, `only ${records.length} records`)
  const draw = openDraw(38)
  let found = 0
  for (let number = 0; number < QUESTIONS; number += 1) {
    const drawn = drawQuestion(draw, records)
    const wanted = answerByForce(drawn, records)
    const limit = String(1 + Math.floor(draw() * 60))
    const asked = { state: STATE, ...drawn.query, limit: wanted.length > 200 ? '100' : limit }
    assert.deepEqual(await readPages(service, key, asked), wanted, JSON.stringify(drawn.query))
    const count = { ...asked, countOnly: 'true' }
    const { body } = await service.get('/public/property/search/', count, { key })
    const metadata = { total: wanted.length, totalIs: 'exact' }
    assert.deepEqual(body, { properties: [], metadata })
    found += wanted.length
  }
  assert.ok(found > QUESTIONS * 10, `only ${found} results`)
})
