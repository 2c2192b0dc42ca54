import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { meets } from '../../test/owner-meets.ts'
import type { NameOrder, OwnerIndex } from '../base/model/owner.ts'
import { indexOwners, makeOwnerQuestion, readOwners } from './canonical.ts'
import { readFullName } from './full-name.ts'

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
    const { fullName, ...params } = readParams(asked.trim())
    const index = indexOwners(reading)
    const found = fullName === undefined ? ask(params, index) : askFullName(fullName, index)
    assert.equal(found, expected)
  })
}

type Params = Parameters<typeof makeOwnerQuestion>[0]

function ask(params: Params, index: OwnerIndex): string {
  const question = makeOwnerQuestion(params)
  assert.ok(question !== undefined, 'nothing is asked')
  return meets(question, index) ?? 'none'
}

/** Asks for a surname or company of these words, then for a person of that whole name. */
function askFullName(fullName: string, index: OwnerIndex): string {
  const questions = [{ lastName: fullName }, ...readFullName(fullName).flat()]
  const found = questions.map((params) => ask({ ...params, fuzzy: false }, index))
  return found.find((outcome) => outcome !== 'none') ?? 'none'
}

/** Splits parameters at `&name=`; any other `&` belongs to the text. */
function readParams(text: string): Params & { fullName?: string | undefined } {
  const values: Record<string, string> = {}
  for (const part of text.split(/&(?=(?:lastName|firstName|nameContains|fuzzy|fullName)=)/)) {
    const at = part.indexOf('=')
    values[part.slice(0, at)] = part.slice(at + 1)
  }
  return { ...values, fuzzy: values.fuzzy === 'true' }
}
