/** A stop loses no request of busy callers. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { IS_LONG } from '../repetitions.ts'
import { until } from '../until.ts'
import { askBothWorkers } from './ask.ts'

const STOPS = IS_LONG ? 6 : 1
const CALLERS = 12

const data = mkdtempSync(join(tmpdir(), 'platbook-stops-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

test('each request of 12 busy callers is answered until connections are refused', {
  timeout: 120_000,
}, async () => {
  for (let stop = 0; stop < STOPS; stop += 1) {
    const service = await startRunning({ data, workers: 2 })
    // First answers load code, for seconds on a busy machine: connections would be closed.
    await askBothWorkers(service.address, '/public/usage/')
    const lost: string[] = []
    const answered = new Set<number>()
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      // The system resets connections that nobody has accepted when the port closes; whoever is
      // reset and then answered has lost a request.
      let reset = ''
      for (;;) {
        try {
          const response = await fetch(`${service.address}/public/usage/`)
          await response.text()
          // Callers without a key are answered 401, and 429 once there were many of them.
          assert.ok([401, 429].includes(response.status), `${response.status}`)
          answered.add(caller)
          if (reset !== '') lost.push(reset)
          reset = ''
        } catch (error) {
          const { code = String(error) } = (error as { cause?: { code?: string } }).cause ?? {}
          if (code === 'ECONNREFUSED') return
          if (code === 'ECONNRESET') reset = code
          else lost.push(code)
        }
      }
    })
    // A caller whose first connection nobody has accepted yet is reset by one worker and answered
    // by the other.
    await until(() => answered.size === CALLERS)
    assert.equal(await service.stop(), 0)
    await Promise.all(callers)
    assert.deepEqual(lost, [])
  }
})
