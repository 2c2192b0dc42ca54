/** Owner searches that take several slices of a walk, in a store of either kind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerQuestion } from '../../src/base/model/owner.ts'
import { makeOwnerQuestion, type OwnerParams } from '../../src/owner/owner-question.ts'
import { decodeOwners } from '../../src/store/parcel-keys.ts'
import type { OwnerHit, ParcelReader } from '../../src/store/store.ts'
import { meets } from '../owner-meets.ts'
import { stage } from './staged.ts'

const PARCELS = 3000
const DEADLINE = Number.MAX_SAFE_INTEGER

/** Couples at first, then one given name among many, firms, and a surname one edit away. */
function draw(at: number) {
  const given = at % 97 === 0 && at > 1000 ? 'ZELDA' : at % 2 === 0 ? 'JOHN' : 'PAUL'
  const fips = at % 11 === 0 ? 55079 : 55025
  if (at % 7 === 0) return { fips, owners: ['VAREK HOLDINGS LLC', null] as [string, null] }
  if (at % 13 === 0) return { fips, owners: [`VAREC, ${given}`, null] as [string, null] }
  const second = at < 1500 ? 'VAREK, MARA' : null
  return { fips, owners: [`VAREK, ${given}`, second] as [string, string | null] }
}

/** The parcels to load: each id is one more than its place here. */
export const parcels = Array.from({ length: PARCELS }, (_, at) =>
  stage({ parcelId: `P${at}`, ...draw(at) }),
)
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

const QUESTIONS = [
  { lastName: 'VAREK', fuzzy: false },
  { lastName: 'VAREK', firstName: 'ZELDA', fuzzy: false },
  { lastName: 'VAREK', firstName: 'PAUL', fuzzy: false },
  { lastName: 'VAREK', nameContains: 'HOLDINGS', fuzzy: false },
  { nameContains: 'ZELDA', fuzzy: false },
  // The walk of the second round passes by all hits of the first.
  { lastName: 'VAREK', fuzzy: true },
  { lastName: 'VAREC', fuzzy: true },
] satisfies OwnerParams[]

/** Compares what several slices find with what each parcel tells. */
export function testOwnerSlices(reader: Pick<ParcelReader, 'byOwner'>): void {
  for (const params of QUESTIONS) {
    test(`several slices find what each parcel tells: ${JSON.stringify(params)}`, async () => {
      const question = makeOwnerQuestion(params)
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
}
