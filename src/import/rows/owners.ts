/**
 * Reads owner slots, either together with the rest of a row or beforehand in a separate thread
 * (`owners-worker.ts`).
 */
import type { NameEvidence, NameOrder, OwnersReading } from '../../base/model/owner.ts'
import { indexOwners, readOwners } from '../../owner/canonical.ts'
import { encodeOwners, ownerOf } from '../../store/parcel-keys.ts'
import { Recent } from '../mapping/remember.ts'

/** The result of reading a parcel's owner slots. */
export type ReadOwners = Pick<OwnersReading, 'ownerType' | 'careOf' | 'careOfSlots'> & {
  /** As `encodeOwners` writes them. */
  keys: string
  /** The number that `ownerOf` gives the first of them. */
  owner: number
}

type OwnerReader = (slot1: string | null, slot2: string | null, order: NameOrder) => ReadOwners

/**
 * Returns the function that reads owners. `evidence`: names learned in the first pass. Results are
 * cached, because one owner's parcels are often consecutive.
 */
export function ownerReader(evidence: NameEvidence | undefined): OwnerReader {
  const recent = new Recent<ReadOwners>()
  return (slot1, slot2, order) => {
    const asked = `${slot1 ?? ''}\n${slot2 ?? ''}\n${order}`
    const known = recent.get(asked)
    if (known !== undefined) return known
    const reading = readOwners([slot1, slot2], order, evidence)
    const { ownerType, careOf, careOfSlots } = reading
    const keys = encodeOwners(indexOwners(reading))
    const read = { ownerType, careOf, careOfSlots, keys, owner: ownerOf(keys) }
    recent.set(asked, read)
    return read
  }
}

/**
 * Encodes the result as texts to send between threads. `''` stands for null; no owner type or
 * care-of is empty.
 */
export function writeOwners(read: ReadOwners): string[] {
  const { ownerType, careOf, careOfSlots, keys, owner } = read
  return [ownerType ?? '', careOf ?? '', careOfSlots.join(''), keys, String(owner)]
}

/** The inverse of `writeOwners`. */
export function openOwners(texts: string[]): ReadOwners {
  const [type = '', careOf = '', slots = '', keys = '', owner = '0'] = texts
  return {
    ownerType: type === '' ? null : (type as ReadOwners['ownerType']),
    careOf: careOf === '' ? null : careOf,
    careOfSlots: Array.from(slots, Number) as ReadOwners['careOfSlots'],
    keys,
    owner: Number(owner),
  }
}
