import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-character.ts'
import { halfSip } from './half-sip.ts'
import { HIDDEN } from './hide-fields.ts'
import { addressForm, hashForms, openMatcher, personForm, propertyForm } from './matcher.ts'

const SECRET = new Uint8Array(32).fill(7)
const PLACE = { state: 'WI', fips: 55025 }
const PARCEL = { ...PLACE, municipality: '', strippedKey: '', owners: '', situs: [], zip: '' }

test('a text hashes as its two parts do, wherever it is cut', () => {
  const cut = fc.tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }))
  fc.assert(
    fc.property(cut, fc.integer(), fc.integer(), ([text, more], key0, key1) => {
      assert.equal(halfSip(key0, key1, text, more), halfSip(key0, key1, text + more))
    }),
  )
})

test('the checksum stays as stored suppressions have it', () => {
  assert.deepEqual(
    ['', 'a', '0SMITH|JOHN', '212|MAIN|ST||'].map((text) => halfSip(1, 2, text).toString(16)),
    STORED,
  )
})
/** Printed by the version that made the first suppressions (1f73c6b). */
const STORED = ['c18c29c3', 'c869d1f6', 'e4f48567', '1298520c']

test('of many suppressions each finds its parcel, and no other is hidden', () => {
  const ids = Array.from({ length: 5000 }, (_, at) => `55025-${at}`)
  const hashes = ids.map((id) => hashForms(SECRET, [propertyForm(id)]))
  const grouped = [{ kind: 'property' as const, scope: 'both' as const, hashes: hashes.join('') }]
  const single = hashes.map((one) => ({
    kind: 'property' as const,
    scope: 'both' as const,
    hashes: one,
  }))
  for (const rules of [grouped, single]) {
    const match = openMatcher({ secret: SECRET, rules })
    for (let at = 0; at < 10_000; at += 1) {
      const hidden = match({ ...PARCEL, strippedKey: String(at) })
      assert.equal(hidden, at < 5000 ? HIDDEN.all : HIDDEN.none, `55025-${at}`)
    }
  }
})

test('a form that matches two suppressions hides the fields of both', () => {
  const hashes = hashForms(SECRET, [addressForm('12|MAIN|ST', '', PLACE)])
  const match = openMatcher({
    secret: SECRET,
    rules: [
      { kind: 'address', scope: 'address', hashes },
      { kind: 'address', scope: 'owner', hashes },
    ],
  })
  const situs = [{ key: '12|MAIN|ST', unitKey: '' }]
  assert.equal(match({ ...PARCEL, situs }), HIDDEN.address | HIDDEN.owner)
  assert.equal(match({ ...PARCEL, situs, fips: 55027 }), HIDDEN.none)
})

test('a person matches by surname and given name, and nobody else does', () => {
  const hashes = hashForms(SECRET, [personForm('SMITH', ['JOHN', 'A'], PLACE)])
  const { personsOf } = openMatcher({
    secret: SECRET,
    rules: [{ kind: 'owner', scope: 'owner', hashes }],
  })
  assert.equal(personsOf('SMITH')('JOHN'), true)
  assert.deepEqual([personsOf('SMITH')('JON'), personsOf('JOHN')('SMITH')], [false, false])
})
