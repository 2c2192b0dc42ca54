import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { assemble, MADE, SOURCE } from '../../scripts/build-render.ts'
import { repetitions } from '../../test/repetitions.ts'
import { isAscii, pieceOf, Spans } from './memory.ts'
import { Output } from './output.ts'
import {
  boundPrograms,
  callbackAt,
  HOLE,
  makeProgram,
  type Part,
  Programs,
  trimmed,
  whole,
} from './program.ts'

const SEPARATOR = '\u001f'
const UNTIL = '\u001d'
const cutText = fc.string({ unit: fc.constantFrom('a', 'é', '"', SEPARATOR, UNTIL), maxLength: 90 })

test('render.wasm is compiled from render.wat (npm run wasm)', async () => {
  const made = await assemble(readFileSync(SOURCE, 'utf8'))
  assert.ok(Buffer.from(made).equals(readFileSync(MADE)))
})

test('a text is cut at each separator, up to what ends it', () => {
  const spans = new Spans(100)
  fc.assert(
    fc.property(cutText, (text) => {
      const { from, to } = pieceOf(text)
      const end = spans.cut(from, to, SEPARATOR.charCodeAt(0), UNTIL.charCodeAt(0))
      const [head = ''] = text.split(UNTIL)
      const parts = head.split(SEPARATOR)
      const length = Buffer.byteLength(head)
      assert.equal(end - from, length)
      assert.equal(spans.count, parts.length)
      let at = from
      parts.forEach((part, place) => {
        assert.deepEqual([spans.from(place), spans.to(place)], [at, at + Buffer.byteLength(part)])
        at = spans.to(place) + 1
      })
      const present = parts.reduce(
        (mask, part, place) => (part === '' ? mask : mask | (1 << place)),
        0,
      )
      if (parts.length <= 32) assert.equal(spans.present, present)
    }),
  )
})

test('parts beyond the table are counted and not written', () => {
  const spans = new Spans(2)
  const behind = new Spans(1)
  behind.set(0, 7, 8)
  const { from, to } = pieceOf('a,b,c,d')
  spans.cut(from, to, ','.charCodeAt(0), 0)
  assert.equal(spans.count, 4)
  assert.deepEqual([spans.from(1), spans.to(1)], [from + 2, from + 3])
  assert.deepEqual([behind.from(0), behind.to(0)], [7, 8])
})

const filler = fc.record({
  text: fc.string({ maxLength: 40 }),
  front: fc.nat(20),
  back: fc.nat(20),
  nullable: fc.boolean(),
})

test('a program writes its texts and trimmed parts; nullable empty parts become null', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ maxLength: 40 }), filler), { maxLength: 12 }),
      (bits) => {
        const spans = new Spans(bits.length)
        let parts = 0
        const program = makeProgram(
          bits.map((bit, at): string | Part => {
            if (typeof bit === 'string') return bit
            const { from, to } = pieceOf(bit.text)
            spans.set(at, from, to)
            parts += to - from
            return trimmed(spans.address(at), bit.front, bit.back, bit.nullable)
          }),
        )
        const output = new Output()
        const stopped = output.render(program, program.start, parts)
        assert.equal(callbackAt(stopped), -1)
        const expected = bits.map((bit) => {
          if (typeof bit === 'string') return Buffer.from(bit)
          const text = Buffer.from(bit.text)
          const shown = text.subarray(bit.front, Math.max(bit.front, text.length - bit.back))
          return shown.length === 0 && bit.nullable ? Buffer.from('null') : shown
        })
        assert.deepEqual(
          Buffer.from(output.take()),
          Buffer.from(Buffer.concat(expected).toString()),
        )
      },
    ),
    { numRuns: repetitions(6) },
  )
})

test('a program calls back where a function writes, and continues after it', () => {
  const spans = new Spans(1)
  const part = pieceOf('part')
  spans.set(0, part.from, part.to)
  const program = makeProgram(['a', { callback: 0 }, 'b', whole(spans.address(0)), { callback: 1 }])
  const output = new Output()
  const first = output.render(program, program.start, 4)
  assert.equal(callbackAt(first), 0)
  output.text('-first-')
  const second = output.render(program, first + HOLE, 4)
  assert.equal(callbackAt(second), 1)
  output.text('-second')
  assert.equal(callbackAt(output.render(program, second + HOLE, 4)), -1)
  assert.equal(output.take(), 'a-first-bpart-second')
})

test('an output that exceeds the announced size is an error', () => {
  const spans = new Spans(1)
  const part = pieceOf('x'.repeat(100))
  spans.set(0, part.from, part.to)
  const program = makeProgram(['a', whole(spans.address(0))])
  const output = new Output()
  assert.throws(() => output.render(program, program.start, 50), /room/)
})

test('one letter beyond ASCII is detected at any position', () => {
  for (let length = 1; length < 50; length += 1) {
    for (let place = 0; place < length; place += 1) {
      const plain = pieceOf('~'.repeat(length))
      assert.equal(isAscii(plain.from, plain.to), 1)
      const text = `${'~'.repeat(place)}é${'~'.repeat(length - place - 1)}`
      const { from, to } = pieceOf(text)
      assert.equal(isAscii(from, to), 0)
    }
  }
})

test('programs take bounded room: all are forgotten together, and their room is used again', () => {
  const made = new Programs<number, number>()
  const large = 'x'.repeat(1_000_000)
  const starts = new Set<number>()
  let kept = 0
  for (let at = 0; at < 60; at += 1) {
    boundPrograms()
    made.set(at, makeProgram([`${at}${large}`]).start)
    starts.add(made.get(at) as number)
    kept = Math.max(kept, [...Array(60).keys()].filter((key) => made.get(key) !== undefined).length)
  }
  assert.ok(kept > 10 && kept < 20, `${kept} kept at once`)
  assert.ok(starts.size < 20, `${starts.size} places`)
})
