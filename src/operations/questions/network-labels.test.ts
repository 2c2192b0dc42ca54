import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParcelReader } from '../../store/store.ts'
import { openJudge } from './network-labels.ts'

test('places are judged until the deadline, and then nothing more is read', async () => {
  let reads = 0
  const reader = {
    byIds: async () => {
      reads += 1
      return []
    },
  } as unknown as ParcelReader
  const pause = async () => undefined
  const places = [{ kind: 'mailingAddress' as const, id: 1, owners: [2, 3] }]
  const judge = (deadline: number) => openJudge('WI', reader, { pause, deadline })(places)
  assert.deepEqual(await judge(Number.POSITIVE_INFINITY), ['it names nobody'])
  assert.equal(reads, 1)
  assert.equal(await judge(performance.now() - 1), undefined)
  assert.equal(reads, 1)
})
