import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ownerInState } from '../../src/store/parcel-keys.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { packOwned, packOwnedSql } from '../../src/store/sqlite/owned.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import { openRollRewriter } from '../../src/store/sqlite/write/roll-rewrite.ts'
import { openRollWriter } from '../../src/store/sqlite/write/roll-writer.ts'
import type { StagedParcel } from '../../src/store/store.ts'
import { type Draft, stage } from './staged.ts'

const MARA: [string, null] = ['VAREK, MARA', null]
const BANK: [string, null] = ['ORCHARD BANK', null]

const of = (parcelId: string, more: Partial<Draft> = {}) =>
  stage({ parcelId, point: [-89.4, 43.07], ...more })

const NAMES = ['LEE', 'JONES', 'SMITH', 'BROWN', 'HALE', 'WEISS', 'KOWAL', 'DIAZ', 'NOOR', 'ISHII']

test('numbers of owners are kept exactly: the largest is a safe integer', () =>
  using(async ({ db, load }) => {
    await load(NAMES.map((name) => of(name, { owners: [`${name}, MARA`, null] })))
    assertKept(db, NAMES.length)
    const owner = ownerInState(2 ** 44 - 1, 99_999)
    assert.ok(Number.isSafeInteger(packOwned({ ...of('A'), owner, residential: null })))
  }))

const ROLL = () => [
  of('A', { owners: MARA, residential: true, address: '12 MAIN ST' }),
  of('B', { owners: MARA, residential: false }),
  of('C', { owners: BANK, residential: null, address: '14 MAIN ST' }),
  of('D', { residential: true, address: '16 MAIN ST' }),
  of('E', {}),
]

test('a first load, a refresh and a rewriting keep owner and use beside the record', () =>
  using(async ({ db, data, load }) => {
    await load(ROLL())
    assertKept(db, 5)
    await load([
      of('A', { owners: BANK, residential: false, address: '12 MAIN ST' }),
      of('B', { owners: MARA, residential: false, address: '18 MAIN ST' }),
      of('F', { owners: MARA, residential: true }),
    ])
    assertKept(db, 6)
    const rewriter = openRollRewriter(join(data, 'parcels.db'))
    const bare = of('A', { address: '12 MAIN ST' })
    await rewriter.rewrite(
      [{ state: 'WI', id: 1 }],
      (kept) => ({
        ...kept,
        fieldValues: bare.fieldValues,
        keys: bare.keys,
        owner: 0,
        residential: null,
      }),
      1_750_000_001,
    )
    await rewriter.close()
    assertKept(db, 6)
    assert.equal(db.prepare('SELECT owned FROM records WHERE id = 1').get()?.owned, 2)
  }))

test('answers have the counts of the owner', () =>
  using(async ({ db, load }) => {
    await load(ROLL())
    const all = await openParcelReader(db).byIds('WI', [1, 2, 3, 4, 5])
    assert.deepEqual(
      all.map(({ owned }) => owned),
      [
        { parcels: 2, residential: 1, other: 1 },
        { parcels: 2, residential: 1, other: 1 },
        { parcels: 1, residential: 0, other: 0 },
        null,
        null,
      ],
    )
  }))

/** Every number beside a record is that of its parcel; `count` records have one. */
function assertKept(db: DatabaseSync, count: number): void {
  const row = db
    .prepare(`SELECT count(r.owned) AS kept, count(*) FILTER (WHERE r.owned <> ${packOwnedSql('p')})
      AS wrong FROM records r JOIN parcels p ON p.id = r.id`)
    .get()
  assert.deepEqual({ ...row }, { kept: count, wrong: 0 })
}

type Kit = {
  db: DatabaseSync
  data: string
  load(parcels: StagedParcel[]): Promise<void>
}

async function using(work: (kit: Kit) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-owned-'))
  const db = openDatabase(join(data, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
  })
  try {
    await work({
      db,
      data,
      async load(parcels) {
        const writer = openRollWriter(data, 1_750_000_000)
        await writer.stage(parcels)
        await writer.compare({ partial: true })
        await writer.apply()
        await writer.discard()
      },
    })
  } finally {
    db.close()
    rmSync(data, { recursive: true, force: true })
  }
}
