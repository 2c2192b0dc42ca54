/** Walks the facts of parcels for the map, in turns that let other requests be answered. */
import { nextTurn } from '../../base/event-loop.ts'
import { eachBlock } from '../../operations/questions/pick.ts'
import { withTables } from '../../operations/questions/question.ts'
import { factsOf, type Selection } from '../../operations/questions/select.ts'
import { FACTS, type FactName } from '../../record/facts.ts'
import type { FactBlock } from '../../store/facts/table.ts'
import type { ParcelReader } from '../../store/store.ts'

type Walk = Selection & { states: readonly string[]; facts: readonly FactName[] }

/** Takes one parcel after the other; `result`: what they came to. */
type Visitor<Result> = {
  visit(block: FactBlock, place: number, state: string): void
  result: Result
}

/** A dot without a name shows no more than the outlines of parcels. */
const isPlace = (fact: FactName) => fact === 'x' || fact === 'y'

/**
 * Visits each parcel that meets a selection; `begin` is called again when an import commits
 * meanwhile. While a suppression is not in effect yet, facts that one can hide are read as unknown,
 * and parcels that are chosen by them are left out.
 */
export async function eachFact<Result>(
  parcels: ParcelReader,
  { states, facts, ...selection }: Walk,
  begin: () => Visitor<Result>,
): Promise<Result> {
  const isHidden = (fact: FactName) =>
    parcels.isGuarded === true && 'hiddenWith' in FACTS[fact] && !isPlace(fact)
  if (selection.tests.some(({ fact }) => isHidden(fact))) return begin().result
  const wanted = [...factsOf(selection), ...facts.filter((fact) => !isHidden(fact))]
  const limits = { pause: nextTurn, deadline: Number.POSITIVE_INFINITY }
  return withTables(states, { parcels }, async (tables) => {
    const { visit, result } = begin()
    for (const [state, table] of tables) {
      for await (const selected of eachBlock(table, selection, wanted, limits)) {
        if (selected === undefined) break
        const { block, list, length } = selected
        for (let at = 0; at < length; at += 1) visit(block, list[at] as number, state)
      }
    }
    return result
  })
}
