import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL } from '../../test/parcel.ts'
import { readOwners } from '../owner/canonical.ts'
import { blankTransfer } from '../record/parcel.ts'
import { encodeParcel } from '../record/stored.ts'
import { flagSales, readSale } from './read-sale.ts'

const NAMES = [
  "O'BRIEN, KATE",
  'O BRIEN THOMAS & MARY',
  'OBRIEN THOMAS',
  'Ngô, Lan',
  'NGO HOA',
  'DE LA CRUZ, ANA',
  'DELACRUZ JOSE',
  'VAREK, MARA',
  'VAREK-OTIS, LENA',
  'ST JOHN, PAUL',
  'ORCHARD HOMES LLC',
  'ORCHARD BANK',
  'LI, WEI',
]

const EMPTY = blankTransfer()

function flagsOf(grantor: string | null, grantee: string): string[] {
  const transfer = { ...EMPTY, transferDate: '2025-05-05', transferPrice: 300_000 }
  const parcel = {
    ...BARE_PARCEL,
    longitude: -89,
    latitude: 43,
    transfers: [{ ...transfer, grantor, grantee }],
  }
  const fieldValues = encodeParcel(parcel)
  const sale = readSale({ id: 1, loadedAt: 0, fieldValues, geometry: null })
  assert.ok(sale)
  return flagSales([sale])[0]?.flags ?? []
}

test('both owners of a roll without grantees are the buyer', () => {
  const transfer = { ...EMPTY, transferDate: '2025-05-05', transferPrice: 300_000 }
  const flags = (ownerName: string | null, ownerName2: string | null, grantor = 'VAREK, MARA') => {
    const transfers = [{ ...transfer, grantor }]
    const parcel = {
      ...BARE_PARCEL,
      longitude: -89,
      latitude: 43,
      ownerName,
      ownerName2,
      transfers,
    }
    const sale = readSale({ id: 1, loadedAt: 0, fieldValues: encodeParcel(parcel), geometry: null })
    assert.ok(sale)
    return flagSales([sale])[0]?.flags
  }
  assert.deepEqual(flags('OTIS, LENA', 'VAREK, PAUL'), ['family'])
  assert.deepEqual(flags('VAREK, PAUL', 'OTIS, LENA'), ['family'])
  assert.deepEqual(flags('OTIS, LENA', 'HARLOW, PAUL'), [])
  assert.deepEqual(flags(null, null), [])
})

function surnamesOf(name: string): string[] {
  const { slots } = readOwners([name, null], 'mixed')
  return slots.flatMap(({ persons }) => persons.map(({ surname }) => surname))
}

test('a sale is within a family exactly when both names share a surname in any spelling', () => {
  let families = 0
  for (const seller of NAMES) {
    for (const buyer of NAMES) {
      const names = new Set(surnamesOf(buyer))
      const isFamily = surnamesOf(seller).some((name) => names.has(name))
      families += Number(isFamily)
      assert.deepEqual(flagsOf(seller, buyer), isFamily ? ['family'] : [], `${seller} → ${buyer}`)
    }
  }
  assert.ok(families > NAMES.length, `${families} of the pairs are families`)
  assert.deepEqual(flagsOf(null, 'VAREK, MARA'), [])
})

test('deeds of one day, price and buyer whose numbers differ by a letter are one sale', () => {
  const flagsOfDeeds = (...deeds: [number: string, price: number, grantee: string][]) =>
    flagSales(
      deeds.map(([documentNumber, transferPrice, grantee], at) => {
        const transfers = [
          {
            ...EMPTY,
            transferDate: '2025-05-05',
            transferPrice,
            grantor: null,
            grantee,
            documentNumber,
          },
        ]
        const parcel = { ...BARE_PARCEL, longitude: -89, latitude: 43, transfers }
        const fieldValues = encodeParcel(parcel)
        const sale = readSale({ id: at + 1, loadedAt: 0, fieldValues, geometry: null })
        assert.ok(sale)
        return sale
      }),
    ).map(({ flags }) => flags.includes('several-parcels'))
  const buyer = 'HARLOW PAUL'
  assert.deepEqual(flagsOfDeeds(['1826255093', 300_000, buyer], ['1826255093D', 300_000, buyer]), [
    true,
    true,
  ])
  assert.deepEqual(
    flagsOfDeeds(['1826255093-A', 300_000, buyer], ['1826255093B', 300_000, buyer]),
    [true, true],
  )
  assert.deepEqual(
    flagsOfDeeds(['1826255093', 300_000, buyer], ['1826255093D', 300_000, 'Paul, Harlow']),
    [true, true],
  )
  assert.deepEqual(flagsOfDeeds(['0999001', 300_000, buyer], ['999001', 300_000, buyer]), [
    true,
    true,
  ])
  assert.deepEqual(flagsOfDeeds(['1826255093', 300_000, buyer], ['1826255094', 300_000, buyer]), [
    false,
    false,
  ])
  assert.deepEqual(flagsOfDeeds(['1826255093', 300_000, buyer], ['1826255093D', 310_000, buyer]), [
    false,
    false,
  ])
  assert.deepEqual(
    flagsOfDeeds(['1826255093', 300_000, buyer], ['1826255093D', 300_000, 'TRENT ANNA']),
    [false, false],
  )
})
