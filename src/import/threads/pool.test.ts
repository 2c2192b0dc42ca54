import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadMapping } from '../mapping/mapping.ts'
import { type BatchSetup, makeBatchReader } from './batch.ts'
import { readBatches, startThreads } from './pool.ts'

const COLUMNS = ['state', 'county', 'parcelId']

const none = { equal: 0, equalLine: undefined, seen: [] }

async function* give(count: number, columns: string[]) {
  for (let firstRow = 1; firstRow <= count; firstRow += 1) {
    const rows = [['NE', 'Lancaster', `P-${firstRow}`]]
    yield {
      file: 'a',
      columns,
      rows,
      toRead: rows,
      lines: [1],
      broken: [],
      firstRow,
      fresh: [true],
      ...none,
    }
  }
}

const mapping = loadMapping('platbook')
const setup = { mapping, state: 'NE', today: '2026-01-01' } as unknown as BatchSetup

const reader = makeBatchReader(setup)

test('a batch for a thread that has ended is refused', { timeout: 60_000 }, async () => {
  await using threads = startThreads(0, 1)
  assert.ok(threads)
  const [batch] = await Array.fromAsync(give(1, COLUMNS))
  assert.ok(batch)
  const broken = { ...batch, fresh: undefined as unknown as boolean[] }
  await assert.rejects(threads.read(setup, broken), TypeError)
  await assert.rejects(threads.read(setup, batch), TypeError)
})

for (const threads of [1, 2, 3]) {
  test(`${threads} threads give the parcels in the order of the batches`, async () => {
    await using started = startThreads(0, threads)
    const reading = { setup, reader, threads: started, keepsRows: false }
    const read = await Array.fromAsync(readBatches(give(9, COLUMNS), reading))
    const rows = read.flatMap(({ result }) => result.parcels().map(({ row }) => row))
    assert.deepEqual(rows, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert.deepEqual([read[0]?.batch.count, read[0]?.batch.rows], [1, []])
  })

  test(`the end of a thread of ${threads} fails the batches that wait`, {
    timeout: 60_000,
  }, async () => {
    await using started = startThreads(0, threads)
    const unchecked = { ...reader, planFor: () => ({}) as never }
    const reading = { setup, reader: unchecked, threads: started, keepsRows: false }
    const read = readBatches(give(20, ['no such column']), reading)
    await assert.rejects(read.next(), /no such column|needs|column/)
    assert.deepEqual(await read.next(), { done: true, value: undefined })
  })
}
