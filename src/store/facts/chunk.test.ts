import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordList } from '../../record/word-list.ts'
import { decodeChunk, encodeNumbers, encodeWords, numberAt, wordAt } from './chunk.ts'

const NONE = Number.NaN
const many = (count: number, make: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => make(at))

const NUMBERS: [string, number[]][] = [
  ['none', []],
  ['all unknown', [NONE, NONE, NONE]],
  ['one value', [5, 5, 5, 5]],
  ['flags', [0, 1, NONE, 1, 0]],
  ['four bits', many(33, (at) => at % 14)],
  ['a byte', many(100, (at) => at * 2)],
  ['two bytes', many(100, (at) => at * 600 - 20_000)],
  ['four bytes', many(100, (at) => at * 40_000_000)],
  ['44 bits', many(100, (at) => at * 170_000_000_000)],
  ['mostly unknown', many(1000, (at) => (at % 50 === 7 ? at * 1000 : NONE))],
  ['mostly unknown and long', many(1000, (at) => (at % 50 === 7 ? at * 1e11 : NONE))],
  ['decimals', [0.1, 0.2, 0.3, 12.3456, NONE, 1e-4]],
  ['cents', many(500, (at) => Math.round(at * 1234.567 * 100) / 100)],
  ['more than six decimals', [0.123456789, 2 / 3, NONE, 1e15 / 3]],
  ['negative', [-89.5, -1, 0, NONE, 3.25]],
]

for (const [name, numbers] of NUMBERS) {
  test(`numbers are read as they were written: ${name}`, () => {
    const bytes = encodeNumbers(Float64Array.from(numbers))
    // A buffer may begin anywhere in the memory that it shares.
    const shared = Buffer.concat([Buffer.from('x'), bytes]).subarray(1)
    for (const own of [bytes, new Uint8Array(bytes), shared]) {
      const column = decodeChunk(own)
      assert.deepEqual(
        numbers.map((_, at) => numberAt(column, at)),
        numbers,
      )
    }
  })
}

test('words are read as they were written, and an empty one is unknown', () => {
  const words = ['A', '', 'B "quoted"', 'Ä\u2028', 'A', ...many(300, (at) => at).map(String)]
  const list = new WordList(words.length, (text) => text.slice(1))
  words.forEach((word, at) => {
    if (at % 2 === 0) list.putWord(at, word)
    else list.putText(at, `=${word}`)
  })
  const column = decodeChunk(encodeWords(list.codes, list.words))
  assert.deepEqual(
    words.map((_, at) => wordAt(column, at)),
    words,
  )
})

test('flags take two bits, a common value too; unknown ones take a bit of a map', () => {
  const bytesOf = (numbers: number[]) => encodeNumbers(Float64Array.from(numbers)).length - 32
  assert.equal(bytesOf(many(1600, (at) => at % 2)), 400)
  assert.equal(bytesOf(many(1600, () => 2025)), 400)
  assert.equal(bytesOf(many(1600, (at) => (at % 100 === 0 ? at * 1e6 : NONE))), 200 + 64)
})

test('a chunk that is cut off is refused', () => {
  const bytes = encodeNumbers(Float64Array.from(many(100, (at) => at)))
  assert.throws(() => decodeChunk(bytes.subarray(0, -1)), /damaged/)
})
