/** Ten thousand drawn questions on both stores against brute force over all records. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NOT_DURABLE, startServer, whyNoServer } from '../../postgres-server.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../../store/requests.ts'
import { answerByForce, drawQuestion, openDraw, readAll, readPages } from './draw.ts'

const QUESTIONS = 10_000
const STATE = 'WI'
const missing = whyNoServer()
const server = missing === undefined ? await startServer(NOT_DURABLE) : undefined
after(() => server?.stop())
const roll = await makeRoll(4000)

for (const store of ['the embedded store', 'PostgreSQL']) {
  const skip = store === 'PostgreSQL' && missing !== undefined ? missing : false
  test(`${QUESTIONS} drawn questions on ${store} find what brute force finds`, {
    skip,
  }, async () => {
    const databaseUrl = store === 'PostgreSQL' ? await server?.createDatabase('force') : undefined
    const service = await startService(roll, { databaseUrl: databaseUrl ?? null })
    try {
      const key = await service.keyFor({ responseShape: 'flat' })
      const records = await readAll(service, key, STATE)
      const draw = openDraw(3838)
      for (let number = 0; number < QUESTIONS; number += 1) {
        const drawn = drawQuestion(draw, records)
        const asked = { state: STATE, ...drawn.query, fields: 'propertyId', limit: '100' }
        const wanted = answerByForce(drawn, records)
        assert.deepEqual(await readPages(service, key, asked), wanted, JSON.stringify(drawn.query))
      }
    } finally {
      await service.close()
    }
  })
}
