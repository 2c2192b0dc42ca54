import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { NameOrder, OwnersReading, SlotReading } from '../base/model/owner.ts'
import { readOwners } from './canonical.ts'

const ORDERS: Record<string, NameOrder> = { LF: 'last-first', FL: 'first-last', MX: 'mixed' }
const table = ['readings.txt', 'readings-invented.txt', 'readings-second-list.txt']
  .map((file) => readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8'))
  .join('\n')

let rule = 'before the first heading'
for (const line of table.split('\n')) {
  if (line.startsWith('## ')) rule = line.slice(3)
  if (line === '' || line.startsWith('#')) continue
  test(`rule ${rule}: ${line}`, () => {
    const [, order = '', slots = '', expected = ''] = /^(..) \|(.*?)=>(.*)$/.exec(line) ?? []
    const [first = '', second] = slots.split('++').map((slot) => slot.trim())
    const reading = readOwners([first, second ?? null], ORDERS[order] as NameOrder)
    assert.equal(showReading(reading), expected.trim())
  })
}

function showReading(reading: OwnersReading): string {
  const careOf = reading.careOf === null ? [] : [`%${reading.careOf}`]
  const slots = reading.slots.map(showSlot).filter((slot) => slot !== '')
  return [slots.join(' // '), ...careOf].filter((part) => part !== '').join(' ')
}

function showSlot(slot: SlotReading): string {
  const persons = slot.persons.map(
    ({ surname, given, suffix }) =>
      `${[`${surname}:`, ...given].join(' ')}${suffix === null ? '' : ` (${suffix})`}`,
  )
  const organization = slot.organization === null ? [] : [`[${slot.organization}]`]
  const roles = slot.roles.length === 0 ? [] : [`{${slot.roles.join(' ')}}`]
  return [persons.join('; '), ...organization, ...roles].filter((part) => part !== '').join(' ')
}
