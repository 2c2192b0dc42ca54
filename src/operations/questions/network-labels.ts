/** What an owner network shows of a node: the text of one of its parcels. */
import { openFields } from '../../record/stored.ts'
import type { StoredParcel } from '../../store/store.ts'
import { NO_ADDRESS } from '../portfolio.ts'
import type { NodeKind } from './grow-network.ts'
import { nameOwner } from './owner-groups.ts'

const readMailing = openFields([
  'ownerStreet',
  'ownerCity',
  'ownerState',
  'ownerZipCode',
  'careOf',
  'fips',
])

export function readFips({ fieldValues }: StoredParcel): number {
  return readMailing(fieldValues).fips
}

/** Returns the label of a node; `undefined` when it is hidden, or names nothing. */
export function labelNode(kind: NodeKind, parcel: StoredParcel): string | undefined {
  if (kind === 'owner') return nameOwner(parcel)
  const { ownerStreet, ownerCity, ownerState, ownerZipCode, careOf } = readMailing(
    parcel.fieldValues,
  )
  if (kind === 'careOf') return careOf ?? undefined
  if (ownerStreet === null || NO_ADDRESS.test(ownerStreet)) return undefined
  const place = [ownerState, ownerZipCode].filter((one) => one !== null).join(' ')
  return [ownerStreet, ownerCity, place].filter((one) => one !== null && one !== '').join(', ')
}
