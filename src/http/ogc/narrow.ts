/**
 * Maps conditions and orders on properties to the facts that questions are put to. A fact may hold
 * for more parcels than the condition, which is tested on the record too.
 */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { readTable } from '../../base/tables.ts'
import { openWords } from '../../operations/find/fact-filters.ts'
import type { Order } from '../../operations/questions/pick.ts'
import type { FactTest } from '../../operations/questions/select.ts'
import { FACTS, type FactName } from '../../record/facts.ts'
import type { Bound } from './cql2/compile.ts'
import { findField, type Readable } from './fields.ts'

type Known = { fact: FactName; unit: string; also: readonly string[] }

/** The fact of each property. `also`: properties that it falls back on. */
const FACT_OF: ReadonlyMap<string, Known> = new Map(
  readTable('ogc-facts.tsv').map((line) => {
    const [name = '', fact, unit = '', ...also] = line.split('\t')
    return [name, { fact: fact as FactName, unit, also }]
  }),
)

/** Facts have at most seven decimal places. */
const ROUNDED = 1e-6

export function testsOfBounds(bounds: readonly Bound[]): FactTest[] {
  return bounds.flatMap((bound): FactTest[] => {
    const known = FACT_OF.get(bound.name)
    if (known === undefined) return []
    const { fact, unit } = known
    if ('among' in bound) {
      if (FACTS[fact].type === 'word') return [{ fact, is: openWords(bound.among.map(String)) }]
      const numbers = bound.among.map((one) => toFact(one, unit))
      return [{ fact, from: Math.min(...numbers), to: Math.max(...numbers) }]
    }
    // Words have no order here.
    if (FACTS[fact].type === 'word') return []
    const { from, to } = bound
    return [
      {
        fact,
        ...(from !== undefined && { from: toFact(from, unit) - ROUNDED }),
        ...(to !== undefined && { to: toFact(to, unit) + ROUNDED }),
      },
    ]
  })
}

function toFact(value: string | number | boolean, unit: string): number {
  return unit === 'day' ? Math.floor(Number(value) / DAY_MS) : Number(value)
}

/** Properties by which `sortby` orders; all of them have a fact. */
export const SORTABLE = [...FACT_OF].flatMap(([name, { fact }]) =>
  FACTS[fact].type === 'number' ? [name] : [],
)

/** Reads `sortby`: one property, after `-` for descending. Throws *bad request*. */
export function readOrder(text: string | undefined, readable: Readable): Order | undefined {
  if (text === undefined) return undefined
  // A plus of a query string is a blank.
  const [, sign, name = ''] = /^([+ -]?)(\w+)$/.exec(text) ?? []
  const descending = sign === '-'
  if (name === '_id' && !descending) return undefined
  const known = FACT_OF.get(name)
  if (name === '') throw refuseOrder()
  for (const one of [name, ...(known?.also ?? [])]) findField(readable, one, 'sortby')
  if (known === undefined || !SORTABLE.includes(name)) throw refuseOrder()
  return { by: 'fact', fact: known.fact, descending }
}

function refuseOrder() {
  return refuse.badRequest(`sortby must be one property, _id or one of ${SORTABLE.join(', ')}`)
}
