import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abbreviateDocument } from './document-types.ts'

const CASES: readonly [text: string, short: string | null][] = [
  ['WARRANTY DEED', 'WD'],
  ['Warranty Deed', 'WD'],
  ['WARRANTY', 'WD'],
  ['General Warranty Deed', 'WD'],
  ['01 - Warranty Deed', 'WD'],
  ['SPECIAL WARRANTY DEED', 'SW'],
  ['Quit Claim', 'QC'],
  ['QUIT-CLAIM DEED', 'QC'],
  ['QUITCLAIM DEED', 'QC'],
  ['GRANT DEED', 'GD'],
  ["TRUSTEE'S DEED", 'TD'],
  ['TRUSTEES DEED', 'TD'],
  ["SHERIFF'S DEED", 'SD'],
  ['TAX DEED', 'TX'],
  ['BARGAIN & SALE DEED', 'BS'],
  ['GRANT', null],
  ['TRUSTEE', null],
  ['TAX', null],
  ['WD', null],
  ['DEED', null],
  ['DEED OF TRUST', null],
  ['CORRECTIVE WARRANTY DEED', null],
  ['WARRANTY DEED (JOINT)', null],
  ['QUIT CLAIM DEED TO TRUST', null],
  ['', null],
]

test('a kind of document that is spelled out has its abbreviation', () => {
  for (const [text, short] of CASES) assert.equal(abbreviateDocument(text), short, text)
})
