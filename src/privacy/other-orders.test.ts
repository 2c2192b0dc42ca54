/** A suppression finds a name in every order, and companies named after the person. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { NameOrder } from '../base/model/owner.ts'
import { makeSuppression, testText } from './suppress.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-orders-'))
after(() => rmSync(data, { recursive: true, force: true }))
const settings = { data, registryHash: null }
const place = { state: 'WI', fips: 0 }

/** The suppressed name, and recorded ones that are hidden and that stay. */
const CASES: { asked: string; hidden: string[]; kept: string[] }[] = [
  {
    asked: 'ZYXWELL QAZMER J',
    hidden: [
      ...['ZYXWELL QAZMER J', 'QAZMER J ZYXWELL', 'ZYXWELL, QAZMER', 'QAZMER ZYXWELL'],
      ...['QAZMER JOHN ZYXWELL', 'ZYXWELL QAZMER JOHN', 'ZYXWELL QAZMER J & ANN B'],
      ...['ZYXWELL TRUST QAZMER ZYXWELL TTEE', 'QAZMER J ZYXWELL REVOCABLE TRUST'],
      ...['ZYXWELL QAZMER PROPERTIES LLC', 'QAZMER ZYXWELL DDS PA', 'QAZMER & ZYXWELL LLP'],
      ...['LAW OFFICES OF QAZMER J ZYXWELL INC', 'ESTATE OF QAZMER ZYXWELL'],
    ],
    kept: [
      ...['ZYXWELL THEODORE', 'THEODORE ZYXWELL', 'QAZMER PAUL', 'ZYXWELL QAZMER K'],
      ...['QAZMER K ZYXWELL', 'ZYXWELL PROPERTIES LLC', 'QAZMER FAMILY TRUST', 'ZYXWELL Q'],
      ...['ZYXWELL QAZMER K TRUST', 'ZYXWELLS QAZMER', 'HARLOW PAUL & MARA'],
    ],
  },
  {
    asked: 'QAZMER J ZYXWELL',
    hidden: ['ZYXWELL QAZMER J', 'QAZMER J ZYXWELL', 'ZYXWELL QAZMER', 'ZYXWELL QAZMER TRUST'],
    kept: ['ZYXWELL THEODORE', 'QAZMER PAUL', 'ZYXWELL QAZMER K'],
  },
  {
    asked: 'MARA VAN DER BERG',
    hidden: ['VAN DER BERG MARA', 'MARA VAN DER BERG', 'VAN DER BERG, MARA L'],
    kept: ['VAN DER BERG PAUL', 'MARA BERGEN', 'BERG PAUL'],
  },
]

for (const { asked: text, hidden, kept } of CASES) {
  const scope = 'owner' as const
  const asked = { kind: scope, text, scope, place, basis: 'a law', until: null }
  const made = makeSuppression({ ...asked, nameOrder: 'mixed' }, settings, 0)
  const isHidden = (name: string, order: NameOrder) =>
    testText(name, { place, order }, [made], settings).length > 0
  for (const order of ['last-first', 'first-last', 'mixed'] as const) {
    test(`${text} is found on a roll in the order ${order}, and nobody else`, () => {
      assert.deepEqual(
        hidden.filter((name) => !isHidden(name, order)),
        [],
      )
      assert.deepEqual(
        kept.filter((name) => isHidden(name, order)),
        [],
      )
    })
  }
}
