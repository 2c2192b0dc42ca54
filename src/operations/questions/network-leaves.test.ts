/** Places of a network that lead no further, and near misses that do. All names are invented. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyLeft } from './network-labels.ts'

const CARE_OF: [text: string, left: boolean][] = [
  ['ACCOUNTS PAYABLE', true],
  ['Real Estate Division', true],
  ['PROPERTY TAX DEPT', true],
  ['CHIEF FINANCIAL OFFICER', true],
  ['CITY CLERK', true],
  ['OAKEN MANAGEMENT', true],
  ['HOLLOW REED PROPERTY MGMT-T PELLAM', true],
  ['T PELLAM, ATTORNEY', true],
  ['FIRST PELLAM BANK', true],
  ['PELLAM CENTER', true],
  ['PELLAM COMMERCIAL REAL ESTATE', true],
  ['T PELLAM', false],
  ['T PELLAM, GENERAL MANAGER', false],
  ['CLERK, MARA', false],
  ['PELLAM CENTERS LLC', false],
  ['BANKS, MARA', false],
  ['OAKEN SPOON LLC', false],
  ['TOWNE, MARA', false],
  ['LAWSON & PELLAM', false],
  ['THE PELLAM COMPANY', false],
]

for (const [text, left] of CARE_OF) {
  test(`the care-of name ${text} ${left ? 'leads no further' : 'is followed'}`, () => {
    const why = whyLeft({ kind: 'careOf', text, owners: [], isBuilding: false })
    assert.equal(why !== undefined, left, String(why))
  })
}

const owner = (name: string, careOf = '') => ({ name, careOf })
const [SPOON, REED] = [owner('OAKEN SPOON LLC'), owner('HOLLOW REED LLC')]
const [ELM, FIR] = [owner('ELM HOMEOWNERS ASSN'), owner('FIR COURT CONDOMINIUM')]
const ADDRESSES: [about: string, owners: (typeof SPOON)[], left: boolean][] = [
  ['companies', [SPOON, REED], false],
  ['mostly associations', [ELM, FIR, SPOON], true],
  ['two associations', [ELM, FIR], false],
  ['a developer with two associations', [ELM, FIR, SPOON, REED], false],
  [
    'two owners with a manager',
    [owner('A LLC', 'PELLAM MGMT'), owner('B LLC', 'PELLAM MGT')],
    true,
  ],
  ['one owner with a manager', [owner('A LLC', 'PELLAM MGMT'), SPOON, REED], false],
  ['offices', [owner('A LLC', 'ACCOUNTS PAYABLE'), owner('B LLC', 'TAX DEPT')], false],
]

for (const [about, owners, left] of ADDRESSES) {
  test(`an address of ${about} ${left ? 'leads no further' : 'is followed'}`, () => {
    const place = { kind: 'mailingAddress' as const, text: '9 PALM AVE', owners }
    assert.equal(whyLeft({ ...place, isBuilding: false }) !== undefined, left)
    assert.ok(whyLeft({ ...place, isBuilding: true }))
  })
}
