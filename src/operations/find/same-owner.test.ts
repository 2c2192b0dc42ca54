/** How alike two names and two mailing addresses are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerHead } from '../../model/owner.ts'
import { compareNames, isSameMailing, type Likeness } from './same-owner.ts'

const NAMES: [kind: OwnerHead['kind'], a: string, b: string, likeness: Likeness][] = [
  ['person', 'MARA JUNE', 'MARA JUNE', 'sure'],
  ['person', 'MARA', 'MARA', 'likely'],
  ['person', 'MARA JUNE', 'MARA J', 'none'],
  ['person', 'MARA JUNE', 'MARA', 'none'],
  ['person', '', '', 'none'],
  ['person', 'DARIO / PELLA', 'DARIO / PELLA', 'sure'],
  ['person', 'DARIO A / PELLA', 'PELLA / DARIO A', 'sure'],
  ['person', 'DARIO A / PELLA', 'DARIO ALDO / PELLA R', 'sure'],
  ['person', 'DARIO A / PELLA R', 'DARIO / PELLA R', 'sure'],
  ['person', 'DARIO / PELLA', 'DARIO A / PELLA R', 'likely'],
  ['person', 'DARIO / PELLA / LIV', 'PELLA / DARIO', 'likely'],
  ['person', 'DARIO A / PELLA', 'DARIO B / PELLA', 'none'],
  ['person', 'DARIO ALDO / PELLA', 'DARIO ARNE / PELLA', 'none'],
  ['person', 'DARIO A / PELLA', 'DARIO A / SUNNE', 'none'],
  ['person', 'DARIO A / PELLA', 'DARIO A', 'none'],
  ['person', 'DARIO / DARIO', 'DARIO / PELLA', 'none'],
  ['organization', 'HOLDINGS LLC', 'HOLDINGS', 'sure'],
  ['organization', 'HOLDINGS LLC', 'FARMS LLC', 'none'],
]

for (const [kind, a, b, likeness] of NAMES) {
  test(`${kind} ${a || '(no given name)'} and ${b || '(none)'}: ${likeness}`, () => {
    const one: OwnerHead = { slot: 1, kind, head: 'ORBEK', rest: a }
    const other: OwnerHead = { slot: 2, kind, head: 'ORBEK', rest: b }
    assert.equal(compareNames(one, other), likeness)
    assert.equal(compareNames(other, one), likeness)
  })
}

test('another surname is another name', () => {
  const one: OwnerHead = { slot: 1, kind: 'person', head: 'ORBEK', rest: 'MARA JUNE' }
  assert.equal(compareNames(one, { ...one, head: 'VAREK' }), 'none')
})

test('a mailing address needs the same street, and the same ZIP or city', () => {
  const home = { street: '9|ELM|ST|', zipCode: '53703', city: 'MADISON WI' }
  assert.ok(isSameMailing(home, { ...home, zipCode: '53730' }))
  assert.ok(isSameMailing(home, { ...home, city: 'MADSION WI' }))
  assert.ok(isSameMailing(home, { ...home, zipCode: '' }))
  assert.ok(!isSameMailing(home, { ...home, zipCode: '60601', city: 'CHICAGO IL' }))
  assert.ok(!isSameMailing(home, { ...home, zipCode: '', city: '' }))
  assert.ok(!isSameMailing(home, { ...home, street: '10|ELM|ST|' }))
  const bare = { street: 'ELM', zipCode: '', city: '' }
  assert.ok(isSameMailing(bare, bare))
  assert.ok(!isSameMailing({ ...bare, street: '' }, { ...bare, street: '' }))
})
