/** Groups parcels by owner, as portfolio search understands the same owner. */
import { PLACEHOLDER } from '../../owner/dictionaries/organization-words.ts'
import type { FactName } from '../../record/facts.ts'
import { openFields } from '../../record/stored.ts'
import { type Column, numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import type { StoredParcel } from '../../store/store.ts'
import { eachBlock, type Limits } from './pick.ts'
import { factsOf, type Selection } from './select.ts'
import type { Grouping } from './sum-up.ts'

const FACTS: FactName[] = ['owner', 'shortName', 'mailing']

/** A two-word person's name with more mailing addresses belongs to several persons. */
const ADDRESSES_MAX = 3

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
  const addresses = new Map<number, Set<number>>()
  for await (const selected of eachBlock(
    table,
    selection,
    [...factsOf(selection), ...FACTS],
    limits,
  )) {
    if (selected === undefined) break
    const { owner, shortName, mailing } = columnsOf(selected.block)
    for (const place of selected.list.subarray(0, selected.length)) {
      if (numberAt(shortName, place) !== 1) continue
      const number = numberAt(owner, place)
      if (Number.isNaN(number)) continue
      const known = addresses.get(number)
      if (known === undefined) addresses.set(number, new Set([numberAt(mailing, place)]))
      else if (known.size <= ADDRESSES_MAX) known.add(numberAt(mailing, place))
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
        const isCommon = (addresses.get(number)?.size ?? 0) > ADDRESSES_MAX
        return isCommon ? `${number} ${numberAt(mailing, place)}` : number
      }
    },
  }
}

function columnsOf({ columns }: FactBlock): Record<'owner' | 'shortName' | 'mailing', Column> {
  return columns as ReturnType<typeof columnsOf>
}

const readOwner = openFields(['ownerName', 'ownerName2'])

/** Returns an owner's name as recorded; `undefined` for none, and for texts such as `UNKNOWN`. */
export function nameOwner({ fieldValues }: StoredParcel): string | undefined {
  const { ownerName, ownerName2 } = readOwner(fieldValues)
  const name = ownerName ?? ownerName2
  return name === null || PLACEHOLDER.test(name.toUpperCase()) ? undefined : name
}
