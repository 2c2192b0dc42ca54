/** What callers get when a stored record is damaged: 500, an alarm, and never broken JSON. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { countDamaged, tellMetrics } from '../../metrics.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const roll = [
  { parcelId: 'A-1', address: '1 MAIN ST', ownerName1: 'VAREK, MARA' },
  { parcelId: 'A-2', address: '2 MAIN ST', ownerName1: 'TOLLER, NED' },
]
// PostgreSQL has checksums of its own (docs/decisions/damage-and-loss.md).
const service = await startService(makeRoll(roll), { databaseUrl: null })
after(() => service.close())

/** Each damages the first record and nothing else. */
const DAMAGES: [what: string, sql: string][] = [
  [
    'a quotation mark is lost',
    "UPDATE records SET field_values = replace(field_values, '\"A-1\"', '\"A-1')",
  ],
  [
    'a letter is another one',
    "UPDATE records SET field_values = replace(field_values, 'VAREK', 'VAREL')",
  ],
  ['its time is another one', 'UPDATE records SET loaded_at = loaded_at + 4'],
  [
    'a part is lost',
    'UPDATE records SET field_values = substr(field_values, 1, length(field_values) - 20)',
  ],
  ['all is lost', "UPDATE records SET field_values = ''"],
  ['it holds bytes that are not text', "UPDATE records SET field_values = CAST(x'ff00fe' AS TEXT)"],
]
const QUESTIONS: [path: string, query: Record<string, string>][] = [
  ['/public/property/parcelId/', { state: 'WI', county: 'Dane', parcelId: 'A-1' }],
  ['/public/property/address/', { state: 'WI', address: '1 Main St' }],
  ['/public/property/search/', { state: 'WI', cursor: '' }],
  ['/public/premium/owner/', { state: 'WI', lastName: 'Varek' }],
]

for (const [what, sql] of DAMAGES) {
  test(`a record is 500 with an alarm when ${what}`, async () => {
    const key = await service.keyFor()
    const kept = damage(`${sql} WHERE id = 1`)
    const before = await countDamaged(service)
    for (const [path, query] of QUESTIONS) {
      const { status, body } = await service.get(path, query, { key })
      assert.deepEqual({ status, body }, { status: 500, body: { error: 'Internal server error' } })
    }
    assert.equal((await countDamaged(service)) - before, QUESTIONS.length)
    assert.equal(await service.charges(key), 0)
    const line = JSON.parse(service.logged.at(-1) ?? '{}')
    assert.match(line.alarm, /platbook check/)
    assert.match(line.error, /the record of parcel 1 is damaged/)
    assert.doesNotMatch(service.logged.join(''), /VARE/, 'no name is in the log')
    restore(kept)
    const { status } = await service.get(...(QUESTIONS[0] as (typeof QUESTIONS)[0]), { key })
    assert.equal(status, 200)
  })
}

test('other records are answered while one is damaged', async () => {
  const kept = damage("UPDATE records SET field_values = '' WHERE id = 1")
  const query = { state: 'WI', county: 'Dane', parcelId: 'A-2' }
  assert.equal((await service.get('/public/property/parcelId/', query)).status, 200)
  restore(kept)
})

test('the metrics count requests that met damaged data', async () => {
  assert.match(await tellMetrics(service), /^platbook_damaged_data_total [1-9]/m)
})

type Kept = { field_values: string; loaded_at: number }

function damage(sql: string): Kept {
  return change((db) => {
    const kept = db.prepare('SELECT field_values, loaded_at FROM records WHERE id = 1').get()
    db.exec(sql)
    return kept as Kept
  })
}

function restore({ field_values, loaded_at }: Kept): void {
  const sql = 'UPDATE records SET field_values = ?, loaded_at = ? WHERE id = 1'
  change((db) => db.prepare(sql).run(field_values, loaded_at))
}

function change<Result>(work: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(join(service.config.data, 'parcels.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}
