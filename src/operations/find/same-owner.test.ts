/** How alike two names and two mailing addresses are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerHead } from '../../base/model/owner.ts'
import { compareNames, isSameMailing, joinSlots, type Likeness } from './same-owner.ts'

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
  ['person', 'D / P', 'D / P', 'likely'],
  ['person', 'D A', 'D A', 'likely'],
  ['person', 'DARIO / P', 'DARIO / P', 'sure'],
  ['person', 'D A / P', 'P / D A', 'likely'],
  ['person', 'D A / P', 'P / D ALDO', 'likely'],
  ['person', 'D A / PELLA', 'PELLA / D A', 'sure'],
  ['person', 'DARIO / DARIO', 'DARIO / PELLA', 'none'],
  ['organization', 'HOLDINGS LLC', 'HOLDINGS', 'sure'],
  ['organization', 'HOLDINGS LLC', 'FARMS LLC', 'none'],
  ['organization', 'LLC', 'LLC', 'sure'],
  ['organization', '', 'LLC', 'likely'],
  ['organization', '', '', 'likely'],
  ['organization', 'LLC', 'TRUST', 'none'],
  ['organization', 'LLC', 'FARMS', 'none'],
]

for (const [kind, a, b, likeness] of NAMES) {
  test(`${kind} ${a || '(none)'} and ${b || '(none)'}: ${likeness}`, () => {
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
  assert.ok(!isSameMailing(bare, bare))
  assert.ok(!isSameMailing({ ...home, street: '' }, { ...home, street: '' }))
})

test('a box or rural route needs the same ZIP, if both are known', () => {
  for (const name of ['PO BOX 12', 'RR 2 BOX 18', 'HC 5 BOX 3']) {
    const box = { street: `||${name}|||`, zipCode: '53703', city: 'MADISON WI' }
    assert.ok(isSameMailing(box, { ...box, city: 'MADSION WI' }), name)
    assert.ok(isSameMailing(box, { ...box, zipCode: '' }), name)
    assert.ok(!isSameMailing(box, { ...box, zipCode: '53730' }), name)
  }
  const street = { street: '||HCONE|ST||', zipCode: '53703', city: 'MADISON WI' }
  assert.ok(isSameMailing(street, { ...street, zipCode: '53730' }))
})

test('persons of one surname in two name columns are joined to a couple', () => {
  const head = (slot: 1 | 2, rest: string, name = 'ORBEK', kind: OwnerHead['kind'] = 'person') => ({
    slot,
    kind,
    head: name,
    rest,
  })
  assert.deepEqual(joinSlots([head(1, 'DARIO A'), head(2, 'PELLA')]), [head(1, 'DARIO A / PELLA')])
  for (const other of [
    head(2, 'DARIO A'),
    head(2, ''),
    head(2, 'PELLA', 'VAREK'),
    head(2, 'PELLA', 'ORBEK', 'organization'),
  ]) {
    assert.deepEqual(joinSlots([head(1, 'DARIO A'), other]), [])
  }
})
