/**
 * Owner slots become what is kept of them: beside the rest of a row, or beforehand in a thread of
 * their own (`owners-worker.ts`).
 */
import type { NameEvidence, NameOrder, OwnersReading } from '../../model/owner.ts'
import { indexOwners, readOwners } from '../../owner/canonical.ts'
import { encodeOwners, ownerOf } from '../../store/parcel-keys.ts'
import { Recent } from '../mapping/remember.ts'

/** What is made of a parcel's owner slots. */
export type ReadOwners = Pick<OwnersReading, 'ownerType' | 'careOf' | 'careOfSlots'> & {
  /** As `encodeOwners` writes them. */
  keys: string
  /** The number that `ownerOf` gives the first of them. */
  owner: number
}

type OwnerReader = (slot1: string | null, slot2: string | null, order: NameOrder) => ReadOwners

/**
 * Makes what reads owners; `evidence`: what a first pass learned of the roll's names. One owner has
 * many parcels, most of them side by side.
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
 * For the way between threads, as a row of texts; `''` is null, which no owner type and no care-of
 * is.
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
