/** Some fields of each record, as a caller chooses them. */
import { refuse } from '../base/errors.ts'
import type { AccountFacts } from '../base/model/account.ts'
import { didYouMean } from '../base/nearest.ts'
import { readTable } from '../base/tables.ts'
import { V2_KEYS } from '../record/fields.ts'
import { type Layout, layoutOf, listShown } from '../record/layout.ts'
import { isAlwaysShown } from '../record/schema.ts'
import { partOf, type Shown } from '../render/render.ts'

type Names = { known: ReadonlySet<string>; always: readonly string[] }

const names = new Map<Layout, Names>()

function namesOf(layout: Layout): Names {
  let found = names.get(layout)
  if (found === undefined) {
    const shown = listShown(layout)
    const known = shown.flatMap(({ path }) => path.map((_, at) => path.slice(0, at + 1).join('.')))
    const always = shown.filter(isAlwaysShown)
    found = { known: new Set(known), always: always.map(({ path }) => path.join('.')) }
    names.set(layout, found)
  }
  return found
}

/** What callers write for a field, and its names in the flat and the nested layout. */
const CALLS = readTable('field-calls.tsv').map((line) => line.split('\t'))

function findMeant(typed: string, known: string[]): string | undefined {
  const asked = typed.toLowerCase().replace(/[-_.]/g, '')
  const found = CALLS.find(([words = '$^']) => new RegExp(words).test(asked))
  return known.find((path) => found?.includes(path.split('.').at(-1) ?? '') === true)
}

/** Returns what records show. Throws *bad request* that names an unknown field. */
export function readFields(text: string, facts: AccountFacts): Shown {
  const { known, always } = namesOf(layoutOf(facts))
  const asked = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (asked.length === 0) throw refuse.badRequest('fields names no field')
  const isKnown = (one: string) =>
    known.has(one) || one === 'id' || (facts.dataReads === 'v2' && Object.hasOwn(V2_KEYS, one))
  const unknown = asked.find((one) => !isKnown(one))
  if (unknown !== undefined) {
    const meant = findMeant(unknown, [...known])
    const similar =
      meant === undefined ? didYouMean(unknown, [...known]) : `; did you mean ${meant}?`
    throw refuse.badRequest(`fields has no field ${unknown}${similar}`)
  }
  return partOf(facts, [...new Set([...always, ...asked])].sort())
}
