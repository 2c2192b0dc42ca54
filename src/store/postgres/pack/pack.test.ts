import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { assemble } from '../../../../scripts/build-render.ts'
import { MADE, SOURCE } from '../../../../scripts/build-unpack.ts'
import { anyCharacter } from '../../../../test/any-character.ts'
import { FULL_PARCEL } from '../../../../test/parcel.ts'
import { repetitions } from '../../../../test/repetitions.ts'
import { encodeParcel } from '../../../record/stored.ts'
import { DICTIONARY } from './codes.ts'
import { pack, packBoth } from './pack.ts'
import { unpack, unpackHex } from './unpack.ts'

const RECORD = encodeParcel(FULL_PARCEL)
const KEYS = '{"i":[],"s":[["1|MAIN|ST|","1|MAIN",""]],"a":[],"h":[[1,0,"DOE","JANE"]],"w":[]}'

/** Texts of every length, of parts that repeat or are in the dictionary. */
const part = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('\u001d', '\u001e', '\u001f', '', 'ab', 'é', '"RESIDENTIAL"\u001ftrue', RECORD),
  fc
    .nat(DICTIONARY.length)
    .map((from) => Buffer.from(DICTIONARY).toString('latin1', from, from + 90)),
)
const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join('').toWellFormed())

test('the loop is made of its source', async () => {
  const made = await assemble(readFileSync(SOURCE, 'utf8'))
  assert.ok(readFileSync(MADE).equals(made), 'run node scripts/build-unpack.ts')
})

test('unpacks every text that was packed, also after another text', () => {
  fc.assert(
    fc.property(text, text, (one, before) => {
      assert.equal(unpack(pack(one)), one)
      assert.equal(unpack(pack(one, before), before), one)
      assert.equal(unpackHex(pack(one, before).toString('hex'), before), one)
    }),
    { numRuns: repetitions(50) },
  )
})

test('packs equal texts to equal bytes, whatever was packed before', () => {
  fc.assert(
    fc.property(text, text, text, (one, other, before) => {
      const first = pack(one, before)
      pack(other)
      assert.deepEqual(pack(one, before), first)
    }),
  )
})

test('packs two texts together to the bytes that they have one by one', () => {
  fc.assert(
    fc.property(text, text, (first, second) => {
      assert.deepEqual(packBoth(first, second), [pack(first), pack(second, first)])
    }),
    { numRuns: repetitions(50) },
  )
})

test('packs and unpacks a text of a million characters', () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `${at * 7919}\u001f${RECORD.slice(at % 99, 140)}`,
  )
  const long = lines.join('é').slice(0, 1_000_000)
  assert.equal(unpack(pack(long)), long)
  assert.equal(unpack(pack(RECORD, long), long), RECORD)
})

test('damaged bytes give an error or a text, and never more than they can', () => {
  const packed = pack(RECORD + KEYS)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(packed.length - 1), fc.nat(255)), { maxLength: 5 }),
      fc.nat(packed.length),
      (changes, length) => {
        const bytes = Buffer.from(packed.subarray(0, length))
        for (const [at, byte] of changes) if (at < length) bytes[at] = byte
        try {
          assert.ok(unpack(bytes).length <= length * 8 * 60)
        } catch (error) {
          assert.match((error as Error).message, /^a packed record is damaged: /)
        }
      },
    ),
    { numRuns: repetitions(100) },
  )
})

test('bytes that are cut off or go on are refused', () => {
  const packed = pack(RECORD)
  assert.throws(() => unpack(packed.subarray(0, -1)), /damaged/)
  assert.throws(() => unpack(Buffer.concat([packed, Buffer.alloc(1)])), /damaged/)
  assert.throws(() => unpack(Buffer.alloc(0)), /damaged: of an unknown version/)
  assert.throws(() => unpack(Buffer.from([2, 3, 4])), /damaged: of an unknown version/)
})

test('version 1 writes the bytes that it has always written', () => {
  const fields = ['f0dc', '1', '"12-34"', '"DOE, JANE A"', '"12 OAK ST"', '12.5', '"SINGLE FAMILY"']
  const record = fields.join('\u001f')
  const packed = [pack(record), pack(KEYS, record), pack('Ünïcode \u001e 1234567')]
  assert.equal(hash('sha256', Buffer.concat(packed)).slice(0, 16), '32bced06056ebb39')
})
