import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL } from '../../../test/parcel.ts'
import { blankTransfer, type Transfer } from '../../record/parcel.ts'
import { mergeDrafts } from './merge.ts'
import type { Draft } from './normalize.ts'

type Values = Partial<Draft['parcel']>
const COUNTY = { state: 'NE', fips: 31109, name: 'LANCASTER' } as Draft['county']

function draft(values: Values, line: string | null = '1 OAK ST'): Draft {
  const parcel = { ...BARE_PARCEL, ...values }
  const rest = { unit: undefined, further: [], notOwner: undefined, preferred: false }
  return { parcel, line, county: COUNTY, nameOrder: 'last-first', ...rest }
}

const owner = (at: number) => draft({ ownerName: `ROE ${at}`, ownerName2: `PLATT ${at}` })

test('20,000 owners of one parcel are merged in a moment', () => {
  const [first, ...others] = Array.from({ length: 20_000 }, (_, at) => owner(at)) as [Draft]
  const startedAt = performance.now()
  const merged = mergeDrafts(first, others, { merge: ['owners'], otherwise: 'reject' })
  // It took a hundred seconds when each row built all names anew.
  assert.ok(performance.now() - startedAt < 20_000)
  const { ownerName, ownerName2 } = merged.draft.parcel
  assert.equal(ownerName, 'ROE 0; PLATT 0')
  assert.equal(ownerName2?.split('; ').length, 2 * 19_999)
  assert.equal(merged.refused.size, 0)
})

test('owners that are known are not added again, in one slot or in two', () => {
  const rows = [
    draft({ ownerName: 'ROE JANE', ownerName2: '& JOHN' }),
    draft({ ownerName: 'ROE JANE & JOHN' }),
    draft({}),
    draft({ ownerName: '& JOHN' }),
  ]
  const merge = (...added: Draft[]) => {
    const { draft } = mergeDrafts(rows[0] as Draft, added, {
      merge: ['owners'],
      otherwise: 'reject',
    })
    return [draft.parcel.ownerName, draft.parcel.ownerName2]
  }
  assert.deepEqual(merge(...rows), ['ROE JANE', '& JOHN'])
  assert.deepEqual(merge(owner(1)), ['ROE JANE & JOHN', 'ROE 1; PLATT 1'])
})

test('equal buildings of one row stay, those of a second row are not counted again', () => {
  const [building] = [{ buildingArea: 900 }] as Draft['parcel']['buildings']
  assert.ok(building)
  const twin = draft({ buildings: [building, building] })
  const rule = { merge: ['buildings' as const], otherwise: 'reject' as const }
  const merged = mergeDrafts(twin, [twin, draft({ buildings: [building] })], rule)
  assert.equal(merged.draft.parcel.buildings.length, 2)
  assert.equal(twin.parcel.buildings.length, 2)
})

test('rows that differ in more than is merged are refused, and the first stays as it is', () => {
  const [first, other] = [draft({ acres: 5 }), draft({ acres: 6 })]
  const refused = mergeDrafts(first, [other], { merge: ['owners'], otherwise: 'reject' })
  assert.deepEqual([refused.draft, [...refused.refused]], [first, [other]])
  const kept = mergeDrafts(first, [other], { merge: ['owners'], otherwise: 'first' })
  assert.deepEqual([kept.draft.parcel.acres, kept.refused.size], [5, 0])
})

test('the address of a first row without one is not repeated as a further address', () => {
  const rule = { merge: ['addresses' as const], otherwise: 'reject' as const }
  const [first, second, third] = [null, '1 OAK ST', '2 OAK ST'].map((line) => draft({}, line))
  assert.ok(first && second && third)
  const one = mergeDrafts(first, [second], rule).draft
  assert.deepEqual([one.line, one.further], ['1 OAK ST', []])
  const two = mergeDrafts(first, [second, third], rule).draft
  assert.deepEqual(two.further, [{ line: '2 OAK ST', unit: undefined }])
})

test('two records of one sale are one; other sales of the day or the month stay', () => {
  const rule = { merge: ['transfers' as const], otherwise: 'reject' as const }
  const sale = (values: Partial<Transfer>) => ({ ...blankTransfer(), ...values })
  const on = (date: string, rest: Partial<Transfer> = {}) => sale({ transferDate: date, ...rest })
  const merge = (...lists: Transfer[][]) => {
    const [first, ...others] = lists.map((transfers) => draft({ transfers })) as [Draft]
    const { transfers } = mergeDrafts(first, others, rule).draft.parcel
    return transfers.map(({ transferDate, transferPrice, book }) => [
      transferDate,
      transferPrice,
      book,
    ])
  }
  const deed = on('2019-04-05', { book: '12' })
  assert.deepEqual(merge([deed], [on('2019-04-05', { transferPrice: 900 })]), [
    ['2019-04-05', 900, '12'],
  ])
  assert.deepEqual(merge([deed], [on('2019-04-05', { book: '13' })]).length, 2)
  assert.deepEqual(merge([deed], [on('2019-04-06', { transferPrice: 900 })]).length, 2)
  const ofMonth = on('2019-04-01', { transferPrice: 900 })
  assert.deepEqual(merge([deed], [ofMonth]), [['2019-04-05', 900, '12']])
  assert.equal(merge([{ ...deed, transferPrice: 900 }], [ofMonth]).length, 2)
  assert.equal(merge([deed], [on('2019-05-01', { transferPrice: 900 })]).length, 2)
  const next = on('2019-04-20', { book: '13' })
  // Of two deeds, neither has the price; a price that one of them has is no third sale.
  const both = [
    ['2019-04-20', null, '13'],
    ['2019-04-05', null, '12'],
    ['2019-04-01', 900, null],
  ]
  assert.deepEqual(merge([ofMonth], [next, deed]), both)
  assert.deepEqual(merge([deed], [ofMonth], [next]), both)
  assert.equal(merge([deed], [ofMonth, on('2019-04-01', { transferPrice: 800 })]).length, 3)
  const sameDay = on('2019-04-05', { book: '13', transferPrice: 900 })
  const bare = [on('2019-04-05', { transferPrice: 900 }), on('2019-04-05')]
  assert.equal(merge([deed], [sameDay], bare).length, 2)
  const onFirst = on('2019-04-01', { book: '12' })
  assert.equal(merge([onFirst], [on('2019-04-06', { transferPrice: 900 })]).length, 2)
  // Each is compared with all others, so a long list stays as it is.
  const many = Array.from({ length: 30 }, (_, at) => on('2019-04-05', { book: `${at}` }))
  assert.equal(merge(many, [sameDay]).length, 31)
  assert.equal(merge(many.slice(0, 20), [sameDay]).length, 20)
  const undated = [sale({ book: '1' }), sale({ transferPrice: 900 }), sale({ book: '1' })]
  assert.deepEqual(merge([deed], undated).length, 3)
})
