import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { meets } from '../../test/owner-meets.ts'
import { repetitions } from '../../test/repetitions.ts'
import type { NameOrder } from '../base/model/owner.ts'
import { indexOwners, makeOwnerQuestion, readOwners } from './canonical.ts'
import { LATE_ROLES, MIDDLE_ROLES, ROLES, SOFT_ROLES } from './dictionaries/roles.ts'
import { learnNames } from './evidence.ts'

const WORDS =
  `SMITH JOHN A MARY & , B JONES O'BRIEN DE LA CRUZ MC DONALD LLC TRUST TR LE ETAL JR III ` +
  'SMITH-JONES NGUYEN THE OF FAMILY REVOCABLE C/O % ATTN 1/2 INT 50% ( ) ; / + CHURCH PARK VAN ' +
  `ST 123 L.L.C. DBA MR MRS . - " ' AND OR EST CO HOA & & , , Y VI SHERIFF PA MD BUREAU TOD DDS`
const orders = fc.constantFrom<NameOrder>('last-first', 'first-last', 'mixed')
const names = fc
  .array(fc.constantFrom(...WORDS.split(' ')), { maxLength: 12 })
  .map((words) => words.join(' '))
const anyText = fc.oneof(names, fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme' }))
const slots = fc.tuple(fc.option(anyText), fc.option(anyText))

test('never throws, whatever the roll or the caller contains', () => {
  fc.assert(
    fc.property(slots, orders, anyText, (pair, order, asked) => {
      const index = indexOwners(readOwners(pair, order))
      for (const fuzzy of [true, false]) {
        const question = makeOwnerQuestion({
          lastName: asked,
          firstName: asked,
          nameContains: asked,
          fuzzy,
        })
        if (question !== undefined) meets(question, index)
      }
    }),
    { numRuns: repetitions(100) },
  )
})

test('the same slots give the same reading', () => {
  fc.assert(
    fc.property(slots, orders, (pair, order) => {
      assert.deepEqual(readOwners(pair, order), readOwners(pair, order))
    }),
  )
})

test('case and doubled blanks never matter', () => {
  fc.assert(
    fc.property(names, orders, (name, order) => {
      const reading = readOwners([name, null], order)
      const other = readOwners([`  ${name.toLowerCase().replaceAll(' ', '   ')} `, null], order)
      assert.deepEqual(indexOwners(other), indexOwners(reading))
    }),
    { numRuns: repetitions(50) },
  )
})

test('no two heads of an index agree in slot, kind and head, and no word occurs twice', () => {
  fc.assert(
    fc.property(slots, orders, (pair, order) => {
      const { heads, words } = indexOwners(readOwners(pair, order))
      const keys = heads.map(({ slot, kind, head }) => `${slot} ${kind} ${head}`)
      assert.equal(new Set(keys).size, keys.length)
      assert.ok(heads.every(({ head }) => head !== ''))
      assert.equal(new Set(words.map(({ slot, word }) => `${slot} ${word}`)).size, words.length)
    }),
    { numRuns: repetitions(100) },
  )
})

test('every person is found by surname and each given word, and by the words of the name', () => {
  fc.assert(
    fc.property(slots, orders, (pair, order) => {
      const reading = readOwners(pair, order)
      const index = indexOwners(reading)
      for (const { surname, given } of reading.slots.flatMap(({ persons }) => persons)) {
        if (surname === '' || /\b(?:JR|SR|V|II|III|IV|MD|ESQ)\b/.test(surname)) continue
        for (const firstName of given) {
          const question = makeOwnerQuestion({ lastName: surname, firstName, fuzzy: false })
          assert.ok(question !== undefined && meets(question, index) === 'exact')
        }
        const words = makeOwnerQuestion({
          nameContains: [surname, ...given].join(' '),
          fuzzy: false,
        })
        assert.ok(words !== undefined && meets(words, index) === 'exact')
      }
    }),
    { numRuns: repetitions(150) },
  )
})

test('a name of which no word is left after folding asks nothing', () => {
  for (const text of ['', '   ', "'", '.,;', '-', '()']) {
    assert.equal(makeOwnerQuestion({ lastName: text, fuzzy: false }), undefined)
    assert.equal(makeOwnerQuestion({ nameContains: text, fuzzy: true }), undefined)
    assert.equal(
      makeOwnerQuestion({ lastName: 'SMITH', nameContains: text, fuzzy: true }),
      undefined,
    )
  }
  assert.equal(makeOwnerQuestion({ fuzzy: false }), undefined)
})

test('text beyond any roll is cut, not refused', () => {
  const reading = readOwners([`${'SMITH JOHN & '.repeat(100_000)}`, 'X'.repeat(1_000_000)], 'mixed')
  assert.ok(reading.slots.length > 0)
  assert.ok(indexOwners(reading).words.length < 100)
})

test('a slot of more than 400 characters is read in parts', () => {
  const surnames = Array.from(
    { length: 75 },
    (_, at) => `${'BCDFG'[at % 5]}${'KLMNP'[at % 3]}OVSKI`,
  )
  const text = surnames.map((surname) => `${surname} PAUL J`).join('; ')
  const persons = readOwners([text, null], 'last-first').slots[0]?.persons
  assert.deepEqual(
    persons?.map(({ surname }) => surname),
    surnames,
  )
})

test('a roll teaches the engine its own surnames', () => {
  const learner = learnNames()
  for (let row = 0; row < 5; row++) learner.add('ZYLAND, OMBRELLE', 'ZYLAND, QUORIN A')
  const evidence = learner.finish()
  for (const name of ['ZYLAND OMBRELLE', 'OMBRELLE ZYLAND']) {
    const person = readOwners([name, null], 'mixed', evidence).slots[0]?.persons[0]
    assert.equal(person?.surname, 'ZYLAND')
  }
})

test('learned evidence can be sent to a worker', () => {
  const learner = learnNames()
  learner.add('ZYLAND, OMBRELLE', null)
  const evidence = learner.finish()
  assert.deepEqual(structuredClone(evidence), evidence)
})

test('a role between two whole names never swallows one of them', () => {
  const lists = [...ROLES.values()].flatMap((bySecond) => [...bySecond.values()])
  const phrases = lists.flat().map((phrase) => phrase.join(' '))
  const roles = new Set([...phrases, ...SOFT_ROLES, ...LATE_ROLES, ...MIDDLE_ROLES])
  const pairs: [NameOrder, string, string][] = [
    ['last-first', 'HARLOW PAUL R', 'TRENT ANNA M'],
    ['last-first', 'HARLOW, PAUL', 'TRENT, ANNA'],
    ['last-first', 'HARLOW PAUL', 'TRENT ANNA'],
    ['first-last', 'PAUL R HARLOW', 'ANNA M TRENT'],
    ['first-last', 'PAUL HARLOW', 'ANNA TRENT'],
  ]
  const lost: string[] = []
  for (const role of roles) {
    if (role.includes('#')) continue
    for (const [order, one, two] of pairs) {
      for (const joint of [` ${role} `, ` (${role}) `, ` ${role} & `]) {
        const reading = readOwners([one + joint + two, null], order)
        const surnames = reading.slots.flatMap(({ persons }) => persons.map((own) => own.surname))
        // `LC &`: a company of both. `PAUL HARLOW LU & ANNA`: a surname.
        if (['LC', 'LU', 'CONS', 'CF'].includes(role) && joint.endsWith('& ')) continue
        if (!surnames.includes('HARLOW') || !surnames.includes('TRENT'))
          lost.push(one + joint + two)
      }
    }
  }
  assert.deepEqual(lost, [])
})
