/** Facts that a suppression hides. */
import { FACTS, type FactName, openFacts } from '../../record/facts.ts'
import { openFields } from '../../record/stored.ts'
import type { FactTable } from '../../store/facts/table.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { type Limits, pickParcels } from './pick.ts'
import { factsOf, type Selection } from './select.ts'

/** Parcels that are read to leave suppressed ones out of a number. */
const READ_MAX = 500

const readHidden = openFields(['suppressed', 'ownerName', 'address'])

/**
 * Whether a record hides one of these facts, which its stored facts may still have. A parcel that
 * only names another person or home, as grantor or mailing address, has its own.
 */
export function hidesAny({ fieldValues }: StoredParcel, facts: readonly FactName[]): boolean {
  const { suppressed, ownerName, address } = readHidden(fieldValues)
  if (suppressed.length === 0) return false
  const read = openFacts({
    ...{ state: '', fieldValues },
    // Only whether they are known counts here.
    owner: ownerName === null ? 0 : Number.MAX_SAFE_INTEGER,
    unit: address ?? '',
  })
  return facts.some((fact) => {
    const value = hiddenWithOf(fact) === undefined ? 0 : read(fact)
    return value === '' || Number.isNaN(value)
  })
}

/** Leaves out what a parcel names whose suppression is not in effect on the store yet. */
export async function leaveHidden<One>(
  named: readonly One[],
  idOf: (one: One) => number,
  facts: readonly FactName[],
  { state, parcels }: { state: string; parcels: ParcelReader },
): Promise<readonly One[]> {
  if (!parcels.isGuarded) return named
  const records = await parcels.byIds(state, [...new Set(named.map(idOf))])
  const open = new Set(records.filter((one) => !hidesAny(one, facts)).map(({ id }) => id))
  return named.filter((one) => open.has(idOf(one)))
}

function hiddenWithOf(fact: FactName): string | undefined {
  return (FACTS[fact] as { hiddenWith?: string }).hiddenWith
}

/**
 * Returns how many parcels of a selection are suppressed and still stored, among the first 500; one
 * among more is not told by a number. 0 when no suppression waits.
 */
export async function countHidden(
  [state, table]: readonly [string, FactTable],
  selection: Selection,
  parcels: ParcelReader,
  limits: Limits,
): Promise<number> {
  const facts = factsOf(selection)
  if (!parcels.isGuarded || !facts.some((fact) => hiddenWithOf(fact) !== undefined)) return 0
  const asked = { selection, after: undefined, skip: 0, limit: READ_MAX, total: false }
  const { page } = await pickParcels(table, { ...asked, order: ID_ORDER }, limits)
  const ids = page.map(({ id }) => id)
  const shown = await parcels.byIds(state, ids)
  return ids.length - shown.filter((one) => !hidesAny(one, facts)).length
}

const ID_ORDER = { by: 'id', descending: false } as const
