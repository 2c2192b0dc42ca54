import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { Contents } from '../sample/contents.ts'
import { readName } from './name-words.ts'
import { scoreAll } from './score.ts'
import { readMeaning } from './subject.ts'

/** The field that a name fits best; `undefined` for none. */
function bestField(name: string): string | undefined {
  const contents = { texts: [] as string[] } as Contents
  const scores = [...scoreAll({ index: 0, name, meaning: readMeaning({ name }), contents })]
  const [best] = scores.sort((a, b) => b.byName - a.byName)
  return best !== undefined && best.byName > 0.4 ? best.field : undefined
}

const CASES = readFileSync(new URL('cases/column-names.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [field = '', names = ''] = line.split(': ')
    return [...names.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => ({
      field,
      name: quoted ?? plain ?? '',
    }))
  })

/**
 * Share of column names that must be recognized by the name alone; the others also need their
 * values.
 */
const TOLD = 0.97

test('names of columns give their field without the values', () => {
  const wrong = CASES.flatMap(({ field, name }) => {
    const found = bestField(name)
    return found === field ? [] : [`${name}: ${found ?? 'nothing'}, not ${field}`]
  })
  const share = 1 - wrong.length / CASES.length
  assert.ok(share >= TOLD, `${wrong.length} of ${CASES.length} are wrong:\n${wrong.join('\n')}`)
})

test('a tax sale is no sale, and the tax on a sale is neither a price nor the tax', () => {
  const names =
    'TAX_SALE_AMT TAXSALEAMT TaxSaleDate TX_SALE_PRICE TAX_DEED_SALE_PRICE TAX_SALE_BOOK ' +
    'SALE_TAX_AMT TRANSFER_TAX CONVEYANCE_TAX'
  for (const name of names.split(' ')) {
    assert.doesNotMatch(bestField(name) ?? '', /^transfers|^taxValue$/, name)
  }
  // Near misses.
  assert.equal(bestField('SALE_AMT'), 'transfers.transferPrice')
  assert.equal(bestField('TAX_AMT'), 'taxValue')
})

test('a name is read alike in whatever way its words are joined', () => {
  for (const name of [
    'OwnerName1',
    'OWNERNAME1',
    'OWNER_NAME_1',
    'owner name 1',
    'OWNERNME1',
    'own.OWNER_NAME1',
  ]) {
    assert.deepEqual(
      readName(name)
        .words.join(' ')
        .replace(/^owner$/, 'owner name'),
      'owner name',
      name,
    )
    assert.equal(readName(name).ordinal, 1, name)
  }
})

/** Half are near misses: a note that says whose, which or in what unit stays. */
const NOTED: [name: string, words: string, ordinal?: number][] = [
  ['Owner Name (OWN1)', 'owner name', 1],
  ['Owner Name [OWN2]', 'owner name', 2],
  ['OWN2: Owner Name', 'owner name', 2],
  ['SITUS: Street Name', 'site street name'],
  ['SITUS: Street Number (Field #12)', 'site street number'],
  ['PREMISE ADDRESS: Number (LIST Field: PN. Field #20)', 'site address number'],
  ['Situs Address {SITADDR}', 'site address'],
  ['TOTAL_VALUE [USD]', 'total value'],
  ['Sale Date (YYYY.MM)', 'sale date'],
  ['TABLE KEY: Owner Name', 'owner name'],
  ['DEED REFERENCE 1: Folio', 'deed page', 1],
  ['CAMA DATA: Year Built (YYYY) (List Field: YB)', 'year built'],
  ['CURRENT CYCLE DATA: Land Value', 'current land value'],
  ['GRID (List Field: GRID)', '?grid'],
  ['Owner (2)', 'owner', 2],
  ['Lot Size (Acres)', 'lot area acres'],
  ['Living Area (Sq.Ft.)', 'living area sqft sqft'],
  ['Address (Mailing)', 'address mail'],
  ['Value (Prior)', 'value alternate'],
  ['Owner Name (Second)', 'owner name second'],
  ['F23 (OWNER NAME)', '?f owner name', 23],
  ['MAILING ADDRESS: City', 'mail address city'],
  ['PRIOR SALE: Price', 'alternate sale price'],
  ['BASE CYCLE DATA: Land Value', 'alternate land value'],
  ['SALE 2: Grantor Deed: Book', 'sale grantor deed book', 2],
  ['Folio Number', 'parcel id number'],
  ['Baths (Half)', 'bathrooms half'],
  ['Est. Fair Mkt. Value', 'estimated market market value'],
]

for (const [name, words, ordinal = 0] of NOTED) {
  test(`a note or a title of a group in a name: ${name}`, () => {
    const read = readName(name)
    assert.deepEqual([read.words.join(' '), read.ordinal], [words, ordinal])
  })
}

/** By the form of the file: an object's name counts, that of a table or of a parcel does not. */
const PATHS: [name: string, nested: string, flat: string][] = [
  ['deed.date', 'deed date', 'date'],
  ['tax.assessed', 'tax assessed', 'assessed'],
  ['TAX.CITY', 'tax city', 'city'],
  ['parcel.owner', 'owner', 'owner'],
  ['owner.mail_city', 'mail city', 'mail city'],
]
for (const [name, nested, flat] of PATHS) {
  test(`a path in a name: ${name}`, () => {
    const read = [true, false].map((isNested) => readName(name, isNested).words.join(' '))
    assert.deepEqual(read, [nested, flat])
  })
}

test('a name as long as a page is not read, and one of a line is', () => {
  for (const name of ['OWNER'.repeat(8000), `${'a'.repeat(40_000)}_OWNER`, '#'.repeat(100_000)])
    assert.deepEqual(readName(name), { words: [], ordinal: 0 })
  assert.deepEqual(readName(`${'OWNER_'.repeat(30)}NAME`).words.at(-1), 'name')
})
