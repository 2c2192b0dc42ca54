/** Groups parcels by owner, as portfolio search understands the same owner. */
import { foldLetters } from '../../base/fold.ts'
import { NumberTable } from '../../base/number-table.ts'
import { PLACEHOLDER } from '../../owner/dictionaries/organization-words.ts'
import type { FactName } from '../../record/facts.ts'
import { openFields } from '../../record/stored.ts'
import { type Column, numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import type { StoredParcel } from '../../store/store.ts'
import { eachBlock, type Limits } from './pick.ts'
import { type FactTest, factsOf, type Selection } from './select.ts'
import type { Grouping } from './sum-up.ts'

const FACTS: FactName[] = ['owner', 'shortName', 'mailing']
const SHORT: FactTest = { fact: 'shortName', from: 1, to: 1 }

/** A two-word person's name with more mailing addresses belongs to several persons. */
const ADDRESSES_MAX = 3
/** For an unknown mailing address. */
const UNKNOWN = -1

/**
 * Returns a grouping by owner: parcels with the same canonical name. A person's name of two words
 * with more than three mailing addresses is a group for each address. Parcels without an owner, or
 * with a suppressed one, are in no group.
 */
export async function groupByOwner(
  table: FactTable,
  selection: Selection,
  limits: Limits,
): Promise<Grouping> {
  const only = new NumberTable()
  const several = new Map<number, Set<number>>()
  const short: Selection = { ...selection, tests: [...selection.tests, SHORT] }
  const facts = [...factsOf(short), ...FACTS]
  for await (const selected of eachBlock(table, short, facts, limits)) {
    if (selected === undefined) break
    const { owner, mailing } = columnsOf(selected.block)
    for (const place of selected.list.subarray(0, selected.length)) {
      const number = numberAt(owner, place)
      if (Number.isNaN(number)) continue
      const own = numberAt(mailing, place) || UNKNOWN
      const first = only.get(number)
      // Most have one address.
      if (first === undefined) only.set(number, own)
      else if (first !== own) {
        const known = several.get(number)
        if (known === undefined) several.set(number, new Set([first, own]))
        else if (known.size <= ADDRESSES_MAX) known.add(own)
      }
    }
  }
  return {
    facts: FACTS,
    open(block) {
      const { owner, shortName, mailing } = columnsOf(block)
      return (place) => {
        const number = numberAt(owner, place)
        if (Number.isNaN(number)) return undefined
        if (numberAt(shortName, place) !== 1) return number
        const isCommon = (several.get(number)?.size ?? 0) > ADDRESSES_MAX
        return isCommon ? `${number} ${numberAt(mailing, place)}` : number
      }
    },
  }
}

function columnsOf({ columns }: FactBlock): Record<'owner' | 'shortName' | 'mailing', Column> {
  return columns as ReturnType<typeof columnsOf>
}

const readOwner = openFields(['ownerName', 'ownerName2'])

/**
 * Returns an owner's name as recorded; `undefined` for none, and for texts such as `UNKNOWN`. Of
 * two slots it is the second only if that one alone has words that begin as `start`.
 */
export function nameOwner({ fieldValues }: StoredParcel, start = ''): string | undefined {
  const { ownerName, ownerName2 } = readOwner(fieldValues)
  const isSecond = !beginsAs(ownerName, start) && beginsAs(ownerName2, start)
  const name = isSecond ? ownerName2 : (ownerName ?? ownerName2)
  return name === null || PLACEHOLDER.test(name.toUpperCase()) ? undefined : name
}

/** Reports whether words of a name, from any on, begin as a text. */
function beginsAs(name: string | null, start: string): boolean {
  const fold = (text: string) =>
    ` ${foldLetters(text)
      .replace(/[^A-Z0-9]+/g, ' ')
      .trim()}`
  return name !== null && fold(name).includes(fold(start))
}
