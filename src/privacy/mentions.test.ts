import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL } from '../../test/parcel.ts'
import type { Parcel } from '../record/parcel.ts'
import { addressForm, hashForms, openMatcher, personForm } from './matcher.ts'
import { openMentions } from './mentions.ts'

const SECRET = new Uint8Array(32)
const WI = { state: 'WI', fips: 0 }
const DANE = { state: 'WI', fips: 55025 }
const { hide } = openMentions(
  openMatcher({
    secret: SECRET,
    rules: [
      {
        ...{ kind: 'owner', scope: 'owner' },
        hashes: hashForms(SECRET, [
          personForm('ZYXWELL', ['QAZMER', 'J'], WI),
          personForm('VANDERBERG', ['MARA'], WI),
          personForm('OBRIEN', ['MARY'], WI),
        ]),
      },
      {
        ...{ kind: 'address', scope: 'both' },
        hashes: hashForms(SECRET, [addressForm('100||PLUMFIRTH|ST|', '', DANE)]),
      },
    ],
  }),
)

const TRANSFER = { transferDate: '2021-02-03' } as Parcel['transfers'][number]
function hideIn(fields: Partial<Parcel>, grantor: string | null = null): Parcel {
  const transfers = [{ ...TRANSFER, grantor, grantee: 'HARLOW PAUL' }]
  const parcel: Parcel = {
    ...BARE_PARCEL,
    fips: 55025,
    extra: {},
    suppressed: [],
    transfers,
    ...fields,
  }
  hide(parcel, DANE)
  return parcel
}

for (const grantor of [
  ...['ZYXWELL QAZMER J', 'ZYXWELL, QAZMER', 'Qazmer J. Zyxwell', 'QAZMER & ANN ZYXWELL'],
  ...['HARLOW PAUL & ZYXWELL QAZMER', 'ZYXWELL QAZMER J TRUSTEE', 'THE QAZMER ZYXWELL TRUST'],
  ...['EST OF ZYXWELL QAZMER J', 'VAN DER BERG MARA', 'Mara Van Der Berg', "O'BRIEN MARY-ANN"],
]) {
  test(`hides the grantor ${grantor}, and nobody else`, () => {
    const { transfers, suppressed, ownerName } = hideIn({ ownerName: 'HARLOW PAUL' }, grantor)
    assert.deepEqual([transfers[0]?.grantor, transfers[0]?.grantee], [null, 'HARLOW PAUL'])
    assert.deepEqual([suppressed, ownerName], [['owner'], 'HARLOW PAUL'])
  })
}

for (const grantor of ['ZYXWELL THEODORE', 'QAZMER BANK', 'ZYXWELL QAZMER K', 'HARLOW']) {
  test(`leaves the grantor ${grantor}`, () => {
    const { transfers, suppressed } = hideIn({}, grantor)
    assert.deepEqual([transfers[0]?.grantor, suppressed], [grantor, []])
  })
}

test('hides a care-of in its field and in the owner slot', () => {
  const ownerName = 'HARLOW PAUL C/O QAZMER ZYXWELL'
  const parcel = hideIn({ ownerName, careOf: 'QAZMER ZYXWELL', extra: { NOTE: 'Zyxwell, Qazmer' } })
  assert.deepEqual([parcel.ownerName, parcel.careOf, parcel.extra], ['HARLOW PAUL', null, {}])
})

test('hides a mailing address of the county, and not the same street line of another state', () => {
  const mail = { ownerStreet: '100 Plumfirth Street', ownerCity: 'MADISON' }
  const { ownerStreet, ownerCity, suppressed } = hideIn({ ...mail, ownerState: 'WI' })
  assert.deepEqual([ownerStreet, ownerCity, suppressed], [null, null, ['address']])
  assert.equal(hideIn({ ...mail, ownerState: 'IL' }).ownerStreet, mail.ownerStreet)
})
