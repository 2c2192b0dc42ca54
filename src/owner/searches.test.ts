import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { meets } from '../../test/owner-meets.ts'
import type { NameOrder } from '../model/owner.ts'
import { indexOwners, makeOwnerQuestion, readOwners } from './canonical.ts'

const ORDERS: Record<string, NameOrder> = { LF: 'last-first', FL: 'first-last', MX: 'mixed' }
const table = readFileSync(new URL('./cases/searches.txt', import.meta.url), 'utf8')

let rule = 'before the first heading'
for (const line of table.split('\n')) {
  if (line.startsWith('## ')) rule = line.slice(3)
  if (line === '' || line.startsWith('#')) continue
  test(`rule ${rule}: ${line}`, () => {
    const [, order = '', slots = '', asked = '', expected = ''] =
      /^(..) \|(.*?)\|(.*?)=> (\w+)$/.exec(line) ?? []
    const [first = '', second] = slots.split('++').map((slot) => slot.trim())
    const reading = readOwners([first, second ?? null], ORDERS[order] as NameOrder)
    const question = makeOwnerQuestion(readParams(asked.trim()))
    assert.ok(question !== undefined, 'nothing is asked')
    assert.equal(meets(question, indexOwners(reading)) ?? 'none', expected)
  })
}

/** Splits parameters at `&name=`; any other `&` belongs to the text. */
function readParams(text: string): Parameters<typeof makeOwnerQuestion>[0] {
  const values: Record<string, string> = {}
  for (const part of text.split(/&(?=(?:lastName|firstName|nameContains|fuzzy)=)/)) {
    const at = part.indexOf('=')
    values[part.slice(0, at)] = part.slice(at + 1)
  }
  return { ...values, fuzzy: values.fuzzy === 'true' }
}
