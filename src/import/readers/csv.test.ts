import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { CsvSplitter, detectSeparator } from './csv.ts'

function split(text: string, separator = ',', chunk = text.length) {
  const splitter = new CsvSplitter(separator)
  for (let at = 0; at < text.length; at += Math.max(1, chunk)) {
    splitter.push(text.slice(at, at + Math.max(1, chunk)))
  }
  splitter.push('', true)
  return splitter.drain()
}

test('plain and quoted rows are split', () => {
  const { rows, lines, broken } = split('a,b,c\r\n1,"x, ""y""",\n"2\nlines",,z')
  assert.deepEqual(rows, [
    ['a', 'b', 'c'],
    ['1', 'x, "y"', ''],
    ['2\nlines', '', 'z'],
  ])
  assert.deepEqual(lines, [1, 2, 3])
  assert.deepEqual(broken, [])
})

test('a quote that no separator follows is a character', () => {
  const { rows } = split('a,b,c\n57\'7 1/8" W,"JOHN "JACK" ROE",5" PIPE\n')
  assert.deepEqual(rows[1], ['57\'7 1/8" W', 'JOHN "JACK" ROE', '5" PIPE'])
})

test('quotes stand behind blanks, unless the field goes on after them', () => {
  const { rows, broken } = split(
    'a,b,c\n1, "ROE, J", "x"\n2, "A" FRAME,y\n3, "open,z\n4, "x" y, "z"\n',
  )
  assert.deepEqual(rows.slice(1), [
    ['1', 'ROE, J', 'x'],
    ['2', ' "A" FRAME', 'y'],
    ['3', ' "open', 'z'],
    ['4', ' "x" y', ' "z"'],
  ])
  assert.deepEqual(broken, [])
})

test('a row of another width is rejected with its line, and nothing is shifted', () => {
  const { rows, broken } = split('a,b\n1,2\n1,2,3\n4\n5,6\n')
  assert.deepEqual(rows.slice(1), [
    ['1', '2'],
    ['5', '6'],
  ])
  assert.deepEqual(broken, [
    { line: 3, reason: '3 fields where the header has 2', text: '1,2,3' },
    { line: 4, reason: '1 field where the header has 2', text: '4' },
  ])
})

test('a quote without an end costs its own line', () => {
  const { rows, lines, broken } = split('a,b\n1,"open\n2,x\n3,y\n')
  assert.deepEqual(rows.slice(1), [
    ['2', 'x'],
    ['3', 'y'],
  ])
  assert.deepEqual(lines, [1, 3, 4])
  assert.deepEqual(broken, [{ line: 2, reason: 'a quote without an end', text: '1,"open' }])
})

test('an open quote that a later quote closes does not swallow the rows between', () => {
  const { rows, broken } = split('a,b\n1,"open\n2,x\n3,"y"\n4,z\n')
  assert.deepEqual(
    rows.slice(1).map(([first]) => first),
    ['2', '3', '4'],
  )
  assert.equal(broken[0]?.line, 2)
})

test('a blank line is a blank row, the end of the file is none', () => {
  assert.deepEqual(split('a,b\n\r\n1,2\n').rows, [['a', 'b'], [''], ['1', '2']])
})

const field = fc.string({
  unit: fc.constantFrom('a', 'b', '"', ',', '\n', ' ', 'é', "'"),
  maxLength: 6,
})

test('text written by RFC 4180 is read back, wherever the chunks end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      (rows, chunk) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\n')
        // A quote, blanks and a separator inside a value look like a closing quote.
        fc.pre(!rows.flat().some((one) => /"[ ]*(,|\n|$)/.test(one)))
        const read = split(text, ',', chunk)
        assert.deepEqual(read.rows, rows)
        assert.deepEqual(read.broken, [])
      },
    ),
  )
})

test('every line of any text ends up as a row or as a rejected one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', ' '), maxLength: 8 })),
      (lines) => {
        const text = `x,y,z\n${lines.join('\n')}\n`
        const { rows, broken } = split(text)
        const taken = rows.length + broken.length
        assert.ok(taken <= lines.length + 1 + (lines.length === 0 ? 1 : 0))
        for (const row of rows) assert.ok(row.length === 3 || row.join('') === '')
      },
    ),
  )
})

test('the separator is found from the first lines', () => {
  assert.equal(detectSeparator('a\tb\tc\n1\t"2,3,4,5"\t3\n'), '\t')
  assert.equal(detectSeparator('a;b;c\n1,5;2,5;3\n'), ';')
  assert.equal(detectSeparator('a|b\n1|2\n'), '|')
  assert.equal(detectSeparator('name\nx\n'), ',')
})

test('a line of more than 8 MB is rejected, and the next one is read with its own number', () => {
  const long = `x,${'y'.repeat(9 * 1_048_576)},z`
  const { rows, lines, broken } = split(`a,b,c\n${long}\n1,2,3\n`, ',', 65_536)
  assert.deepEqual(rows, [
    ['a', 'b', 'c'],
    ['1', '2', '3'],
  ])
  assert.deepEqual(lines, [1, 3])
  assert.deepEqual(
    broken.map(({ line, reason, text }) => [line, reason, text.length]),
    [[2, 'a line of more than 8 MB', 1000]],
  )
})

test('a line of more than 8 MB that ends the file is rejected', () => {
  const { rows, broken } = split(`a,b\n${'y'.repeat(9 * 1_048_576)}`, ',', 65_536)
  assert.equal(rows.length, 1)
  assert.equal(broken.length, 1)
})

test('quotes escaped by backslashes are characters where the row fits the header so', () => {
  const { rows, broken } = split('a,b,c\n1,"ROE \\"JANE\\", A",x\n2,"5\\"",y\n3,"D:\\",z\n')
  assert.deepEqual(rows.slice(1), [
    ['1', 'ROE "JANE", A', 'x'],
    ['2', '5"', 'y'],
    ['3', 'D:\\', 'z'],
  ])
  assert.deepEqual(broken, [])
})

test('lines that end by CR alone among others are rows where each fits the header', () => {
  const { rows, broken } = split('a,b,c\r\n1,2,3\r\n4,5,6\r7,8,9\r\n1,2\r3,4,5,6\r\n')
  assert.deepEqual(rows.slice(1), [
    ['1', '2', '3'],
    ['4', '5', '6'],
    ['7', '8', '9'],
  ])
  assert.equal(broken.length, 1)
})
