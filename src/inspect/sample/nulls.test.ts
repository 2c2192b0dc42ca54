import assert from 'node:assert/strict'
import test from 'node:test'
import { dateNull, nullKind, priceNull, rareNull } from './nulls.ts'

const table = (kind: (text: string) => string | undefined, rows: Record<string, string>) => {
  for (const [text, expected] of Object.entries(rows)) {
    assert.equal(kind(text) ?? 'says something', expected, JSON.stringify(text))
  }
}

test('values for unknown are classified by name', () => {
  table(nullKind, {
    '': 'blank',
    '   ': 'blank',
    NULL: 'the word NULL',
    '<Null>': 'the word NULL',
    'n/a': 'the word NA',
    NA: 'the word NA',
    UNKNOWN: 'another word for unknown',
    '**NO SITUS**': 'another word for unknown',
    '#VALUE!': 'a spreadsheet fault',
    '0': 'zero',
    '0.00': 'zero',
    '0000': 'all zeros',
    '00/00/0000': 'all zeros',
    '9999-12-31': 'year 9999',
    '99999999': 'year 9999',
    '9999': 'year 9999',
    '10': 'says something',
    '0102': 'says something',
    'NATHAN ROE': 'says something',
    '999 OAK ST': 'says something',
  })
})

test('null dates and dates a century ahead are classified for dates only', () => {
  table((text) => dateNull(text, '2027-06-01'), {
    '1899-12-31': '1899-12-31',
    '12/31/1899': '1899-12-31',
    '1900-01-01': '1900-01-01',
    '1/1/1900': '1900-01-01',
    '19000101': '1900-01-01',
    '2071-10-01': 'a date a century ahead',
    '2026-10-01': 'says something',
    '9999-12-31': 'year 9999',
  })
})

test('prices of 0 and 1 are classified for prices only', () => {
  table(priceNull, {
    '0': 'price 0',
    '0.00': 'price 0',
    $1: 'price 1',
    '1.0': 'price 1',
    '10': 'says something',
    '100': 'says something',
  })
})

test('of all values those are counted that dates or prices would not mean', () => {
  table((text) => rareNull(text, '2027-06-01'), {
    '1': 'price 1',
    $1: 'price 1',
    '10': 'says something',
    '1900-01-01 00:00:00': '1900-01-01',
    '12/31/9999': 'year 9999',
    '20710203': 'a date a century ahead',
    '1899 OAK ST': 'says something',
    '2100 ELM AVE': 'says something',
    '189912311900': 'says something',
  })
})
