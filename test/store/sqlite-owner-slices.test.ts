/** Owner searches over SQLite that take several slices of a walk. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { OwnerQuestion } from '../../src/model/owner.ts'
import { askOwner, type OwnerParams } from '../../src/owner/ask-owner.ts'
import { decodeOwners } from '../../src/store/parcel-keys.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import { openRollWriter } from '../../src/store/sqlite/write/roll-writer.ts'
import type { OwnerHit } from '../../src/store/store.ts'
import { meets } from '../owner-meets.ts'
import { stage } from './staged.ts'

const PARCELS = 3000
const DEADLINE = Number.MAX_SAFE_INTEGER

/** Couples at first, then one given name among many, firms, and a surname one edit away. */
function draw(at: number) {
  const given = at % 97 === 0 && at > 1000 ? 'ZELDA' : `JOHN${at % 50}`
  const fips = at % 11 === 0 ? 55079 : 55025
  if (at % 7 === 0) return { fips, owners: ['VAREK HOLDINGS LLC', null] as [string, null] }
  if (at % 13 === 0) return { fips, owners: [`VAREC, ${given}`, null] as [string, null] }
  const second = at < 1500 ? `VAREK, MARA${at}` : null
  return { fips, owners: [`VAREK, ${given}`, second] as [string, string | null] }
}

const parcels = Array.from({ length: PARCELS }, (_, at) =>
  stage({ parcelId: `P${at}`, ...draw(at) }),
)
const data = mkdtempSync(join(tmpdir(), 'platbook-slices-'))
const db = openDatabase(join(data, 'parcels.db'), { migrations: 'parcels', synchronous: 'NORMAL' })
after(() => {
  db.close()
  rmSync(data, { recursive: true, force: true })
})
const writer = await openRollWriter(data)
await writer.stage(parcels)
await writer.apply(true, 1_750_000_000)
await writer.discard()
const reader = openParcelReader(db)

/** All hits by the conditions alone, without an index. */
function hitsOf(question: OwnerQuestion, fips: number | undefined): OwnerHit[] {
  const met = parcels.map((parcel, at) => {
    const isThere = fips === undefined || parcel.fips === fips
    return { id: at + 1, how: isThere ? meets(question, decodeOwners(parcel.keys)) : undefined }
  })
  return ['exact', 'fuzzy'].flatMap((kind) =>
    met.filter(({ how }) => how === kind).map(({ id }) => ({ id, fuzzy: kind === 'fuzzy' })),
  )
}

for (const params of [
  { lastName: 'VAREK', fuzzy: false },
  { lastName: 'VAREK', firstName: 'ZELDA', fuzzy: false },
  { lastName: 'VAREK', nameContains: 'HOLDINGS', fuzzy: false },
  { nameContains: 'ZELDA', fuzzy: false },
  // The walk of the second round passes by all hits of the first.
  { lastName: 'VAREK', fuzzy: true },
  { lastName: 'VAREC', fuzzy: true },
] satisfies OwnerParams[]) {
  test(`several slices find what each parcel tells: ${JSON.stringify(params)}`, async () => {
    const question = askOwner(params)
    assert.ok(question)
    for (const fips of [undefined, 55079]) {
      const expected = hitsOf(question, fips)
      assert.ok(expected.length > 0)
      for (const limit of [1, 10, 201, 700, PARCELS]) {
        const search = { state: 'WI', fips, question, skip: 0, limit, deadline: DEADLINE }
        const { hits, complete } = await reader.byOwner(search)
        assert.ok(complete)
        assert.deepEqual(hits, expected.slice(0, limit), `${fips} ${limit}`)
      }
    }
  })
}
