import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL } from '../../test/parcel.ts'
import { readOwners } from '../owner/canonical.ts'
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

const EMPTY = {
  recordingDate: null,
  documentType: null,
  documentNumber: null,
  book: null,
  page: null,
  saleCode: null,
}

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
